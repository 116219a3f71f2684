/// Names and texts within statements.
package enum SQLText {
    /// A name in double quotes, with those within it doubled.
    package static func quoted(_ name: String) -> String {
        // By scalars: a quote that a combining mark follows is another Character, and still a quote for a database.
        "\"" + name.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
    }

    /// Names in double quotes, separated by commas.
    package static func list(_ names: [String]) -> String { names.map(quoted).joined(separator: ", ") }

    /// A text in SQL's quotes.
    package static func literal(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
    }

    /// A condition that names equal values, which follow each other from ?`first`.
    package static func match(_ names: [String], from first: Int = 1) -> String {
        names.enumerated().map { "\(quoted($1)) = ?\($0 + first)" }.joined(separator: " AND ")
    }

    /// Values in a row: `?1, ?2`.
    package static func parameters(_ count: Int, from first: Int = 1) -> String {
        (0..<max(0, count)).map { "?\($0 + first)" }.joined(separator: ", ")
    }
}
