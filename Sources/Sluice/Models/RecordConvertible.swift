/// A value of the upper layers of a program, and the model that keeps it.
///
/// ```swift
/// struct User: RecordConvertible {
///     var id: String
///     var name: String
///
///     init(record: UserRecord) throws {
///         id = record.id
///         name = record.name
///     }
///
///     func makeRecord() throws -> UserRecord { UserRecord(id: id, name: name) }
/// }
/// ```
///
/// Every model is its own record, so that a ``StoreWorker`` takes models as well.
public protocol RecordConvertible: Sendable {
    /// The model that keeps it.
    associatedtype Record: PersistentModel

    /// Makes the value of a record.
    ///
    /// - Parameter record: The record, as the store has it.
    /// - Throws: Whatever says that the record is no such value.
    init(record: Record) throws

    /// The whole record of the value: what differs from the store's is written.
    ///
    /// - Throws: Whatever says that the value cannot be kept.
    func makeRecord() throws -> Record
}

extension PersistentModel {
    /// The record itself.
    public init(record: Self) { self = record }

    /// The value itself.
    public func makeRecord() -> Self { self }
}
