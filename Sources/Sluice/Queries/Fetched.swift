/// What a property says of the store: the records of a query, which are read when they are asked for.
///
/// ```swift
/// extension Author {
///     var drafts: Fetched<Book> { Fetched(Book.where { $0.author == id && $0.isDraft == true }) }
/// }
/// let drafts = try await store.read { try author.drafts.load(in: $0) }
/// ```
public struct Fetched<M: PersistentModel>: Sendable {
    /// The query.
    public let query: Query<M>

    /// Says which records are meant.
    public init(_ query: Query<M>) { self.query = query }

    /// The records.
    ///
    /// - Throws: ``SluiceError``.
    public func load(in reader: Reader) throws -> [M] { try reader.fetch(query) }

    /// The number of records, without reading them.
    ///
    /// - Throws: ``SluiceError``.
    public func count(in reader: Reader) throws -> Int { try reader.count(query) }
}
