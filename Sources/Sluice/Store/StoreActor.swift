/// An actor that runs where its store writes, so that its functions change the store without waiting.
///
/// ```swift
/// @StoreActor actor Library {
///     func rename(_ id: Int, to title: String) throws {
///         try transaction { tx in
///             var book = try tx.find(Book.self, id)
///             book.title = title
///             try tx.save(&book)
///         }
///     }
/// }
/// ```
public protocol StoreActor: Actor {
    /// The store.
    nonisolated var store: Store { get }
}

extension StoreActor {
    /// Reads what the store holds now, between its transactions.
    ///
    /// - Returns: What the body returns.
    /// - Throws: ``SluiceError``, with ``SluiceError/Code/notOnWriter`` where the actor was not declared with `@StoreActor`,
    ///   and what the body throws.
    public func read<R: Sendable>(_ body: (Reader) throws -> R) throws -> R { try store.currentRead(body) }

    /// Writes all of a transaction or nothing; no other transaction of the store comes in between.
    ///
    /// - Returns: What the body returns.
    /// - Throws: ``SluiceError``, with ``SluiceError/Code/notOnWriter`` where the actor was not declared with `@StoreActor`,
    ///   with ``SluiceError/Code/refused`` within another transaction or within a read, and what the body throws.
    public func transaction<R: Sendable>(_ body: (Transaction) throws -> R) throws -> R {
        try store.transaction(nil, body)
    }

    /// Writes all of a transaction or nothing, and keeps in the history what it changed; see ``Store/write(recording:_:)``.
    ///
    /// - Returns: What the body returns.
    /// - Throws: ``SluiceError``, with ``SluiceError/Code/notOnWriter`` where the actor was not declared with `@StoreActor`,
    ///   and what the body throws.
    public func transaction<R: Sendable>(
        recording: WriteRecording, _ body: (Transaction) throws -> R
    ) throws -> R { try store.transaction(recording, body) }
}
