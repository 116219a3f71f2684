/// Takes connections on 127.0.0.1 and never says a word on them.
public final class SilentServer: Sendable {
    private let listener: Socket
    /// The port that the server listens on.
    public let port: Int

    /// Starts the server; the system accepts connections for it, and nobody reads from them.
    ///
    /// - Throws: Where no port can be had.
    public init() throws {
        listener = try Socket.listening(port: 0)
        port = Int(try listener.port())
    }

    deinit {
        listener.close()
    }
}
