internal import SluiceSQLite
internal import SluiceSQLiteStore
internal import SluiceStore
internal import Synchronization

extension Store {
    /// Refuses a model that the store was not opened with.
    func check(_ model: ModelDescription) throws(SluiceError) {
        if writer.descriptions[model.lowercasedTable] == nil { throw SluiceError(unopened: model) }
    }

    /// Looks into the ledgers, beside whoever writes where the store is a file.
    func look<R: Sendable>(_ body: @Sendable (any RecordStore) throws -> R) async throws -> R {
        try await interruptibly { [writer] point in
            guard let ledgers else { return try await writer.review(point, body) }
            if !hasLedgers.withLock({ $0 }) {
                try await writer.makeLedgers()
                hasLedgers.withLock { $0 = true }
            }
            return try await ledgers.read(point, body)
        }
    }
}

/// What reads conflicts, records in quarantine and runs, beside the one that writes the store.
actor StoreLedgers {
    private let executor = StoreExecutor("sluice.ledgers")
    private let path: String
    private let busyMilliseconds: Int
    private let models: [ModelDescription]
    /// The store, once somebody looked.
    private var store: SQLiteRecordStore?

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    init(_ path: String, _ schema: Schema, _ options: StoreOptions) {
        (self.path, busyMilliseconds) = (path, options.busyMilliseconds)
        models = schema.models.map { $0.modelDescription }
    }

    /// Reads one state of them.
    func read<R: Sendable>(_ point: CancellationPoint, _ body: @Sendable (any RecordStore) throws -> R) throws -> R {
        let store = try SluiceError.translating { try opened() }
        return try point.run(store.makeInterrupt()) {
            try SluiceError.translatingPipelines(in: models) {
                try store.connection.execute("BEGIN")
                defer { store.rollback() }
                try store.requireTables()
                return try body(store)
            }
        }
    }

    private func opened() throws -> SQLiteRecordStore {
        if let store { return store }
        let opened = try SQLiteRecordStore(
            path: path, mode: .planned, busyTimeoutMilliseconds: busyMilliseconds)
        store = opened
        return opened
    }
}

extension StoreWriter {
    /// Looks into the ledgers on the connection that writes.
    func review<R: Sendable>(
        _ point: CancellationPoint, _ body: @Sendable (any RecordStore) throws -> R
    ) throws -> R {
        try reviewing(point, pipeline: nil) { store, _ in
            // The ledgers are there once a transaction was begun.
            try store.begin()
            defer { store.rollback() }
            return try body(store)
        }
    }

    /// Makes the ledgers where they are not there, or of an older format.
    func makeLedgers() throws {
        try SluiceError.translating {
            try store.begin()
            do { try store.commit() } catch {
                store.rollback()
                throw error
            }
        }
    }
}
