internal import SluiceModel
internal import SluiceStore

/// Tables whose rows went all at once: people may have deleted them, or have given the table another name and made a new one.
extension EntityRegistry {
    /// The kind of the entries that tell which tables are meant to have no row.
    static let emptiedKind = "emptied"

    /// Whether it was said to be meant that a table which a mapping fills has no row.
    func isKnown(emptied table: String, of mapping: String) throws -> Bool {
        try entry(Self.emptiedKind, mapping).map { ColumnName.areSame($0, table) } ?? false
    }

    /// Notes that it is meant that a table has no row.
    func record(emptied table: String, of mapping: String) throws { try put(Self.emptiedKind, mapping, table) }

    /// Forgets that it is meant that a table has no row, where it has some again.
    func forgetEmptied(_ mapping: String) throws {
        guard let table = try entry(Self.emptiedKind, mapping), try !database.columns(of: table).isEmpty,
            try database.hasRow("SELECT 1 FROM \(database.table(table)) LIMIT 1")
        else { return }
        try remove(Self.emptiedKind, mapping)
    }

    /// Whether a table, which is there, has no row although what fills it gave some.
    func isEmptied(_ table: String) throws -> Bool {
        if try database.hasRow("SELECT 1 FROM \(database.table(table)) LIMIT 1") { return false }
        return try mappings(of: table).contains { mapping in
            guard let base = try tables(of: mapping)?.base else { return false }
            return try database.hasRow("SELECT 1 FROM \(database.table(base)) WHERE state = 0 LIMIT 1")
        }
    }

    /// Whether a column that streams fill has no value in any row, and another one that nothing fills has some.
    func isReplaced(_ old: String, by column: String, in table: String) throws -> Bool {
        if ColumnName.areSame(old, column) { return false }
        let columns = try database.columns(of: table).map(\.name)
        func isThere(_ name: String) -> Bool { columns.contains { ColumnName.areSame($0, name) } }
        guard isThere(old), isThere(column) else { return false }
        let isFilled = try mappings(of: table).contains { mapping in
            try slots(of: mapping).contains { !$0.isRetired && !$0.isGivenUp && ColumnName.areSame($0.column, column) }
        }
        func hasValue(_ name: String) throws -> Bool {
            try database.hasRow(
                "SELECT 1 FROM \(database.table(table)) WHERE \(SQLText.quoted(name)) IS NOT NULL LIMIT 1")
        }
        return try !isFilled && !hasValue(old) && hasValue(column)
    }

    /// Whether the rows of a table that has none any more are in another one, which nothing fills yet.
    func hasFollowed(_ old: String, as table: String) throws -> Bool {
        if ColumnName.areSame(old, table) { return false }
        return try mappings(of: table).isEmpty
            && database.hasRow("SELECT 1 FROM \(database.table(table)) LIMIT 1")
    }
}
