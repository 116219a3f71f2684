import SluiceJQ
import Testing

/// What pipelines may not use is refused, whatever it hides behind, and what only looks like it is not.
@Suite struct RefusalTests {
    @Test(arguments: [
        "env", "env.HOME", ".a | env", "[env]", "{a: env}", "{a: 1, b: env}", "{(env): 1}", "{\"a\": env}",
        "{a: [1, env]}", "{a: 1 | env}", "$ENV", "$ENV.PATH", "$ ENV", "$\n# comment\nENV", "{$ENV}", "\"\\(env)\"",
        "\"\\(\"\\($ENV)\")\"", "\"a\\(1 + (2))b\" + env", "\"\\\\\\(env)\"", "# \"\nenv", "# it's\nenv # \"",
        "@text \"\\(env)\"", "def env: 1; env", "def f(input): 1; f(1)", "1.env", ". env", "..env", "m::env",
        "import \"a\" as a; 1", "include \"a\"; 1", "module {}; 1", "input", "[inputs]", "debug", "stderr",
        "input_filename", "input_line_number", "halt", "halt_error", "\"x\" | halt_error(1)", "get_search_list",
        "\"a\" | modulemeta", "now", "localtime", "strflocaltime(\"%Y\")", "$__prog_args", "jn(1; 2)", "yn(1; 2)",
        "if env then 1 else 2 end", "try env", "reduce env as $x (0; 1)", ".[env]", "-env", "1 as $x|env",
        "{} | {a} | env", "[{a}, env]", "{a: \"\\(1)\", b: env}", "{\"\\(env)\": 1}", "\"\\u\\(env)\"",
        "9007199254740993", ". == 12345678901234567890", "{a: 9007199254740993}", "a\renv", "# a \\\n\" env",
        "1 # a\r\" | env",
    ])
    func programIsRefused(_ program: String) {
        #expect(failure(program)?.code == .notAllowed)
    }

    @Test(arguments: [
        (".env", "5"), (".env | {a: {input: .}} | .a.input", "5"), ("{env: 1}.env", "1"), ("{env}", #"{"env":5}"#),
        ("{a: 1, input: 2}.input", "2"), ("{import: 1} | .import", "1"), ("\"env $ENV input\"", #""env $ENV input""#),
        ("1 # env $ENV", "1"), ("\"\\\\(env)\"", #""\\(env)""#), (". as $env | $env | .env", "5"), (".[\"env\"]", "5"),
        ("def environment: 3; environment", "3"), (".\"env\"", "5"), ("try error(\"now\") catch .", #""now""#),
        ("{\"a\\(1)\": 1, now: 2} | .now", "2"), (". as {env: $x} | $x", "5"), ("@sh \"env\"", #""env""#),
        ("$__loc__.line", "1"), ("1\r\n+ 1\r\n", "2"), ("9007199254740992", "9007199254740992"), ("1e3", "1000"),
    ])
    func programIsAllowed(_ program: String, expected: String) throws {
        #expect(try outputs(program, #"{"env":5}"#) == [expected])
    }

    @Test(arguments: [
        ("env", 1, 1, "`env` may not be used: a program may not read the environment."),
        (".a |\n  .b + $ENV", 2, 8, "`$ENV` may not be used: a program may not read the environment."),
        ("9007199254740993", 1, 1, "jq cannot hold the number 9007199254740993 with all its digits"),
        ("import \"a\" as a; 1", 1, 1, "`import` may not be used: a program may not read files."),
    ])
    func refusalSaysWhyAndWhere(_ program: String, line: Int, column: Int, message: String) throws {
        let error = try #require(failure(program))
        #expect(error.message.hasPrefix(message))
        #expect((error.line, error.column) == (line, column))
        #expect(error.program == program)
    }

    @Test(arguments: [
        ("{", "syntax error, unexpected $end", 1, nil as Int?),
        ("1 + nosuch(1)", "nosuch/1 is not defined", 1, 4),
        ("\"\\(1 + )\"", "syntax error, unexpected QQSTRING_INTERP_END", 1, 7),
        ("1 + nosuch(1)\n| foo", "nosuch/1 is not defined\nfoo/0 is not defined, in line 2", 1, 4),
        (".a\n | $x", "$x is not defined, in line 2", 2, 6),
        ("", nil as String?, nil as Int?, nil),
        ("}", "syntax error, unexpected INVALID_CHARACTER, expecting $end", 1, 0),
    ])
    func syntaxErrorsArePlainAndPlaced(_ program: String, message: String?, line: Int?, offset: Int?) throws {
        let error = failure(program)
        #expect(error?.message == message)
        #expect(error?.line == line)
        if let offset { #expect(error?.byteOffset == offset) }
    }

    @Test(arguments: [
        (".a.b", #"{"a":"x"}"#, #"Cannot index string with string "b""#),
        (".[] | keys", "[1]", "number (1) has no keys"),
        ("error(\"no\")", "1", "no"),
        ("error({code: 3})", "1", #"the program raised {"code":3}"#),
        (". + 1", #""x""#, #"string ("x") and number (1) cannot be added"#),
    ])
    func evaluationErrorsSayWhatJqSays(_ program: String, input: String, message: String) throws {
        let error = try #require(failure(program, input))
        #expect(error.code == .evaluation)
        #expect(error.message == message)
        #expect(error.description == "\(message), in the jq program `\(program)`")
    }

    @Test func badInputIsAnError() {
        #expect(failure(".", "{")?.code == .invalidInput)
    }
}
