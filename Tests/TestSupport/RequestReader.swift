/// Reads requests from a connection; what comes after one request is kept for the next.
struct RequestReader {
    private let socket: Socket
    private var buffer: [UInt8] = []

    private static let maximumHeadBytes = 256 << 10
    private static let maximumBodyBytes = 64 << 20

    init(_ socket: Socket) {
        self.socket = socket
    }

    /// The next request; nil where the connection ends or what comes is no request.
    mutating func next() -> ServerRequest? {
        guard let head = readHead() else { return nil }
        var lines = head.split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
        let words = lines.removeFirst().split(separator: " ").map(String.init)
        guard words.count == 3, words[2].hasPrefix("HTTP/1.") else { return nil }
        var headers: [(name: String, value: String)] = []
        for line in lines where !line.isEmpty {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            headers.append((String(line[..<colon]), String(value)))
        }
        var request = ServerRequest(method: words[0], target: words[1], headers: headers, body: [])
        if request.header("Expect")?.lowercased() == "100-continue" {
            guard socket.send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) else { return nil }
        }
        if request.header("Transfer-Encoding")?.lowercased() == "chunked" {
            guard let body = readChunks() else { return nil }
            request.body = body
        } else if let length = request.header("Content-Length") {
            guard let count = Int(length), 0...Self.maximumBodyBytes ~= count, let body = read(count) else {
                return nil
            }
            request.body = body
        }
        return request
    }

    private mutating func readHead() -> String? {
        if buffer.isEmpty {
            guard let first = socket.receive() else { return nil }
            buffer = first
        }
        // Of what is no HTTP, such as the beginning of TLS, the end is not waited for.
        guard let first = buffer.first, UInt8(ascii: "A")...UInt8(ascii: "Z") ~= first else { return nil }
        return readLine(endingWith: "\r\n\r\n", maximumBytes: Self.maximumHeadBytes)
    }

    private mutating func readChunks() -> [UInt8]? {
        var body: [UInt8] = []
        while true {
            guard let line = readLine(endingWith: "\r\n", maximumBytes: 1024),
                let size = Int(line.prefix { $0 != ";" }, radix: 16),
                0...Self.maximumBodyBytes ~= size, body.count + size <= Self.maximumBodyBytes
            else { return nil }
            guard let chunk = read(size), readLine(endingWith: "\r\n", maximumBytes: 1024) == "" else { return nil }
            if size == 0 { return body }
            body += chunk
        }
    }

    private mutating func readLine(endingWith end: String, maximumBytes: Int) -> String? {
        let end = Array(end.utf8)
        while true {
            if let range = buffer.firstRange(of: end) {
                let text = String(decoding: buffer[..<range.lowerBound], as: UTF8.self)
                buffer.removeSubrange(..<range.upperBound)
                return text
            }
            guard buffer.count < maximumBytes, let more = socket.receive() else { return nil }
            buffer += more
        }
    }

    private mutating func read(_ count: Int) -> [UInt8]? {
        while buffer.count < count {
            guard let more = socket.receive() else { return nil }
            buffer += more
        }
        defer { buffer.removeSubrange(..<count) }
        return Array(buffer[..<count])
    }
}
