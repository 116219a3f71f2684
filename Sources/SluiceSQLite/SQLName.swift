/// The one place where names become SQL.
package enum SQLName {
    /// A name in double quotes, with those within it doubled. See: sqlite.org/lang_keywords.html
    package static func quoted(_ name: String) -> String {
        // By scalars: a quote that a combining mark follows is another Character, and still a quote for SQLite.
        "\"" + name.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
    }

    /// Names in double quotes, separated by commas.
    package static func list(_ names: [String]) -> String { names.map(quoted).joined(separator: ", ") }
}
