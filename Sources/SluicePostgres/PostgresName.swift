/// The one place where names become SQL.
package enum PostgresName {
    /// How many bytes of a name count: PostgreSQL drops those behind, with a notice, so that two long names may become
    /// one. See: postgresql.org/docs/current/sql-syntax-lexical.html
    package static let maximumLength = 63

    /// A name in double quotes, with those within it doubled.
    package static func quoted(_ name: String) -> String {
        // By scalars: a quote that a combining mark follows is another Character, and still a quote for PostgreSQL.
        "\"" + name.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
    }

    /// A table, type or index in its schema, both in double quotes.
    package static func quoted(_ name: String, in schema: String) -> String { quoted(schema) + "." + quoted(name) }

    /// Names in double quotes, separated by commas.
    package static func list(_ names: [String]) -> String { names.map(quoted).joined(separator: ", ") }

    /// Whether PostgreSQL keeps a name as it is: it has no NUL, is not empty and is no longer than ``maximumLength``.
    package static func isKept(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= maximumLength && !name.utf8.contains(0)
    }
}
