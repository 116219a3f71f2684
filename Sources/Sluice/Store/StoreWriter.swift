internal import SluiceSQLite
internal import SluiceSQLiteStore
internal import SluiceStore

/// What writes a store: one transaction after the other.
actor StoreWriter {
    private let executor: StoreExecutor
    let store: SQLiteRecordStore
    /// The file; nil for a store that no other program can reach.
    nonisolated let path: String?
    private let marks: [String: String]
    nonisolated let interrupt: @Sendable () -> Void
    /// What had to be changed for the models.
    nonisolated let changes: [String]

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Opens a store and brings its tables in line with a schema.
    init(_ path: String?, _ schema: Schema, _ options: StoreOptions, on executor: StoreExecutor) throws {
        self.executor = executor
        self.path = path
        let store = try SluiceError.translating {
            try SQLiteRecordStore(
                path: path ?? "", mode: path == nil ? .temporary : .create,
                busyTimeoutMilliseconds: options.busyMilliseconds)
        }
        changes = try SluiceError.translating { try Self.prepare(store, schema) }
        marks = try SluiceError.translating { try Self.marks(store.connection, schema) }
        interrupt = store.makeInterrupt()
        self.store = store
    }

    private static func prepare(_ store: SQLiteRecordStore, _ schema: Schema) throws -> [String] {
        try Collations.install(store.connection)
        try store.begin()
        do {
            let (records, links) = (schema.records, schema.links)
            // What was renamed goes first: what is made or extended afterwards refers to it.
            let tables = schema.tables
            var changes = try records.flatMap { try store.followNames(ofUnsourced: $0, apartFrom: tables) }.map(\.sql)
            for table in links { changes += try table.followNames(store.connection, apartFrom: tables) }
            changes += try records.flatMap { try store.prepareUnsourced($0) }.map(\.sql)
            for table in links {
                let before = try store.connection.integer(
                    "SELECT count(*) FROM sqlite_schema WHERE name = ?1 COLLATE NOCASE", [SQLiteValue(table.name)])
                for sql in table.sql { try store.connection.execute(sql) }
                if before == 0 { changes += table.sql }
            }
            try store.commit()
            return changes.filter { !$0.isEmpty }
        } catch {
            store.rollback()
            throw error
        }
    }

    /// The columns that say which rows are marked as deleted, by table.
    static func marks(_ connection: Connection, _ schema: Schema) throws -> [String: String] {
        var marks: [String: String] = [:]
        for model in schema.models {
            let table = model.modelDescription.table
            let count = try connection.integer(
                "SELECT count(*) FROM pragma_table_info(?1) WHERE name = '_deleted_at' COLLATE NOCASE",
                [SQLiteValue(table)])
            if count == 1 { marks[table.lowercased()] = "_deleted_at" }
        }
        return marks
    }

    func write<R: Sendable>(_ point: CancellationPoint, _ body: @Sendable (Transaction) throws -> R) throws -> R {
        try point.run(interrupt) { try transaction(body) }
    }

    /// Runs a transaction where the caller is already.
    func transaction<R>(_ body: (Transaction) throws -> R) throws -> R {
        try SluiceError.translating { try store.begin() }
        let transaction = Transaction(store, marks: marks)
        do {
            let result = try body(transaction)
            transaction.end()
            try SluiceError.translating { try store.commit() }
            for body in transaction.followUps { body() }
            return result
        } catch {
            transaction.end()
            store.rollback()
            throw error
        }
    }

    /// Reads where nothing else is written, for a store that has one connection alone.
    func read<R: Sendable>(_ point: CancellationPoint, _ body: @Sendable (Reader) throws -> R) throws -> R {
        try point.run(interrupt) { try read(body) }
    }

    /// Reads where the caller is already.
    func read<R>(_ body: (Reader) throws -> R) throws -> R {
        let reader = Reader(store.connection, marks: marks)
        defer { reader.end() }
        return try body(reader)
    }

    /// Brings the log into the file.
    func close() { store.mergeLog() }
}
