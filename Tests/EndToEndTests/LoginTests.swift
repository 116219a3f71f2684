import Foundation
import Synchronization
import TestSupport
import Testing

/// Sources that want a token: who asks for it, when, and what becomes of it.
@Suite struct LoginTests {
    private static let environment = [
        "CLIENT_ID": "client-name", "CLIENT_SECRET": "client secret&", "REFRESH_TOKEN": "refresh-0-secret",
        "PASSWORD": "pass-word-secret",
    ]

    private static func oauth(_ url: String, flow: String = "client_credentials", more: String = "") -> String {
        let token = flow == "refresh_token" ? ", refresh_token: \"${env:REFRESH_TOKEN}\"" : ""
        return
            "{type: oauth2, flow: \(flow), token_url: \"\(url)/token\", client_id: \"${env:CLIENT_ID}\", client_secret: \"${env:CLIENT_SECRET}\"\(token)\(more)}"
    }

    private func run(_ scene: Scene, _ arguments: String...) throws -> Program.Result {
        try Program.start(
            (arguments.isEmpty ? ["run"] : arguments) + ["books.yaml"], in: scene.path, environment: Self.environment
        ).wait()
    }

    /// Pages that lead on twice.
    private static func threePages(_ request: ServerRequest) -> ServerResponse {
        let number = Int(request.target.split(separator: "=").last ?? "") ?? 1
        let headers = number < 3 ? [(name: "Link", value: "</books?page=\(number + 1)>; rel=\"next\"")] : []
        return .text(#"[{"id": \#(number), "title": "t", "price": 1}]"#, headers: headers)
    }

    // MARK: OAuth 2.0

    @Test func aClientAsksForATokenOnceAndUsesItForEveryPage() throws {
        let source = try TokenServer(page: Self.threePages)
        defer { source.stop() }
        let scene = try Scene(
            url: source.url,
            auth: Self.oauth(source.url, more: ", scopes: [read, list], params: {audience: \"a b\"}"),
            stream: "paginator: {type: header_link}")
        let result = try run(scene)
        #expect(result.code == 0, "\(result.errors)")
        #expect(try scene.query("SELECT count(*) FROM books") == ["3"])
        #expect(source.forms == ["grant_type=client_credentials&scope=read+list&audience=a+b"])
        let header = try #require(source.state.withLock { $0.tokenHeaders }.first)
        let pair = Data("client-name:client+secret%26".utf8).base64EncodedString()
        #expect(header["authorization"] == "Basic \(pair)")
        #expect(header["content-type"] == "application/x-www-form-urlencoded")
    }

    @Test func aClientMaySayWhoItIsInTheBody() throws {
        let source = try TokenServer()
        defer { source.stop() }
        let scene = try Scene(url: source.url, auth: Self.oauth(source.url, more: ", client_auth: body"))
        #expect(try run(scene).code == 0)
        #expect(
            source.forms == ["grant_type=client_credentials&client_id=client-name&client_secret=client+secret%26"])
        #expect(source.state.withLock { $0.tokenHeaders[0]["authorization"] } == nil)
    }

    @Test(arguments: ["client_credentials", "refresh_token"])
    func aTokenThatExpiresWithinARunIsReplaced(flow: String) throws {
        let source = try TokenServer(lifetime: nil, perToken: 2, page: Self.threePages)
        defer { source.stop() }
        let scene = try Scene(
            url: source.url, auth: Self.oauth(source.url, flow: flow), stream: "paginator: {type: header_link}")
        let result = try run(scene)
        #expect(result.code == 0, "\(result.errors)")
        #expect(try scene.query("SELECT count(*) FROM books") == ["3"])
        #expect(source.forms.count == 2)
    }

    @Test(arguments: ["client_credentials", "refresh_token"])
    func aTokenThatIsRefusedTwiceIsAnError(flow: String) throws {
        let source = try TokenServer(perToken: 0)
        defer { source.stop() }
        let scene = try Scene(url: source.url, auth: Self.oauth(source.url, flow: flow))
        let result = try run(scene)
        #expect(result.code == 1)
        #expect(source.forms.count == 2)
        #expect(result.errors.contains("401"), "\(result.errors)")
        #expect(result.errors.contains("refused like the old one"), "\(result.errors)")
        #expect(!(try scene.sinks([result])).contains("secret&"))
        #expect(!(try scene.sinks([result])).contains("-secret"))
    }

    @Test func aLoginThatIsRefusedSaysWhatToDoAndTellsNoSecret() throws {
        let source = try TokenServer()
        defer { source.stop() }
        source.state.withLock { $0.refreshToken = "another" }
        let scene = try Scene(url: source.url, auth: Self.oauth(source.url, flow: "refresh_token"))
        let result = try run(scene, "run", "--format", "json", "--log-level", "debug")
        #expect(result.code == 1)
        #expect(result.errors.contains("invalid_grant") && result.errors.contains("auth.refresh_token"))
        #expect(result.output.contains("login_failed"))
        #expect(!(try scene.sinks([result])).contains("-secret"))
        // What was made for the lock is no store.
        #expect(!FileManager.default.fileExists(atPath: scene.store))
    }

    // MARK: Refresh tokens that are good for one use

    @Test func aNewRefreshTokenIsThereForTheNextRun() throws {
        let source = try TokenServer()
        defer { source.stop() }
        let scene = try Scene(url: source.url, auth: Self.oauth(source.url, flow: "refresh_token"))
        let results = try (0..<3).map { _ in try run(scene) }
        #expect(results.map(\.code) == [0, 0, 0], "\(results.map(\.errors))")
        #expect(source.forms.map { $0.contains("refresh_token=refresh-") } == [true, true, true])
        #expect(source.forms.last?.contains("refresh-2-secret") == true)
        #expect(!(try scene.sinks(results)).contains("-secret"), "no file of the store holds a token in clear")
        #expect(try scene.query("SELECT count(*) FROM _sluice_credentials") == ["1"])
    }

    @Test func aRunThatIsKilledBehindTheLoginDoesNotLoseTheToken() throws {
        let isAsked = Gate()
        let mayAnswer = Gate()
        let source = try TokenServer { _ in
            isAsked.open()
            mayAnswer.wait()
            return .text(TokenServer.books)
        }
        defer {
            mayAnswer.open()
            source.stop()
        }
        let scene = try Scene(url: source.url, auth: Self.oauth(source.url, flow: "refresh_token"))
        let running = try Program.start(["run", "books.yaml"], in: scene.path, environment: Self.environment)
        #expect(isAsked.wait())
        kill(running.process.processIdentifier, SIGKILL)
        #expect(try running.wait().code == 128 + 9)
        mayAnswer.open()
        let next = try run(scene)
        #expect(next.code == 0, "\(next.errors)")
        #expect(source.forms.last?.contains("refresh-1-secret") == true)
        #expect(try scene.query("SELECT count(*) FROM books") == ["2"])
    }

    @Test func aRunThatIsStoppedWithinTheLoginWaitsForTheToken() throws {
        let isAsked = Gate()
        let mayAnswer = Gate()
        let source = try TokenServer(gates: (isAsked, mayAnswer))
        defer {
            mayAnswer.open()
            source.stop()
        }
        let scene = try Scene(url: source.url, auth: Self.oauth(source.url, flow: "refresh_token"))
        let running = try Program.start(["run", "books.yaml"], in: scene.path, environment: Self.environment)
        #expect(isAsked.wait())
        kill(running.process.processIdentifier, SIGINT)
        mayAnswer.open()
        #expect(try running.wait().code == 130)
        #expect(try run(scene).code == 0)
        #expect(source.forms.last?.contains("refresh-1-secret") == true)
    }

    @Test func aRunThatFailsKeepsTheToken() throws {
        let source = try TokenServer { _ in .text("[{\"id\": 1", status: 200) }
        defer { source.stop() }
        let scene = try Scene(url: source.url, auth: Self.oauth(source.url, flow: "refresh_token"))
        let runs = try (0..<2).map { _ in try run(scene) }
        #expect(runs.map(\.code) == [1, 1])
        #expect(
            runs.map { ($0.output + $0.errors).contains("keeps a refresh token. Only its owner may read") }
                == [true, false], "\(runs)")
        #expect(source.forms.last?.contains("refresh-1-secret") == true)
    }

    @Test func aPlanKeepsTheTokenAndSaysSo() throws {
        let source = try TokenServer()
        defer { source.stop() }
        let scene = try Scene(url: source.url, auth: Self.oauth(source.url, flow: "refresh_token"))
        let plans = try (0..<2).map { _ in try run(scene, "plan") }
        #expect(plans.map(\.code) == [0, 0], "\(plans.map(\.errors))")
        #expect(plans.allSatisfy { ($0.output + $0.errors).contains("kept the new one in the store") })
        #expect(plans.map { $0.output.contains("Only its owner may read and write it (mode 0600).") } == [true, false])
        #expect(source.forms.last?.contains("refresh-1-secret") == true)
        #expect(try scene.query("SELECT count(*) FROM sqlite_schema WHERE name = 'books'") == ["0"])
        #expect(try scene.query("SELECT count(*) FROM _sluice_runs") == ["0"])
        #expect(try run(scene).code == 0)
    }

    @Test func aStoreThatCannotKeepTheTokenStopsTheLoginBefore() throws {
        let source = try TokenServer()
        defer { source.stop() }
        let scene = try Scene(url: source.url, auth: Self.oauth(source.url, flow: "refresh_token"))
        #expect(try run(scene).code == 0)
        try FileManager.default.createDirectory(atPath: scene.folder.file("no"), withIntermediateDirectories: true)
        let asked = source.forms.count
        let result = try run(scene, "plan", "--store", "sqlite:no/folder/shop.db")
        #expect(result.code == 1)
        #expect(result.errors.contains("nothing was asked"), "\(result.errors)")
        #expect(source.forms.count == asked)
    }

    @Test func aTokenGivenByHandReplacesTheKeptOne() throws {
        let source = try TokenServer()
        defer { source.stop() }
        let scene = try Scene(url: source.url, auth: Self.oauth(source.url, flow: "refresh_token"))
        #expect(try run(scene).code == 0)
        source.state.withLock { $0.refreshToken = "by-hand" }
        #expect(try run(scene).code == 1)
        let result = try Program.start(
            ["run", "books.yaml"], in: scene.path,
            environment: Self.environment.merging(["REFRESH_TOKEN": "by-hand"]) { $1 }
        ).wait()
        #expect(result.code == 0, "\(result.errors)")
    }

    @Test func whatHasAnotherSecretCannotBeRead() throws {
        let source = try TokenServer()
        defer { source.stop() }
        let scene = try Scene(url: source.url, auth: Self.oauth(source.url, flow: "refresh_token"))
        #expect(try run(scene).code == 0)
        try scene.execute("UPDATE _sluice_credentials SET sealed = zeroblob(80)")
        let result = try run(scene)
        #expect(result.code == 1)
        #expect(result.errors.contains("was changed and cannot be read"), "\(result.errors)")
    }

    @Test func aRefreshTokenThatStaysIsNotWritten() throws {
        let source = try TokenServer(rotates: false)
        defer { source.stop() }
        let scene = try Scene(url: source.url, auth: Self.oauth(source.url, flow: "refresh_token"))
        #expect(try run(scene, "plan").code == 0)
        #expect(!FileManager.default.fileExists(atPath: scene.store))
        #expect(try run(scene).code == 0)
        #expect(try scene.query("SELECT count(*) FROM _sluice_credentials") == ["0"])
    }

    // MARK: What goes where

    @Test func theClientsSecretGoesNowhereElse() throws {
        let other = try LoopbackServer { _ in .text("{\"access_token\": \"x\"}") }
        let source = try LoopbackServer { _ in
            ServerResponse(status: 307, headers: [("Location", "\(other.url)/token")])
        }
        defer {
            source.stop()
            other.stop()
        }
        let scene = try Scene(
            url: source.url, auth: Self.oauth(source.url),
            source: "allow_hosts: [{host: \"127.0.0.1:\(other.port)\", credentials: true}]")
        let result = try run(scene)
        #expect(result.code == 1)
        #expect(other.requests.isEmpty)
        #expect(result.errors.contains("redirects to another address"), "\(result.errors)")
    }

    @Test func theTokenGoesToTheSourceAlone() throws {
        let other = try LoopbackServer { _ in .text(#"[{"id": 9, "title": "t", "price": 1}]"#) }
        let source = try TokenServer { _ in
            .text(TokenServer.books, headers: [("Link", "<\(other.url)/more>; rel=\"next\"")])
        }
        defer {
            source.stop()
            other.stop()
        }
        let scene = try Scene(
            url: source.url, auth: Self.oauth(source.url), source: "allow_hosts: [\"127.0.0.1:\(other.port)\"]",
            stream: "paginator: {type: header_link}")
        let result = try run(scene)
        #expect(result.code == 0, "\(result.errors)")
        #expect(other.requests.map { $0.header("Authorization") } == [nil])
    }

    // MARK: Sessions

    private static func session(_ more: String = "") -> String {
        "{type: session, login: {path: /login, body: {json: {name: me, password: \"${env:PASSWORD}\", pin: 4711}}}, token_path: data.token\(more)}"
    }

    @Test(arguments: [
        ("", "authorization", "Bearer t-%-secret"), (", header: X-Session", "x-session", "t-%-secret"),
        (", header: {Cookie: \"sid={{ token }}; a=b\"}", "cookie", "sid=t-%-secret; a=b"),
    ])
    func aSessionLogsInAndAgainOnce(header: String, name: String, value: String) throws {
        let server = try LoopbackServer { request in
            if request.path == "/login" {
                let body = String(decoding: request.body, as: UTF8.self)
                guard body == #"{"name":"me","password":"pass-word-secret","pin":4711}"#,
                    request.method == "POST", request.header("Content-Type") == "application/json",
                    request.header("X-Version") == "2", request.query == "v=1"
                else { return .text(body, status: 400) }
                return .text(#"{"data": {"token": "t-\#(request.number)-secret"}}"#)
            }
            // The first token holds for no page.
            let holds = request.header(name) == value.replacing("%", with: "2")
            return holds ? .text(TokenServer.books) : .text("no: \(request.headers)", status: 401)
        }
        defer { server.stop() }
        let scene = try Scene(
            url: server.url, auth: Self.session(header), source: "headers: {X-Version: 2}, params: {v: 1}")
        let result = try run(scene)
        #expect(result.code == 0, "\(result.errors)")
        #expect(server.requests.map(\.path) == ["/login", "/books", "/login", "/books"])
        #expect(!(try scene.sinks([result])).contains("-secret"))
    }

    @Test func aSessionThatIsRefusedTellsNoSecret() throws {
        let server = try LoopbackServer { request in
            .text("no: \(String(decoding: request.body, as: UTF8.self))", status: request.path == "/login" ? 403 : 500)
        }
        defer { server.stop() }
        let scene = try Scene(url: server.url, auth: Self.session())
        let result = try run(scene, "run", "--log-level", "debug")
        #expect(result.code == 1)
        #expect(result.errors.contains("403") && result.errors.contains("Check `login` of `auth`"), "\(result.errors)")
        let sinks = try scene.sinks([result])
        #expect(!sinks.contains("-secret") && !sinks.contains("4711"), "\(sinks)")
    }

    @Test func aLoginWithoutATokenSaysWhereItWasExpected() throws {
        let server = try LoopbackServer { _ in .text(#"{"token": "elsewhere-secret"}"#) }
        defer { server.stop() }
        let scene = try Scene(url: server.url, auth: Self.session())
        let result = try run(scene)
        #expect(result.code == 1)
        #expect(result.errors.contains("without a token at `data.token`"), "\(result.errors)")
        #expect(!(try scene.sinks([result])).contains("-secret"))
    }
}
