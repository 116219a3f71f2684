/// What a service needs of a store, so that a test can put something else in its place.
///
/// ```swift
/// struct UserService {
///     let worker: any StoreWorker
///
///     func rename(_ id: String, to name: String) async throws {
///         guard var user = try await worker.get(User.self, id) else { throw NoUser() }
///         user.name = name
///         try await worker.upsert([user])
///     }
/// }
/// ```
///
/// ``Store`` is one. The product SluiceTesting has another one, which gives the answers of a test.
public protocol StoreWorker: Sendable {
    /// The values of a query.
    ///
    /// - Throws: ``SluiceError``; with ``SluiceError/Code/unbox`` where a record is no such value.
    func get<E: RecordConvertible>(_ type: E.Type, _ query: Query<E.Record>) async throws -> [E]

    /// The value of an identifier; nil where there is none.
    ///
    /// - Throws: ``SluiceError``; with ``SluiceError/Code/unbox`` where the record is no such value.
    func get<E: RecordConvertible>(_ type: E.Type, _ identifier: E.Record.Identifier) async throws -> E?

    /// Inserts values or writes what differs, all or none; see ``Store/save(_:overwriting:)``.
    ///
    /// - Throws: ``SluiceError``; with ``SluiceError/Code/box`` where a value cannot be kept.
    func upsert<E: RecordConvertible>(_ values: [E]) async throws

    /// Deletes the records of values, all or none, by the rules of what they lead to. What is not there is passed over.
    ///
    /// - Throws: ``SluiceError``, with ``SluiceError/Code/denied`` where a relationship forbids it.
    func remove<E: RecordConvertible>(_ values: [E]) async throws

    /// Deletes the records of a query, by the rules of what they lead to.
    ///
    /// - Throws: ``SluiceError``, with ``SluiceError/Code/denied`` where a relationship forbids it.
    func removeAll<E: RecordConvertible>(_ type: E.Type, _ query: Query<E.Record>) async throws

    /// How many records a query has.
    ///
    /// - Throws: ``SluiceError``.
    func count<E: RecordConvertible>(_ type: E.Type, _ query: Query<E.Record>) async throws -> Int

    /// The values of a query, now and again after each commit that changes them.
    func values<E: RecordConvertible>(_ type: E.Type, _ query: Query<E.Record>) -> StoreObservation<[E]>
}

extension StoreWorker {
    /// All values of a type.
    ///
    /// - Throws: What ``get(_:_:)-(E.Type,Query<E.Record>)`` throws.
    public func get<E: RecordConvertible>(_ type: E.Type) async throws -> [E] { try await get(type, E.Record.all) }

    /// How many values of a type there are.
    ///
    /// - Throws: What ``count(_:_:)`` throws.
    public func count<E: RecordConvertible>(_ type: E.Type) async throws -> Int { try await count(type, E.Record.all) }

    /// Deletes the record of an identifier: gets its value, and removes that.
    ///
    /// - Returns: Whether there was one.
    /// - Throws: What ``get(_:_:)-(E.Type,E.Record.Identifier)`` and ``remove(_:)`` throw.
    @discardableResult
    public func remove<E: RecordConvertible>(
        _ type: E.Type, _ identifier: E.Record.Identifier
    ) async throws -> Bool {
        guard let value = try await get(type, identifier) else { return false }
        try await remove([value])
        return true
    }
}
