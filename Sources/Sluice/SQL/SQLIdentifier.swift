internal import SluiceSQLite

/// Names of tables and columns as SQL.
enum SQLIdentifier {
    /// A name in double quotes.
    static func quoted(_ name: String) -> String { SQLName.quoted(name) }
    /// Names in double quotes, separated by commas.
    static func list(_ names: [String]) -> String { SQLName.list(names) }
}
