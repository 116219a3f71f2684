import Foundation
import TestSupport
import Testing

/// Servers that do not answer as they should: each failure has a name, and the store stays as it is.
@Suite struct HostileServerTests {
    /// What a server may do wrong, and what the message must name.
    struct Fault: Sendable, CustomTestStringConvertible {
        let name: String
        /// Further keys of the source.
        var source = ""
        /// A further key of the stream.
        var stream = "paginator: {type: header_link}"
        let words: [String]
        let respond: @Sendable (ServerRequest) -> ServerResponse
        var testDescription: String { name }
    }

    private func pipeline(_ url: String, _ fault: Fault) -> String {
        HostileSource.pipeline(url, source: fault.source, stream: fault.stream, deletes: "100%")
    }

    /// What no message and no store may hold.
    private static let secret = "k3y-that-nobody-sees"

    private func run(_ scene: Scene, _ more: String...) throws -> Program.Result {
        let result = try Program.start(
            ["run", "books.yaml"] + more, in: scene.path, environment: ["KEY": Self.secret]
        ).wait()
        #expect(!(result.output + result.errors).contains(Self.secret), "\(result.output)\(result.errors)")
        return result
    }

    /// A store that was filled before stays as it is, and one that was not there is not made.
    func expectFailure(at url: String, _ fault: Fault) throws {
        let scene = try Scene(records: 3)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        try scene.write("books.yaml", pipeline(url, fault))
        let before = try StoreDump(scene.store)
        expectOneError(try run(scene), code: 1, fault.words)
        let after = try StoreDump(scene.store)
        #expect(after.differences(from: before) == [])
        #expect(after.runs.count == before.runs.count + 1)
        #expect(!after.runs.joined().contains(Self.secret))
        expectOneError(try run(scene, "--store", "sqlite:new.db"), code: 1, fault.words)
        #expect(
            try StoreDump(scene.store).differences(from: before) == [], "a first run that fails leaves no store behind")
    }

    @Test(arguments: statuses + bodies + ways + waits + framing + contents)
    func aFaultOfTheServerChangesNothing(fault: Fault) throws {
        let server = try LoopbackServer(handler: fault.respond)
        defer { server.stop() }
        try expectFailure(at: server.url, fault)
    }

    @Test(arguments: times)
    func aSilentServerIsLeft(fault: Fault) throws {
        let server = try SilentServer()
        let scheme = fault.source.contains("connect") ? "https" : "http"
        try withExtendedLifetime(server) { try expectFailure(at: "\(scheme)://127.0.0.1:\(server.port)", fault) }
    }

    @Test func aBodyThatStopsOnTheWayIsLeft() throws {
        let isDone = Gate()
        let server = try LoopbackServer { _ in
            ServerResponse(
                body: .stream { index in
                    if index > 0 { isDone.wait() }
                    return index == 0 ? Array("[".utf8) : nil
                })
        }
        defer {
            isDone.open()
            server.stop()
        }
        let fault = Fault(
            name: "", source: "timeout: {idle: 200ms}", words: ["no byte was received for 200 ms", "`timeout.idle`"]
        ) { _ in .hangUp }
        try expectFailure(at: server.url, fault)
    }

    @Test func aBodyWithoutEndIsLeft() throws {
        let server = try LoopbackServer { _ in ServerResponse(body: .stream { _ in [0x20] }) }
        defer { server.stop() }
        let fault = Fault(
            name: "", source: "timeout: {total: 300ms}",
            words: ["not complete after 300 ms", "smaller pages or raise `timeout.total`", "tried 2 times"]
        ) { _ in .hangUp }
        try expectFailure(at: server.url, fault)
    }

    @Test func aRefusedConnectionSaysWhere() throws {
        let port = try ClosedPort()
        let fault = Fault(
            name: "",
            words: ["127.0.0.1:\(port.port) refused the connection", "Check that the server runs", "tried 2 times"]
        ) { _ in .hangUp }
        try withExtendedLifetime(port) { try expectFailure(at: "http://127.0.0.1:\(port.port)", fault) }
    }
}
