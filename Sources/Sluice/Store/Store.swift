internal import Synchronization

/// A store: tables of models in a SQLite file, which pipelines and any SQL tool may use as well.
///
/// ```swift
/// let store = try Store("shop.db", models: Book.self, Author.self)
/// let cheap = try await store.fetch(Book.where { $0.price < 10 }.order(by: \.title))
/// try await store.write { tx in
///     var book = try tx.find(Book.self, 7)
///     book.price = 12
///     try tx.save(&book)
/// }
/// ```
public final class Store: Sendable {
    let executor = StoreExecutor("sluice.writer")
    let writer: StoreWriter
    /// Tells of commits.
    let signal: CommitSignal
    /// The name of sources that the program gives no name.
    let sourceName: String
    /// The sources whose values go before those of others.
    let precedence: [Source]
    /// How long a thread waits for its turn.
    private let busyMilliseconds: Int
    /// Reads the ledgers; nil where the writer does.
    let ledgers: StoreLedgers?
    /// Whether the ledgers were made.
    let hasLedgers: Mutex<Bool>
    private let readers: [StoreReader]
    /// How many reads each reader has been given and not ended.
    private let loads: Mutex<[Int]>

    /// What runs where the store writes; actors with `@StoreActor` do.
    public var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// The statements that brought the tables in line with the models when the store was opened.
    public var schemaChanges: [String] { writer.changes }

    /// The names of the migrations that were run when the store was opened.
    public var migrations: [String] { writer.migrations }

    // MARK: Opening

    /// Opens a store, and makes or extends the tables of a schema. Nothing is dropped or narrowed.
    ///
    /// - Parameters:
    ///   - path: The file, which is made where it is missing; `:memory:` is a store that is gone with the program, as
    ///     ``temporary(_:)`` makes one.
    ///   - schema: The models.
    ///   - options: How to open it.
    /// - Throws: ``SluiceError``, with ``SluiceError/Code/schemaMismatch`` where a table does not fit its model.
    public convenience init(_ path: String, _ schema: Schema, options: StoreOptions = StoreOptions()) throws {
        try self.init(path: path, schema, options)
    }

    /// Opens a store for models; see ``init(_:_:options:)``.
    ///
    /// - Throws: ``SluiceError``.
    public convenience init(
        _ path: String, models: any PersistentModel.Type..., options: StoreOptions = StoreOptions()
    ) throws {
        try self.init(path: path, try Schema(models), options)
    }

    /// Makes a store that is gone with the program, as for a test: each is a store of its own.
    ///
    /// - Throws: ``SluiceError``.
    public static func temporary(_ models: any PersistentModel.Type...) throws -> Store {
        try Store(path: nil, try Schema(models), StoreOptions())
    }

    private init(path: String?, _ schema: Schema, _ options: StoreOptions) throws {
        let path = path == ":memory:" ? nil : path
        sourceName = options.source
        precedence = options.precedence
        busyMilliseconds = options.busyMilliseconds
        writer = try StoreWriter(path, schema, options, on: executor)
        var readers: [StoreReader] = []
        if let path {
            for number in 0..<max(1, options.readers) {
                readers.append(try StoreReader(path, schema, options, number: number))
            }
        }
        self.readers = readers
        ledgers = path.map { StoreLedgers($0, schema, options) }
        hasLedgers = Mutex(writer.hasLedgers)
        signal = CommitSignal(
            try path.map { try StoreWatcher($0, options) }, every: options.watch.interval,
            ownVersion: { [writer] in await writer.version() })
        loads = Mutex(Array(repeating: 0, count: readers.count))
    }

    /// Brings all that was written into the one file, to be copied for example. The store may be used afterwards; its connections
    /// end with the last reference to it.
    public func close() async { await writer.close() }

    // MARK: Reading and writing

    /// Reads one state of the store, beside others that read and write.
    ///
    /// - Parameter body: Reads; it is synchronous, so that nothing comes between its statements.
    /// - Returns: What the body returns.
    /// - Throws: ``SluiceError``, `CancellationError` where the task is cancelled, and what the body throws.
    public func read<R: Sendable>(_ body: @Sendable (Reader) throws -> R) async throws -> R {
        let point = CancellationPoint()
        return try await withTaskCancellationHandler {
            guard let index = take() else { return try await writer.read(point, body) }
            defer { loads.withLock { $0[index] -= 1 } }
            return try await readers[index].read(point, body)
        } onCancel: {
            point.cancel()
        }
    }

    /// Runs work that is interrupted where the task is cancelled.
    func interruptibly<R: Sendable>(
        telling tells: Bool = false, _ body: @Sendable (CancellationPoint) async throws -> R
    ) async throws -> R {
        let point = CancellationPoint()
        let result = try await withTaskCancellationHandler {
            try await body(point)
        } onCancel: {
            point.cancel()
        }
        if tells { signal.send() }
        return result
    }

    /// The reader that has least to do; nil where the writer reads as well.
    private func take() -> Int? {
        loads.withLock { loads in
            guard let index = loads.indices.min(by: { loads[$0] < loads[$1] }) else { return nil }
            loads[index] += 1
            return index
        }
    }

    /// Writes all of a transaction or nothing, one after the other.
    ///
    /// - Parameter body: Writes; where it throws, everything is taken back.
    /// - Returns: What the body returns.
    /// - Throws: ``SluiceError``, `CancellationError` where the task is cancelled, and what the body throws.
    public func write<R: Sendable>(_ body: @Sendable (Transaction) throws -> R) async throws -> R {
        let point = CancellationPoint()
        let committed = try await withTaskCancellationHandler {
            try await writer.write(point, nil, body)
        } onCancel: {
            point.cancel()
        }
        signal.send(committed.tables)
        return committed.result
    }

    // MARK: Where nobody waits for a task

    /// Runs a transaction where the caller runs on the writer already.
    func transaction<R: Sendable>(
        _ recording: WriteRecording?, _ body: (Transaction) throws -> R
    ) throws -> R {
        try checkIsOnWriter()
        return try writing(recording, body)
    }

    /// Reads where the caller runs on the writer already.
    func currentRead<R: Sendable>(_ body: (Reader) throws -> R) throws -> R {
        try checkIsOnWriter()
        return try reading(body)
    }

    /// Runs a transaction while the thread waits.
    func waitingTransaction<R: Sendable>(
        _ recording: WriteRecording?, _ body: (Transaction) throws -> R
    ) throws -> R {
        try executor.wait(atMost: busyMilliseconds) { try writing(recording, body) }
    }

    /// Reads while the thread waits.
    func waitingRead<R: Sendable>(_ body: (Reader) throws -> R) throws -> R {
        // Within a transaction of the caller, which other connections do not see.
        if executor.isCurrent { return try reading(body) }
        guard let index = take() else { return try executor.wait(atMost: busyMilliseconds) { try reading(body) } }
        defer { loads.withLock { $0[index] -= 1 } }
        let reader = readers[index]
        return try reader.executor.wait(atMost: busyMilliseconds) {
            try withoutActuallyEscaping(body) { body in
                // It runs here and now: the reader's executor is the one that this call is on.
                nonisolated(unsafe) let body = body
                return try reader.assumeIsolated { try $0.read { unsafe try body($0) } }
            }
        }
    }

    private func checkIsOnWriter() throws {
        if executor.isCurrent { return }
        throw SluiceError(
            .notOnWriter, "This actor does not run where its store writes. Declare it with @StoreActor.")
    }

    /// Writes on the writer's executor, which the caller is on.
    private func writing<R: Sendable>(
        _ recording: WriteRecording?, _ body: (Transaction) throws -> R
    ) throws -> R {
        try withoutActuallyEscaping(body) { body in
            nonisolated(unsafe) let body = body
            let committed = try writer.assumeIsolated { try $0.transaction(recording) { unsafe try body($0) } }
            signal.send(committed.tables)
            return committed.result
        }
    }

    /// Reads on the writer's executor, which the caller is on.
    private func reading<R: Sendable>(_ body: (Reader) throws -> R) throws -> R {
        try withoutActuallyEscaping(body) { body in
            nonisolated(unsafe) let body = body
            return try writer.assumeIsolated { try $0.read { unsafe try body($0) } }
        }
    }

    // MARK: Short forms

    /// The records of a query.
    ///
    /// - Throws: ``SluiceError``.
    public func fetch<M>(_ query: Query<M>) async throws -> [M] { try await read { try $0.fetch(query) } }

    /// The record of an identifier.
    ///
    /// - Throws: ``SluiceError``, with ``SluiceError/Code/notFound`` where there is none.
    public func find<M: PersistentModel>(_ type: M.Type, _ identifier: M.Identifier) async throws -> M {
        try await read { try $0.find(type, identifier) }
    }

    /// The records of identifiers, by these; those that are not there are left out.
    ///
    /// - Throws: ``SluiceError``.
    public func find<M: PersistentModel>(
        _ type: M.Type, _ identifiers: some Collection<M.Identifier> & Sendable
    ) async throws -> [M.Identifier: M] { try await read { try $0.find(type, identifiers) } }

    /// The first record of a query; nil where there is none.
    ///
    /// - Throws: ``SluiceError``.
    public func first<M>(_ query: Query<M>) async throws -> M? { try await read { try $0.first(query) } }

    /// Whether a query has any record.
    ///
    /// - Throws: ``SluiceError``.
    public func exists<M>(_ query: Query<M>) async throws -> Bool { try await read { try $0.exists(query) } }

    /// How many records a query has.
    ///
    /// - Throws: ``SluiceError``.
    public func count<M>(_ query: Query<M>) async throws -> Int { try await read { try $0.count(query) } }

    /// The rows of a statement.
    ///
    /// - Throws: ``SluiceError``.
    public func rows(_ sql: SQL) async throws -> [SQLRow] { try await read { try $0.rows(sql) } }

    /// Saves a value; see ``Transaction/save(_:overwriting:)``.
    ///
    /// - Throws: ``SluiceError``.
    public func save<M: PersistentModel>(_ value: inout M, overwriting isOverwriting: Bool = false) async throws {
        value = try await write { [value] tx in
            tx.isOneCall = true
            var copy = value
            try tx.save(&copy, overwriting: isOverwriting)
            return copy
        }
    }

    /// Saves values, all or none.
    ///
    /// - Throws: ``SluiceError``.
    public func save<M: PersistentModel>(_ values: inout [M]) async throws {
        values = try await write { [values] tx in
            tx.isOneCall = true
            var copies = values
            try tx.save(&copies)
            return copies
        }
    }

    /// Inserts a value whose identifier no record has, as a transaction does.
    ///
    /// - Throws: ``SluiceError``, with ``SluiceError/Code/exists`` where one has it.
    public func insert<M: PersistentModel>(_ value: inout M) async throws {
        value = try await write { [value] tx in
            tx.isOneCall = true
            var copy = value
            try tx.insert(&copy)
            return copy
        }
    }

    /// Inserts values whose identifiers no records have, all or none, as a transaction does.
    ///
    /// - Throws: ``SluiceError``, with ``SluiceError/Code/exists`` where one has one of them.
    public func insert<M: PersistentModel>(_ values: inout [M]) async throws {
        values = try await write { [values] tx in
            tx.isOneCall = true
            var copies = values
            try tx.insert(&copies)
            return copies
        }
    }

    /// Reads a record, lets it be changed, and writes what differs, in one transaction.
    ///
    /// - Throws: ``SluiceError``, and what the change throws.
    public func update<M: PersistentModel>(
        _ type: M.Type, _ identifier: M.Identifier, _ change: @Sendable (inout M) throws -> Void
    ) async throws {
        try await write { try $0.update(type, identifier, change) }
    }

    /// Deletes the records of a query; see ``Transaction/deleteAll(_:_:)``.
    ///
    /// - Throws: ``SluiceError``.
    @discardableResult
    public func deleteAll<M: PersistentModel>(_ query: Query<M>, _ mode: DeleteMode = .hard) async throws -> Int {
        try await write { tx in
            tx.isOneCall = true
            return try tx.deleteAll(query, mode)
        }
    }

    /// Deletes the record of an identifier; see ``Transaction/delete(_:_:_:)``.
    ///
    /// - Returns: Whether there was one.
    /// - Throws: ``SluiceError``.
    @discardableResult
    public func delete<M: PersistentModel>(
        _ type: M.Type, _ identifier: M.Identifier, _ mode: DeleteMode = .hard
    ) async throws -> Bool {
        try await write { tx in
            tx.isOneCall = true
            return try tx.delete(type, identifier, mode)
        }
    }

    /// Deletes a record; see ``Transaction/delete(_:_:)``.
    ///
    /// - Throws: ``SluiceError``.
    @discardableResult
    public func delete<M: PersistentModel>(_ value: inout M, _ mode: DeleteMode = .hard) async throws -> Bool {
        let (copy, isDeleted) = try await write { [value] tx in
            tx.isOneCall = true
            var copy = value
            let isDeleted = try tx.delete(&copy, mode)
            return (copy, isDeleted)
        }
        value = copy
        return isDeleted
    }
}
