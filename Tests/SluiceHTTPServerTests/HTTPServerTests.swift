import Foundation
import SluiceHTTPServer
import Synchronization
import TestSupport
import Testing

/// Starts a server on a port of its own, and ends it.
private func serving(
    limits: ServerLimits = ServerLimits(),
    _ handler: @escaping @Sendable (IncomingRequest) -> OutgoingResponse,
    _ body: (UInt16) throws -> Void
) throws {
    let socket = try ListeningSocket(ServerAddress("127.0.0.1:0"))
    let port = try #require(socket.port)
    let server = HTTPServer(socket, limits: limits, handler: handler)
    try server.start()
    defer { server.stop() }
    try body(port)
}

/// Sends a request as it is and gives all that comes back.
private func ask(_ port: UInt16, _ request: String) throws -> String {
    let connection = try RawConnection(port: port)
    defer { connection.close() }
    connection.send(request)
    return connection.receiveAll()
}

private func echo(_ request: IncomingRequest) -> OutgoingResponse {
    let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: ",")
    let body = String(decoding: request.body, as: UTF8.self)
    return .text(200, "\(request.method) \(request.path) \(query) \(body)")
}

@Suite struct HTTPServerTests {
    @Test func aRequestIsTakenApart() throws {
        try serving(echo) { port in
            let answer = try ask(
                port,
                "POST /a%20b//c%2Fd?x=1+2&y&z=%C3%BC HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello"
            )
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(answer)")
            #expect(answer.hasSuffix("POST [\"a b\", \"\", \"c/d\"] x=1 2,y=,z=ü hello"), "\(answer)")
        }
    }

    @Test func aConnectionIsUsedAgainAndABodyMayComeInChunks() throws {
        try serving(echo) { port in
            let connection = try RawConnection(port: port)
            defer { connection.close() }
            connection.send("GET /1 HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(connection.receive(until: "[\"1\"]").contains("200 OK"))
            connection.send(
                "POST /2 HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
            #expect(connection.receive(until: "abcde").contains("[\"2\"]"))
        }
    }

    @Test func aHeadIsAnsweredWithoutItsBody() throws {
        try serving(echo) { port in
            let answer = try ask(port, "HEAD / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            #expect(answer.contains("Content-Length: 9\r\n") && answer.hasSuffix("\r\n\r\n"), "\(answer)")
        }
    }

    static let malformed: [(String, String, String)] = [
        ("no request", "hello\r\n\r\n", "400"),
        ("no host", "GET / HTTP/1.1\r\n\r\n", "400"),
        ("two hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "400"),
        ("two lengths", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", "400"),
        (
            "length and chunks",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "400"
        ),
        ("a length that is no number", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", "400"),
        ("a large body", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n", "413"),
        ("a target without a path", "GET http://other/ HTTP/1.1\r\nHost: a\r\n\r\n", "400"),
        ("half a percent sign", "GET /%2 HTTP/1.1\r\nHost: a\r\n\r\n", "400"),
        ("a path that is no UTF-8", "GET /%FF HTTP/1.1\r\nHost: a\r\n\r\n", "400"),
        ("a NUL", "GET /%00 HTTP/1.1\r\nHost: a\r\n\r\n", "400"),
        ("a long head", "GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "x", count: 100_000))\r\n\r\n", "431"),
        ("a long target", "GET /\(String(repeating: "x", count: 100_000)) HTTP/1.1\r\nHost: a\r\n\r\n", "414"),
    ]

    @Test(arguments: malformed)
    func malformedRequestsAreRefused(name: String, request: String, status: String) throws {
        let handled = Mutex(0)
        try serving({
            handled.withLock { $0 += 1 }
            return echo($0)
        }) { port in
            let connection = try RawConnection(port: port)
            defer { connection.close() }
            connection.send(request)
            connection.finish()
            let answer = connection.receiveAll()
            // A connection that is closed without a word is a refusal too.
            #expect(
                answer.isEmpty || answer.hasPrefix("HTTP/1.1 \(status) ") || answer.hasPrefix("HTTP/1.0 \(status) "),
                "\(name): \(answer.prefix(200))")
            #expect(try ask(port, "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n").contains("200 OK"))
        }
        #expect(handled.withLock { $0 } == 1)
    }

    @Test func anEndlessBodyIsCutOff() throws {
        var limits = ServerLimits()
        limits.bodyBytes = 10_000
        try serving(limits: limits, echo) { port in
            let connection = try RawConnection(port: port)
            defer { connection.close() }
            connection.send("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n")
            let chunk = "3e8\r\n" + String(repeating: "x", count: 1_000) + "\r\n"
            var sent = 0
            while sent < 100_000, connection.send(chunk) { sent += 1 }
            #expect(sent < 100_000)
        }
    }

    @Test func aSlowClientIsCutOffAndOthersAreServed() throws {
        var limits = ServerLimits()
        (limits.headSeconds, limits.bodySeconds, limits.tickSeconds) = (0.3, 0.3, 0.05)
        try serving(limits: limits, echo) { port in
            let heads = try (0..<20).map { _ in try RawConnection(port: port) }
            for connection in heads { connection.send("GET / HTTP/1.1\r\nHost: h\r\nX: ") }
            let body = try RawConnection(port: port)
            body.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nab")
            #expect(try ask(port, "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n").contains("200 OK"))
            // A byte now and then is no reason to go on.
            var bytes = 0
            while bytes < 10_000, heads[0].send("x") {
                bytes += 1
                usleep(5_000)
            }
            #expect(bytes < 10_000)
            for connection in heads + [body] {
                #expect(!connection.receiveAll().contains("200 OK"))
                connection.close()
            }
        }
    }

    @Test func aThousandConnectionsAreServed() throws {
        var limits = ServerLimits()
        (limits.headSeconds, limits.tickSeconds) = (3, 0.1)
        try serving(limits: limits, echo) { port in
            let silent = try (0..<500).map { _ in try RawConnection(port: port) }
            let busy = try (0..<500).map { _ in
                let connection = try RawConnection(port: port)
                connection.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                #expect(connection.receive()?.contains("200 OK") ?? false)
                return connection
            }
            // Those that are too many wait until the silent ones are cut off.
            let late = try (0..<100).map { _ in
                let connection = try RawConnection(port: port)
                connection.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                return connection
            }
            for connection in late { #expect(connection.receive()?.contains("200 OK") ?? false) }
            for connection in silent + busy + late { connection.close() }
        }
    }

    @Test func eventsComeAsTheyHappenUntilNobodyReads() throws {
        let ended = Gate()
        let streams = Mutex<[EventStream]>([])
        var limits = ServerLimits()
        (limits.tickSeconds, limits.heartbeatSeconds) = (0.05, 0.1)
        try serving(
            limits: limits,
            { _ in
                let stream = EventStream { ended.open() }
                streams.withLock { $0.append(stream) }
                stream.send("data: 1\n\n")
                return OutgoingResponse(200, [HeaderField("Content-Type", "text/event-stream")], body: .events(stream))
            }
        ) { port in
            let connection = try RawConnection(port: port)
            connection.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(connection.receive(until: "data: 1").contains("text/event-stream"))
            streams.withLock { _ = $0.first?.send("data: 2\n\n") }
            #expect(connection.receive(until: "data: 2").contains("data: 2"))
            #expect(connection.receive(until: ":\n\n").contains(":\n\n"))
            connection.close()
            ended.wait()
            let isRead = streams.withLock { $0.first?.send("data: 3\n\n") ?? true }
            #expect(!isRead)
        }
    }

    @Test func streamsEndWithTheServer() throws {
        let ended = Gate()
        var client: RawConnection?
        try serving({ _ in OutgoingResponse(200, body: .events(EventStream { ended.open() })) }) { port in
            let connection = try RawConnection(port: port)
            connection.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            _ = connection.receive(until: "\r\n\r\n")
            client = connection
        }
        ended.wait()
        #expect(client?.receiveAll().contains("200") == false)
        client?.close()
    }

    @Test func streamsAreCounted() throws {
        var limits = ServerLimits()
        limits.streams = 2
        try serving(limits: limits, { _ in OutgoingResponse(200, body: .events(EventStream {})) }) { port in
            let connections = try (0..<3).map { _ in try RawConnection(port: port) }
            var answers: [String] = []
            for connection in connections {
                connection.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                answers.append(String(connection.receive(until: "\r\n\r\n").prefix(12)))
            }
            #expect(answers == ["HTTP/1.1 200", "HTTP/1.1 200", "HTTP/1.1 503"])
            for connection in connections { connection.close() }
        }
    }

    @Test func aFileIsSentAndOnlyAFile() throws {
        let folder = try TemporaryDirectory()
        try Data(String(repeating: "line\n", count: 100_000).utf8).write(to: URL(filePath: folder.file("a.txt")))
        let path = folder.file("")
        try serving({ OutgoingResponse(200, body: .file(path + "/" + ($0.path.first ?? ""))) }) { port in
            let request = " HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"
            let whole = try ask(port, "GET /a.txt" + request)
            #expect(whole.contains("Content-Length: 500000") && whole.hasSuffix("line\nline\n"))
            #expect(try ask(port, "GET /none" + request).hasPrefix("HTTP/1.1 500"))
            #expect(try ask(port, "GET /" + request).hasPrefix("HTTP/1.1 500"))
        }
    }

    @Test func aSocketInTheFileSystemIsListenedAt() throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("s")
        // What a process left behind is taken over.
        let left = try ListeningSocket(ServerAddress("unix:\(path)"))
        #expect(throws: ServerError.self) { _ = try ListeningSocket(ServerAddress("unix:\(path)")) }
        left.end()
        let server = HTTPServer(try ListeningSocket(ServerAddress("unix:\(path)")), handler: echo)
        try server.start()
        #expect(server.name == "unix:\(path)")
        let connection = try RawConnection(path: path)
        connection.send("GET /u HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        #expect(connection.receiveAll().contains("[\"u\"]"))
        connection.close()
        server.stop()
        #expect(throws: (any Error).self) { _ = try RawConnection(path: path) }
    }

    static let addresses: [(String, Bool)] = [
        ("127.0.0.1:0", true), ("localhost:80", true), ("[::1]:80", true), ("0.0.0.0:1", true), ("unix:/a", true),
        ("7788", false), (":7788", false), ("127.0.0.1", false), ("127.0.0.1:99999", false), ("unix:", false),
        ("unix:/" + String(repeating: "x", count: 200), false), ("", false),
    ]

    @Test(arguments: addresses)
    func addressesAreRead(text: String, isTaken: Bool) {
        let address = try? ServerAddress(text)
        #expect((address != nil) == isTaken)
    }

    @Test func whatIsLocalIsKnown() throws {
        for (text, isLocal) in [("127.0.0.1:0", true), ("127.9.9.9:0", true), ("0.0.0.0:0", false)] {
            let socket = try ListeningSocket(ServerAddress(text))
            #expect(socket.isLocal == isLocal, "\(text)")
            socket.end()
        }
        #expect(throws: ServerError.self) { _ = try ListeningSocket(.descriptor(0)) }
    }
}
