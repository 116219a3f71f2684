import SluiceHTTP
import TestSupport
import Testing

@Suite struct BodyTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let response: ServerResponse
        let expected: [UInt8]
        var isDelimited = true
    }

    static let text = Array("{\"a\": 1}".utf8)
    static let gzip = [(name: "Content-Encoding", value: "gzip")]

    static let cases = [
        Case(testDescription: "with a length", response: ServerResponse(body: .bytes(text)), expected: text),
        Case(testDescription: "empty", response: ServerResponse(), expected: []),
        Case(
            testDescription: "chunked",
            response: ServerResponse(body: .chunks([text, [], text].filter { !$0.isEmpty })),
            expected: text + text),
        Case(
            testDescription: "ended by the connection",
            response: ServerResponse(body: .untilClose(text), ending: .close),
            expected: text, isDelimited: false),
        Case(
            testDescription: "gzip", response: ServerResponse(headers: gzip, body: .bytes(Gzip.stored(text))),
            expected: text),
        Case(
            testDescription: "gzip in chunks of one byte",
            response: ServerResponse(headers: gzip, body: .chunks(Gzip.stored(text).map { [$0] })), expected: text),
        Case(
            testDescription: "gzip of many blocks",
            response: ServerResponse(
                headers: gzip, body: .bytes(Gzip.stored([UInt8](repeating: 0x62, count: 200_000)))),
            expected: [UInt8](repeating: 0x62, count: 200_000)),
        Case(testDescription: "no content", response: ServerResponse(status: 204), expected: []),
        Case(testDescription: "not modified", response: ServerResponse(status: 304), expected: []),
        Case(
            testDescription: "after an interim response",
            response: ServerResponse(
                body: .raw(
                    Array("HTTP/1.1 103 Early\r\nX: 1\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8))),
            expected: Array("ok".utf8)),
        Case(
            testDescription: "with trailers",
            response: ServerResponse(
                body: .raw(
                    Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-T: 1\r\n\r\n".utf8))),
            expected: Array("ok".utf8)),
    ]

    @Test(arguments: cases)
    func theBodyArrivesWhole(_ item: Case) throws {
        let server = try LoopbackServer { _ in item.response }
        defer { server.stop() }
        var sink = RecordingSink()
        let exchange = try World().client().fetch(HTTPRequest(url: server.url), into: &sink)
        #expect(sink.bytes == item.expected)
        #expect(sink.heads == [exchange.head])
        #expect(exchange.bytes == item.expected.count)
        #expect(exchange.head.isBodyDelimited == item.isDelimited)
        #expect(exchange.head.headers.first("X-T") == nil)
        #expect(exchange.head.headers.first("X") == nil)
    }

    @Test func tenMegabytesArriveUnchanged() throws {
        let chunks = (0..<160).map { index in (0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ index) } }
        let server = try LoopbackServer { _ in ServerResponse(body: .stream { $0 < 160 ? chunks[$0] : nil }) }
        defer { server.stop() }
        var sink = HTTPBodyBuffer()
        let exchange = try World().client().fetch(HTTPRequest(url: server.url), into: &sink)
        #expect(exchange.bytes == 160 * 65_536)
        #expect(sink.bytes == chunks.flatMap { $0 })
    }

    @Test func aCompressedBodyThatExpandsPastTheBufferArrivesWhole() throws {
        let pieces = 10_000
        let body = Gzip.run(of: UInt8(ascii: "x"), pieces: pieces)
        let server = try LoopbackServer { _ in ServerResponse(headers: Self.gzip, body: .bytes(body)) }
        defer { server.stop() }
        var sink = CountingSink()
        let client = World().client { $0.bufferBytes = 16 << 10 }
        _ = try client.fetch(HTTPRequest(url: server.url), into: &sink)
        #expect(sink.count == 1 + 258 * pieces)
        #expect(sink.others == 0)
    }

    struct LimitCase: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let response: ServerResponse
        let fits: Bool
    }

    /// 70 MB in less than half a megabyte.
    static let bomb = Gzip.run(of: UInt8(ascii: "a"), pieces: 270_000)

    static let limits = [
        LimitCase(
            testDescription: "announced", response: ServerResponse(body: .bytes([UInt8](repeating: 0x61, count: 1001))),
            fits: false),
        LimitCase(
            testDescription: "chunked",
            response: ServerResponse(
                body: .chunks([[UInt8]](repeating: [UInt8](repeating: 0x61, count: 143), count: 7))), fits: false),
        LimitCase(
            testDescription: "decompressed",
            response: ServerResponse(headers: gzip, body: .bytes(Gzip.run(of: UInt8(ascii: "a"), pieces: 4))),
            fits: false),
        LimitCase(
            testDescription: "decompressed a thousandfold, far beyond what may wait for its reader",
            response: ServerResponse(headers: gzip, body: .bytes(bomb)), fits: false),
        LimitCase(
            testDescription: "exactly at the limit",
            response: ServerResponse(body: .bytes([UInt8](repeating: 0x61, count: 1000))), fits: true),
    ]

    @Test(arguments: limits)
    func aBodyOverTheLimitIsRefused(_ item: LimitCase) throws {
        let server = try LoopbackServer { _ in item.response }
        defer { server.stop() }
        let client = World().client { $0.maximumResponseBytes = 1000 }
        if item.fits {
            #expect(try client.text(HTTPRequest(url: server.url)).utf8.count == 1000)
            return
        }
        let error = #expect(throws: HTTPError.self) { try client.text(HTTPRequest(url: server.url)) }
        #expect(error?.code == .responseTooLarge)
        #expect(error?.message.contains("1000 bytes") == true)
        #expect(error?.message.contains("`max_response`") == true)
        #expect(server.requests.count == 1)
    }

    @Test(arguments: 1...18)
    func aPackedBodyThatIsCutOffIsNoBody(missing: Int) throws {
        let server = try LoopbackServer { _ in
            ServerResponse(headers: Self.gzip, body: .bytes(Gzip.stored(Self.text).dropLast(missing)))
        }
        defer { server.stop() }
        let client = World().client { $0.retry.maximumAttempts = 1 }
        let error = #expect(throws: HTTPError.self) { try client.text(HTTPRequest(url: server.url)) }
        #expect(error?.code == .truncatedBody)
        #expect(error?.message.contains("cut off") == true)
    }

    @Test func anotherPackingThanTheOneThatWasAskedForIsNamed() throws {
        let server = try LoopbackServer { _ in
            ServerResponse(headers: [("Content-Encoding", "br")], body: .bytes(Self.text))
        }
        defer { server.stop() }
        let error = #expect(throws: HTTPError.self) { try World().client().text(HTTPRequest(url: server.url)) }
        #expect(error?.code == .badContentEncoding)
        #expect(error?.message.contains("`br`") == true)
    }

    @Test func aBodyThatIsNotPackedMaySaySo() throws {
        let server = try LoopbackServer { _ in
            ServerResponse(headers: [("Content-Encoding", "identity")], body: .bytes(Self.text))
        }
        defer { server.stop() }
        #expect(try World().client().text(HTTPRequest(url: server.url)).utf8.elementsEqual(Self.text))
    }

    @Test func endlessHeadersAreRefused() throws {
        let line = "X-Long: " + String(repeating: "a", count: 60_000)
        let server = try LoopbackServer { _ in
            ServerResponse(headers: (0..<20).map { ("X-\($0)", line) }, body: .bytes([]))
        }
        defer { server.stop() }
        let error = #expect(throws: HTTPError.self) {
            try World().client { $0.retry.maximumAttempts = 1 }.text(HTTPRequest(url: server.url))
        }
        #expect(error != nil)
    }

    @Test func headersAreFoundInAnyCaseAndFolded() throws {
        let raw = "HTTP/1.1 200 OK\r\nX-One: a\r\nx-one: b\r\nX-Fold: c,\r\n  d\r\nContent-Length: 0\r\n\r\n"
        let server = try LoopbackServer { _ in ServerResponse(body: .raw(Array(raw.utf8))) }
        defer { server.stop() }
        var sink = RecordingSink()
        let head = try World().client().fetch(HTTPRequest(url: server.url), into: &sink).head
        #expect(head.headers.all("X-ONE") == ["a", "b"])
        #expect(head.headers.first("x-One") == "a")
        #expect(head.headers.first("X-Fold") == "c, d")
        #expect(head.httpVersion == "1.1")
    }

    struct SinkFailure: Error, Equatable {}

    struct FailingSink: HTTPBodySink {
        mutating func begin(_ head: HTTPResponseHead) {}
        mutating func write(_ bytes: Span<UInt8>) throws { throw SinkFailure() }
        mutating func restart() {}
    }

    @Test func aFailureOfTheSinkIsPassedOn() throws {
        let server = try LoopbackServer { _ in .text("body") }
        defer { server.stop() }
        let world = World()
        var sink = FailingSink()
        #expect(throws: SinkFailure()) { try world.client().fetch(HTTPRequest(url: server.url), into: &sink) }
        #expect(world.sleeps.isEmpty)
    }

    struct CountingSink: HTTPBodySink {
        var count = 0
        var others = 0
        mutating func begin(_ head: HTTPResponseHead) {}
        mutating func write(_ bytes: Span<UInt8>) {
            count += bytes.count
            for index in bytes.indices where bytes[index] != UInt8(ascii: "x") { others += 1 }
        }
        mutating func restart() { count = 0 }
    }
}
