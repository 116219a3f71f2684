/// A class of the main actor that reads and changes a store at once, without `await`.
///
/// ```swift
/// @MainActor @MainStoreActor final class Shelf {
///     var titles: [String] { get throws { try read { try $0.fetch(Book.order(by: \.title)).map(\.title) } } }
/// }
/// ```
///
/// The main thread waits meanwhile: it is for what takes no longer than a frame. It waits for its turn behind the program's other
/// work with the store for no longer than ``StoreOptions/busyTimeout``, and throws ``SluiceError/Code/busy`` then.
@MainActor
public protocol MainStoreActor: AnyObject {
    /// The store.
    nonisolated var store: Store { get }
}

extension MainStoreActor {
    /// Reads one state of the store, now; within a transaction what that wrote so far.
    ///
    /// - Parameter body: Reads.
    /// - Returns: What the body returns.
    /// - Throws: ``SluiceError``, and what the body throws.
    public func read<R: Sendable>(_ body: (Reader) throws -> R) throws -> R { try store.waitingRead(body) }

    /// Writes all of a transaction or nothing, now.
    ///
    /// - Parameter body: Writes; where it throws, everything is taken back.
    /// - Returns: What the body returns.
    /// - Throws: ``SluiceError``, with ``SluiceError/Code/refused`` within another transaction, and what the body throws.
    public func transaction<R: Sendable>(_ body: (Transaction) throws -> R) throws -> R {
        try store.waitingTransaction(nil, body)
    }

    /// Writes all of a transaction or nothing, now, and keeps in the history what it changed; see
    /// ``Store/write(recording:_:)``.
    ///
    /// - Parameters:
    ///   - recording: Who is noted.
    ///   - body: Writes; where it throws, everything is taken back.
    /// - Returns: What the body returns.
    /// - Throws: ``SluiceError``, and what the body throws.
    public func transaction<R: Sendable>(
        recording: WriteRecording, _ body: (Transaction) throws -> R
    ) throws -> R { try store.waitingTransaction(recording, body) }
}
