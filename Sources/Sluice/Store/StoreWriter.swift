internal import SluiceModel
internal import SluiceSQLite
internal import SluiceSQLiteStore
internal import SluiceStore
internal import SluiceSystem

/// What a transaction gave, once it is durable.
struct Committed<Result> {
    let result: Result
    /// The tables in which it changed rows; nil where that is not known.
    let tables: Set<String>?
}

extension Committed: Sendable where Result: Sendable {}

/// What writes a store: one transaction after the other.
actor StoreWriter {
    private let executor: StoreExecutor
    let store: SQLiteRecordStore
    /// The file; nil for a store that no other program can reach.
    nonisolated let path: String?
    private var marks: DeletionMarks
    private let plain = PlainTables()
    /// Whether what is open on the connection is a read.
    private var isReading = false
    nonisolated let interrupt: @Sendable () -> Void
    /// What had to be changed for the models.
    nonisolated let changes: [String]
    /// The migrations that were run.
    nonisolated let migrations: [String]
    /// The models, by their tables in lower case.
    nonisolated let descriptions: [String: ModelDescription]
    /// The models.
    nonisolated let schema: Schema
    /// The tables of the models and of their pairs.
    nonisolated let tables: [String]
    /// What its commits changed.
    nonisolated let log = ChangeLog()
    /// Whether the program may write.
    nonisolated let access: StoreOptions.Access
    /// Whether the ledgers were made when the store was opened, or are read as they are.
    nonisolated let hasLedgers: Bool
    /// Who decides, where a call does not say it.
    nonisolated let who: String?
    /// What has parts.
    var holders: [PartHolder] { marks.holders.values.flatMap { $0 } }

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Opens a store and brings its tables in line with a schema.
    init(_ path: String?, _ schema: Schema, _ options: StoreOptions, on executor: StoreExecutor) throws {
        self.executor = executor
        self.path = path
        descriptions = Dictionary(
            schema.models.map { ($0.modelDescription.table.lowercased(), $0.modelDescription) },
            uniquingKeysWith: { one, _ in one })
        tables = schema.models.map { $0.modelDescription.table } + schema.links.map(\.name)
        self.schema = schema
        access = options.access
        who = options.who
        let isNew = path.map { FileSystem.kind(of: $0) == nil } ?? true
        let mode: SQLiteRecordStore.Mode = path == nil ? .temporary : options.access == .read ? .planned : .create
        let store = try SluiceError.translating {
            try SQLiteRecordStore(path: path ?? "", mode: mode, busyTimeoutMilliseconds: options.busyMilliseconds)
        }
        store.connection.recordTableUse()
        store.compositions = descriptions.mapValues { description in
            description.wholes.map { whole in
                ComposedColumns(
                    columns: whole.parts.map { description.fields[$0].column },
                    required: whole.required.map { description.fields[$0].column })
            }
        }
        let home = StoreHome(path, isNew: isNew)
        let migration = MigrationRun(
            store: store, home: home, schema: schema, migrations: options.migrations,
            remedy: options.remedyOfTables)
        migrations = try SluiceError.translating {
            try Collations.install(store.connection)
            switch options.schemaChanges {
            case .ignore: return []
            case .extend where mode != .planned: return try migration.perform()
            case .extend, .verify:
                try migration.verify()
                return []
            }
        }
        changes = try SluiceError.translating(in: Array(descriptions.values)) {
            // A store that is gone with the program has no tables yet.
            let rule = path == nil ? .extend : options.schemaChanges
            let remedy = options.remedyOfTables
            if mode == .planned { return try Self.verify(store, schema, rule, remedy) }
            return try Self.prepare(store, schema, rule, remedy)
        }
        if case .ignore = options.schemaChanges { hasLedgers = mode == .planned } else { hasLedgers = true }
        marks = DeletionMarks(schema, in: home)
        interrupt = store.makeInterrupt()
        self.store = store
    }

    /// Finds out whether tables have what models need, without writing.
    private static func verify(
        _ store: SQLiteRecordStore, _ schema: Schema, _ rule: StoreOptions.SchemaRule, _ remedy: String
    ) throws -> [String] {
        if case .ignore = rule { return [] }
        let missing = try schema.missing(in: store.connection)
        if missing.isEmpty { return [] }
        throw SluiceError.schemaDiffers(missing, remedy)
    }

    private static func prepare(
        _ store: SQLiteRecordStore, _ schema: Schema, _ rule: StoreOptions.SchemaRule, _ remedy: String
    ) throws -> [String] {
        if case .ignore = rule { return [] }
        try store.begin()
        do {
            let (records, links) = (schema.records, schema.links)
            // What was renamed goes first: what is made or extended afterwards refers to it.
            let tables = schema.tables
            var changes = try records.flatMap { try store.followNames(ofUnsourced: $0, apartFrom: tables) }.map(\.sql)
            for table in links { changes += try table.followNames(store, apartFrom: tables) }
            changes += try records.flatMap { try store.prepareUnsourced($0) }.map(\.sql)
            for table in links { changes += try table.prepare(store.connection) }
            for index in schema.indexes { changes += try index.prepare(store.connection) }
            changes = changes.filter { !$0.isEmpty }
            if case .verify = rule, !changes.isEmpty { throw SluiceError.schemaDiffers(changes, remedy) }
            try store.commit()
            return changes
        } catch {
            store.rollback()
            throw error
        }
    }

    func write<R: Sendable>(
        _ point: CancellationPoint, _ recording: WriteRecording?, _ body: @Sendable (Transaction) throws -> R
    ) throws -> Committed<R> {
        try point.run(interrupt) { try transaction(recording, body) }
    }

    /// Runs a transaction where the caller is already, and keeps it in the history where that is asked for.
    func transaction<R>(_ recording: WriteRecording?, _ body: (Transaction) throws -> R) throws -> Committed<R> {
        try checkAccess()
        try checkNothingIsOpen()
        try SluiceError.translating { try store.begin() }
        _ = store.connection.takeTableUse()
        store.isWrittenByProgram = true
        defer { store.isWrittenByProgram = false }
        let transaction: Transaction
        let recorded: RecordedWrite?
        do {
            recorded = try SluiceError.translating { try recording.map { _ in try RecordedWrite(schema, in: store) } }
            transaction = Transaction(
                store, try marks.look(store.connection), plain, isTelling: log.isWanted, run: recorded?.run)
        } catch {
            rollBack()
            throw error
        }
        do {
            let result = try body(transaction)
            try transaction.settleParts()
            transaction.end()
            var touched = transaction.touched
            try SluiceError.translating {
                if let recorded,
                    try recorded.finish(
                        who: recording?.who ?? who, isAsked: transaction.asksForRun)
                {
                    touched.add(run: recorded.run, isSettled: true)
                }
                try commit(transaction)
            }
            transaction.writePart.keep()
            log.add(touched)
            let use = store.connection.takeTableUse()
            for body in transaction.followUps { body() }
            return Committed(result: result, tables: use?.isUnknown == false ? use?.written : nil)
        } catch {
            transaction.end()
            transaction.writePart.takeBack()
            rollBack()
            throw error
        }
    }

    /// Refuses a transaction where the caller is within one already, or within a read on the same connection.
    private func checkNothingIsOpen() throws(SluiceError) {
        if !store.connection.isInTransaction { return }
        if isReading {
            throw SluiceError(
                .refused,
                "A read is open here, and a transaction does not begin within one. Let the read end first, or read by the transaction."
            )
        }
        throw SluiceError(
            .refused,
            "A transaction is open here already, and another one does not begin within it. Use the one that is open, or its `part`, which is taken back alone."
        )
    }

    /// Takes the transaction back, and what was found of tables while it was open.
    private func rollBack() {
        store.rollback()
        marks.forget()
        plain.forget()
    }

    /// Makes the transaction durable, or says which record of a model stands against it.
    private func commit(_ transaction: Transaction) throws {
        do {
            try transaction.settleLeading()
            try store.commit()
        } catch let error
            where (error as? StoreError)?.code == .rejected || (error as? SluiceError)?.code == .dangling
        {
            let reference = DanglingReference(store.connection, schema, deleted: transaction.deleted)
            throw try reference.error(of: try transaction.firstLeading) ?? error
        }
    }

    /// Reads where nothing else is written, for a store that has one connection alone.
    func read<R: Sendable>(_ point: CancellationPoint, _ body: @Sendable (Reader) throws -> R) throws -> R {
        try point.run(interrupt) { try read(body) }
    }

    /// Reads one state where the caller is already: within its transaction, where that has one.
    func read<R>(_ body: (Reader) throws -> R) throws -> R {
        let connection = store.connection
        let isPart = connection.isInTransaction
        if !isPart {
            try SluiceError.translating { try connection.execute("BEGIN") }
            isReading = true
        }
        defer {
            if !isPart {
                try? connection.execute("ROLLBACK")
                isReading = false
            }
        }
        if !isPart { _ = connection.takeTableUse() }
        // What a transaction did to tables may be taken back, and is not kept in mind.
        var looking = marks
        let reader = Reader(connection, try looking.look(connection))
        if !isPart { marks = looking }
        defer { reader.end() }
        return try body(reader)
    }

    /// Refuses to write where the program may only read.
    func checkAccess() throws(SluiceError) {
        guard case .read = access else { return }
        throw SluiceError(.readOnly, "The store was opened to be read. Open it with `access: .write` to change it.")
    }

    /// Brings the log into the file.
    func close() { if case .write = access { store.mergeLog() } }
}
