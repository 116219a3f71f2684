import Dispatch
import Synchronization

/// A small HTTP/1.1 server on 127.0.0.1 with real sockets, for tests and demonstrations.
///
/// ```swift
/// let server = try LoopbackServer { request in .text("{\"path\": \"\(request.path)\"}") }
/// defer { server.stop() }
/// // server.url is http://127.0.0.1:PORT
/// ```
/// Each connection has a thread of its own, on which the handler runs; it may wait there for the test. No wait is longer
/// than half a minute, so a broken client makes a test fail rather than hang.
public final class LoopbackServer: Sendable {
    /// Answers a request; called on the connection's thread.
    public typealias Handler = @Sendable (ServerRequest) -> ServerResponse

    private struct State {
        var requests: [ServerRequest] = []
        var requestCount = 0
        var connectionCount = 0
        var bytesSent = 0
        var open: [Int: Socket] = [:]
        var isStopped = false
    }

    private let listener: Socket
    private let handler: Handler
    private let sendBufferBytes: Int?
    private let servesOneConnection: Bool
    private let state = Mutex(State())
    private let threads = DispatchGroup()
    /// The port that the server listens on.
    public let port: Int

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - port: The port; 0 lets the system choose, as tests should.
    ///   - sendBufferBytes: How much the system keeps for a slow client; nil for its own choice.
    ///   - servesOneConnection: Whether a connection is served only once the one before is closed.
    ///   - handler: Answers a request.
    /// - Throws: Where the port cannot be had.
    public init(
        port: UInt16 = 0, sendBufferBytes: Int? = nil, servesOneConnection: Bool = false, handler: @escaping Handler
    ) throws {
        listener = try Socket.listening(port: port)
        self.port = Int(try listener.port())
        self.handler = handler
        self.sendBufferBytes = sendBufferBytes
        self.servesOneConnection = servesOneConnection
        DispatchQueue(label: "loopback.accept").async(group: threads) { self.acceptConnections() }
    }

    /// The URL that the server answers at, without a slash at its end.
    public var url: String { "http://127.0.0.1:\(port)" }

    /// The latest requests, at most 10 000.
    public var requests: [ServerRequest] { state.withLock { $0.requests } }

    /// How many connections were made.
    public var connectionCount: Int { state.withLock { $0.connectionCount } }

    /// How many bytes of responses the system has taken from the server.
    public var bytesSent: Int { state.withLock { $0.bytesSent } }

    /// Closes all connections and waits until every thread of the server has ended; a server that is not stopped goes on.
    public func stop() {
        let isFirst = state.withLock { state in
            if state.isStopped { return false }
            state.isStopped = true
            // Within the lock: a connection that closes meanwhile would leave its number to somebody else's file.
            for socket in state.open.values { socket.shutDown() }
            return true
        }
        if isFirst { listener.shutDown() }
        threads.wait()
        if isFirst { listener.close() }
    }

    private func acceptConnections() {
        while let socket = listener.accept() {
            let number = state.withLock { state -> Int? in
                if state.isStopped { return nil }
                defer { state.connectionCount += 1 }
                state.open[state.connectionCount] = socket
                return state.connectionCount
            }
            guard let number else {
                socket.close()
                return
            }
            if let sendBufferBytes { socket.limitSendBuffer(to: sendBufferBytes) }
            if servesOneConnection {
                serve(socket, number)
            } else {
                DispatchQueue(label: "loopback.connection").async(group: threads) { self.serve(socket, number) }
            }
        }
    }

    private func serve(_ socket: Socket, _ connection: Int) {
        var reader = RequestReader(socket)
        while var request = reader.next() {
            request.connection = connection
            request.number = record(request)
            let response = handler(request)
            let isSent = send(response, to: request, on: socket)
            if case .reset = response.ending { socket.resetOnClose() }
            guard isSent, response.keepsConnection, request.keepsConnection else { break }
        }
        state.withLock { _ = $0.open.removeValue(forKey: connection) }
        socket.close()
    }

    private func record(_ request: ServerRequest) -> Int {
        state.withLock { state in
            var request = request
            request.number = state.requestCount
            state.requestCount += 1
            if state.requests.count == 10_000 { state.requests.removeFirst() }
            state.requests.append(request)
            return request.number
        }
    }

    private func send(_ response: ServerResponse, to request: ServerRequest, on socket: Socket) -> Bool {
        guard send(response.head, on: socket) else { return false }
        if request.method == "HEAD" || response.status == 204 || response.status == 304 { return true }
        switch response.body {
        case .bytes(let bytes, _), .untilClose(let bytes), .raw(let bytes):
            return send(bytes, on: socket)
        case .chunks(let chunks, let isCutOff):
            return chunks.allSatisfy { send(Self.chunk($0), on: socket) }
                && (isCutOff || send(Self.chunk([]), on: socket))
        case .stream(let next):
            var index = 0
            while let bytes = next(index) {
                guard bytes.isEmpty || send(Self.chunk(bytes), on: socket) else { return false }
                index += 1
            }
            return send(Self.chunk([]), on: socket)
        }
    }

    private func send(_ bytes: [UInt8], on socket: Socket) -> Bool {
        socket.send(bytes) { count in state.withLock { $0.bytesSent += count } }
    }

    private static func chunk(_ bytes: [UInt8]) -> [UInt8] {
        Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [0x0D, 0x0A]
    }
}
