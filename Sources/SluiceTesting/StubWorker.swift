public import Sluice
internal import Synchronization

/// A `StoreWorker` without a store: it gives the answers of a test and notes what it is asked for.
///
/// ```swift
/// let stub = StubWorker(answers: [User(id: "a", name: "Ann")])
/// try await UserService(worker: stub).rename("a", to: "Anna")
/// #expect(stub.calls == [.get("User", "a"), .upsert("User", 1)])
/// #expect(stub.upserted(User.self).map(\.name) == ["Anna"])
/// ```
///
/// Queries are not evaluated: all answers of a type answer each of them, and what is upserted or removed changes no answer.
/// `Store.temporary`, which is a store, does both.
public final class StubWorker: StoreWorker {
    /// What a worker was asked for, with the name of the type.
    public enum Call: Hashable, Sendable {
        /// The value of an identifier, as text; the parts of a composite one are joined by `, `.
        case get(String, String)
        /// The values of a query.
        case fetch(String)
        /// So many values were upserted.
        case upsert(String, Int)
        /// So many values were removed.
        case remove(String, Int)
        /// The records of a query were removed.
        case removeAll(String)
        /// The number of the records of a query.
        case count(String)
        /// The values of a query were to be observed.
        case values(String)

        /// What kind of call it is.
        public var kind: Kind {
            switch self {
            case .get: .get
            case .fetch: .fetch
            case .upsert: .upsert
            case .remove: .remove
            case .removeAll: .removeAll
            case .count: .count
            case .values: .values
            }
        }
    }

    /// The kinds of calls.
    public enum Kind: Hashable, Sendable, CaseIterable {
        case get, fetch, upsert, remove, removeAll, count, values
    }

    private struct State {
        var answers: [any RecordConvertible] = []
        var calls: [Call] = []
        var failures: [Kind: any Error] = [:]
        var upserted: [any RecordConvertible] = []
        var removed: [any RecordConvertible] = []
    }

    private let state: Mutex<State>

    /// Makes a worker.
    ///
    /// - Parameter answers: What it gives, of any types.
    public init(answers: [any RecordConvertible] = []) { state = Mutex(State(answers: answers)) }

    // MARK: What a test says

    /// Gives other answers of a type from now on.
    public func answer<E: RecordConvertible>(_ type: E.Type, with values: [E]) {
        state.withLock { state in
            state.answers.removeAll { $0 is E }
            state.answers += values
        }
    }

    /// Throws an error at each call of some kinds from now on.
    ///
    /// - Parameters:
    ///   - kinds: The kinds of calls; all where none is named.
    ///   - error: What is thrown; nil for nothing any more.
    public func fail(_ kinds: Kind..., with error: (any Error)?) {
        state.withLock { state in
            for kind in kinds.isEmpty ? Kind.allCases : kinds { state.failures[kind] = error }
        }
    }

    // MARK: What a test looks at

    /// All calls in their order, also those that failed.
    public var calls: [Call] { state.withLock { $0.calls } }

    /// The values of a type that were upserted, in their order.
    public func upserted<E: RecordConvertible>(_ type: E.Type) -> [E] {
        state.withLock { $0.upserted.compactMap { $0 as? E } }
    }

    /// The values of a type that were removed, in their order.
    public func removed<E: RecordConvertible>(_ type: E.Type) -> [E] {
        state.withLock { $0.removed.compactMap { $0 as? E } }
    }

    /// Notes a call, and gives the answers of a type.
    private func answer<E: RecordConvertible>(_ call: Call, _ type: E.Type) throws -> [E] {
        try state.withLock { state in
            state.calls.append(call)
            if let error = state.failures[call.kind] { throw error }
            return state.answers.compactMap { $0 as? E }
        }
    }

    // MARK: StoreWorker

    /// All answers of the type.
    ///
    /// - Throws: The error of ``fail(_:with:)``.
    public func get<E: RecordConvertible>(_ type: E.Type, _ query: Query<E.Record>) async throws -> [E] {
        try answer(.fetch("\(E.self)"), type)
    }

    /// The answer of an identifier; nil where there is none.
    ///
    /// - Throws: The error of ``fail(_:with:)``, and what the answers throw where they are made records.
    public func get<E: RecordConvertible>(_ type: E.Type, _ identifier: E.Record.Identifier) async throws -> E? {
        let text = try identifier.boxKey().map(\.text).joined(separator: ", ")
        return try answer(.get("\(E.self)", text), type).first { try $0.makeRecord().savedIdentifier == identifier }
    }

    /// Notes the values.
    ///
    /// - Throws: The error of ``fail(_:with:)``.
    public func upsert<E: RecordConvertible>(_ values: [E]) async throws {
        _ = try answer(.upsert("\(E.self)", values.count), E.self)
        state.withLock { $0.upserted += values }
    }

    /// Notes the values.
    ///
    /// - Throws: The error of ``fail(_:with:)``.
    public func remove<E: RecordConvertible>(_ values: [E]) async throws {
        _ = try answer(.remove("\(E.self)", values.count), E.self)
        state.withLock { $0.removed += values }
    }

    /// Notes the call.
    ///
    /// - Throws: The error of ``fail(_:with:)``.
    public func removeAll<E: RecordConvertible>(_ type: E.Type, _ query: Query<E.Record>) async throws {
        _ = try answer(.removeAll("\(E.self)"), type)
    }

    /// How many answers of the type there are.
    ///
    /// - Throws: The error of ``fail(_:with:)``.
    public func count<E: RecordConvertible>(_ type: E.Type, _ query: Query<E.Record>) async throws -> Int {
        try answer(.count("\(E.self)"), type).count
    }

    /// All answers of the type, once; or the error of ``fail(_:with:)``.
    public func values<E: RecordConvertible>(_ type: E.Type, _ query: Query<E.Record>) -> StoreObservation<[E]> {
        let answers = Result { try answer(.values("\(E.self)"), type) }
        return StoreObservation {
            AsyncThrowingStream { continuation in
                switch answers {
                case .success(let values):
                    continuation.yield(values)
                    continuation.finish()
                case .failure(let error): continuation.finish(throwing: error)
                }
            }
        }
    }
}
