import Foundation
import Synchronization
import TestSupport
import Testing

/// What sources answer is kept without secrets, and answers again when the source is gone.
@Suite struct RecordTests {
    private static let environment = [
        "CLIENT_ID": "client-name-secret", "CLIENT_SECRET": "client-pass-secret", "REFRESH_TOKEN": "refresh-0-secret",
        "KEY": "key-secret", "PART": "part-secret",
    ]
    /// A process with it ends where it opens a socket.
    private static func offline() throws -> [String: String] { try FaultShim.environment(["FAULT_SOCKETS": "1"]) }

    private func record(_ scene: Scene, _ more: String..., to folder: String = "kept") throws -> Program.Result {
        try Program.start(
            ["record", "books.yaml", "--to", folder] + more, in: scene.path, environment: Self.environment
        ).wait()
    }

    private func replay(_ command: String, _ scene: Scene, _ more: String...) throws -> Program.Result {
        try Program.start(
            [command, "books.yaml", "--replay", "kept"] + more, in: scene.path, environment: Self.offline()
        ).wait()
    }

    /// The files of a recording, by name.
    private func files(_ scene: Scene, _ folder: String = "kept/books") throws -> [String: String] {
        var files: [String: String] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: scene.folder.file(folder)) {
            let data = try Data(contentsOf: URL(filePath: scene.folder.file("\(folder)/\(name)")))
            files[name] = String(decoding: data, as: UTF8.self)
        }
        return files
    }

    private func change(_ scene: Scene, _ name: String, _ old: String, _ new: String) throws {
        let text = try String(contentsOfFile: scene.folder.file(name), encoding: .utf8)
        #expect(text.contains(old), "\(text)")
        try scene.write(name, text.replacing(old, with: new))
    }

    /// A refusal to wait for, a redirect, a token that ends on the way, and cookies.
    private static func eventful(_ pages: borrowing Mutex<Int>, _ request: ServerRequest) -> ServerResponse {
        let number = pages.withLock { pages in
            pages += 1
            return pages
        }
        let token = request.header("Authorization") ?? ""
        let cookie = (name: "Set-Cookie", value: "session=cookie-secret")
        switch number {
        case 1: return .text("busy", status: 503, headers: [("Retry-After", "1"), cookie])
        case 2: return ServerResponse(status: 302, headers: [("Location", "/moved?signature=sig-secret")])
        case 3:
            let page = #"[{"id": 1, "title": "you sent \#(token)", "price": 1}]"#
            return .text(page, headers: [("Link", "</books?page=2&token=t-secret>; rel=\"next\""), cookie])
        default: return .text(#"[{"id": 2, "title": "b", "price": 12345678901234567890.10}]"#)
        }
    }

    @Test(arguments: ["client_credentials", "refresh_token"])
    func whatWasRecordedIsReplayed(flow: String) throws {
        let pages = Shared(0)
        let source = try TokenServer(perToken: 3) { Self.eventful(pages.value, $0) }
        defer { source.stop() }
        let token = flow == "refresh_token" ? ", refresh_token: \"${env:REFRESH_TOKEN}\"" : ""
        let scene = try Scene(
            url: source.url,
            auth:
                "{type: oauth2, flow: \(flow), token_url: \"\(source.url)/token\", client_id: \"${env:CLIENT_ID}\", client_secret: \"${env:CLIENT_SECRET}\"\(token), client_auth: body}",
            stream: "paginator: {type: header_link}")
        try change(scene, "books.yaml", "max_attempts: 1", "max_attempts: 4, base: 1ms")
        let recorded = try record(scene)
        #expect(recorded.code == 0, "\(recorded.output)\n\(recorded.errors)")
        source.stop()

        let files = try files(scene)
        #expect(
            files.keys.sorted() == [
                "0001-POST-token.json", "0002-GET-books.json", "0003-GET-books.json", "0004-GET-moved.json",
                "0005-GET-books.json", "0006-POST-token.json", "0007-GET-books.json", "recording.json",
            ])
        for (name, text) in files {
            #expect(!text.contains("-secret"), "\(name): \(text)")
            let mode = try FileManager.default.attributesOfItem(atPath: scene.folder.file("kept/books/\(name)"))
            #expect((mode[.posixPermissions] as? Int) == 0o600)
            #expect(recorded.output.contains(name) || name == "recording.json")
        }
        #expect(files["recording.json"]?.contains(#""status": "complete""#) == true)
        #expect(files["0005-GET-books.json"]?.contains(#""status": 401"#) == true)
        #expect(!(recorded.output + recorded.errors).contains("-secret"))

        // What was waited for is not waited for again, however long it was.
        try change(scene, "kept/books/0002-GET-books.json", #""Retry-After": "1""#, #""Retry-After": "600""#)
        let before = try FileManager.default.fileExists(atPath: scene.store) ? scene.contents() : [:]
        let start = ContinuousClock.now
        let run = try replay("run", scene)
        #expect(run.code == 0, "\(run.output)\n\(run.errors)")
        #expect(ContinuousClock.now - start < .seconds(60))
        #expect(
            try scene.query("SELECT id, title, price FROM books ORDER BY id") == [
                "1|you sent ***|1", "2|b|12345678901234567890.10",
            ])
        #expect(try scene.contents()["_sluice_credentials"] ?? [] == before["_sluice_credentials"] ?? [])
        let again = try replay("run", scene)
        #expect(again.output.contains("nothing changed"), "\(again.output)")
    }

    @Test func aReplayOpensNoSocket() throws {
        let server = try LoopbackServer { _ in .text(TokenServer.books) }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        #expect(try record(scene).code == 0)
        let live = try Program.start(["plan", "books.yaml"], in: scene.path, environment: Self.offline()).wait()
        #expect(live.code == 97, "a live plan opens one: \(live.errors)")
        let asked = server.requests.count
        #expect(try replay("plan", scene).code == 0)
        #expect(server.requests.count == asked)
    }

    @Test func secretsOfThePipelineAreKeptNowhere() throws {
        let server = try LoopbackServer { request in
            let echo = "\(request.target) \(request.headers) \(String(decoding: request.body, as: UTF8.self))"
                .replacing("\\", with: "").replacing("\"", with: "'")
            return .text(
                #"[{"id": 1, "title": "\#(echo)", "price": 1, "key\u002dsecret": "key\u002dsecret"}]"#,
                headers: [("X-Echo", echo)])
        }
        defer { server.stop() }
        let scene = try Scene(
            url: server.url, auth: "{type: api_key, in: query, name: k, value: \"${env:KEY}\"}",
            source: "headers: {X-Id: \"${env:PART}\"}",
            stream: """
                params: {part: "${env:PART}"}
                    method: POST
                    body: {json: {id: "${env:PART}"}}
                """)
        #expect(try record(scene).code == 0)
        for (name, text) in try files(scene) { #expect(!text.contains("-secret"), "\(name): \(text)") }
        // Without the secrets, and with others.
        for environment in [[:], ["KEY": "another", "PART": "one"]] {
            let run = try Program.start(
                ["plan", "books.yaml", "--replay", "kept"], in: scene.path, environment: environment
            ).wait()
            #expect(run.code == 0, "\(run.errors)")
        }
    }

    @Test func aVeryShortSecretHidesNoPartsOfWords() throws {
        let server = try LoopbackServer { _ in .text(#"[{"id": 1, "title": "cab of ab", "price": 10}]"#) }
        defer { server.stop() }
        let scene = try Scene(url: server.url, extra: "params: {org: \"${env:PART}\"}")
        try change(scene, "books.yaml", "path: /books", "path: \"/v${env:PART}/books\"")
        let environment = ["PART": "ab"]
        let recorded = try Program.start(
            ["record", "books.yaml", "--to", "kept"], in: scene.path, environment: environment
        ).wait()
        #expect(recorded.code == 0, "\(recorded.errors)")
        #expect(server.requests.map(\.target) == ["/vab/books?org=ab"])
        let text = try files(scene).values.joined()
        #expect(text.contains("cab of ***") && text.contains("org=***"), "\(text)")
        #expect(!text.contains("vab"), "\(text)")
        let run = try Program.start(
            ["plan", "books.yaml", "--replay", "kept", "--changes", "all"], in: scene.path, environment: environment
        ).wait()
        #expect(run.code == 0 && run.output.contains("cab of ***"), "\(run.output)\(run.errors)")
    }

    @Test func theStoreIsReadAndNotWritten() throws {
        let server = try LoopbackServer { _ in
            .text(#"[{"id": 1, "title": "a", "price": 1, "at": "2024-05-01T00:00:00Z"}]"#)
        }
        defer { server.stop() }
        let scene = try Scene(
            url: server.url,
            extra: """
                params: {since: "{{ cursor.start }}", until: "{{ run.started_at | unix }}"}
                    incremental: {cursor_field: at, initial_value: 2020-01-01T00:00:00Z}
                """)
        try change(scene, "books.yaml", "price: decimal", "price: decimal, at: datetime")
        try change(scene, "books.yaml", "delete_missing: {mode: hard, max_delete: 100%}", "")
        #expect(try record(scene).code == 0)
        #expect(!FileManager.default.fileExists(atPath: scene.store))
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        let before = try scene.contents()
        #expect(try record(scene, to: "later").code == 0)
        #expect(try scene.contents() == before)
        #expect(server.requests.last?.target.hasPrefix("/books?since=2024-05-01") == true)
        let full = try record(scene, "--full", "--until", "2024-06-01T00:00:00Z", to: "full")
        #expect(full.code == 0, "\(full.errors)")
        #expect(server.requests.last?.target.hasPrefix("/books?since=2020-01-01") == true)
        // The time that requests told is told again.
        try FileManager.default.removeItem(atPath: scene.store)
        let replayed = try replay("run", scene)
        #expect(replayed.code == 0, "\(replayed.errors)")
    }

    @Test func anUnexpectedRequestNamesTheNearestOne() throws {
        let server = try LoopbackServer { _ in .text(TokenServer.books) }
        defer { server.stop() }
        let scene = try Scene(url: server.url, extra: "params: {page: 1, lang: en}")
        #expect(try record(scene).code == 0)
        for (old, new, words) in [
            ("lang: en", "lang: de", "it differs in `lang`: `de` here, `en` there"),
            ("lang: de", "lang: en, sort: id", "it differs in `sort`: `id` here, not there"),
            ("path: /books", "path: /boks", "the path: `/boks` here, `/books` there"),
            ("lang: en, sort: id", "lang: en", "the path: `/boks` here"),
        ] {
            try change(scene, "books.yaml", old, new)
            let result = try replay("plan", scene)
            #expect(result.code == 1)
            #expect(result.errors.contains(words), "\(result.errors)")
            #expect(result.errors.contains("`0001-GET-books.json`"), "\(result.errors)")
        }
        let none = try Program.run("plan", "books.yaml", "--replay", "nowhere", in: scene.path)
        #expect(none.code == 1)
        #expect(none.errors.contains("there is no recording of `books` in `nowhere`"), "\(none.errors)")
    }

    @Test func largeAndBinaryBodiesStandBesideTheirExchange() throws {
        let large =
            "["
            + (1...3000).map { #"{"id": \#($0), "title": "a title of a book", "price": 1}"# }
            .joined(separator: ",") + "]"
        let server = try LoopbackServer { request in
            request.path == "/books" ? .text(large) : ServerResponse(body: .bytes([0xFF, 0x00, 0x5B]))
        }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        #expect(try record(scene).code == 0)
        #expect(try files(scene)["0001-GET-books.body.json"] == large)
        let run = try replay("run", scene)
        #expect(run.code == 0, "\(run.errors)")
        #expect(try scene.query("SELECT count(*) FROM books") == ["3000"])
        try change(scene, "books.yaml", "path: /books", "path: /binary")
        #expect(try record(scene, to: "binary").code == 0)
        #expect(try files(scene, "binary/books")["0001-GET-binary.body.bin"] != nil)
        let binary = try Program.run("plan", "books.yaml", "--replay", "binary", in: scene.path)
        #expect(binary.code == 1, "it is no JSON, as it was")
    }

    @Test func aStoppedRecordingSaysSo() throws {
        let isAsked = Gate()
        let mayAnswer = Gate()
        let server = try LoopbackServer { request in
            if request.target.contains("page=2") {
                isAsked.open()
                mayAnswer.wait()
            }
            return .text(TokenServer.books, headers: [("Link", "</books?page=2>; rel=\"next\"")])
        }
        defer {
            mayAnswer.open()
            server.stop()
        }
        let scene = try Scene(url: server.url)
        let running = try Program.start(["record", "books.yaml", "--to", "kept"], in: scene.path)
        #expect(isAsked.wait())
        kill(running.process.processIdentifier, SIGINT)
        let result = try running.wait()
        #expect(result.code == 130, "\(result.errors)")
        #expect(result.output.contains("incomplete"), "\(result.output)")
        #expect(try files(scene).keys.sorted() == ["0001-GET-books.json", "recording.json"])
        #expect(try files(scene)["recording.json"]?.contains(#""status": "interrupted""#) == true)
        let replayed = try replay("plan", scene)
        #expect(replayed.code == 1)
        #expect(replayed.errors.contains("It is incomplete."), "\(replayed.errors)")
        #expect(replayed.errors.contains("was interrupted"), "\(replayed.errors)")
    }

    @Test func aRecordingIsNotOverwritten() throws {
        let server = try LoopbackServer { request in
            request.path == "/books" ? .text(TokenServer.books) : .text("no", status: 404)
        }
        let scene = try Scene(url: server.url)
        #expect(try record(scene).code == 0)
        let before = try files(scene)
        let second = try record(scene)
        #expect(second.code == 1)
        #expect(second.errors.contains("holds a recording already"), "\(second.errors)")
        #expect(try files(scene) == before)
        // A refusal is an answer, and is replayed as one.
        try change(scene, "books.yaml", "path: /books", "path: /gone")
        let refused = try record(scene, "--format", "json", to: "refused")
        #expect(refused.code == 1)
        #expect(refused.output.contains(#""format":"sluice.recordings/1""#), "\(refused.output)")
        #expect(refused.output.contains(#""status":404"#), "\(refused.output)")
        server.stop()
        let replayed = try Program.run("plan", "books.yaml", "--replay", "refused", in: scene.path)
        #expect(replayed.code == 1)
        #expect(replayed.errors.contains("404"), "\(replayed.errors)")
        // What cannot be reached leaves no recording behind.
        #expect(try record(scene, to: "unreached").code == 1)
        #expect(!FileManager.default.fileExists(atPath: scene.folder.file("unreached/books")))
    }

    @Test func filesNeedNoRecording() throws {
        let scene = try Scene()
        let result = try record(scene)
        #expect(result.code == 0)
        #expect(result.output.contains("nothing to record"), "\(result.output)")
        #expect(try replay("run", scene).code == 0)
        let usage = try Program.run("record", "books.yaml", in: scene.path)
        #expect(usage.code == 64)
        #expect(usage.errors.contains("--to"), "\(usage.errors)")
    }
}

/// A value that a server's threads share.
private final class Shared: Sendable {
    let value: Mutex<Int>
    init(_ value: Int) { self.value = Mutex(value) }
}
