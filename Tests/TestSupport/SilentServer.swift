import Synchronization

/// Takes connections on 127.0.0.1 and never says a word on them.
public final class SilentServer: Sendable {
    private let listener: Socket
    private let taken = Mutex<[Socket]>([])
    /// The port that the server listens on.
    public let port: Int

    /// Starts the server; the system accepts connections for it, and nobody reads from them.
    ///
    /// - Throws: Where no port can be had.
    public init() throws {
        listener = try Socket.listening(port: 0)
        port = Int(try listener.port())
    }

    /// Waits for a connection, which stays open and silent.
    public func awaitConnection() { if let socket = listener.accept() { taken.withLock { $0.append(socket) } } }

    deinit {
        listener.close()
        for socket in taken.withLock({ $0 }) { socket.close() }
    }
}
