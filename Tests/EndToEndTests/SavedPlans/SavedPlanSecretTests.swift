import Foundation
import Synchronization
import TestSupport
import Testing

/// A plan whose source repeats secrets among its data, or whose pipeline consists of several files: what it shows is what is
/// written, or nothing is.
@Suite("A saved plan does what it shows") struct SavedPlanSecretTests: SavedPlanSuite {
    /// Where a secret of the pipeline comes from, and the records in which it stands by chance.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let source: String
        var params = ""
        let environment: [String: String]
        let records: String
        let rows: [String]
    }

    static let cases = [
        Case(
            testDescription: "a parameter is within a text", source: "", params: "params: {org: \"${env:ORG}\"}",
            environment: ["ORG": "apple"], records: #"[{"id": 1, "title": "apple/swift", "pages": 7}]"#,
            rows: ["1|apple/swift|7"]),
        Case(
            testDescription: "a parameter is a number", source: "", params: "params: {account: \"${env:ACCOUNT}\"}",
            environment: ["ACCOUNT": "42"],
            records: #"[{"id": 1, "title": "a", "pages": 42}, {"id": 42, "title": "b", "pages": 1}]"#,
            rows: ["1|a|42", "42|b|1"]),
        Case(
            testDescription: "a password is a word",
            source: ", auth: {type: basic, username: me, password: \"${env:WORD}\"}",
            environment: ["WORD": "reader"], records: #"[{"id": 1, "title": "reader", "pages": 1}]"#,
            rows: ["1|reader|1"]),
        Case(
            testDescription: "a link within a record has a token", source: "", environment: [:],
            records: #"[{"id": 1, "title": "https://a.example/b?token=abc", "pages": 1}]"#,
            rows: ["1|https://a.example/b?token=abc|1"]),
    ]

    @Test(arguments: cases) func whatRepeatsASecretIsWrittenAsItIsShown(_ example: Case) throws {
        let server = try LoopbackServer { _ in .text(example.records) }
        defer { server.stop() }
        let scene = try Scene()
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            store: sqlite:shop.db
            source: {base_url: "\(server.url)"\(example.source)}
            entities: {Book: {table: books, primary_key: id, fields: {id: int, title: string, pages: int}}}
            streams: [{name: books, entity: Book, path: /books\(example.params.isEmpty ? "" : ", " + example.params)}]
            """)
        func start(_ arguments: String...) throws -> Program.Result {
            try Program.start(arguments, in: scene.path, environment: example.environment).wait()
        }
        let planned = try start("plan", "books.yaml", "--save", Self.file)
        #expect(planned.code == 0 && planned.output.contains("`sluice apply` asks the source again"), "\(planned)")
        for secret in example.environment.values where secret.count > 3 {
            let texts = try PlanTexts.all(in: scene.folder.file(Self.file)).filter { $0.contains("\"title\"") }
            #expect(texts.allSatisfy { !$0.hasPrefix("[{") }, "An answer is kept although it repeats \(secret).")
        }
        let applied = try start("apply", Self.file)
        #expect(applied.code == 0, "\(applied.output)\(applied.errors)")
        #expect(try scene.query("SELECT id, title, pages FROM books ORDER BY id") == example.rows)
    }

    /// What the plan does not show is not written: neither inserted nor changed.
    @Test func whatTheSourceSaysOtherwiseIsLeft() throws {
        let server = try LoopbackServer { request in
            let title = request.target.contains("org=apple") ? "apple" : "pear"
            return .text(#"[{"id": 1, "title": "\#(title)"}]"#)
        }
        defer { server.stop() }
        let scene = try Scene()
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            store: sqlite:shop.db
            source: {base_url: "\(server.url)"}
            entities: {Book: {table: books, primary_key: id, fields: {id: int, title: string}}}
            streams: [{name: books, entity: Book, path: /books, params: {org: "${env:ORG}"}}]
            """)
        let environment = ["ORG": "apple"]
        let planned = try Program.start(
            ["plan", "books.yaml", "--save", Self.file], in: scene.path, environment: environment
        ).wait()
        #expect(planned.code == 0, "\(planned.errors)")
        let applied = try Program.start(["apply", Self.file], in: scene.path, environment: ["ORG": "pears"]).wait()
        #expect(applied.code == 5, "\(applied.output)\(applied.errors)")
        #expect(try scene.query("SELECT count(*) FROM books") == ["0"])
    }

    /// A source that fails while a plan without answers asks it again has said nothing else.
    @Test func aSourceThatFailsSaidNothingElse() throws {
        let answer = Mutex(ServerResponse.text(#"[{"id": 1, "title": "old"}]"#))
        let server = try LoopbackServer { _ in answer.withLock { $0 } }
        defer { server.stop() }
        let scene = try Scene()
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            store: sqlite:shop.db
            source: {base_url: "\(server.url)", retry: {max_attempts: 1}}
            entities: {Book: {table: books, primary_key: id, fields: {id: int, title: string}}}
            streams: [{name: books, entity: Book, path: /books}]
            """)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        answer.withLock { $0 = .text(#"[{"id": 1, "title": "https://a.example/?token=abc"}]"#) }
        let planned = try Program.run("plan", "books.yaml", "--save", Self.file, in: scene.path)
        #expect(planned.code == 0 && planned.output.contains("asks the source again"), "\(planned)")
        answer.withLock { $0 = .text("", status: 500) }
        let applied = try apply(scene)
        let words = applied.output + applied.errors
        #expect(applied.code == 1 && words.contains("500"), "\(words)")
        #expect(!words.contains("not made"), "\(words)")
    }

    /// What a pipeline includes belongs to it, also where an included file includes another.
    @Test(arguments: ["common.yaml", "base.yaml"]) func aChangedIncludedFileIsRefused(_ changed: String) throws {
        let scene = try Scene()
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            store: sqlite:shop.db
            include: [common.yaml]
            source: {base_url: "file:."}
            streams: [{name: books, entity: Book, path: books.json}, {name: others, entity: Other, path: others.json}]
            """)
        func entity(_ name: String, _ field: String) -> String {
            "entities: {\(name): {table: \(name.lowercased())s, primary_key: id, fields: {id: int, t: \(field)}}}\n"
        }
        try scene.write("common.yaml", "include: [base.yaml]\n" + entity("Book", "string"))
        try scene.write("base.yaml", entity("Other", "string"))
        try scene.write("books.json", #"[{"id": 1, "t": "one"}]"#)
        try scene.write("others.json", #"[{"id": 1, "t": "one"}]"#)
        try plan(scene)
        let mapped = "{type: string, map: {one: ZZZ}}"
        if changed == "common.yaml" {
            try scene.write(changed, "include: [base.yaml]\n" + entity("Book", mapped))
        } else {
            try scene.write(changed, entity("Other", mapped))
        }
        let result = try apply(scene)
        #expect(result.code == 4 && result.errors.contains("or a file that it includes"), "\(result)")
        #expect(!FileManager.default.fileExists(atPath: scene.store))
    }
}
