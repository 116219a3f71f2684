package import SluiceModel
package import SluiceSQLStore
package import SluiceSQLite
package import SluiceStore

/// What all stores on SQL do in one way, on SQLite.
package final class SQLiteDatabase: SQLDatabase {
    let connection: Connection
    package let place: String
    /// How many attempts are under way, which look at errors of SQLite themselves.
    private var attempts = 0
    package let registryMemory = RegistryMemory()
    package let monitor = WorkMonitor()
    /// The identifiers that kept another spelling, by the names of their tables in small letters.
    var unspelled: [String: [UnspelledKey]] = [:]
    /// What the catalogue says of tables.
    var catalogue = CatalogueMemory()
    /// What is known of rows that were written without a look at what they lead to.
    private(set) lazy var unchecked = UncheckedImport(self)

    /// Stands on a connection.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - path: The file, for messages.
    package init(_ connection: Connection, path: String) {
        (self.connection, place) = (connection, path)
    }

    // MARK: Statements

    package func rows(_ sql: String, _ values: [FieldValue]) throws -> [[FieldValue]] {
        try told { () throws(SQLiteError) in
            try connection.rows(sql, values.map(\.sqliteValue)).map { row in row.map { FieldValue($0) } }
        }
    }

    package func each(_ sql: String, _ values: [FieldValue], _ body: ([FieldValue]) throws -> Bool) throws {
        let statement = try told { () throws(SQLiteError) in try connection.prepare(sql) }
        for (index, value) in values.enumerated() { statement.bind(value.sqliteValue, at: index + 1) }
        defer { statement.reset() }
        while try told({ () throws(SQLiteError) in try statement.step() }) {
            if try !body((0..<statement.columnCount).map { FieldValue(statement.value($0)) }) { return }
        }
    }

    package func run(_ sql: String, _ values: [FieldValue]) throws -> Int {
        let count = try told { () throws(SQLiteError) in
            try connection.run(sql, values.map(\.sqliteValue))
            return connection.changes
        }
        monitor.ran(sql, isRepeated: !values.isEmpty)
        return count
    }

    package func run(_ sql: String, each rows: [[FieldValue]]) throws {
        if rows.isEmpty { return }
        try told { () throws(SQLiteError) in
            let statement = try connection.prepare(sql)
            for row in rows { try statement.run(row.map(\.sqliteValue)) }
        }
        monitor.ran(sql, isRepeated: true)
    }

    package func execute(_ sql: String) throws {
        try told { () throws(SQLiteError) in try connection.execute(sql) }
        monitor.ran(sql)
    }

    package func attempt(_ body: () throws -> Void) throws -> SQLRefusal? {
        do {
            let error = try error(of: body) { $0.code.primary == .constraint }
            return error.map { SQLRefusal(TableRefusal($0), isUnique: $0.code == .uniqueConstraint) }
        } catch let refusal as SQLRefusal { return refusal }
    }

    // It compares values of any types; a table may be gone.
    package func misfit(_ body: () throws -> Void) throws -> String? {
        try error(of: body) { $0.code.primary == .error }?.message
    }

    package func failure(_ body: () throws -> Void) throws -> String? {
        try error(of: body) { $0.code.primary != .interrupted }?.message
    }

    /// The error of a body where it is one that is expected; then nothing of the body remains.
    private func error(of body: () throws -> Void, where isExpected: (SQLiteError) -> Bool) throws -> SQLiteError? {
        attempts += 1
        defer { attempts -= 1 }
        let isPart = connection.isInTransaction
        do {
            try connection.inSavepoint(body)
            return nil
        } catch let error as SQLiteError {
            registryMemory.forget()
            catalogue.forget()
            // A trigger may end the transaction, and more than the body with it.
            if isExpected(error), connection.isInTransaction == isPart { return error }
            throw StoreError(error, path: place)
        }
    }

    /// Runs a part of something that looks at errors of the database itself.
    func untold<Result>(_ body: () throws -> Result) throws -> Result {
        attempts += 1
        defer { attempts -= 1 }
        return try body()
    }

    /// Runs what may fail; errors are told in a store's words, but to an attempt.
    private func told<Result>(_ body: () throws(SQLiteError) -> Result) throws -> Result {
        do throws(SQLiteError) {
            return try body()
        } catch {
            if attempts > 0 { throw error }
            throw StoreError(error, path: place)
        }
    }

    package func atOneMoment<Result>(_ body: () throws -> Result) throws -> Result {
        if connection.isInTransaction { return try body() }
        try told { () throws(SQLiteError) in try connection.execute("BEGIN") }
        defer { if connection.isInTransaction { try? connection.execute("ROLLBACK") } }
        return try body()
    }

    // MARK: Names

    package func table(_ name: String) -> String { SQLName.quoted(name) }

    package func derivedName(_ wanted: String) -> String { wanted }

    package var foldsNames: Bool { true }

    // MARK: What is there

    package func hasTables() throws -> Bool { try StoreFormat.hasTables(connection) }

    package func hasHistory() throws -> Bool { try StoreFormat.hasHistory(connection) }

    package func isCurrent() throws -> Bool { try StoreFormat.storedVersion(connection) == StoreFormat.version }

    package var ownUniqueIndexes: [(ledger: String, sql: String)] {
        [("conflicts", StoreFormat.conflictsOpen), ("quarantine", StoreFormat.quarantineOpen)]
    }

    package func object(_ name: String) throws -> SQLObject? {
        let types = try connection.rows(
            "SELECT type FROM sqlite_schema WHERE name = ?1 COLLATE NOCASE", [SQLiteValue(name)])
        if types.contains([SQLiteValue("table")]) { return .table }
        if types.contains([SQLiteValue("view")]) { return .view }
        return types.isEmpty ? nil : .other
    }

    package func tableNames() throws -> [String] {
        try rows(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND lower(name) NOT GLOB '_sluice_*' ORDER BY name",
            []
        ).compactMap { $0[0].string }
    }

    package func columns(of table: String) throws -> [SQLColumn] {
        try catalogue.columns(of: table, connection) { () throws(SQLiteError) in try readColumns(of: table) }
    }

    private func readColumns(of table: String) throws(SQLiteError) -> [SQLColumn] {
        let isStrict =
            try connection.integer("SELECT max(strict) FROM pragma_table_list(?1)", [SQLiteValue(table)]) == 1
        // Hidden columns of the second and third kind are computed. See: sqlite.org/pragma.html#pragma_table_xinfo
        let statement = try connection.prepare(
            """
            SELECT name, type, pk, "notnull", dflt_value, hidden FROM pragma_table_xinfo(?1) WHERE hidden <> 1
            ORDER BY cid
            """)
        statement.bind(table, at: 1)
        var columns: [SQLColumn] = []
        while try statement.step() {
            columns.append(
                SQLColumn(
                    name: statement.string(0) ?? "", declared: statement.string(1) ?? "",
                    keyPosition: Int(clamping: statement.integer(2)), isNotNull: statement.integer(3) != 0,
                    defaultSQL: statement.isNull(4) ? nil : statement.string(4), isGenerated: statement.integer(5) > 1,
                    isStrict: isStrict))
        }
        return columns
    }

    package func foreignKeys(of table: String) throws -> [SQLForeignKey] {
        try numberedForeignKeys(of: table).map(\.key)
    }

    /// The foreign keys of a table, each with the number by which the database calls it.
    private func numberedForeignKeys(of table: String) throws -> [(number: FieldValue, key: SQLForeignKey)] {
        let rows = try rows(
            "SELECT id, \"table\", \"from\", \"to\", on_delete, on_update FROM pragma_foreign_key_list(?1) ORDER BY id, seq",
            [FieldValue(table)])
        var numbers: [FieldValue] = []
        for row in rows where numbers.last != row[0] { numbers.append(row[0]) }
        return numbers.map { number in
            let parts = rows.filter { $0[0] == number }
            let key = SQLForeignKey(
                columns: parts.map { $0[2].string ?? "" }, target: parts[0][1].string ?? "",
                targetColumns: parts.compactMap { $0[3].string }.filter { !$0.isEmpty },
                onDelete: parts[0][4].string ?? "NO ACTION", onUpdate: parts[0][5].string ?? "NO ACTION")
            return (number, key)
        }
    }

    package func indexes(of table: String) throws -> [SQLIndex] {
        let condition = " WHERE \(DeletionMark.isNotSet)"
        return try connection.rows(
            """
            SELECT i.name, i."unique", i.origin = 'pk', i.partial, coalesce(s.sql LIKE '%' || ?2, 0), i.origin <> 'c'
            FROM pragma_index_list(?1) AS i LEFT JOIN sqlite_schema AS s ON s.name = i.name
            """, [SQLiteValue(table), SQLiteValue(condition)]
        ).map { index in
            let parts = try connection.rows("SELECT name, coll FROM pragma_index_xinfo(?1) WHERE key", [index[0]])
                .map { $0.map { FieldValue($0).string ?? "" } }
            return SQLIndex(
                name: FieldValue(index[0]).string ?? "", columns: parts.map { $0[0].lowercased() },
                isUnique: index[1] == .integer(1),
                isPrimary: index[2] == .integer(1), isOfConstraint: index[5] == .integer(1),
                isWhole: index[3] == .integer(0),
                leavesOutMarked: index[3] == .integer(1) && index[4] == .integer(1),
                looseCollations: parts.map { $0[1] }.filter { $0.uppercased() != "BINARY" })
        }
    }

    package func looseness(of column: String, in table: String) throws -> String? {
        connection.collation(of: column, in: table).flatMap { $0.uppercased() == "BINARY" ? nil : $0 }
    }

    package func viewText(_ name: String) throws -> String? {
        try rows("SELECT sql FROM sqlite_schema WHERE type = 'view' AND name = ?1 COLLATE NOCASE", [FieldValue(name)])
            .first?.first?.string
    }

    package func integrityFindings() throws -> [StoreFinding] {
        let found = try rows("PRAGMA integrity_check(100)", []).compactMap { $0.first?.string }.filter { $0 != "ok" }
        if found.isEmpty { return [] }
        return [
            StoreFinding(
                .integrity, table: nil, count: found.count,
                message: "The file is damaged: \(found[0]).", examples: found,
                remedy: SQLiteBackend(path: place).traits.remedyWhereDamaged)
        ]
    }

    package func brokenForeignKeys() throws -> [(table: String, key: SQLForeignKey, count: Int)] {
        try rows("SELECT \"table\", fkid, count(*) FROM pragma_foreign_key_check GROUP BY 1, 2 LIMIT 100", [])
            .compactMap { row in
                let table = row[0].string ?? ""
                let key = try numberedForeignKeys(of: table).first { $0.number == row[1] }?.key
                return key.map { (table, $0, Int(clamping: row[2].number ?? 0)) }
            }
    }

    // MARK: Types

    package func columnType(_ type: FieldType) -> String { type.sqliteType }

    package func keyType(_ type: FieldType) -> String { type.sqliteType }

    package func fits(_ column: SQLColumn, _ type: FieldType, isKey: Bool) -> Bool { column.fits(type, isKey: isKey) }

    package func holds(_ value: FieldValue, _ type: FieldType) -> Bool { true }

    package func isOfType(_ column: String, _ type: FieldType) -> String? {
        switch type {
        case .int: return "typeof(\(column)) = 'integer'"
        case .bool: return "typeof(\(column)) = 'integer' AND \(column) IN (0, 1)"
        case .double: return "typeof(\(column)) IN ('real', 'integer')"
        case .bytes: return "typeof(\(column)) = 'blob'"
        case .json: return "typeof(\(column)) = 'text' AND json_valid(\(column))"
        case .date: return "typeof(\(column)) = 'text' AND \(column) GLOB '\(Self.dayPattern)'"
        case .datetime: return "typeof(\(column)) = 'text' AND \(column) GLOB '\(Self.dayPattern)T*'"
        // As JSON writes numbers, so that `1e3` is one, and `n/a`, `1,5` and `007` are none.
        case .decimal:
            return "typeof(\(column)) = 'text' AND \(column) NOT GLOB '*[^-+0-9.eE]*' AND json_valid(\(column))"
        case .uuid: return "typeof(\(column)) = 'text' AND \(column) GLOB '\(Self.uuidPattern)'"
        case .url:
            return
                "typeof(\(column)) = 'text' AND \(column) GLOB '[a-zA-Z]*:?*' AND \(column) NOT GLOB '*[ <>\"]*'"
        case .string, .enumeration: return "typeof(\(column)) = 'text'"
        }
    }

    private static let uuidPattern = [8, 4, 4, 4, 12].map { String(repeating: "[0-9a-f]", count: $0) }
        .joined(separator: "-")

    private static let dayPattern = String(repeating: "[0-9]", count: 4) + "-[0-9][0-9]-[0-9][0-9]"

    package func forms(of table: String) throws -> [String: any StoredForm] {
        try EntityRegistry(database: self).forms(of: table)
    }

    package func recordForms(of schema: RecordSchema, _ columns: [SQLColumn]) throws {
        try ColumnFormFinder(self, table: schema.table).record(schema, columns)
    }

    package func mayChange(_ table: String) throws -> Bool { true }

    package func isOurs(_ table: String) throws -> Bool {
        try connection.integer(
            """
            SELECT strict AND NOT wr FROM pragma_table_list WHERE schema = 'main' AND name = ?1 COLLATE NOCASE
            """, [SQLiteValue(table)]) == 1
    }

    // What this program makes is STRICT.
    package func recordMade(_ table: String) throws {}

    // MARK: Dialect

    // A constraint of an adopted table may say REPLACE or IGNORE; what the statement says goes before.
    package var insert: String { "INSERT OR ABORT INTO" }
    package var tableSuffix: String { " STRICT" }
    package var keyedTableSuffix: String { " STRICT, WITHOUT ROWID" }

    package func shown(_ text: String?) -> FieldValue { FieldValue(text) }

    package func addedForeignKey(_ table: String, _ definition: String) -> String? { nil }

    // SQLite looks for the table when a row refers to it. See: sqlite.org/foreignkeys.html
    package func canRefer(to table: String) -> Bool { true }
    package func await(_ key: AwaitedForeignKey) {}
    package func takeAwaited(of table: String) -> [AwaitedForeignKey] { [] }

    package func jsonArray(_ expressions: [String]) -> String { "json_array(\(expressions.joined(separator: ", ")))" }

    package func element(_ array: String, _ index: Int, for column: String, of table: String) throws -> String {
        "json_extract(\(array), '$[\(index)]')"
    }

    package func isSame(_ key: BaseKey, _ value: String, as column: String, of table: String) throws -> String {
        "\(key.expression) = \(value)"
    }

    package var quarantined: (column: String, hash: (Int64) -> FieldValue) {
        ("coalesce(key, record_hash)", { .integer($0) })
    }

    package func packed(_ value: FieldValue) -> FieldValue { value }

    package func unpacked(_ value: FieldValue) -> FieldValue { value }

    package func conflictView(_ name: String, of table: String, _ columns: [ConflictView.Column]) -> String {
        ConflictViewSQL.statement(name, of: table, columns)
    }

    package func makeView(_ name: String, _ text: String) throws { try connection.execute(text) }

    package func renameView(_ name: String, to new: String) -> Bool { false }

    package func replaceView(_ name: String, _ text: String) throws {
        try connection.execute("DROP VIEW \(table(name))")
        try makeView(name, text)
    }

    // MARK: What is done

    package func linkedSet(_ reference: RecordReference, owner: String, key: RecordKey) throws -> FieldValue {
        guard let links = LinkStatements(reference, owner: owner, connection: connection) else { return .null }
        let mayWait = try connection.integer("SELECT 1 FROM _sluice_pending LIMIT 1") != nil
        return try links.read(key, mayWait: mayWait)
    }

    package func brokenAtEnd() throws -> String? {
        connection.hasOpenForeignKeys ? "FOREIGN KEY constraint failed" : nil
    }

    package func detach(_ column: String, of table: String) throws -> [ColumnPart] {
        // A trigger has no business with what follows, and an index of the old column could not stay.
        let objects = try rows(
            """
            SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND (type IN ('trigger', 'view')
            OR type = 'index' AND tbl_name = ?1 COLLATE NOCASE) ORDER BY type = 'index' DESC, type = 'view' DESC, rowid
            """, [FieldValue(table)]
        ).map { $0.map { $0.string ?? "" } }
        for object in objects.reversed() { try execute("DROP \(object[0].uppercased()) \(SQLName.quoted(object[1]))") }
        return objects.map { ColumnPart(nil, $0[2]) }
    }

    // It keeps all statements as they were written.
    package func remember(_ parts: [ColumnPart], of table: String) {}

    package func prepareToOverwrite(_ table: String) throws { try connection.execute("PRAGMA secure_delete = ON") }

    package func recordOverwritten() throws {
        // Each note is one of its own, so that none is taken for another run's.
        try EntityRegistry(database: self).put("redaction", "unused_pages", String(UInt64.random(in: .min ... .max)))
    }

    // MARK: Unused pages

    /// Writes the file anew where its unused pages may hold what was replaced.
    ///
    /// - Parameter mergeLog: Brings what was written into the file itself.
    /// - Throws: `SQLiteError`, and what `mergeLog` throws: then it is done again the next time.
    func clearUnusedPages(mergeLog: () throws -> Void) throws {
        guard try StoreFormat.hasTables(connection) else { return }
        while let noted = try rows("SELECT value FROM _sluice_schema WHERE kind = 'redaction'", []).first?.first {
            try connection.execute("VACUUM")
            // Until then the pages of before are in the file.
            try mergeLog()
            // What another run replaced meanwhile may stand in pages that are unused since.
            _ = try run("DELETE FROM _sluice_schema WHERE kind = 'redaction' AND value IS ?1", [noted])
        }
    }
}
