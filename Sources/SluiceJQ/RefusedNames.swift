/// The names of jq's language that pipelines may not use, each with the reason.
enum RefusedNames {
    /// Why a function may not be called; nil if it may.
    static func reason(ofFunction name: Substring) -> String? { functions[String(name)] }

    /// Why a variable may not be read; nil if it may.
    static func reason(ofVariable name: Substring) -> String? { variables[String(name)] }

    /// Why a keyword may not be used; nil if it may.
    static func reason(ofKeyword name: Substring) -> String? { keywords[String(name)] }

    private static let environment = "a program may not read the environment"
    private static let input = "a program sees one value, its input, and may not read further ones"
    private static let printing = "a program may not print; its outputs are its only result"
    private static let halting = "a program may not end the process; use `error` to refuse a record"
    private static let files = "a program may not read files"
    private static let clock = "the result would depend on when the program runs"
    private static let zone = "the result would depend on the time zone of the machine; use the UTC function"
    private static let endless = "its running time cannot be limited"

    private static let keywords = [
        "import": files,
        "include": files,
        "module": "a program is no module",
    ]

    private static let variables = [
        "ENV": environment,
        "__prog_args": "a program has no arguments",
        "__prog_name": "a program has no arguments",
    ]

    private static let functions = [
        "env": environment,
        "input": input,
        "inputs": input,
        "input_filename": input,
        "input_line_number": input,
        "debug": printing,
        "stderr": printing,
        "halt": halting,
        "halt_error": halting,
        "get_search_list": files,
        "get_prog_origin": files,
        "get_jq_origin": files,
        "modulemeta": files,
        "now": clock,
        "localtime": zone,
        "strflocaltime": zone,
        "jn": endless,
        "yn": endless,
    ]
}
