/// What commits changed of some models.
public struct StoreChange: Sendable {
    /// The runs that changed records, of this program or of another one; none for what programs and people write themselves.
    public let runs: [Int]
    /// The models of which records changed, or may have.
    public var models: [any PersistentModel.Type] { touched.map(\.model) }

    let touched: [(model: any PersistentModel.Type, keys: Set<[BoxedValue]>?)]

    /// Whether records of a model changed, or may have.
    public func touches(_ model: any PersistentModel.Type) -> Bool { touched.contains { $0.model == model } }

    /// The identifiers of the records of a model that changed, were inserted or deleted.
    ///
    /// - Parameter model: The model.
    /// - Returns: Nil where that is not known, as after statements of other programs.
    public func keys<M: PersistentModel>(of model: M.Type) -> Set<M.Identifier>? {
        guard let entry = touched.first(where: { $0.model == model }) else { return [] }
        guard let keys = entry.keys else { return nil }
        let count = M.model.description.identifiers.count
        var found: Set<M.Identifier> = []
        for key in keys {
            guard key.count == count, let identifier = try? BoxedValueReader.identifier(key, as: M.Identifier.self)
            else { return nil }
            found.insert(identifier)
        }
        return found
    }
}

/// The changes of some models: each commit of this program, each run of `sluice`, and that others wrote.
///
/// They are told from the call of ``Store/changes(_:)`` on, to whoever iterates first, and to others from when these begin. No
/// change is lost, and several that come at once are one. It ends with its task, and with an error where the store cannot
/// be read.
public struct StoreChanges: AsyncSequence, Sendable {
    /// Gives the changes.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var iterator: AsyncThrowingStream<StoreChange, any Error>.Iterator

        /// The next change, waiting for it; nil where the task was cancelled.
        ///
        /// - Throws: ``SluiceError`` where the store cannot be read.
        public mutating func next() async throws -> StoreChange? { try await iterator.next() }
    }

    private let models: [any PersistentModel.Type]
    private let writer: StoreWriter
    private let listen: @Sendable () -> ChangeSubscription
    private let first: ChangeSubscription.Waiting

    init(
        _ models: [any PersistentModel.Type], _ writer: StoreWriter,
        _ listen: @escaping @Sendable () -> ChangeSubscription
    ) {
        (self.models, self.writer, self.listen) = (models, writer, listen)
        first = ChangeSubscription.Waiting(listen())
    }

    /// Gives what changed since the call of ``Store/changes(_:)``, the first time; else what changes from now on.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(iterator: stream(first.take() ?? listen()).makeAsyncIterator())
    }

    private func stream(_ subscription: ChangeSubscription) -> AsyncThrowingStream<StoreChange, any Error> {
        AsyncThrowingStream { [models, writer] continuation in
            let task = Task {
                do {
                    var mark = try subscription.start.get()
                    for await _ in subscription.commits {
                        let (change, now) = try await writer.change(of: models, since: mark, subscription.number)
                        mark = now
                        if let change { continuation.yield(change) }
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
    /// The changes of models: which, and where that is known which records and by which run.
    ///
    /// ```swift
    /// for try await change in store.changes(Book.self, Author.self) {
    ///     if let keys = change.keys(of: Book.self) { forget(keys) } else { forgetAll() }
    /// }
    /// ```
    ///
    /// Of transactions of this program, of its syncs, decisions and runs of pipelines, and of runs of `sluice`, the records are known.
    /// They are not known of statements in SQL, by ``Transaction/execute(_:)`` or of other programs, of what delete rules change
    /// in other tables, and of references that no source fills where a run takes away or brings back what they lead to.
    ///
    /// - Parameter models: The models.
    /// - Returns: The changes from this call on: what is written before the loop begins is told as well.
    public func changes(_ models: any PersistentModel.Type...) -> StoreChanges {
        StoreChanges(models, writer) { [signal, writer, executor] in ChangeSubscription(signal, writer, on: executor) }
    }
}
