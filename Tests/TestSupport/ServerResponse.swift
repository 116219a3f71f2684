/// What a loopback server answers, honest or not.
///
/// ```swift
/// ServerResponse(status: 503, headers: [("Retry-After", "2")])
/// ServerResponse(body: .bytes(half, announcing: 1000), ending: .reset)
/// ```
public struct ServerResponse: Sendable {
    /// How the body is sent.
    public enum Body: Sendable {
        /// With its length; a length that is not its own is a lie to the client.
        case bytes([UInt8], announcing: Int? = nil)
        /// Chunk by chunk; `isCutOff` leaves the last, empty chunk out.
        case chunks([[UInt8]], isCutOff: Bool = false)
        /// Chunk by chunk, made when the one before was handed to the system; nil ends it.
        case stream(@Sendable (Int) -> [UInt8]?)
        /// Without a length: the end of the connection is the end of the body.
        case untilClose([UInt8])
        /// These bytes in place of a whole response, the status line included.
        case raw([UInt8])
    }

    /// What becomes of the connection.
    public enum Ending: Sendable {
        /// It stays open for the next request.
        case keepAlive
        /// It is closed in an orderly way.
        case close
        /// It is torn down, so that the client sees an error.
        case reset
    }

    /// The status code.
    public var status: Int
    /// The headers, but those that say how the body is sent.
    public var headers: [(name: String, value: String)]
    /// How the body is sent.
    public var body: Body
    /// What becomes of the connection.
    public var ending: Ending

    /// Makes a response.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - headers: The headers, but those that say how the body is sent.
    ///   - body: How the body is sent.
    ///   - ending: What becomes of the connection.
    public init(
        status: Int = 200, headers: [(name: String, value: String)] = [], body: Body = .bytes([]),
        ending: Ending = .keepAlive
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.ending = ending
    }

    /// A response with a text.
    ///
    /// - Parameters:
    ///   - text: The body.
    ///   - status: The status code.
    ///   - headers: The headers, but those that say how the body is sent.
    /// - Returns: A response that announces the length of its body, unless its status allows none.
    public static func text(
        _ text: String, status: Int = 200, headers: [(name: String, value: String)] = []
    ) -> ServerResponse {
        ServerResponse(status: status, headers: headers, body: .bytes(Array(text.utf8)))
    }

    /// No answer: the connection is closed.
    public static let hangUp = ServerResponse(body: .raw([]), ending: .close)

    /// No answer: the connection is torn down.
    public static let reset = ServerResponse(body: .raw([]), ending: .reset)

    /// The status line and headers, up to the empty line.
    var head: [UInt8] {
        var lines = ["HTTP/1.1 \(status) Status"]
        lines += headers.map { "\($0.name): \($0.value)" }
        switch body {
        case .bytes(let bytes, let announced):
            if status != 204 && status != 304 { lines.append("Content-Length: \(announced ?? bytes.count)") }
        case .chunks, .stream: lines.append("Transfer-Encoding: chunked")
        case .untilClose: lines.append("Connection: close")
        case .raw: return []
        }
        if ending == .close, case .bytes = body { lines.append("Connection: close") }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    /// Whether the next request may come on the same connection.
    var keepsConnection: Bool {
        if case .untilClose = body { false } else { ending == .keepAlive }
    }
}
