import SluiceHTTP
import TestSupport
import Testing

@Suite struct RetryTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let responses: [ServerResponse]
        var sleeps: [Duration] = [.milliseconds(500)]
        var restarts = 0
    }

    static let recovering: [Case] = [
        Case(testDescription: "503", responses: [.text("no", status: 503), .text("yes")]),
        Case(testDescription: "500", responses: [.text("no", status: 500), .text("yes")]),
        Case(testDescription: "502", responses: [.text("no", status: 502), .text("yes")]),
        Case(testDescription: "504", responses: [.text("no", status: 504), .text("yes")]),
        Case(testDescription: "507", responses: [.text("no", status: 507), .text("yes")]),
        Case(testDescription: "408", responses: [.text("no", status: 408), .text("yes")]),
        Case(testDescription: "429", responses: [.text("no", status: 429), .text("yes")]),
        Case(testDescription: "closed without an answer", responses: [.hangUp, .text("yes")]),
        Case(testDescription: "reset without an answer", responses: [.reset, .text("yes")]),
        Case(
            testDescription: "body shorter than announced",
            responses: [ServerResponse(body: .bytes(Array("ye".utf8), announcing: 3), ending: .close), .text("yes")],
            restarts: 1),
        Case(
            testDescription: "reset within the body",
            responses: [
                ServerResponse(
                    body: .bytes([UInt8](repeating: 0x61, count: 200_000), announcing: 300_000), ending: .reset),
                .text("yes"),
            ], restarts: 1),
        Case(
            testDescription: "chunked body cut off",
            responses: [
                ServerResponse(body: .chunks([Array("ye".utf8)], isCutOff: true), ending: .close), .text("yes"),
            ], restarts: 1),
        Case(
            testDescription: "damaged gzip",
            responses: [
                ServerResponse(
                    headers: [("Content-Encoding", "gzip")], body: .bytes(Array("this is no gzip data".utf8))),
                .text("yes"),
            ], restarts: 1),
        Case(
            testDescription: "delays double",
            responses: [
                .text("", status: 503), .text("", status: 503), .text("", status: 503), .text("", status: 503),
                .text("yes"),
            ], sleeps: [.milliseconds(500), .seconds(1), .seconds(2), .seconds(4)]),
        Case(
            testDescription: "Retry-After in seconds",
            responses: [.text("", status: 429, headers: [("Retry-After", "7")]), .text("yes")], sleeps: [.seconds(7)]),
        Case(
            testDescription: "Retry-After as a date",
            responses: [
                .text("", status: 503, headers: [("Retry-After", "Mon, 03 Jun 2019 11:00:42 GMT")]), .text("yes"),
            ], sleeps: [.seconds(42)]),
        Case(
            testDescription: "Retry-After shorter than the delay",
            responses: [.text("", status: 503, headers: [("Retry-After", "0")]), .text("yes")]),
        Case(
            testDescription: "Retry-After that cannot be read",
            responses: [.text("", status: 503, headers: [("Retry-After", "soon")]), .text("yes")]),
    ]

    @Test(arguments: recovering)
    func aFailureThatPassesIsTriedAgain(_ item: Case) throws {
        let server = try LoopbackServer(handler: answers(item.responses))
        defer { server.stop() }
        let world = World()
        var sink = RecordingSink()
        var reasons: [HTTPError] = []
        let exchange = try world.client().fetch(HTTPRequest(url: server.url + "/a"), into: &sink) { event in
            if case .retrying(_, let reason) = event { reasons.append(reason) }
        }
        #expect(sink.text == "yes")
        // A torn connection may take the head with it, in which case the sink never began.
        if item.testDescription == "reset within the body" {
            #expect(sink.restarts == sink.heads.count - 1)
        } else {
            #expect(sink.restarts == item.restarts)
        }
        #expect(world.sleeps == item.sleeps)
        #expect(exchange.retries == item.sleeps.count)
        #expect(reasons.count == item.sleeps.count)
        #expect(reasons.allSatisfy { $0.isRateLimit == ($0.status == 429) })
        #expect(exchange.head.status == 200)
        #expect(exchange.bytes == 3)
    }

    @Test(arguments: [400, 401, 403, 404, 410, 422, 501, 505])
    func aStatusThatDoesNotPassFailsAtOnce(_ status: Int) throws {
        let server = try LoopbackServer { _ in .text("not like that", status: status) }
        defer { server.stop() }
        let world = World()
        let error = #expect(throws: HTTPError.self) {
            try world.client().text(HTTPRequest(url: server.url + "/items"))
        }
        #expect(error?.code == .status)
        #expect(error?.status == status)
        #expect(error?.isTransient == false)
        #expect(error?.message.contains("GET \(server.url)/items") == true)
        #expect(error?.message.contains("not like that") == true)
        #expect(server.requests.count == 1)
        #expect(world.sleeps.isEmpty)
    }

    @Test(arguments: [(401, "`auth`"), (403, "`auth`"), (404, "`base_url`"), (429, "`retry.max_wait`")])
    func theMessageNamesTheRemedy(_ status: Int, _ remedy: String) throws {
        let server = try LoopbackServer { _ in .text("", status: status) }
        defer { server.stop() }
        let error = #expect(throws: HTTPError.self) {
            try World().client { $0.retry.maximumAttempts = 1 }.text(HTTPRequest(url: server.url))
        }
        #expect(error?.message.contains(remedy) == true)
    }

    @Test func triesEndAtTheirLimit() throws {
        let server = try LoopbackServer { _ in .text("busy", status: 503) }
        defer { server.stop() }
        let world = World()
        let error = #expect(throws: HTTPError.self) {
            try world.client { $0.retry.maximumAttempts = 3 }.text(HTTPRequest(url: server.url))
        }
        #expect(server.requests.count == 3)
        #expect(world.sleeps.count == 2)
        #expect(error?.message.contains("tried 3 times") == true)
    }

    @Test func aRetryAfterBeyondTheWaitFailsAtOnce() throws {
        let server = try LoopbackServer { _ in .text("", status: 429, headers: [("Retry-After", "3600")]) }
        defer { server.stop() }
        let world = World()
        let error = #expect(throws: HTTPError.self) { try world.client().text(HTTPRequest(url: server.url)) }
        #expect(server.requests.count == 1)
        #expect(world.sleeps.isEmpty)
        #expect(error?.message.contains("3600 s") == true)
        #expect(error?.message.contains("`retry.max_wait`") == true)
    }

    @Test func aRefusedConnectionNamesTheAddress() throws {
        let closed = try ClosedPort()
        let world = World()
        let request = HTTPRequest(url: "http://127.0.0.1:\(closed.port)/")
        let error = #expect(throws: HTTPError.self) { try world.client().text(request) }
        #expect(error?.code == .connectionRefused)
        #expect(error?.message.contains("127.0.0.1:\(closed.port) refused") == true)
        #expect(world.sleeps.count == 4)
    }

    @Test func anUnknownHostIsNamed() throws {
        let client = World().client { $0.retry.maximumAttempts = 1 }
        let error = #expect(throws: HTTPError.self) {
            try client.text(HTTPRequest(url: "http://no-such-host.invalid/"))
        }
        #expect(error?.code == .hostNotFound)
        #expect(error?.message.contains("no-such-host.invalid") == true)
        #expect(error?.isTransient == true)
    }

    @Test func tlsWithAServerThatSpeaksNoneMayPass() throws {
        let server = try LoopbackServer { _ in .text("") }
        defer { server.stop() }
        let world = World()
        let url = "https://127.0.0.1:\(server.port)/"
        let error = #expect(throws: HTTPError.self) { try world.client().text(HTTPRequest(url: url)) }
        #expect(error?.code == .tlsFailed)
        #expect(world.sleeps.count == 4)
    }
}
