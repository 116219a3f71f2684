import Dispatch
import Synchronization

/// Stands between one client on 127.0.0.1 and a PostgreSQL server's socket, and can be late: it then hands over all that the server says
/// until it ends the connection at once, as it reaches a client that slept meanwhile.
public final class LateProxy: Sendable {
    private let listener: Socket
    private let isLate = Atomic(false)
    /// The port that clients connect to.
    public let port: Int

    /// Starts it; the first connection is the one that it serves.
    ///
    /// - Parameter path: The server's socket.
    /// - Throws: Where no port can be had, or nobody listens at the socket.
    public init(to path: String) throws {
        listener = try Socket.listening(port: 0)
        port = Int(try listener.port())
        let server = try RawConnection(path: path).socket
        DispatchQueue(label: "proxy").async { [self] in
            guard let client = listener.accept() else { return }
            DispatchQueue(label: "proxy.requests").async {
                while let bytes = client.receive(), server.send(bytes) {}
                server.shutDown()
            }
            handOver(from: server, to: client)
            client.shutDown()
        }
    }

    /// From now on what the server says is kept until it ends the connection.
    public func beLate() { isLate.store(true, ordering: .relaxed) }

    private func handOver(from server: Socket, to client: Socket) {
        var kept: [UInt8] = []
        while let bytes = server.receive() {
            kept += bytes
            if isLate.load(ordering: .relaxed) { continue }
            guard client.send(kept) else { return }
            kept = []
        }
        _ = client.send(kept)
    }
}
