/// Words of Swift that generated models have to heed.
enum SwiftWord {
    /// Words that need backticks where they name something.
    static let keywords: Set<String> = [
        "Any", "Self", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
        "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard",
        "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private",
        "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super",
        "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]

    /// Members that a model has already, or that no backticks make a name.
    static let members: Set<String> = [
        "path", "model", "identifier", "origin", "savedIdentifier", "storedOrigin", "boxed", "box", "assign",
        "attachLinks", "makeRecord", "init", "self", "Type", "Self",
    ]
}
