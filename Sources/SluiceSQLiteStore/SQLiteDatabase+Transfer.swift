package import SluiceModel
package import SluiceSQLStore
internal import SluiceSQLite
internal import SluiceStore

/// A store in a file as one that is copied, and as one that is filled.
extension SQLiteDatabase: TransferDatabase {
    package var kind: String { "SQLite" }
    package var limits: String { "a column of SQLite holds values of its type." }

    // MARK: To copy from

    package func reading(_ column: SQLColumn, of table: String) -> String { SQLText.quoted(column.name) }

    package func counterpart(of column: SQLColumn, in table: String) throws -> FieldType {
        if let type = try ColumnFormFinder(self, table: table).fieldType(of: column, isKey: false, holdsJSON: false) {
            return type
        }
        switch ColumnAffinity(column.declared, isStrict: column.isStrict) {
        case .integer: return .int
        case .real: return .double
        case .text: return .string
        case .numeric: return .decimal
        case .none: return .bytes
        }
    }

    package func givesNumbers(_ column: SQLColumn, of table: String) throws -> Bool {
        guard
            try column.keyPosition == 1 && column.type == "INTEGER"
                && columns(of: table).count(where: { $0.keyPosition > 0 }) == 1
        else { return false }
        // A table of ours gets its keys from a source, but where it is the copy of one that gave them.
        return try !isOurs(table) || lastNumber(of: column.name, in: table) != nil
    }

    package func lastNumber(of column: String, in table: String) throws -> Int64? {
        guard try definition(of: table)?.neverGivesNumbersAgain ?? false else { return nil }
        return try integer(
            "SELECT seq FROM sqlite_sequence WHERE name = ?1 COLLATE NOCASE", [FieldValue(table)]) ?? 0
    }

    package func collation(of column: String, in table: String) throws -> SQLCollation? {
        try looseness(of: column, in: table).map { SQLCollation(name: $0, sql: $0, isByBytes: false) }
    }

    package func checks(of table: String) throws -> [SQLCheck] {
        try definition(of: table)?.checks ?? []
    }

    package func indexText(_ name: String) throws -> String? {
        try rows("SELECT sql FROM sqlite_schema WHERE type = 'index' AND name = ?1", [FieldValue(name)])
            .first?.first?.string
    }

    private func definition(of table: String) throws -> TableDefinition? {
        try rows(
            "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?1 COLLATE NOCASE",
            [FieldValue(table)]
        ).first?.first?.string.flatMap { TableDefinition($0) }
    }

    package func isPortable(_ column: SQLColumn) -> Bool { true }

    // A length that is declared binds nobody.
    package func isBounded(_ column: SQLColumn) -> Bool { false }

    package func hasPortableDefault(_ column: SQLColumn, of table: String) -> Bool { true }

    package var stateOfRuns: String { "stream = '' AND part LIKE 'run %'" }

    package func others(besides tables: Set<String>) throws -> [String] {
        let ours = try EntityRegistry(database: self).entries("view").filter { $0.value == "made" }
            .map { $0.name.lowercased() }
        var found: [String] = []
        let objects = try rows(
            "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE type <> 'index' ORDER BY type, name", []
        ).map { $0.map { $0.string ?? "" } }
        for object in objects {
            let name = object[1].lowercased()
            if name.hasPrefix("sqlite_") || name.hasPrefix("_sluice_") { continue }
            switch object[0] {
            case "trigger":
                found.append(DefinitionText.of("the trigger `\(object[1])` of `\(object[2])`", object[3]))
            case "view":
                if !ours.contains(name) {
                    found.append(DefinitionText.of("the view `\(object[1])`", object[3]))
                }
            default: if !tables.contains(name) { found.append("the table `\(object[1])`") }
            }
        }
        return found
    }

    // MARK: To copy to

    package func beginFilling() throws {
        // Rows that refer to nothing or break a rule are copied as they are, and `store check` tells of them. Within a transaction this would
        // have no effect. See: sqlite.org/pragma.html#pragma_foreign_keys
        try execute("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON")
        do {
            try execute("BEGIN IMMEDIATE")
            if try StoreFormat.hasTables(connection) {
                throw StoreError(
                    .mismatch,
                    "There is a store in `\(place)` already, and a copy is made where there is none. Name another file, or move that one away."
                )
            }
            do throws(SQLiteError) { try StoreFormat.migrate(connection) } catch {
                throw StoreError(error, path: place)
            }
        } catch {
            giveUpFilling()
            throw error
        }
    }

    package func endFilling() throws {
        try execute("COMMIT")
        try execute("PRAGMA foreign_keys = ON; PRAGMA ignore_check_constraints = OFF")
    }

    package func giveUpFilling() {
        if connection.isInTransaction { try? connection.execute("ROLLBACK") }
        try? connection.execute("PRAGMA foreign_keys = ON; PRAGMA ignore_check_constraints = OFF")
    }

    // A column that is the key of whole numbers gives them.
    package func numberedType(_ type: String, isKey: Bool, isAlways: Bool) -> String? { isKey ? type : nil }

    package var neverAgain: String { " AUTOINCREMENT" }

    package func continueNumbers(of column: String, in table: String, after last: Int64?) throws {
        guard let last, last > 0 else { return }
        _ = try run("DELETE FROM sqlite_sequence WHERE name = ?1", [FieldValue(table)])
        _ = try run(
            "INSERT INTO sqlite_sequence (name, seq) SELECT ?1, max(?2, coalesce(max(\(SQLText.quoted(column))), 0)) FROM \(self.table(table))",
            [FieldValue(table), .integer(last)])
    }

    package func load(
        _ table: String, _ columns: [String], _ body: (_ add: ([FieldValue]) throws -> Int?) throws -> Void
    ) throws {
        let sql =
            "INSERT OR ABORT INTO \(self.table(table)) (\(SQLText.list(columns))) VALUES (\(SQLText.parameters(columns.count)))"
        let statement: Statement
        do throws(SQLiteError) { statement = try connection.prepare(sql) } catch {
            throw StoreError(error, path: place)
        }
        try body { row in
            do throws(SQLiteError) { try statement.run(row.map(\.sqliteValue)) } catch {
                if let position = Self.refusedColumn(error, of: table, columns) { return position }
                throw StoreError(error, path: place)
            }
            return nil
        }
    }
}

extension SQLiteDatabase {
    /// The column that cannot hold its value. SQLite says it in its message alone, as
    /// `cannot store TEXT value in INTEGER column books.id`.
    ///
    /// - Returns: The position; nil where that is not why a row was refused.
    private static func refusedColumn(_ error: SQLiteError, of table: String, _ columns: [String]) -> Int? {
        guard error.code == .typeConstraint else { return nil }
        return columns.firstIndex { error.message.hasSuffix(" column \(table).\($0)") }
    }
}

extension SQLiteRecordStore: TransferableStore {
    /// What it is copied from and to.
    package var transferDatabase: any TransferDatabase { database }
}
