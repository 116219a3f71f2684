import Foundation
import SluiceDiagnostics
import SluiceHTTPServer
import SluiceServeModel
import SluiceWeb
import TestSupport
import Testing

/// Each door that a stranger might try.
@Suite struct SafetyTests {
    static let view = "viewer-token-000001"
    static let decide = "decider-token-000001"
    static let tokens = """
        # who may what
        view wanda \(view)
        decide dora \(decide)
        """

    // MARK: Host

    static let hosts: [(String, Bool)] = [
        ("127.0.0.1:7788", true), ("127.0.0.1", true), ("localhost:7788", true), ("[::1]:7788", true),
        ("127.1.2.3:80", true), ("evil.example", false), ("evil.example:7788", false), ("", false),
        ("127.0.0.1.evil.example", false), ("localhost.evil.example", false), ("localhost:7788@evil.example", false),
        ("10.0.0.1", false), ("127.0.0.300", false),
    ]

    @Test func aNameThatLeadsHereByAStrangersDoingIsRefused() throws {
        let shop = try WebShop()
        for (host, isTaken) in Self.hosts {
            for path in ["/", "/api/v1/pipelines", "/metrics", "/healthz", "/assets/sluice.js"] {
                let answer = try shop.ask("GET", path, host: host)
                #expect((answer.status == 200) == isTaken && isTaken || answer.status == 421, "\(host) \(path)")
            }
        }
    }

    // MARK: Changes

    @Test func aChangeNeedsAFormOfTheSession() throws {
        let shop = try WebShop()
        let target = "/pipelines/shop/runs"
        let page = try shop.get("/pipelines/shop")
        let (cookie, token) = (try #require(page.cookie), try #require(page.formToken))
        let other = try #require(shop.get("/pipelines/shop").cookie)
        func send(_ body: String, _ headers: [(String, String)]) throws -> Int {
            try shop.ask(
                "POST", target, headers: [("Content-Type", "application/x-www-form-urlencoded")] + headers, body: body
            ).status
        }
        let form = "kind=run&form_token=\(token)"
        #expect(try send("kind=run", [("Cookie", cookie)]) == 403)
        #expect(try send("kind=run&form_token=0", [("Cookie", cookie)]) == 403)
        #expect(try send(form, []) == 403)
        #expect(try send(form, [("Cookie", other)]) == 403)
        #expect(try send(form, [("Cookie", "sluice_session=made.up")]) == 403)
        #expect(try send(form, [("Cookie", cookie), ("Origin", "http://evil.example")]) == 403)
        #expect(try send(form, [("Cookie", cookie), ("Origin", "null")]) == 403)
        #expect(try send(form, [("Cookie", cookie), ("Sec-Fetch-Site", "cross-site")]) == 403)
        #expect(try send(form, [("Cookie", cookie), ("Sec-Fetch-Site", "same-site")]) == 403)
        #expect(shop.control.change { $0.asked }.isEmpty)
        #expect(try send(form, [("Cookie", cookie), ("Origin", "http://127.0.0.1:7788")]) == 303)
        #expect(shop.control.change { $0.asked } == ["run shop page"])
    }

    @Test func theAPITakesNoFormOfAnotherSite() throws {
        let shop = try WebShop()
        let target = "/api/v1/pipelines/shop/runs"
        for type in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""] {
            #expect(
                try shop.ask("POST", target, headers: [("Content-Type", type)], body: "{}").status == 415, "\(type)")
        }
        #expect(try shop.post(target, "{}", headers: [("Origin", "http://evil.example")]).status == 403)
        // What a browser sends with its cookie is a change of the session and needs its token.
        let page = try shop.get("/pipelines/shop")
        let (cookie, token) = (try #require(page.cookie), try #require(page.formToken))
        #expect(try shop.post(target, "{}", headers: [("Cookie", cookie)]).status == 403)
        #expect(shop.control.change { $0.asked }.isEmpty)
        #expect(
            try shop.post(target, "{}", headers: [("Cookie", cookie), ("X-Sluice-Form-Token", token)]).status == 202)
        #expect(try shop.post(target, #"{"name": "cron"}"#).status == 202)
        #expect(shop.control.change { $0.asked } == ["run shop api", "run shop cron"])
    }

    @Test func noChangeIsMadeByLooking() throws {
        let shop = try WebShop()
        for path in ["/pipelines/shop/runs", "/conflicts/preview", "/conflicts/decide", "/api/v1/runs/shop:2/undo"] {
            let answer = try shop.get(path)
            #expect(answer.status == 405 || answer.status == 400 || answer.status == 404, "\(path) \(answer.status)")
        }
        #expect(shop.control.change { $0.asked }.isEmpty)
    }

    // MARK: Tokens

    @Test func withoutATokenNothingIsTold() throws {
        let shop = try WebShop(tokens: Self.tokens)
        for path in ["/", "/runs", "/conflicts", "/quarantine", "/records", "/pipelines", "/runs/shop:1"] {
            let answer = try shop.get(path)
            #expect(answer.status == 303 && answer.header("Location")?.hasPrefix("/login") == true, "\(path)")
        }
        for path in ["/api/v1/pipelines", "/api/v1/events", "/api/v1/openapi.json", "/metrics"] {
            let answer = try shop.get(path)
            #expect(answer.status == 401 && answer.header("WWW-Authenticate") == "Bearer", "\(path)")
            #expect(try shop.get(path, headers: [("Authorization", "Bearer wrong-token-0000000")]).status == 401)
        }
        #expect(try shop.get("/healthz").text == "ok\n")
        #expect(try shop.get("/readyz").text == "ready\n")
    }

    @Test func rolesAreKept() throws {
        let shop = try WebShop(tokens: Self.tokens)
        let (viewer, decider) = (
            [("Authorization", "Bearer \(Self.view)")], [("Authorization", "Bearer \(Self.decide)")]
        )
        for path in ["/api/v1/pipelines", "/api/v1/conflicts", "/metrics"] {
            #expect(try shop.get(path, headers: viewer).status == 200)
        }
        for path in ["/api/v1/pipelines/shop/runs", "/api/v1/runs/shop:2/undo", "/api/v1/conflicts/shop:1"] {
            #expect(try shop.post(path, "{}", headers: viewer).status == 403, "\(path)")
        }
        #expect(shop.control.change { $0.asked }.isEmpty)
        // Who decides is who the token says, whatever is sent.
        #expect(try shop.post("/api/v1/pipelines/shop/runs", #"{"name": "somebody"}"#, headers: decider).status == 202)
        #expect(shop.control.change { $0.asked } == ["run shop dora"])
    }

    @Test func aPersonLogsInAndOut() throws {
        let shop = try WebShop(tokens: Self.tokens)
        func logIn(_ token: String, next: String = "/runs") throws -> Answer {
            try shop.ask(
                "POST", "/login", headers: [("Content-Type", "application/x-www-form-urlencoded")],
                body: "token=\(token)&next=\(PercentText.encoded(next))")
        }
        #expect(try logIn("wrong").status == 401)
        let answer = try logIn(Self.decide)
        #expect(answer.status == 303 && answer.header("Location") == "/runs")
        let set = try #require(answer.header("Set-Cookie"))
        #expect(set.contains("HttpOnly") && set.contains("SameSite=Strict") && set.contains("Path=/"))
        let cookie = try #require(answer.cookie)
        let page = try shop.get("/pipelines/shop", headers: [("Cookie", cookie)])
        #expect(page.status == 200 && page.text.contains("dora"))
        #expect(
            try shop.send("/pipelines/shop/runs", from: "/pipelines/shop", [("kind", "plan")], cookie: cookie).status
                == 303)
        #expect(shop.control.change { $0.asked } == ["plan shop dora"])
        #expect(try shop.send("/logout", from: "/", [], cookie: cookie).status == 303)
        #expect(try shop.get("/", headers: [("Cookie", cookie)]).status == 303)
        for next in ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)", "/a\r\nX: y"] {
            #expect(try logIn(Self.view, next: next).header("Location") == "/", "\(next)")
        }
    }

    @Test func tokensCannotBeTriedForLong() throws {
        let shop = try WebShop(tokens: Self.tokens)
        var statuses: [Int] = []
        for number in 0..<12 {
            statuses.append(
                try shop.get("/api/v1/pipelines", headers: [("Authorization", "Bearer guess-\(number)")]).status)
        }
        #expect(statuses.prefix(10).allSatisfy { $0 == 401 } && statuses.suffix(2).allSatisfy { $0 == 429 })
        #expect(try shop.get("/api/v1/pipelines", headers: [("Authorization", "Bearer \(Self.view)")]).status == 429)
    }

    static let tokenFiles: [(String, String, String)] = [
        ("empty", "# nothing\n", "has no token"), ("role", "admin eva 0123456789abcdef\n", ":1: A line is"),
        ("short", "view eva short\n", "less than 16"), ("words", "view 0123456789abcdef\n", ":1: A line is"),
        ("twice", "view eva 0123456789abcdef\ndecide eva 1123456789abcdef\n", ":2: The name `eva`"),
    ]

    @Test(arguments: tokenFiles)
    func aTokenFileThatIsWrongIsRefusedWithoutItsTokens(name: String, text: String, message: String) throws {
        let folder = try TemporaryDirectory()
        try text.write(toFile: folder.file("tokens"), atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.file("tokens"))
        var listening = ServeListening(address: "127.0.0.1:0")
        listening.tokenFile = folder.file("tokens")
        do {
            _ = try WebSite(control: BenchControl(), listening: listening, program: "")
            Issue.record("\(name) was taken")
        } catch {
            #expect("\(error)".contains(message) && !"\(error)".contains("0123456789abcdef"), "\(error)")
        }
    }

    @Test func aTokenFileThatAllMayReadIsRefused() throws {
        let folder = try TemporaryDirectory()
        try Self.tokens.write(toFile: folder.file("tokens"), atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder.file("tokens"))
        var listening = ServeListening(address: "127.0.0.1:0")
        listening.tokenFile = folder.file("tokens")
        #expect(throws: (any Error).self) {
            _ = try WebSite(control: BenchControl(), listening: listening, program: "")
        }
    }

    @Test func otherMachinesNeedAToken() throws {
        #expect(throws: ServerError.self) {
            _ = try WebServer(control: BenchControl(), listening: ServeListening(address: "0.0.0.0:0"))
        }
    }

    // MARK: What is served

    static let pages = [
        "/", "/runs", "/runs/shop:1", "/runs/shop:2", "/runs/shop:2/undo", "/conflicts", "/conflicts/shop:1",
        "/quarantine", "/quarantine/shop:1", "/records", "/pipelines", "/pipelines/shop",
        "/records?entity=Book&key=1&pipeline=shop", "/no/such/page", "/runs/shop:99",
    ]

    @Test func everyAnswerIsLockedDown() throws {
        let shop = try WebShop()
        for path in Self.pages + ["/api/v1/pipelines", "/metrics", "/assets/sluice.css", "/assets/sluice.js"] {
            let answer = try shop.get(path)
            let policy = try #require(answer.header("Content-Security-Policy"), "\(path)")
            #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "\(path)")
            #expect(!policy.contains("unsafe"), "\(path)")
            #expect(answer.header("X-Content-Type-Options") == "nosniff", "\(path)")
            #expect(answer.header("Referrer-Policy") == "same-origin", "\(path)")
            guard answer.header("Content-Type")?.hasPrefix("text/html") == true else { continue }
            // What such a policy would not let run is not there in the first place.
            #expect(!answer.text.contains("style=\"") && !answer.text.contains("<style"), "\(path)")
            #expect(
                answer.text.ranges(of: "<script").count == 1 && answer.text.contains("<script src=\"/assets/"),
                "\(path)")
            #expect(answer.text.firstMatch(of: #/<[^>]*\son[a-z]+=/#) == nil, "\(path)")
        }
    }

    @Test func noFolderIsServed() throws {
        let shop = try WebShop()
        for path in [
            "/assets/", "/assets", "/assets/../WebSite.swift", "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd",
            "/assets/%2Fetc%2Fpasswd", "/etc/passwd", "//etc/passwd", "/runs/..%2F..%2Fetc/log",
        ] {
            let answer = try shop.get(path)
            #expect(answer.status == 404 || answer.status == 400, "\(path) \(answer.status)")
            #expect(!answer.text.contains("root:"))
        }
    }

    @Test func secretsAreNotTold() throws {
        let shop = try WebShop()
        let path = shop.folder.path
        try """
        version: 1
        name: shop
        store: "${env:SECRET_STORE}"
        source: {base_url: "https://shop.example", auth: {type: bearer, token: "plain-secret-token"}}
        entities: {Book: {table: books, primary_key: [id], fields: {id: int, title: string}}}
        streams: [{name: books, entity: Book, path: books.json}]
        """.write(toFile: "\(path)/shop.yaml", atomically: true, encoding: .utf8)
        func stores() throws -> [String?] {
            [
                try shop.get("/api/v1/pipelines").json("pipelines", "0", "store") as? String,
                try shop.get("/api/v1/records/Book/1").json("store") as? String,
            ]
        }
        #expect(try stores() == ["sqlite:\(path)/shop.db", "sqlite:\(path)/shop.db"])
        shop.control.change { $0.status.pipelines[0].hasSecretStore = true }
        #expect(try stores() == ["sqlite:***", "sqlite:***"])
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: "\(path)/shop.db")
        for page in Self.pages + ["/api/v1/pipelines", "/api/v1/records/Book/1", "/metrics"] {
            let answer = try shop.get(page)
            #expect(!answer.text.contains("plain-secret-token") && !answer.text.contains("shop.db"), "\(page)")
        }
        #expect(try shop.get("/pipelines/shop").text.contains("token: ***"))
    }

    /// In every place where a value may stand: rows, both sides of a conflict, changes, quarantine.
    @Test func redactedValuesAreNotTold() throws {
        func books(_ title: String, _ price: String, _ mail: String) -> String {
            """
            [{"id": 1, "title": "\(title)", "price": "\(price)", "mail": "\(mail)@plain.example"},
             {"id": 2, "title": "Emma", "price": "\(price == "1" ? "2" : "much")", "mail": "\(mail)@plain.example"}]
            """
        }
        let shop = try WebShop(
            WebShop.Books(
                first: books("Dune", "1", "first"), edit: "UPDATE books SET title = 'Mine', mail = 'own' WHERE id = 1",
                then: books("Theirs", "3", "second"), fields: ", mail: {type: string, redact: hash}"))
        #expect(try shop.sql("SELECT count(*) FROM _sluice_conflicts") == "2")
        #expect(try shop.sql("SELECT count(*) FROM _sluice_quarantine") == "1")
        for page in Self.pages + [
            "/conflicts/shop:2", "/api/v1/conflicts", "/api/v1/quarantine", "/api/v1/quarantine/shop:1",
            "/api/v1/runs/shop:2/changes", "/api/v1/records/Book/1",
        ] {
            let answer = try shop.get(page)
            #expect(!answer.text.contains("plain.example"), "\(page)")
        }
    }

    @Test func tokensAreKeptAsHashesAlone() throws {
        let shop = try WebShop(tokens: Self.tokens)
        let viewer = [("Authorization", "Bearer \(Self.view)")]
        #expect(try shop.get("/api/v1/pipelines", headers: viewer).status == 200)
        var text = ""
        dump(shop.site, to: &text)
        // All that the site holds of them is there to be seen.
        #expect(text.contains("wanda") && text.contains("dora"), "\(text)")
        #expect(!text.contains(Self.view) && !text.contains(Self.decide))
    }

    // MARK: Hostile data

    static let hostile = #"</script><img src=x onerror="document.title='owned'">'"&lt;{{7*7}}\u202e"#

    static let evil = hostile.replacing("\\u202e", with: "\u{202E}")

    @Test func hostileDataIsText() throws {
        let evil = String(decoding: try JSONEncoder().encode(Self.evil), as: UTF8.self)
        let shop = try WebShop(
            WebShop.Books(
                first: #"[{"id": \#(evil), "title": "Dune", "price": 1}]"#,
                edit: "UPDATE books SET title = '<b>edited</b>'",
                then: "["
                    + [
                        #"{"id": \#(evil), "title": \#(evil), "price": 2}"#,
                        #"{"id": "2", "title": \#(evil), "price": \#(evil)}"#,
                    ].joined(separator: ",") + "]", key: "string"))
        shop.control.change { state in
            state.status.pipelines[0].description = Self.hostile
            var run = ServedRun(id: 1, pipeline: "shop", kind: .run)
            run.startedAt = 1
            run.endedAt = 2
            run.outcome = .failed
            run.error = Self.hostile
            run.who = Self.hostile
            state.runs = [run]
            state.status.pipelines[0].lastRun = run
            state.status.trouble = Self.hostile
        }
        let name = "shop"
        let key = PercentText.encoded(String(decoding: try JSONEncoder().encode(["id": Self.evil]), as: UTF8.self))
        let pages = [
            "/", "/runs", "/runs/1", "/runs/\(name):2", "/conflicts", "/conflicts/\(name):1", "/quarantine",
            "/quarantine/\(name):1", "/pipelines", "/pipelines/\(name)", "/runs/\(name):2/undo",
            "/records?entity=Book&key=\(key)", "/records?entity=\(PercentText.encoded(Self.hostile))&key=1",
            "/conflicts?q=\(PercentText.encoded(Self.hostile))", "/runs/\(PercentText.encoded(Self.hostile))",
            "/quarantine?reason=\(PercentText.encoded(Self.hostile))",
        ]
        for page in pages {
            let answer = try shop.get(page)
            let text = answer.text
            #expect(answer.status < 500, "\(page) \(text)")
            for piece in ["<img", "<b>edited", "</script><", "\u{202E}"] {
                #expect(!text.contains(piece), "\(page) has \(piece)")
            }
            #expect(text.ranges(of: "<script").count == 1, "\(page)")
            // No link leads where data says.
            for match in text.matches(of: #/href="([^"]*)"/#) {
                #expect(match.1.hasPrefix("/") && !match.1.hasPrefix("//") || match.1.hasPrefix("#"), "\(match.1)")
            }
        }
        #expect(try shop.get("/conflicts").text.contains("&lt;img src=x onerror="))
        #expect(try shop.get("/records?entity=Book&key=\(key)").status == 200)
    }
}
