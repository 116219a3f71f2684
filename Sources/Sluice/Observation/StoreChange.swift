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
        guard let keys = entry.keys, let reader = try? BoxedValueReader(M.model.description.identifiers.count) else {
            return nil
        }
        var found: Set<M.Identifier> = []
        for key in keys {
            guard let identifier = try? reader.identifier(key, as: M.Identifier.self) else { return nil }
            found.insert(identifier)
        }
        return found
    }
}

/// The changes of some models, from now on: each commit of this program, each run of `sluice`, and that others wrote.
///
/// No change is lost, and several that come at once are one. It ends with its task, and with an error where the store cannot
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

    let makeStream: @Sendable () -> AsyncThrowingStream<StoreChange, any Error>

    /// Begins to look.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(iterator: makeStream().makeAsyncIterator()) }
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
    /// Of a transaction of this program, of a `sync` and of runs of `sluice` the records are known. Of statements in SQL it is
    /// not, by ``Transaction/execute(_:)`` or of other programs.
    ///
    /// - Parameter models: The models.
    /// - Returns: The changes from now on.
    public func changes(_ models: any PersistentModel.Type...) -> StoreChanges {
        StoreChanges { [signal, writer, executor] in
            // From this moment on, also where somebody writes before the task begins.
            let commits = signal.subscribe()
            let number = writer.log.subscribe()
            let look = { try writer.assumeIsolated { try $0.mark() } }
            let first = Result { try executor.wait(for: look) }
            return AsyncThrowingStream { continuation in
                let task = Task {
                    defer { writer.log.end(number) }
                    do {
                        var mark = try first.get()
                        for await _ in commits {
                            let (change, now) = try await writer.change(of: models, since: mark, number)
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
}
