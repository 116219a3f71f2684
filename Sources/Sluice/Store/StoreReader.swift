internal import SluiceSQLite

/// What reads a store beside the one that writes it.
actor StoreReader {
    nonisolated let executor: StoreExecutor
    private let connection: Connection
    private var marks: DeletionMarks
    private let interrupt: @Sendable () -> Void

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    init(_ path: String, _ schema: Schema, _ options: StoreOptions, number: Int) throws {
        executor = StoreExecutor("sluice.reader.\(number)")
        let connection = try SluiceError.translating {
            let connection = try Connection(path: path, mode: .readOnly)
            connection.setBusyTimeout(milliseconds: options.busyMilliseconds)
            try Collations.install(connection)
            connection.recordTableUse()
            return connection
        }
        marks = DeletionMarks(schema, in: StoreHome(path))
        interrupt = connection.makeInterrupt()
        self.connection = connection
    }

    /// Reads one state of the database.
    func read<R: Sendable>(_ point: CancellationPoint, _ body: @Sendable (Reader) throws -> R) throws -> R {
        try point.run(interrupt) { try read(body) }
    }

    /// Reads one state of the database where the caller is already.
    func read<R>(_ body: (Reader) throws -> R) throws -> R {
        // A read within another one sees what that one sees.
        let isPart = connection.isInTransaction
        if !isPart { try SluiceError.translating { try connection.execute("BEGIN") } }
        defer { if !isPart { try? connection.execute("ROLLBACK") } }
        if !isPart { _ = connection.takeTableUse() }
        let reader = Reader(connection, try marks.look(connection))
        defer { reader.end() }
        return try body(reader)
    }
}
