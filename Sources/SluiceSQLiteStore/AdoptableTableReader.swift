internal import SluiceModel
internal import SluiceSQLStore
internal import SluiceSQLite
package import SluiceStore

/// Reads what pipelines can adopt from a database that may be no store yet; nothing of it is changed.
package struct AdoptableTableReader: AdoptableTables {
    private let connection: Connection
    private let path: String

    /// Opens a database.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - busyTimeoutMilliseconds: How long to wait for another program's lock.
    /// - Throws: `StoreError` where it is missing or cannot be read.
    package init(path: String, busyTimeoutMilliseconds: Int) throws {
        self.path = path
        let place = StorePlace(path)
        try place.check(for: .reading)
        // Who may not write there would leave files beside it that its owner could not write either.
        let isSealed = !place.isWritable && place.isSealed
        do throws(SQLiteError) {
            connection = try Connection(path: path, mode: isSealed ? .immutable : .existing)
            connection.setBusyTimeout(milliseconds: busyTimeoutMilliseconds)
        } catch { throw StoreError(error, path: path) }
    }

    /// The names of the tables that a pipeline may adopt, in order.
    ///
    /// - Throws: `StoreError`.
    package func names() throws -> [String] {
        try told { () throws(SQLiteError) in
            try connection.rows(
                """
                SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
                AND lower(name) NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND lower(name) NOT LIKE '\\_sluice\\_%' ESCAPE '\\'
                ORDER BY name
                """
            ).map { FieldValue($0[0]).string ?? "" }
        }
    }

    /// What a name stands for, whatever the case of its letters.
    ///
    /// - Throws: `StoreError`.
    package func find(_ name: String) throws -> AdoptableFinding {
        let found = try told { () throws(SQLiteError) in
            try connection.rows(
                "SELECT name, type FROM pragma_table_list WHERE schema = 'main' AND name = ?1 COLLATE NOCASE",
                [SQLiteValue(name)]
            ).first?.map { FieldValue($0).string ?? "" }
        }
        guard let found else { return .nothing }
        let folded = found[0].lowercased()
        if folded.hasPrefix("sqlite_") || folded.hasPrefix("_sluice_") {
            return .other("a table of the database or the store itself")
        }
        switch found[1] {
        case "table":
            return .table(
                try told {
                    let database = SQLiteDatabase(connection, path: path)
                    return try AdoptableTableReading(database, found[0], SQLiteColumnTypes(database, found[0])).table()
                })
        case "view": return .other("a view")
        case "virtual": return .other("a virtual table")
        default: return .other("part of a virtual table")
        }
    }

    private func told<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as SQLiteError { throw StoreError(error, path: path) }
    }
}

/// What SQLite knows of the columns of a table: what is in them tells more than their types.
private struct SQLiteColumnTypes: AdoptableColumns {
    private let forms: ColumnFormFinder
    private let definition: String

    init(_ database: SQLiteDatabase, _ table: String) throws {
        forms = ColumnFormFinder(database, table: table)
        definition =
            try database.rows(
                "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?1 COLLATE NOCASE", [FieldValue(table)]
            ).first?.first?.string ?? ""
    }

    func fieldType(of column: SQLColumn, isKey: Bool) throws -> FieldType? {
        try forms.fieldType(of: column, isKey: isKey, holdsJSON: column.isCheckedAsJSON(by: definition))
    }

    func keepsSentForm(_ column: SQLColumn, _ type: FieldType) throws -> Bool {
        let form = column.isStrict ? nil : try forms.form(of: column, type)
        return form == nil || form == .own
    }
}
