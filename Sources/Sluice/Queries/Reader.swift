internal import SluiceSQLite

/// One state of a store, for as long as the closure that it is given to runs.
public class Reader {
    let connection: Connection
    private let tables: ModelTables
    private var isOpen = true
    /// The records by value of the rows that are being read, by the models of these.
    var nested: [ObjectIdentifier: NestedRecords] = [:]

    init(_ connection: Connection, _ tables: ModelTables) {
        self.connection = connection
        self.tables = tables
    }

    /// The store that it reads.
    var home: StoreHome { tables.home }

    /// What has the records of a model as parts.
    func holders(of model: ModelDescription) -> [PartHolder] { tables.holders[model.lowercasedTable] ?? [] }

    /// What wrote before and may be taken back; nil where nothing did.
    var writtenPart: WritePart? { nil }

    /// What found the last record by its identifier.
    private var lastFind: (model: ObjectIdentifier, statement: Statement)?

    /// Ends its use.
    func end() { (isOpen, lastFind) = (false, nil) }

    /// The tables that were read until now; nil where that is not known.
    func takeTables() -> Set<String>? {
        guard let use = connection.takeTableUse(), !use.isUnknown else { return nil }
        return use.read
    }

    func check() throws {
        if isOpen { return }
        throw SluiceError(
            .ended, "A reader or transaction was used after its closure had ended. Read and write within the closure.")
    }

    /// Refuses what is not open, and a model that the store was not opened with.
    func check(_ model: ModelDescription) throws {
        try check()
        if tables.names?.contains(model.lowercasedTable) != false { return }
        throw SluiceError(unopened: model)
    }

    /// The column that says which rows of a model are marked as deleted; nil where it has none.
    func mark(_ description: ModelDescription) -> String? { tables.marks[description.lowercasedTable] }

    /// Lets a statement of the program write, or refuses it.
    func allowWriting() throws {
        throw SluiceError(.readOnly, "A statement that writes was given to a read. Run it in a transaction.")
    }

    // MARK: Records

    /// The records of a query, with those by value: these in one statement for each property, however many records there are.
    ///
    /// - Throws: ``SluiceError``; with ``SluiceError/Code/unbox`` where a column holds what a property cannot.
    public func fetch<M>(_ query: Query<M>) throws -> [M] {
        var all: [M] = []
        let mark = mark(M.model.description)
        try withNested(
            M.self, query.isSingle ? nil : { query.statement(columns: $0, groups: [], having: nil, deletionMark: mark) }
        ) {
            try visit(query) { all.append($0) }
        }
        for include in query.inclusions { try include(&all, self) }
        return all
    }

    /// Visits the records of a query one at a time, in flat memory. Records by value are looked up for each of them.
    ///
    /// - Throws: ``SluiceError``, and what the body throws.
    public func each<M>(_ query: Query<M>, _ body: (M) throws -> Void) throws {
        try visit(query) { try body($0) }
    }

    /// Visits the records of a query one at a time, and hands them over.
    private func visit<M>(_ query: Query<M>, _ body: (consuming M) throws -> Void) throws {
        let description = M.model.description
        let sql = query.statement(deletionMark: mark(description))
        try withStatement(sql, description) { statement in
            var row = Row<M>(
                content: .stepped(statement), first: 0, remembersOrigin: query.remembersOrigin, part: nil,
                home: home, company: self)
            while try statement.step() {
                if row.remembersOrigin { row.part = writtenPart }
                let found: M
                do throws(UnboxError) { found = try M(unboxing: row) } catch {
                    let error = Self.error(error, description, statement)
                    guard let tell = query.tellOfUnreadable else { throw error }
                    tell(error)
                    continue
                }
                try body(consume found)
            }
        }
    }

    /// The value of a row whose first columns are those of a model.
    func value<M: PersistentModel>(of statement: Statement, remembersOrigin: Bool = true) throws -> M {
        let row = Row<M>(
            content: .stepped(statement), first: 0, remembersOrigin: remembersOrigin,
            part: remembersOrigin ? writtenPart : nil, home: home, company: self)
        do throws(UnboxError) { return try M(unboxing: row) } catch {
            throw Self.error(error, M.model.description, statement)
        }
    }

    private static func error(
        _ error: UnboxError, _ description: ModelDescription, _ statement: Statement
    ) -> SluiceError {
        let key = description.identifiers.map { StoredColumn(statement: statement, index: $0).value.text }
        let identifier = key.joined(separator: ", ")
        return SluiceError(
            .unbox,
            "\(description.entity) \(identifier) cannot be read: \(error.description).",
            entity: description.entity, identifier: identifier, field: error.property)
    }

    /// The first record of a query; nil where there is none.
    ///
    /// - Throws: ``SluiceError``.
    public func first<M>(_ query: Query<M>) throws -> M? { try fetch(query.first).first }

    /// The record of an identifier; nil where there is none.
    ///
    /// - Throws: ``SluiceError``.
    public func first<M: PersistentModel>(_ type: M.Type, _ identifier: M.Identifier) throws -> M? {
        let description = M.model.description
        try check(description)
        return try find(type, identifier.key(of: description)) { try value(of: $0) }
    }

    /// What is made of the row of a key; nil where there is none.
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - key: The key.
    ///   - body: Makes something of the row.
    /// - Returns: What it makes.
    /// - Throws: ``SluiceError``, and what the body throws.
    func find<M: PersistentModel, Result>(
        _ type: M.Type, _ key: [BoxedValue], _ body: (Statement) throws -> Result
    ) throws -> Result? {
        let description = M.model.description
        try check(description)
        return try SluiceError.translating(of: description) {
            let statement = try finding(type, description, key)
            defer {
                statement.reset()
                lastFind = (ObjectIdentifier(type), statement)
            }
            for index in key.indices { statement.bind(key[index], at: index + 1) }
            return try statement.step() ? try body(statement) : nil
        }
    }

    /// The statement that finds records of a model, for this caller alone: records by value are found while their owner is read.
    private func finding<M: PersistentModel>(
        _ type: M.Type, _ description: ModelDescription, _ key: [BoxedValue]
    ) throws -> Statement {
        if let last = lastFind, last.model == ObjectIdentifier(type) {
            lastFind = nil
            return last.statement
        }
        let mark = mark(description)
        return try connection.prepare(.find(type, isMarking: mark != nil)) {
            M.all.having(key: key).statement(deletionMark: mark).sql
        }
    }

    /// The record of an identifier.
    ///
    /// - Throws: ``SluiceError``, with ``SluiceError/Code/notFound`` where there is none.
    public func find<M: PersistentModel>(_ type: M.Type, _ identifier: M.Identifier) throws -> M {
        if let value = try first(type, identifier) { return value }
        let description = M.model.description
        let key = try identifier.key(of: description)
        throw try missing(description, key)
    }

    /// Why a record is not there: it is marked as deleted, or has no row.
    func missing(_ description: ModelDescription, _ key: [BoxedValue]) throws -> SluiceError {
        guard try isMarked(description, key) else { return Self.notFound(description, key) }
        let text = key.map(\.text).joined(separator: ", ")
        return SluiceError(
            .notFound,
            "\(description.entity) \(text) is marked as deleted: a query `includingDeleted()` has it, and `restore` brings it back.",
            entity: description.entity, identifier: text)
    }

    /// Whether the row of a record is there and marked as deleted.
    func isMarked(_ description: ModelDescription, _ key: [BoxedValue]) throws -> Bool {
        guard let mark = mark(description) else { return false }
        var isMarked = false
        let isMeant = zip(description.keyColumns, key).map { column, value in
            SQLExpression(sql: SQLIdentifier.quoted(column) + " = ") + SQLExpression(value)
        }
        try run(
            SQLExpression(
                sql:
                    "SELECT 1 FROM \(SQLIdentifier.quoted(description.table)) WHERE \(SQLIdentifier.quoted(mark)) IS NOT NULL AND "
            ) + .joined(isMeant, " AND "), description
        ) { _ in
            isMarked = true
            return false
        }
        return isMarked
    }

    static func notFound(_ description: ModelDescription, _ key: [BoxedValue]) -> SluiceError {
        let identifier = key.map(\.text).joined(separator: ", ")
        return SluiceError(
            .notFound, "There is no \(description.entity) \(identifier).", entity: description.entity,
            identifier: identifier)
    }

    // MARK: Counts

    /// How many records a query has.
    ///
    /// - Throws: ``SluiceError``.
    public func count<M>(_ query: Query<M>) throws -> Int {
        let description = M.model.description
        var count = 0
        try run(query.statement(selecting: "count(*)", deletionMark: mark(description)), description) {
            count = Int(truncatingIfNeeded: $0.integer(0))
            return false
        }
        return count
    }

    /// Whether a query has any record.
    ///
    /// - Throws: ``SluiceError``.
    public func exists<M>(_ query: Query<M>) throws -> Bool {
        let description = M.model.description
        var isThere = false
        try run(query.first.keys(deletionMark: mark(description)), description) { _ in
            isThere = true
            return false
        }
        return isThere
    }

    /// The keys of the records of a query, without reading these.
    func keys<M: PersistentModel>(of query: Query<M>) throws -> [M.Identifier] {
        let description = M.model.description
        var keys: [M.Identifier] = []
        try run(query.keys(deletionMark: mark(description)), description) { statement in
            let columns = description.keyColumns.indices.map { StoredColumn(statement: statement, index: $0) }
            do throws(UnboxError) {
                if let key = try M.Identifier.unboxKey(columns) { keys.append(key) }
            } catch {
                throw SluiceError(
                    .unbox, "An identifier of \(description.entity) cannot be read: \(error.description).",
                    entity: description.entity, identifier: columns.map(\.value.text).joined(separator: ", "))
            }
            return true
        }
        return keys
    }

    // MARK: SQL

    /// The rows of a statement.
    ///
    /// - Throws: ``SluiceError``, with ``SluiceError/Code/readOnly`` where the statement writes and this is no transaction.
    public func rows(_ sql: SQL) throws -> [SQLRow] {
        var rows: [SQLRow] = []
        var names: [String]?
        try check()
        let writes = try SluiceError.translating { try !connection.prepare(sql.expression.sql).isReading }
        if writes { try allowWriting() }
        try run(sql.expression) { statement in
            let columns = 0..<statement.columnCount
            let known = names ?? columns.map { statement.columnName($0) }
            names = known
            rows.append(
                SQLRow(names: known, values: columns.map { StoredColumn(statement: statement, index: $0).value }))
            return true
        }
        return rows
    }

    /// Runs a statement with its values, and visits its rows for as long as the body wants more.
    func run(
        _ expression: SQLExpression, _ model: ModelDescription? = nil,
        identifier: @autoclosure () -> String? = nil, _ body: (Statement) throws -> Bool = { _ in true }
    ) throws {
        try withStatement(expression, model, identifier: identifier()) { statement in
            while try statement.step() {
                if try !body(statement) { return }
            }
        }
    }

    /// Lends a statement with its values, before its first row.
    private func withStatement(
        _ expression: SQLExpression, _ model: ModelDescription?, identifier: @autoclosure () -> String? = nil,
        _ body: (Statement) throws -> Void
    ) throws {
        try model.map(check) ?? check()
        if let refusal = expression.refusal {
            throw SluiceError(
                refusal, entity: model?.entity, what: "A value of a query\(model.map { " of \($0.entity)" } ?? "")")
        }
        for search in expression.searches { try search.check(in: connection) }
        try SluiceError.translating(of: model, identifier: identifier()) {
            let statement = try connection.prepare(expression.sql)
            defer { statement.reset() }
            for (index, value) in expression.values.enumerated() { statement.bind(value, at: index + 1) }
            try body(statement)
        }
    }
}

@available(*, unavailable)
extension Reader: Sendable {}

extension StatementKey {
    /// What looks up a record of a model. It is known without its text, which takes longer to write than to run.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - isMarking: Whether its table says which records are marked as deleted.
    /// - Returns: What names the statement.
    static func find(_ model: any PersistentModel.Type, isMarking: Bool) -> StatementKey {
        StatementKey(
            isMarking ? "find a record that is not marked" : "find a record",
            columns: [Int(bitPattern: ObjectIdentifier(model))])
    }

    /// What inserts a record of a model, whose identifier the store gives or not.
    static func insert(_ model: any PersistentModel.Type, isGiven: Bool) -> StatementKey {
        StatementKey(
            isGiven ? "insert a record with a new identifier" : "insert a record",
            columns: [Int(bitPattern: ObjectIdentifier(model))])
    }
}
