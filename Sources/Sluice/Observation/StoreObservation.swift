/// What a store holds, again after each commit that changes it: of this program, of a run of `sluice`, of any SQL tool.
///
/// The newest value alone waits for a slow reader, who may miss values in between and never the last one. It ends with its
/// task, and with an error where the store cannot be read.
public struct StoreObservation<Element: Sendable>: AsyncSequence, Sendable {
    /// Gives the values.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var iterator: AsyncThrowingStream<Element, any Error>.Iterator

        /// The next value, waiting for it; nil where the task was cancelled.
        ///
        /// - Throws: ``SluiceError`` where the store cannot be read.
        public mutating func next() async throws -> Element? { try await iterator.next() }
    }

    private let makeStream: @Sendable () -> AsyncThrowingStream<Element, any Error>

    /// A look at the store: the value, and what tells it from another one.
    struct Look: Sendable {
        let value: Element
        let mark: [[BoxedValue]]
        /// The tables that were read; nil where any commit may change the value.
        let tables: Set<String>?

        init(value: Element, mark: [[BoxedValue]], tables: Set<String>? = nil) {
            self.value = value
            self.mark = mark
            self.tables = tables
        }
    }

    init(_ signal: CommitSignal, _ look: @escaping @Sendable () async throws -> Look) {
        makeStream = { Self.stream(signal, look) }
    }

    /// Gives the values of a stream, for what takes the place of a store in a test.
    ///
    /// - Parameter makeStream: Makes the stream of one reader.
    public init(_ makeStream: @escaping @Sendable () -> AsyncThrowingStream<Element, any Error>) {
        self.makeStream = makeStream
    }

    /// Begins to look.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(iterator: makeStream().makeAsyncIterator()) }

    private static func stream(
        _ signal: CommitSignal, _ look: @escaping @Sendable () async throws -> Look
    ) -> AsyncThrowingStream<Element, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                do {
                    // Before the first look, so that nothing is missed behind it.
                    let (number, commits) = signal.listen()
                    var found = try await look()
                    signal.limit(number, to: found.tables)
                    continuation.yield(found.value)
                    for await _ in commits {
                        // It may read other tables than before, of which commits have to be told meanwhile.
                        signal.limit(number, to: nil)
                        let next = try await look()
                        signal.limit(number, to: next.tables)
                        if next.mark == found.mark { continue }
                        found = next
                        continuation.yield(found.value)
                    }
                    continuation.finish()
                } catch is CancellationError {
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

extension Store {
    /// The records of a query, now and again after each commit that changes them, or what is read with them: records by value, and
    /// those that ``Query/including(_:)`` brings along.
    ///
    /// ```swift
    /// for try await books in store.values(Book.where { !$0.isRead }.order(by: \.title)) { show(books) }
    /// ```
    public func values<M>(_ query: Query<M>) -> StoreObservation<[M]> {
        StoreObservation(signal) { [self] in
            try await read { reader in
                let values = try reader.fetch(query)
                return StoreObservation.Look(
                    value: values, mark: try values.flatMap { try BoxedRecord(withCompanyOf: $0).rows },
                    tables: reader.takeTables())
            }
        }
    }

    /// How many records a query has, now and again after each commit that changes it.
    public func counts<M>(_ query: Query<M>) -> StoreObservation<Int> {
        StoreObservation(signal) { [self] in
            try await read { reader in
                let count = try reader.count(query)
                return StoreObservation.Look(
                    value: count, mark: [[.integer(Int64(count))]], tables: reader.takeTables())
            }
        }
    }

    /// The newest runs, now and again after each run: of this program or another one.
    public func runs(limit: Int = 20) -> StoreObservation<[RunRecord]> {
        StoreObservation(signal) { [self] in
            let runs = try await history(limit: limit)
            return StoreObservation.Look(
                value: runs,
                mark: runs.map { [.integer(Int64($0.id)), .text($0.status), .integer(Int64($0.undoneBy ?? 0))] })
        }
    }
}
