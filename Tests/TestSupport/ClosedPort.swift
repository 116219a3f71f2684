/// A port on 127.0.0.1 that refuses connections, and that no other test gets meanwhile.
public final class ClosedPort: Sendable {
    private let socket: Socket
    /// The port.
    public let port: Int

    /// Takes a port.
    ///
    /// - Throws: Where no port can be had.
    public init() throws {
        socket = try Socket.bound(port: 0)
        port = Int(try socket.port())
    }

    deinit {
        socket.close()
    }
}
