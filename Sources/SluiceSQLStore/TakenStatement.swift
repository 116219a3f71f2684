internal import SluiceStore

/// A statement on tables of people that a change of them ran, as reports give it.
package struct TakenStatement: Hashable, Sendable {
    /// Its text. One that runs again and again, with values of the program, says so in a comment.
    package let sql: String
    /// The table that it is about; nil for triggers, views and indexes that go.
    package let table: String?

    private static let onTables = [
        "ALTER TABLE ", "UPDATE OR ABORT ", "UPDATE ", "INSERT OR ABORT INTO ", "INSERT INTO ", "DELETE FROM ",
        "CREATE TABLE ", "DROP TABLE ",
    ]

    private static let onViews = ["CREATE VIEW ", "DROP VIEW ", "ALTER VIEW ", "COMMENT ON VIEW "]

    /// Takes a statement; nil for one on the tables of the store itself, and on its views of conflicts.
    ///
    /// - Parameters:
    ///   - sql: Its text.
    ///   - isRepeated: Whether it runs for many rows, with other values each time.
    package init?(_ sql: String, isRepeated: Bool = false) {
        if let start = Self.onViews.first(where: sql.hasPrefix),
            Self.object(sql.dropFirst(start.count)).hasPrefix(ConflictView.prefix)
        {
            return nil
        }
        var name: String?
        if let start = Self.onTables.first(where: sql.hasPrefix) {
            name = Self.object(sql.dropFirst(start.count))
        } else if sql.hasPrefix("CREATE INDEX ") || sql.hasPrefix("CREATE UNIQUE INDEX ") {
            name = sql.firstRange(of: " ON ").flatMap { Self.object(sql[$0.upperBound...]) }
        }
        let interim = "_sluice_new_"
        if let found = name, found.hasPrefix(interim) { name = String(found.dropFirst(interim.count)) }
        if name?.hasPrefix("_sluice_") == true { return nil }
        table = name
        self.sql = isRepeated ? "-- for each row, with values that Sluice makes:\n\(sql)" : sql
    }

    /// The name that a text begins with, without a schema before it.
    private static func object(_ text: Substring) -> String {
        guard text.first == "\"" else {
            return String(text.prefix { !$0.isWhitespace && $0 != "(" })
        }
        var name = ""
        var rest = text.dropFirst()
        while let end = rest.firstIndex(of: "\"") {
            name += rest[..<end]
            rest = rest[rest.index(after: end)...]
            if rest.first != "\"" { break }
            name += "\""
            rest = rest.dropFirst()
        }
        return rest.hasPrefix(".\"") ? object(rest.dropFirst()) : name
    }
}

extension [TakenStatement] {
    /// Gives each change of a table the statements on it; those on none of these tables go to the first change.
    ///
    /// - Parameter changes: The changes. One that has its statements keeps them, and of several of one table the first gets
    ///   them.
    /// - Returns: The changes, all of which have statements.
    func divided(among changes: [SchemaChange]) -> [SchemaChange] {
        var changes = changes
        let open = changes.indices.filter { changes[$0].statements == nil }
        for index in open { changes[index].statements = [] }
        for statement in self {
            if changes.contains(where: { $0.statements == [statement.sql] }) { continue }
            let place = open.first { changes[$0].table.lowercased() == statement.table?.lowercased() } ?? open.first
            if let place { changes[place].statements?.append(statement.sql) }
        }
        return changes
    }
}
