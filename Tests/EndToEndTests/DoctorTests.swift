import Foundation
import SluicePostgres
import TestSupport
import Testing

/// `sluice doctor`: what has to be mended before runs work.
@Suite struct DoctorTests {
    private static func pipeline(_ base: String, headers: String = "") -> String {
        """
        version: 1
        name: shop
        store: sqlite:shop.db
        source: {base_url: "\(base)"\(headers)}
        entities: {Book: {table: books, primary_key: id, fields: {id: int, title: string, price: decimal}}}
        streams: [{name: books, entity: Book, path: books.json}]
        """
    }

    @Test func allIsInOrder() throws {
        let scene = try Scene(records: 3)
        try scene.write("shop.yaml", Self.pipeline("file:."))
        let before = try Program.run("doctor", "shop.yaml", in: scene.path)
        #expect(before.code == 0, "\(before.output)\(before.errors)")
        #expect(before.output.contains("the first run makes it"), "\(before.output)")
        #expect(before.output.hasSuffix("\nAll is in order.\n"), "\(before.output)")
        #expect(try Program.run("run", "shop.yaml", in: scene.path).code == 0)
        let after = try Program.run("doctor", "shop.yaml", "--format", "json", in: scene.path)
        #expect(after.code == 0)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(after.output.utf8)) as? [String: Any])
        #expect(object["format"] as? String == "sluice.doctor/1")
        let sections = try #require(object["sections"] as? [[String: Any]])
        let findings = sections.flatMap { $0["findings"] as? [[String: String]] ?? [] }
        #expect(findings.map { $0["subject"] } == ["libraries", "temporary files", "pipelines", "store", "source"])
        #expect(findings.allSatisfy { $0["verdict"] == "good" }, "\(findings)")
    }

    @Test func programsOfNotifyAreLookedAt() throws {
        let scene = try Scene(records: 3)
        for (name, mode) in [("page-me", 0o755), ("note", 0o644)] {
            try scene.write(name, "#!/bin/sh\n")
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: scene.folder.file(name))
        }
        func doctor(_ programs: String...) throws -> Program.Result {
            let notify = programs.map { "{on: failed, command: [\($0), x]}" }.joined(separator: ", ")
            try scene.write("shop.yaml", Self.pipeline("file:.") + "\nnotify: [\(notify)]\n")
            return try Program.run("doctor", "shop.yaml", in: scene.path)
        }
        let good = try doctor("./page-me", "./page-me", "sh")
        #expect(good.code == 0 && good.output.hasSuffix("\nAll is in order.\n"), "\(good.output)\(good.errors)")
        #expect(good.output.matches(of: #/can be started\./#).count == 2, "\(good.output)")
        let poor = try doctor("./note", "./gone", "no-such-program-here")
        #expect(poor.code == 0 && !poor.output.contains("All is in order"), "\(poor.output)\(poor.errors)")
        for words in ["may not be started by this user", "does not exist", "in no folder of PATH"] {
            #expect(poor.output.contains(words), "\(poor.output)")
        }
    }

    struct Unready: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The store of the file.
        var store = "sqlite:data/shop.db"
        /// What the command names besides the file.
        var options: [String] = []
        /// The store that is looked at; nil for none.
        let looked: String?
    }

    /// A file that names a variable which is not set says all the same which store it fills.
    @Test(arguments: [
        Unready(testDescription: "the store of the file", looked: "data/shop.db"),
        Unready(
            testDescription: "the store of the command", options: ["--store", "sqlite:other.db"], looked: "other.db"),
        Unready(testDescription: "a store that is not known", store: "${env:NO_SUCH_STORE}", looked: nil),
    ])
    func storesOfFilesThatCannotRunYetAreLookedAt(_ test: Unready) throws {
        let scene = try Scene(records: 3)
        let text = Self.pipeline("https://api.example.com", headers: #", headers: {X-Key: "${env:NO_SUCH_KEY}"}"#)
        try scene.write("shop.yaml", text.replacing("sqlite:shop.db", with: "\"\(test.store)\""))
        let told = try Program.start(["doctor", "shop.yaml"] + test.options, in: scene.path).wait()
        #expect(told.code == 1 && told.output.contains("is not set"), "\(told.output)\(told.errors)")
        let lines = told.output.split(separator: "\n").filter { $0.contains(".db") }
        #expect(lines.count == (test.looked == nil ? 0 : 1), "\(told.output)")
        #expect(lines.allSatisfy { $0.contains(test.looked ?? "") }, "\(told.output)")
    }

    /// A source, and what is said of it.
    struct Source: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var status = 200
        var date: String?
        var says: String
        var code: Int32 = 0
    }

    @Test(arguments: [
        Source(testDescription: "one that answers", says: "answers a request without credentials with 200, in "),
        Source(testDescription: "one that wants a login", status: 401, says: "Credentials are not tried here"),
        Source(testDescription: "one without a page there", status: 404, says: "with 404, in "),
        Source(testDescription: "one that fails", status: 503, says: "with 503, in "),
        Source(
            testDescription: "one of another time", date: "Sun, 06 Nov 1994 08:49:37 GMT",
            says: "s ahead of that of the source"),
    ])
    func sources(_ source: Source) throws {
        let server = try LoopbackServer { _ in
            .text("{}", status: source.status, headers: source.date.map { [("Date", $0)] } ?? [])
        }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        try scene.write("shop.yaml", Self.pipeline(server.url))
        let result = try Program.run("doctor", "shop.yaml", in: scene.path)
        #expect(result.code == source.code && result.output.contains(source.says), "\(result.output)\(result.errors)")
        #expect(server.requests.count == 1)
    }

    @Test func nobodyIsThere() throws {
        let scene = try Scene(records: 1)
        let port = try ClosedPort()
        try scene.write("shop.yaml", Self.pipeline("http://127.0.0.1:\(port.port)/${env:PART}"))
        let result = try Program.run("doctor", "shop.yaml", in: scene.path, environment: ["PART": "s3cret-part"])
        #expect(result.code == 1 && result.output.contains("bad   source"), "\(result.output)\(result.errors)")
        #expect(result.output.contains("to fix before runs can work") && !result.output.contains("s3cret"))
    }

    @Test func theStore() throws {
        let scene = try Scene(records: 500)
        try scene.write("shop.yaml", Self.pipeline("file:."))
        #expect(try Program.run("run", "shop.yaml", in: scene.path).code == 0)
        var bytes = [UInt8](try Data(contentsOf: URL(filePath: scene.folder.file("shop.db"))))
        for index in 8_192..<20_480 { bytes[index] = 0xAB }
        try scene.write("shop.db", bytes: bytes)
        let damaged = try Program.run("doctor", "shop.yaml", in: scene.path)
        #expect(damaged.code == 1 && damaged.output.contains("bad   store"), "\(damaged.output)\(damaged.errors)")
        #expect(damaged.output.contains("damaged") && damaged.output.contains(".recover"), "\(damaged.output)")
        let missing = try Program.run("doctor", "--store", "sqlite:no/such/shop.db", in: scene.path)
        #expect(missing.code == 1 && missing.output.contains("mkdir -p"), "\(missing.output)\(missing.errors)")
    }

    /// The doctor says of a store what `store check` says first, with what to do.
    @Test func aForeignKeyThatRowsBreak() throws {
        let scene = try StoreScene()
        try scene.execute("UPDATE issue SET author_id = 404 WHERE id = 1")
        let schema = try StoreSchema()
        try scene.expect(try scene.program("store", "copy", scene.file, schema.store), 1)
        try scene.execute("UPDATE issue SET author_id = NULL WHERE id = 1")
        try scene.expect(try scene.program("store", "copy", scene.file, schema.store), 0)
        try schema.connection.execute(
            "ALTER TABLE issue ADD CONSTRAINT odd FOREIGN KEY (author_id) REFERENCES \"user\" (id) NOT VALID")
        try scene.execute("UPDATE issue SET author_id = 404 WHERE id = 1")
        for (store, words) in [
            (scene.file, ["1 row of `issue` refers to rows of `user`", "Put these rows back"]),
            (schema.store, ["The foreign key `odd` of `issue` was never checked", "VALIDATE CONSTRAINT"]),
        ] {
            let told = try scene.sluice("doctor", store: store)
            #expect(told.code == 0 && told.output.contains("look  store"), "\(told)")
            for words in words { #expect(told.output.contains(words), "\(told)") }
        }
    }

    @Test func theFiles() throws {
        let scene = try Scene(records: 1)
        try scene.write("shop.yaml", "version: 1\nname: shop\n")
        let result = try Program.run("doctor", "shop.yaml", in: scene.path)
        #expect(result.code == 1 && result.output.contains("`sluice validate` lists all."), "\(result.output)")
    }
}
