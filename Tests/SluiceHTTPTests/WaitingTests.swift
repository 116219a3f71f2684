import Dispatch
import SluiceHTTP
import SluiceSystem
import TestSupport
import Testing

@Suite struct WaitingTests {
    @Test func aSilentServerEndsInAnIdleTimeout() throws {
        let world = World()
        let gate = Gate()
        let client = world.client { $0.retry.maximumAttempts = 1 }
        let pace = try LoopbackServer { _ in .text("tick") }
        let server = try LoopbackServer { _ in
            // Once the client has done something else, it knows how much of this request it has sent.
            _ = try? client.text(HTTPRequest(url: pace.url))
            world.clock.advance(by: .seconds(31))
            gate.wait()
            return .hangUp
        }
        defer {
            gate.open()
            server.stop()
            pace.stop()
        }
        let error = #expect(throws: HTTPError.self) { try client.text(HTTPRequest(url: server.url)) }
        #expect(error?.code == .idleTimeout)
        #expect(error?.isTransient == true)
        #expect(error?.message.contains("30 s") == true)
    }

    /// Each chunk is sent only after the one before was seen, so that every look at the clock sees progress.
    @Test func aSlowServerIsNotIdleButEndsInTheTotalTimeout() throws {
        let world = World()
        // libdispatch traps where a semaphore that began with more ends with less, so the first pass is given here.
        let seen = DispatchSemaphore(value: 0)
        seen.signal()
        let server = try LoopbackServer { _ in
            ServerResponse(
                body: .stream { index in
                    _ = seen.wait(timeout: .now() + .seconds(30))
                    if index > 0 { world.clock.advance(by: .seconds(20)) }
                    return index < 1000 ? [0x61] : nil
                })
        }
        defer { server.stop() }
        defer { for _ in 0..<1000 { seen.signal() } }
        struct SignallingSink: HTTPBodySink {
            let seen: DispatchSemaphore
            var count = 0
            mutating func begin(_ head: HTTPResponseHead) {}
            mutating func write(_ bytes: Span<UInt8>) {
                count += bytes.count
                seen.signal()
            }
            mutating func restart() {}
        }
        var sink = SignallingSink(seen: seen)
        let client = world.client { $0.retry.maximumAttempts = 1 }
        let error = #expect(throws: HTTPError.self) {
            try client.fetch(HTTPRequest(url: server.url), into: &sink)
        }
        #expect(error?.code == .totalTimeout)
        #expect(error?.message.contains("300 s") == true)
        #expect(sink.count >= 13)
    }

    @Test func aServerThatDoesNotAgreeOnTLSEndsInTheConnectTimeout() throws {
        let silent = try SilentServer()
        let client = World().client {
            $0.retry.maximumAttempts = 1
            $0.timeout.connect = .milliseconds(50)
        }
        let error = #expect(throws: HTTPError.self) {
            try client.text(HTTPRequest(url: "https://127.0.0.1:\(silent.port)/"))
        }
        #expect(error?.code == .connectTimeout)
        #expect(error?.message.contains("50 ms") == true)
    }

    @Test func cancellingEndsATransfer() throws {
        let gate = Gate()
        let cancellation = Cancellation()
        let server = try LoopbackServer { _ in
            cancellation.cancel()
            gate.wait()
            return .text("late")
        }
        defer { server.stop() }
        defer { gate.open() }
        let world = World()
        #expect(throws: CancelledError()) {
            try world.client().text(HTTPRequest(url: server.url), cancellation: cancellation)
        }
        #expect(world.sleeps.isEmpty)
    }

    @Test func cancellingEndsABodyUnderWay() throws {
        let cancellation = Cancellation()
        let server = try LoopbackServer { _ in ServerResponse(body: .stream { _ in [UInt8](repeating: 1, count: 1000) })
        }
        defer { server.stop() }
        struct CancellingSink: HTTPBodySink {
            let cancellation: Cancellation
            mutating func begin(_ head: HTTPResponseHead) {}
            mutating func write(_ bytes: Span<UInt8>) { cancellation.cancel() }
            mutating func restart() {}
        }
        var sink = CancellingSink(cancellation: cancellation)
        let client = World().client()
        #expect(throws: CancelledError()) {
            try client.fetch(HTTPRequest(url: server.url), into: &sink, cancellation: cancellation)
        }
    }

    @Test func cancellingEndsTheRealPauseBeforeARetry() throws {
        let cancellation = Cancellation()
        let server = try LoopbackServer { _ in .text("", status: 503, headers: [("Retry-After", "600")]) }
        defer { server.stop() }
        var configuration = HTTPConfiguration(userAgent: "sluice/test")
        configuration.proxy = .none
        let client = HTTPClient(configuration: configuration)
        var sink = RecordingSink()
        #expect(throws: CancelledError()) {
            try client.fetch(HTTPRequest(url: server.url), into: &sink, cancellation: cancellation) { event in
                if case .retrying(let delay, _) = event {
                    #expect(delay == .seconds(600))
                    DispatchQueue(label: "test").async { cancellation.cancel() }
                }
            }
        }
        #expect(server.requests.count == 1)
    }

    @Test func aCancelledFetchSendsNothing() throws {
        let server = try LoopbackServer { _ in .text("") }
        defer { server.stop() }
        let cancellation = Cancellation()
        cancellation.cancel()
        #expect(throws: CancelledError()) {
            try World().client().text(HTTPRequest(url: server.url), cancellation: cancellation)
        }
        #expect(server.connectionCount == 0)
    }

    /// While the sink waits, the server comes to a stop: nothing but fixed buffers lies between the two.
    @Test func aSlowSinkMakesTheServerWait() throws {
        let total = 64 << 20
        let chunk = [UInt8](repeating: UInt8(ascii: "x"), count: 64 << 10)
        let server = try LoopbackServer(sendBufferBytes: 64 << 10) { _ in
            ServerResponse(body: .stream { $0 < total / (64 << 10) ? chunk : nil })
        }
        let pace = try LoopbackServer { _ in .text("tick") }
        defer {
            server.stop()
            pace.stop()
        }
        let client = World().client {
            $0.bufferBytes = 64 << 10
            $0.maximumResponseBytes = total
        }
        var sentWhileWaiting = 0
        var sink = SlowSink {
            try waitUntilSilent(server, client, pace)
            sentWhileWaiting = server.bytesSent
        }
        _ = try client.fetch(HTTPRequest(url: server.url), into: &sink)
        #expect(sink.count == total)
        #expect(sentWhileWaiting < total / 4)
    }

    /// A sink that takes long is not held against the server.
    @Test func theTimeOfASlowSinkIsNotTheServers() throws {
        let world = World()
        let server = try LoopbackServer(sendBufferBytes: 64 << 10) { _ in
            ServerResponse(body: .bytes([UInt8](repeating: 1, count: 8 << 20)))
        }
        let pace = try LoopbackServer { _ in .text("tick") }
        defer {
            server.stop()
            pace.stop()
        }
        let client = world.client {
            $0.bufferBytes = 16 << 10
            $0.retry.maximumAttempts = 1
        }
        var sink = SlowSink {
            try waitUntilSilent(server, client, pace)
            world.clock.advance(by: .seconds(1000))
            for _ in 0..<10 { _ = try client.text(HTTPRequest(url: pace.url)) }
        }
        _ = try client.fetch(HTTPRequest(url: server.url), into: &sink)
        #expect(sink.count == 8 << 20)
    }

    /// Requests elsewhere are the measure of time: a server that sends nothing during many of them is waiting.
    private func waitUntilSilent(_ server: LoopbackServer, _ client: HTTPClient, _ pace: LoopbackServer) throws {
        var sent = -1
        while server.bytesSent != sent {
            sent = server.bytesSent
            for _ in 0..<50 { _ = try client.text(HTTPRequest(url: pace.url)) }
        }
    }

    /// Does something else before it takes the first bytes.
    private struct SlowSink: HTTPBodySink {
        var count = 0
        let beforeFirst: () throws -> Void

        init(beforeFirst: @escaping () throws -> Void) {
            self.beforeFirst = beforeFirst
        }

        mutating func begin(_ head: HTTPResponseHead) {}

        mutating func write(_ bytes: Span<UInt8>) throws {
            if count == 0 { try beforeFirst() }
            count += bytes.count
        }

        mutating func restart() {}
    }
}
