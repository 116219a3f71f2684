import Dispatch
import SluiceHTTP
import SluiceSystem
import Synchronization
import TestSupport
import Testing

@Suite struct ConnectionTests {
    @Test func oneConnectionServesManyFetches() throws {
        let server = try LoopbackServer { request in
            switch request.path {
            case "/from": ServerResponse(status: 302, headers: [("Location", "/to")], body: .bytes([1, 2, 3]))
            case "/busy": request.number == 1 ? .text("busy", status: 503) : .text("free")
            default: .text("there")
            }
        }
        defer { server.stop() }
        let client = World().client()
        for path in ["/a", "/busy", "/from", "/b"] {
            _ = try client.text(HTTPRequest(url: server.url + path))
        }
        #expect(server.requests.count == 6)
        #expect(server.connectionCount == 1)
    }

    @Test func aClosedConnectionIsMadeAnew() throws {
        let server = try LoopbackServer { _ in ServerResponse(body: .bytes([1]), ending: .close) }
        defer { server.stop() }
        let client = World().client()
        for _ in 0..<3 { _ = try client.text(HTTPRequest(url: server.url)) }
        #expect(server.connectionCount == 3)
    }

    @Test func manyThreadsShareAClient() throws {
        let server = try LoopbackServer { .text("you asked for \($0.path)") }
        defer { server.stop() }
        let client = World().client()
        let wrong = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 24) { index in
            for round in 0..<5 {
                let path = "/\(index)/\(round)"
                let text = try? client.text(HTTPRequest(url: server.url + path))
                if text != "you asked for \(path)" { wrong.withLock { $0.append("\(path): \(text ?? "nothing")") } }
            }
        }
        #expect(wrong.withLock { $0 } == [])
        #expect(server.requests.count == 120)
    }

    struct RequestCase: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let request: @Sendable (String) -> HTTPRequest
        let method: String
        var body = ""
        var headers: [(String, String?)] = []
    }

    static let requests = [
        RequestCase(
            testDescription: "GET", request: { HTTPRequest(url: $0) }, method: "GET",
            headers: [
                ("Accept", "application/json"), ("User-Agent", "sluice/test"), ("Content-Type", nil), ("Expect", nil),
            ]),
        RequestCase(
            testDescription: "POST with JSON",
            request: {
                HTTPRequest(
                    method: "POST", url: $0, headers: [HTTPField("Content-Type", "application/json")],
                    body: Array("{}".utf8))
            }, method: "POST", body: "{}",
            headers: [("Content-Type", "application/json"), ("Content-Length", "2"), ("Expect", nil)]),
        RequestCase(
            testDescription: "POST without a body", request: { HTTPRequest(method: "POST", url: $0) }, method: "POST",
            headers: [("Content-Length", "0"), ("Content-Type", nil)]),
        RequestCase(
            testDescription: "GET with a body",
            request: { HTTPRequest(method: "GET", url: $0, body: Array("{\"query\": 1}".utf8)) }, method: "GET",
            body: "{\"query\": 1}"),
        RequestCase(
            testDescription: "a method of its own", request: { HTTPRequest(method: "QUERY", url: $0) },
            method: "QUERY"),
        RequestCase(
            testDescription: "another Accept and an empty header",
            request: { HTTPRequest(url: $0, headers: [HTTPField("accept", "text/csv"), HTTPField("X-Empty", "")]) },
            method: "GET", headers: [("Accept", "text/csv"), ("X-Empty", "")]),
        RequestCase(
            testDescription: "a large body",
            request: { HTTPRequest(method: "POST", url: $0, body: [UInt8](repeating: 0x61, count: 2_000_000)) },
            method: "POST", body: String(repeating: "a", count: 2_000_000), headers: [("Expect", nil)]),
    ]

    @Test(arguments: requests)
    func theRequestIsSentAsMeant(_ item: RequestCase) throws {
        let server = try LoopbackServer { _ in .text("ok") }
        defer { server.stop() }
        #expect(try World().client().text(item.request(server.url + "/p?q=1")) == "ok")
        let request = try #require(server.requests.first)
        #expect(request.method == item.method)
        #expect(request.target == "/p?q=1")
        #expect(request.body == Array(item.body.utf8))
        for (name, value) in item.headers { #expect(request.header(name) == value, "\(name)") }
        #expect(request.header("Accept-Encoding")?.contains("gzip") == true)
    }

    @Test func compressionIsAskedForOnlyWhereItIsAccepted() throws {
        let server = try LoopbackServer { _ in .text("ok") }
        defer { server.stop() }
        var request = HTTPRequest(url: server.url)
        request.acceptsCompression = false
        _ = try World().client().text(request)
        #expect(server.requests.first?.header("Accept-Encoding") == nil)
    }

    @Test(arguments: [
        HTTPField("X-A", "a\r\nX-B: b"), HTTPField("X A", "a"), HTTPField("", "a"), HTTPField("X:", "a"),
        HTTPField("X-A", "a\0b"),
    ])
    func aHeaderThatIsMoreThanOneIsRefused(_ field: HTTPField) throws {
        let server = try LoopbackServer { _ in .text("ok") }
        defer { server.stop() }
        let error = #expect(throws: HTTPError.self) {
            try World().client().text(HTTPRequest(url: server.url, headers: [field]))
        }
        #expect(error?.code == .invalidRequest)
        #expect(server.connectionCount == 0)
    }

    @Test func aClientThatWasShutDownSaysSo() throws {
        let server = try LoopbackServer { _ in .text("ok") }
        defer { server.stop() }
        let client = World().client()
        _ = try client.text(HTTPRequest(url: server.url))
        client.shutDown()
        client.shutDown()
        let error = #expect(throws: HTTPError.self) { try client.text(HTTPRequest(url: server.url)) }
        #expect(error?.code == .shutDown)
    }

    /// A server that serves one connection at a time gets to the next client, although the first one is still there.
    @Test func aClientThatWasShutDownHasNoConnections() throws {
        let server = try LoopbackServer(servesOneConnection: true) { _ in .text("ok") }
        defer { server.stop() }
        let (first, second) = (World().client(), World().client())
        _ = try first.text(HTTPRequest(url: server.url))
        first.shutDown()
        #expect(try second.text(HTTPRequest(url: server.url)) == "ok")
        withExtendedLifetime(first) {}
    }

    @Test func shuttingDownEndsAFetchUnderWay() throws {
        let gate = Gate()
        let arrived = Gate()
        let server = try LoopbackServer { _ in
            arrived.open()
            gate.wait()
            return .text("late")
        }
        defer { server.stop() }
        defer { gate.open() }
        let client = World().client()
        DispatchQueue(label: "test").async {
            arrived.wait()
            client.shutDown()
        }
        let error = #expect(throws: HTTPError.self) { try client.text(HTTPRequest(url: server.url)) }
        #expect(error?.code == .shutDown)
    }
}
