internal import SluiceModel
internal import SluicePostgres
internal import SluiceSQLStore
internal import SluiceStore

/// What all stores on SQL do in one way, on PostgreSQL: every statement names the schema, values are sent as text whose type
/// the server finds out from where it stands.
final class PostgresDatabase: SQLDatabase {
    let session: PostgresStoreSession
    /// Whether the transaction is one that only looks.
    var isLooking = false
    /// How many attempts are under way, which look at errors of PostgreSQL themselves.
    private var attempts = 0
    private var cursors = 0
    /// What is known of tables until one of them changes.
    private var catalog = Catalog()
    /// The foreign keys that wait for the tables to which they lead.
    private var awaited: [AwaitedForeignKey] = []
    /// Those of before each part of the transaction that is open, the innermost last.
    private var awaitedBefore: [[AwaitedForeignKey]] = []
    let registryMemory = RegistryMemory()
    let monitor = WorkMonitor()

    var connection: PostgresConnection { session.connection }
    var place: String { session.place }

    init(_ session: PostgresStoreSession) { self.session = session }

    // MARK: Statements

    func rows(_ sql: String, _ values: [FieldValue]) throws -> [[FieldValue]] {
        try told {
            guard try session.isUsed() else { return [] }
            return try connection.run(statement(sql, values)).values.map { $0.map { FieldValue($0) } }
        }
    }

    func each(_ sql: String, _ values: [FieldValue], _ body: ([FieldValue]) throws -> Bool) throws {
        guard try told({ try session.isUsed() }) else { return }
        // A cursor lives in a transaction.
        let isOwn = connection.transactionState == .none
        if isOwn { try told { try connection.begin() } }
        defer { if isOwn { try? connection.rollback() } }
        cursors += 1
        let name = "sluice_rows_\(cursors)"
        try told {
            let query = try statement(sql, values)
            try connection.run(
                PostgresStatement("DECLARE \(name) NO SCROLL CURSOR FOR \(query.sql)", query.parameters))
        }
        defer { if connection.transactionState == .open { try? connection.execute("CLOSE \(name)") } }
        while true {
            let rows = try told { try connection.run("FETCH FORWARD 500 FROM \(name)").values }
            for row in rows where try !body(row.map { FieldValue($0) }) { return }
            if rows.count < 500 { return }
        }
    }

    @discardableResult
    func run(_ sql: String, _ values: [FieldValue]) throws -> Int {
        let count = try told {
            let statement = try statement(sql, values)
            // An attempt takes back what is refused by itself.
            if attempts > 0 { return try connection.run(statement).changes }
            return try session.write([statement]).first?.changes ?? 0
        }
        monitor.ran(sql, isRepeated: !values.isEmpty)
        return count
    }

    func run(_ sql: String, each rows: [[FieldValue]]) throws {
        if rows.isEmpty { return }
        try told {
            let statements = try rows.map { try statement(sql, $0) }
            if attempts > 0 { try connection.run(together: statements) } else { try session.write(statements) }
        }
        monitor.ran(sql, isRepeated: true)
    }

    func execute(_ sql: String) throws {
        catalog = Catalog()
        try told {
            try connection.execute(sql)
            // What was prepared before may read other columns now, or columns of other types.
            if sql.hasPrefix("ALTER TABLE"), connection.keptCount > 0 { try connection.forgetStatements() }
        }
        monitor.ran(sql)
    }

    func attempt(_ body: () throws -> Void) throws -> SQLRefusal? {
        do {
            let error = try error(of: body) { $0.isRefusal }
            return error.map { SQLRefusal(TableRefusal($0), isUnique: $0.code == .unique) }
        } catch let refusal as SQLRefusal {
            registryMemory.forget()
            return refusal
        }
    }

    func failure(_ body: () throws -> Void) throws -> String? {
        try error(of: body) { !$0.isOfServer && !$0.isRetriable && $0.code != .insufficientPrivilege }?.message
    }

    // Of other types are values (22), and columns as a whole; a table or a column may be gone.
    func misfit(_ body: () throws -> Void) throws -> String? {
        try error(of: body) {
            $0.code.family == "22" || ["42804", "42883", "42P01", "42703"].contains($0.code.rawValue)
        }?.message
    }

    /// The error of a body where it is one that is expected; then nothing of the body remains.
    private func error(
        of body: () throws -> Void, where isExpected: (PostgresError) -> Bool
    ) throws -> PostgresError? {
        attempts += 1
        defer { attempts -= 1 }
        do {
            guard connection.transactionState == .open else {
                try body()
                return nil
            }
            try connection.inSavepoint("sluice_attempt", body)
            return nil
        } catch let error as PostgresError {
            catalog = Catalog()
            registryMemory.forget()
            if isExpected(error) { return error }
            throw attempts > 1 ? error : session.failure(error)
        }
    }

    /// Runs a part of something that looks at errors of the database itself, and takes back what is refused.
    func untold<Result>(_ body: () throws -> Result) throws -> Result {
        attempts += 1
        defer { attempts -= 1 }
        return try body()
    }

    /// Runs what may fail; errors are told in a store's words, but to an attempt.
    func told<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as PostgresError {
            if attempts > 0 { throw error }
            throw session.failure(error)
        }
    }

    /// A statement with `$1` for `?1`, and its values as text.
    private func statement(_ sql: String, _ values: [FieldValue]) throws -> PostgresStatement {
        var parameters = PostgresParameters()
        for value in values {
            switch value {
            case .null: parameters.appendNull()
            case .integer(let number): parameters.append(untyped: Array(String(number).utf8))
            case .real(let number): parameters.append(untyped: Array("\(number)".utf8))
            case .text(let text):
                guard !text.contains(0) else {
                    throw PostgresError(code: .notText, message: "a text has a NUL in it", sql: sql)
                }
                parameters.append(untyped: text)
            case .blob(let bytes): parameters.append(.bytes(bytes))
            }
        }
        return PostgresStatement(Self.numbered(sql), parameters)
    }

    // PostgreSQL has no NUL in texts: its picture takes its place.
    func shown(_ text: String?) -> FieldValue {
        guard let text else { return .null }
        return .text(text.utf8.flatMap { $0 == 0 ? Array("\u{2400}".utf8) : [$0] })
    }

    /// Replaces `?1` by `$1`, but in texts and names.
    private static func numbered(_ sql: String) -> String {
        var quote: UInt8?
        let bytes = Array(sql.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for (index, byte) in bytes.enumerated() {
            if byte == quote {
                quote = nil
            } else if quote == nil && (byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"")) {
                quote = byte
            }
            let isPlace =
                quote == nil && byte == UInt8(ascii: "?") && index + 1 < bytes.count
                && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index + 1])
            result.append(isPlace ? UInt8(ascii: "$") : byte)
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Whether rows that are read are locked until the transaction ends: it judges and writes them. Who only looks may need no right
    /// to write, and keeps nobody waiting.
    var locksRows: Bool { connection.transactionState == .open && !isLooking }

    // MARK: Names

    func table(_ name: String) -> String { PostgresName.quoted(name, in: session.schema) }

    func derivedName(_ wanted: String) -> String {
        if PostgresName.isKept(wanted) { return wanted }
        // What is cut off still counts.
        let digest = String(FieldDigest.text(Array(wanted.utf8)), radix: 16)
        var kept = wanted.unicodeScalars
        while String(kept).utf8.count + digest.utf8.count + 1 > PostgresName.maximumLength { kept.removeLast() }
        return String(kept) + "_" + digest
    }

    var foldsNames: Bool { false }

    // MARK: What is there

    /// The columns of a table with their types.
    func tableColumns(_ table: String) throws -> [PostgresTableColumn] {
        try known(\.columns, of: table) {
            try catalogRows(PostgresTableColumn.query, [PostgresValue(session.schema), PostgresValue(table)])
                .compactMap(PostgresTableColumn.init)
        }
    }

    /// What is known of a table, asked of the server where it is not.
    ///
    /// - Parameters:
    ///   - part: Where it is kept.
    ///   - table: The table.
    ///   - body: Asks the server.
    /// - Returns: What is known.
    /// - Throws: What `body` throws.
    func known<Value>(
        _ part: WritableKeyPath<Catalog, [String: Value]>, of table: String, _ body: () throws -> Value
    ) throws -> Value {
        if let known = catalog[keyPath: part][table] { return known }
        let value = try body()
        catalog[keyPath: part][table] = value
        return value
    }

    /// What the server said of tables, by their names.
    struct Catalog {
        var columns: [String: [PostgresTableColumn]] = [:]
        var foreignKeys: [String: [SQLForeignKey]] = [:]
        var indexes: [String: [SQLIndex]] = [:]
    }

    /// Has tables looked at again.
    func forgetCatalog() { catalog = Catalog() }

    // MARK: Types

    func columnType(_ type: FieldType) -> String {
        switch type {
        case .int: "bigint"
        case .double: "double precision"
        case .decimal: "numeric"
        case .bool: "boolean"
        case .string, .url, .enumeration: "text"
        case .uuid: "uuid"
        case .datetime: "timestamp with time zone"
        case .date: "date"
        case .bytes: "bytea"
        case .json: "jsonb"
        }
    }

    func keyType(_ type: FieldType) -> String {
        let key = PostgresKeyType(type)
        return key.parameter == .text ? "text COLLATE \"C\"" : columnType(type)
    }

    func fits(_ column: SQLColumn, _ type: FieldType, isKey: Bool) -> Bool {
        PostgresTableColumn.fits(declared: column.declared, type, isKey: isKey)
    }

    func holds(_ value: FieldValue, _ type: FieldType) -> Bool {
        PostgresColumnType(columnType(type)).value(value) != nil
    }

    func isOfType(_ column: String, _ type: FieldType) -> String? { nil }

    func forms(of table: String) throws -> [String: any StoredForm] {
        var forms: [String: any StoredForm] = [:]
        for column in try tableColumns(table) { forms[column.column.name.lowercased()] = column.type }
        return forms
    }

    func recordForms(of schema: RecordSchema, _ columns: [SQLColumn]) throws {}

    func mayChange(_ table: String) throws -> Bool {
        try catalogRows(
            """
            SELECT pg_catalog.pg_has_role(c.relowner, 'USAGE') FROM pg_catalog.pg_class AS c
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = $2
            """, [PostgresValue(session.schema), PostgresValue(table)]
        ).first?.first != .bool(false)
    }

    func isOurs(_ table: String) throws -> Bool {
        try EntityRegistry(database: self).entry("made", table) != nil
    }

    func recordMade(_ table: String) throws { try EntityRegistry(database: self).put("made", table, "") }

    // MARK: Dialect

    var insert: String { "INSERT INTO" }
    var tableSuffix: String { "" }
    var keyedTableSuffix: String { "" }

    func addedForeignKey(_ table: String, _ definition: String) -> String? {
        "ALTER TABLE \(self.table(table)) ADD \(definition)"
    }

    func canRefer(to table: String) throws -> Bool { try !columns(of: table).isEmpty }

    func await(_ key: AwaitedForeignKey) { awaited.append(key) }

    func takeAwaited(of table: String) -> [AwaitedForeignKey] {
        defer { awaited.removeAll { $0.target == table } }
        return awaited.filter { $0.target == table }
    }

    /// Forgets the foreign keys that wait: their tables are gone with the transaction.
    func forgetAwaited() { (awaited, awaitedBefore) = ([], []) }

    /// Begins a part of the transaction that can be taken back alone.
    func beginSavepoint() { awaitedBefore.append(awaited) }

    /// Ends that part.
    func releaseSavepoint() { _ = awaitedBefore.popLast() }

    /// Has the foreign keys wait that did before that part: the tables that it made are gone.
    func rollBackToSavepoint() {
        registryMemory.forget()
        awaited = awaitedBefore.popLast() ?? []
    }

    func jsonArray(_ expressions: [String]) -> String {
        "CAST(pg_catalog.json_build_array(\(expressions.joined(separator: ", "))) AS text) COLLATE \"C\""
    }

    func element(_ array: String, _ index: Int, for column: String, of table: String) throws -> String {
        let type = try tableColumns(table).first { ColumnName.areSame($0.column.name, column) }?.type.name ?? "text"
        return "CAST(CAST(\(array) AS json) ->> \(index) AS \(type))"
    }

    func isSame(_ key: BaseKey, _ value: String, as column: String, of table: String) throws -> String {
        let type = try tableColumns(table).first { ColumnName.areSame($0.column.name, column) }?.type
        // PostgreSQL writes these otherwise than a base does.
        if let type, type.isComparedByValue { return "\(value) = \(type.stored(expression: key.expression))" }
        // The index of the base serves what is of its kind as it is, and texts in the base's own collation.
        let own = try tableColumns(key.base).first { $0.column.name == key.column }?.type
        if let type, let own, type.comparesPlainly(with: own) { return "\(key.expression) = \(value)" }
        return "CAST(\(key.expression) AS text) COLLATE \"C\" = CAST(\(value) AS text)"
    }

    var quarantined: (column: String, hash: (Int64) -> FieldValue) {
        (PostgresStoreFormat.quarantinedKey, { FieldValue("hash \($0)") })
    }

    func packed(_ value: FieldValue) -> FieldValue {
        value.isNull ? .null : .blob(BaseCoding.encode([.value(value)]))
    }

    func unpacked(_ value: FieldValue) -> FieldValue {
        guard let bytes = value.bytes else { return .null }
        return BaseCoding.decode(bytes, slotCount: 1)?.first?.value ?? .null
    }

    func conflictView(_ name: String, of table: String, _ columns: [ConflictView.Column]) -> String {
        PostgresConflictView(database: self).statement(name, of: table, columns)
    }

    func makeView(_ name: String, _ text: String) throws {
        try execute(text)
        try execute("COMMENT ON VIEW \(table(name)) IS \(SQLText.literal(text))")
    }

    func renameView(_ name: String, to new: String) throws -> Bool {
        try execute("ALTER VIEW \(table(name)) RENAME TO \(SQLText.quoted(new))")
        return true
    }

    func replaceView(_ name: String, _ text: String) throws {
        let view = table(name)
        let grants = try catalogRows(
            """
            SELECT e.privilege_type, \(Grantee.name("e")), \(Grantee.option("e"))
            FROM pg_catalog.pg_class AS c CROSS JOIN LATERAL pg_catalog.aclexplode(c.relacl) AS e
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
            WHERE n.nspname = $1 AND c.relname = $2 AND e.grantee <> c.relowner
            ORDER BY e.privilege_type, e.grantee
            """, [PostgresValue(session.schema), PostgresValue(name)]
        ).map { row in
            let texts = row.map { $0.string ?? "" }
            return "GRANT \(texts[0]) ON \(view) TO \(texts[1])\(texts[2])"
        }
        if let reason = try failure({ try execute("DROP VIEW \(view)") }) {
            throw StoreError(
                .mismatch,
                "The view `\(name)` has to be made anew, since its table changes: \(reason). Drop what stands on it, and make that again after the run."
            )
        }
        try makeView(name, text)
        for grant in grants { try execute(grant) }
    }

    // MARK: What is done

    func linkedSet(_ reference: RecordReference, owner: String, key: RecordKey) throws -> FieldValue {
        guard let links = try PostgresLinks(reference, owner: owner, self) else { return .null }
        return try links.sets([key], mayWait: true)[0]
    }

    func detach(_ column: String, of table: String) throws -> [ColumnPart] {
        try settleReferences()
        // All of it goes with the column.
        let belongings = ColumnBelongings(self, of: table)
        let words = PartWords(self, of: table)
        return try (belongings.objects(of: [column]) + belongings.traits(of: [column])).map(words.original)
    }

    func remember(_ parts: [ColumnPart], of table: String) throws {
        if parts.allSatisfy({ $0.name == nil }) { return }
        let columns = Set(parts.flatMap(\.columns))
        let belongings = ColumnBelongings(self, of: table)
        let said = try belongings.objects(of: columns) + belongings.traits(of: columns)
        try PartWords(self, of: table).record(parts, said: said)
    }

    // A row that is written meanwhile would be judged as it was.
    func prepareToOverwrite(_ table: String) throws {
        if try object(table) == .table { try execute("LOCK TABLE \(self.table(table)) IN SHARE ROW EXCLUSIVE MODE") }
    }
}

extension PostgresError {
    /// Whether it tells of the server and the way to it, of a lock or of a request to stop, and nothing of what was asked for.
    var isOfServer: Bool {
        isConnectionLost || isLockNotAvailable || code == .cancelled || ["53", "57", "58", "XX"].contains(code.family)
    }

    /// Whether a rule of a table, of a value's type or of an index stands against what was to be written.
    var isRefusal: Bool {
        code.family == "23" || code.family == "22" || isOfFunction || code == .tooLarge || code.rawValue == "428C9"
    }

    /// Whether a function of people's, as a trigger calls it, stands against it: by a code of PL/pgSQL, by what its statements come to
    /// (`CASE` without a branch, several rows where one is meant, no `RETURN`), or by any code that it raises itself and that is none of a
    /// server which is away, of a lock or of others in the way.
    var isOfFunction: Bool {
        code.family == "P0" || routine != nil && ["20", "21", "2F", "38", "39"].contains(code.family)
            || isRaised && !isOfServer && !isRetriable
    }
}
