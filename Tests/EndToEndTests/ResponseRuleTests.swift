import Foundation
import TestSupport
import Testing

/// The rules of `on_response`, in order, before what is usual.
@Suite struct ResponseRuleTests {
    private static let book = #"[{"id": 1, "title": "a", "price": 1}]"#

    private func scene(_ server: LoopbackServer, _ rules: String, auth: String = "", attempts: Int = 3) throws -> Scene
    {
        let scene = try Scene(url: server.url)
        let pipeline = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        let retry = "retry: {max_attempts: \(attempts), base: 0s}, on_response: [\(rules)]"
        try scene.write(
            "books.yaml",
            pipeline.replacing("retry: {max_attempts: 1}", with: auth.isEmpty ? retry : "auth: \(auth), \(retry)"))
        return scene
    }

    private static func next(_ text: String) -> ServerResponse {
        .text(text, headers: [("Link", "</books?page=2>; rel=\"next\"")])
    }

    @Test func whatIsFinalMayBeTriedAgain() throws {
        let server = try LoopbackServer { request in
            request.number < 2 ? .text("not ready", status: 404) : .text(Self.book)
        }
        defer { server.stop() }
        let scene = try scene(server, "{status: [404, 5xx], action: retry}")
        let result = try Program.run("run", "books.yaml", "--format", "json", in: scene.path)
        #expect(result.code == 0, "\(result.errors)")
        #expect(result.output.contains("\"retries\":2,"), "\(result.output)")
    }

    @Test func aSuccessMayBeNone() throws {
        let server = try LoopbackServer { request in
            .text(request.number == 0 ? #"{"error": {"code": "busy"}}"# : Self.book)
        }
        defer { server.stop() }
        let scene = try scene(server, "{when: '.status == 200 and .body.error.code == \"busy\"', action: retry}")
        let result = try Program.run("run", "books.yaml", in: scene.path)
        #expect(result.code == 0, "\(result.errors)")
        #expect(try scene.query("SELECT count(*) FROM books") == ["1"])
        #expect(server.requests.count == 2)
    }

    @Test func aFailureSaysItsMessage() throws {
        let server = try LoopbackServer { _ in .text("down for a day", status: 503) }
        defer { server.stop() }
        let scene = try scene(
            server, "{status: 503, when: '.body | test(\"day\")', action: fail, message: The shop is closed.}")
        let result = try Program.run("run", "books.yaml", in: scene.path)
        #expect(result.code == 1)
        #expect(result.errors.contains("The shop is closed.") && result.errors.contains("503"), "\(result.errors)")
        #expect(server.requests.count == 1, "the usual would have tried it again")
    }

    @Test func theFirstRuleThatFitsHolds() throws {
        let server = try LoopbackServer { _ in .text("{}", status: 404, headers: [("X-Kind", "gone")]) }
        defer { server.stop() }
        let rules = """
            {status: 404, when: '.headers["x-kind"] == "other"', action: stop}, {status: 404, when: '.body[0]', action: stop}, \
            {status: 4xx, action: fail, message: second}, {status: 404, action: ignore}
            """
        let scene = try scene(server, rules)
        let result = try Program.run("run", "books.yaml", in: scene.path)
        #expect(result.code == 1)
        #expect(result.errors.contains("second"), "\(result.errors)")
    }

    @Test(arguments: ["ignore", "stop"])
    func whatIsLeftUnreadIsNotGone(action: String) throws {
        let server = try LoopbackServer { request in
            if request.target.contains("page=2") {
                return request.number < 2 ? .text(#"[{"id": 2, "title": "b", "price": 1}]"#) : .text("no", status: 404)
            }
            return Self.next(Self.book)
        }
        defer { server.stop() }
        let scene = try scene(server, "{status: 404, action: \(action)}")
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        let result = try Program.run("run", "books.yaml", in: scene.path)
        #expect(result.code == 0, "\(result.errors)")
        #expect(try scene.query("SELECT count(*) FROM books") == ["2"], "\(result.output)")
        #expect(result.output.contains("as `on_response` says"), "\(result.output)")
    }

    @Test func aPageMayBeTheLastAndCountStill() throws {
        let server = try LoopbackServer { _ in Self.next(Self.book) }
        defer { server.stop() }
        let scene = try scene(server, "{status: 2xx, when: '.body | length == 1', action: stop}")
        let result = try Program.run("run", "books.yaml", in: scene.path)
        #expect(result.code == 0, "\(result.errors)")
        #expect(try scene.query("SELECT count(*) FROM books") == ["1"])
        #expect(server.requests.count == 1)
    }

    @Test func aSuccessThatIsIgnoredHasNoRecords() throws {
        let server = try LoopbackServer { request in
            switch request.number {
            case 0: Self.next("<html>")
            case 1: .text("<html>", headers: [("Link", "</books?page=3>; rel=\"next\"")])
            default: .text(Self.book)
            }
        }
        defer { server.stop() }
        let scene = try scene(server, "{status: 200, when: '.body | type == \"string\"', action: ignore}")
        let result = try Program.run("run", "books.yaml", in: scene.path)
        #expect(result.code == 0, "\(result.errors)")
        #expect(try scene.query("SELECT count(*) FROM books") == ["1"], "the link of its head leads on")
    }

    @Test(arguments: [1, 2])
    func aNewTokenIsAskedForOnce(refusals: Int) throws {
        let server = try LoopbackServer { request in
            if request.path == "/login" { return .text(#"{"token": "t\#(request.number)"}"#) }
            let asked = request.number / 2
            return asked < refusals ? .text(#"{"error": "expired"}"#) : .text(Self.book)
        }
        defer { server.stop() }
        let scene = try scene(
            server, "{when: '.body.error? == \"expired\"', action: refresh_auth, message: It expired.}",
            auth: "{type: session, login: {path: /login}, token_path: token}")
        let result = try Program.run("run", "books.yaml", in: scene.path)
        #expect(result.code == (refusals == 1 ? 0 : 1), "\(result.errors)")
        #expect(server.requests.map(\.path) == ["/login", "/books", "/login", "/books"])
        if refusals == 2 { #expect(result.errors.contains("refused like the old one"), "\(result.errors)") }
    }
}
