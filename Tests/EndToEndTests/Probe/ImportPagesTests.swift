import Foundation
import Synchronization
import TestSupport
import Testing

/// `sluice import` of a URL follows the pages that a probe is certain of, and says how.
@Suite struct ImportPagesTests {
    @Test(arguments: ProbedSource.naming + ProbedSource.counting.filter { $0.certainty == "certain" })
    func allPagesAreTaken(source: ProbedSource) throws {
        let server = try LoopbackServer { source.respond(SourceQuestion($0)) }
        defer { server.stop() }
        let scene = try Scene(records: 1)
        let url = server.url + source.target
        let plan = try Program.run(
            "import", url, "--table", "things", "--key", "id", "--plan", "--changes", "0", in: scene.path)
        #expect(plan.output.contains("\(source.records) to insert"), "\(plan.output)\(plan.errors)")
        let result = try Program.run(
            "import", url, "--table", "things", "--key", "id", "--store", "sqlite:shop.db", "--changes", "0",
            "--write-pipeline", "things.yaml", in: scene.path)
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        #expect(result.output.contains("Pages: \(source.paginator)"), "\(result.output)")
        #expect(try scene.query("SELECT count(*) FROM things") == ["\(source.records)"])
        let text = try String(contentsOfFile: scene.folder.file("things.yaml"), encoding: .utf8)
        if let yaml = source.yaml { #expect(text.contains("    paginator: \(yaml)\n"), "\(text)") }
        let again = try Program.run("run", "things.yaml", "--changes", "0", in: scene.path)
        #expect(again.output.contains("nothing changed, \(source.records) unchanged"), "\(again.output)\(again.errors)")
    }

    @Test func twoPagesOfACursorAreEnoughToFollowIt() throws {
        let server = try LoopbackServer { request in
            let isSecond = request.query?.contains("cursor=c2") == true
            return .text(
                isSecond
                    ? #"{"items":\#(Things.page(2, of: 15)),"next_cursor":null}"#
                    : #"{"items":\#(Things.page(1, of: 15)),"next_cursor":"c2"}"#)
        }
        defer { server.stop() }
        let scene = try Scene(records: 1)
        let result = try Program.run(
            "import", server.url + "/things", "--store", "sqlite:shop.db", "--format", "json", in: scene.path)
        #expect(result.code == 0, "\(result.errors)")
        #expect(result.output.contains(#""paginator":{"value":"cursor, $.next_cursor sent back as cursor""#))
        #expect(try scene.query("SELECT count(*) FROM things") == ["15"])
    }

    @Test func pagesThatCannotBeFollowedAreWarnedOf() throws {
        let server = try LoopbackServer { request in
            request.query == nil
                ? .text(#"{"items":\#(Things.page(1, of: 15)),"next_cursor":"c2"}"#)
                : .text(#"{"error":"no"}"#, status: 400)
        }
        defer { server.stop() }
        let scene = try Scene(records: 1)
        let command = ["import", server.url + "/things", "--store", "sqlite:shop.db"]
        let result = try Program.start(command, in: scene.path).wait()
        #expect(result.code == 0 && result.output.contains("10 inserted"), "\(result.output)\(result.errors)")
        #expect(result.output.contains("further pages that were not read"), "\(result.output)")
        #expect(!(result.output + result.errors).contains(".. "), "\(result.output)\(result.errors)")
        #expect(try Program.start(command + ["--strict"], in: scene.path).wait().code == 3)
    }

    /// Whatever leads on: pages that bring what was there before are told, with the first of them.
    @Test(arguments: [
        ("a URL in the body", #""next":"/things?page=NEXT""#, "page=2"),
        ("a URL of its own", #""next":"/things""#, "/things brought the same records again"),
        ("a cursor", #""next_cursor":"cNEXT""#, "cursor=c2 brought the same records again"),
        ("a stuck cursor", #""next_cursor":"c2""#, "cursor=c2 brought the same records again"),
    ])
    func pagesThatRepeatAreTold(name: String, member: String, words: String) throws {
        let server = try LoopbackServer { request in
            let page = (request.query?.last?.wholeNumberValue ?? 1) + 1
            return .text("{\"items\":\(Things.page(1, of: 5)),\(member.replacing("NEXT", with: "\(page)"))}")
        }
        defer { server.stop() }
        let scene = try Scene(records: 1)
        let result = try Program.run(
            "import", server.url + "/things", "--store", "sqlite:shop.db", "--strict", in: scene.path)
        #expect(result.code == 3 && result.output.contains("5 inserted"), "\(result.output)\(result.errors)")
        #expect(result.output.contains("further pages that were not read"), "\(result.output)")
        #expect(result.output.contains(words), "\(result.output)")
    }

    /// What was read of the pages before looks as if it were all, and a run fails there too.
    @Test(arguments: [
        ("a URL in the body", #""nextLink":"/things?page=2""#, 500),
        ("another status", #""next":"/things?page=2""#, 429),
    ])
    func aPageThatCannotBeReadFailsTheImport(name: String, member: String, status: Int) throws {
        let isDown = Atomic(false)
        let server = try LoopbackServer { request in
            if request.query == nil { return .text("{\"items\":\(Things.page(1, of: 15)),\(member)}") }
            return isDown.load(ordering: .relaxed)
                ? .text(#"{"error":"no"}"#, status: status) : .text("{\"items\":\(Things.page(2, of: 15))}")
        }
        defer { server.stop() }
        let scene = try Scene(records: 1)
        let command = ["import", server.url + "/things", "--store", "sqlite:shop.db"]
        func run() throws -> Program.Result { try Program.start(command, in: scene.path).wait() }
        #expect(try run().code == 0)
        #expect(try scene.query("SELECT count(*) FROM things") == ["15"])
        isDown.store(true, ordering: .relaxed)
        let result = try run()
        #expect(result.code == 1 && result.output.isEmpty, "\(result.output)\(result.errors)")
        for word in ["/things?page=2", "\(status)", "Nothing was written. Try again later."] {
            #expect(result.errors.contains(word), "\(result.errors)")
        }
        #expect(try scene.query("SELECT count(*) FROM things") == ["15"])
    }

    /// A warning is no passing word: who looks later finds it.
    @Test func pagesThatWereNotReadAreInTheHistory() throws {
        let server = try LoopbackServer { request in
            request.query == nil
                ? .text(#"{"items":\#(Things.page(1, of: 15)),"next_cursor":"c2"}"#)
                : .text(#"{"error":"no"}"#, status: 400)
        }
        defer { server.stop() }
        let scene = try Scene(records: 1)
        let store = ["--store", "sqlite:shop.db"]
        let result = try Program.start(["import", server.url + "/things"] + store, in: scene.path).wait()
        let words = "The source may have further pages that were not read: "
        #expect(result.code == 0 && result.output.ranges(of: words).count == 1, "\(result.output)\(result.errors)")
        for command in [["history", "1"], ["status"]] {
            let told = try Program.start(command + store, in: scene.path).wait().output
            #expect(told.contains(words), "\(told)")
            // They were not all that there are.
            #expect(!told.contains("read 10 records"), "\(told)")
        }
    }

    static let errors: [(page: String, words: String)] = [
        (#"{"error":"rate limited"}"#, #"Its `error` says "rate limited"."#),
        (#"{"errors":[{"message":"no field"}],"data":null}"#, #"Its `errors` says "no field"."#),
        (#"{"message":"quota","code":429}"#, #"Its `message` says "quota"."#),
        (#"{"status":"error","message":"quota"}"#, #"Its `message` says "quota"."#),
        (#"{"success":false,"message":"quota","data":[]}"#, #"Its `message` says "quota"."#),
        (#"{"error":true,"message":"quota","request_id":"a"}"#, #"Its `message` says "quota"."#),
    ]

    /// Status 200 does not make records of it.
    @Test(arguments: errors) func anErrorIsNoRecord(page: String, words: String) throws {
        let server = try LoopbackServer { _ in .text(page) }
        defer { server.stop() }
        let scene = try Scene(records: 1)
        for command in [["import"], ["probe"]] {
            let store = command == ["import"] ? ["--store", "sqlite:shop.db"] : []
            let result = try Program.start(command + [server.url + "/things"] + store, in: scene.path).wait()
            #expect(result.code == 1, "\(result.output)\(result.errors)")
            #expect(result.errors.contains(" is an error, and no records. \(words)"), "\(result.errors)")
            let asked = try Program.start(
                command + [server.url + "/things", "--records", "$"] + store
                    + (store.isEmpty ? [] : ["--key", "content"]), in: scene.path
            ).wait()
            #expect(asked.code == 0, "\(asked.output)\(asked.errors)")
        }
    }

    /// What has something of its own, or says that all is well, is taken.
    @Test(arguments: [
        #"{"id":5,"error":"disk full","status":"failed"}"#,
        #"{"message":"https://example.com/dog.jpg","status":"success"}"#,
        #"{"job":"a","success":false,"message":"no"}"#, #"{"errors":[],"data":[{"id":1}]}"#,
        #"{"code":0,"message":"ok","data":[{"id":1}]}"#,
    ])
    func aRecordWithAnErrorIsARecord(page: String) throws {
        let server = try LoopbackServer { _ in .text(page) }
        defer { server.stop() }
        let scene = try Scene(records: 1)
        let result = try Program.run("probe", server.url + "/things", in: scene.path)
        #expect(result.code == 0, "\(result.output)\(result.errors)")
    }

    @Test func aLinkHeaderThatRepeatsItsPageFails() throws {
        let server = try LoopbackServer { request in
            let page = (request.query?.last?.wholeNumberValue ?? 1) + 1
            return .text(Things.page(1, of: 5), headers: [("Link", "</things?page=\(page)>; rel=\"next\"")])
        }
        defer { server.stop() }
        let scene = try Scene(records: 1)
        let result = try Program.run("import", server.url + "/things", "--store", "sqlite:shop.db", in: scene.path)
        #expect(result.code == 1 && result.errors.contains("/things?page=2 is the same"), "\(result.errors)")
    }

    /// Nothing was found that leads on, and yet the source says that there is more: a run of the pipeline warns as well.
    @Test(arguments: [
        (
            "a saved page", nil,
            #"{"things":[{"id":1},{"id":2}],"links":{"next":"https://api.example.com/things?page=2"}}"#
        ),
        ("a total", "a server", #"{"hits":{"total":{"value":45},"hits":[{"id":1},{"id":2}]}}"#),
        ("a list of links", "a server", #"{"entry":[{"id":1},{"id":2}],"link":[{"relation":"next","url":"/x"}]}"#),
    ])
    func pagesThatTheSourceSpeaksOfAreWarnedOf(name: String, place: String?, page: String) throws {
        let server = try LoopbackServer { _ in .text(page) }
        defer { server.stop() }
        let scene = try Scene(records: 1)
        try scene.write("things.json", page)
        let source = place == nil ? "things.json" : server.url + "/things"
        let result = try Program.run("import", source, "--store", "sqlite:shop.db", "--strict", in: scene.path)
        #expect(result.code == 3 && result.output.contains("2 inserted"), "\(result.output)\(result.errors)")
        #expect(result.output.contains("further pages"), "\(result.output)")
    }

    @Test(arguments: [
        #""has_more":true"#, #""next":"https://api.example.com/things?page=2""#, #""total":9"#,
        #""links":{"next":"/things?page=2"}"#,
    ])
    func standardInputSpeaksOfPagesAsAFileDoes(member: String) throws {
        let scene = try Scene(records: 1)
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data("{\"data\":[{\"id\":1},{\"id\":2}],\(member)}".utf8))
        try pipe.fileHandleForWriting.close()
        let result = try Running(
            executable: Program.products.appending(path: "sluice"),
            arguments: ["import", "-", "--table", "things", "--store", "sqlite:shop.db", "--strict"],
            folder: scene.path, environment: [:], input: pipe.fileHandleForReading
        ).wait()
        #expect(result.code == 3 && result.output.contains("2 inserted"), "\(result.output)\(result.errors)")
        #expect(result.output.contains("standard input"), "\(result.output)")
    }

    @Test func aDocumentWithoutPagesIsAskedForOnce() throws {
        let server = try LoopbackServer { _ in .text(#"{"items":\#(Things.list(1..<8, of: 7))}"#) }
        defer { server.stop() }
        let scene = try Scene(records: 1)
        let result = try Program.run(
            "import", server.url + "/things", "--store", "sqlite:shop.db", "--strict", in: scene.path)
        #expect(result.code == 0 && !result.output.contains("Pages:"), "\(result.output)\(result.errors)")
        #expect(server.requests.count == 1)
    }

    @Test(arguments: ["import", "probe"])
    func aFileThatExistsIsRefusedBeforeTheSourceIsAsked(command: String) throws {
        let server = try LoopbackServer { _ in .text(Things.list(1..<8, of: 7)) }
        defer { server.stop() }
        let scene = try Scene(records: 1)
        try scene.write("mine.yaml", "# mine\n")
        let result = try Program.run(command, server.url + "/things", "--write-pipeline", "mine.yaml", in: scene.path)
        #expect(result.code == 1 && result.errors.contains("The file `mine.yaml` exists."), "\(result.errors)")
        #expect(server.requests.isEmpty)
        #expect(try String(contentsOfFile: scene.folder.file("mine.yaml"), encoding: .utf8) == "# mine\n")
    }

    @Test func aRecordingThatExistsIsRefusedBeforeTheSourceIsAsked() throws {
        let server = try LoopbackServer { _ in .text("[]") }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        #expect(try Program.run("record", "books.yaml", "--to", "kept", in: scene.path).code == 0)
        let asked = server.requests.count
        let again = try Program.run("record", "books.yaml", "--to", "kept", in: scene.path)
        #expect(again.code == 1 && again.errors.contains("holds a recording already"), "\(again.errors)")
        #expect(server.requests.count == asked)
    }
}

/// `--method` and `--body` of `probe` and `import`.
@Suite struct RequestBodyTests {
    /// A search whose next page is asked for in the body, as of Notion.
    private static func answer(_ request: ServerRequest) -> ServerResponse {
        let body = String(decoding: request.body, as: UTF8.self)
        guard request.method == "POST", body.contains(#""filter":{"state":"$${x} open","n":1.50,"tags":["a",null]}"#)
        else {
            return .text(#"{"error":"no"}"#, status: 400)
        }
        let page = (1...3).first { body.contains("\"start_cursor\":\"c\($0)\"") } ?? 1
        let next = page < 3 ? "\"c\(page + 1)\"" : "null"
        return .text(#"{"results":\#(Things.page(page, of: 25)),"next_cursor":\#(next),"has_more":\#(page < 3)}"#)
    }

    /// A connection of GraphQL, whose cursor is a variable of the query.
    private static func connection(_ request: ServerRequest, _ variable: String) -> ServerResponse {
        let body = String(decoding: request.body, as: UTF8.self)
        let last = [10, 20].first { body.contains("\"\(variable)\":\"c\($0)\"") } ?? 0
        let info = #"{"hasNextPage":\#(last < 20),"endCursor":"c\#(last + 10)","startCursor":"c\#(last + 1)"}"#
        return .text(
            #"{"data":{"things":{"nodes":\#(Things.list(last + 1..<last + 11, of: 25)),"pageInfo":\#(info)}}}"#)
    }

    @Test(arguments: [
        ("after", "query($first: Int!, $after: String) { things(first: $first, after: $after) { nodes { id } } }"),
        ("end", "query($tag: String, $end: String){things(tag:$tag,after:$end){nodes{id}}}"),
    ])
    func theCursorOfGraphQLIsAVariable(variable: String, query: String) throws {
        let server = try LoopbackServer { Self.connection($0, variable) }
        defer { server.stop() }
        let scene = try Scene(records: 1)
        let result = try Program.run(
            "import", server.url + "/graphql", "--body", #"{"query":"\#(query)","variables":{"first":10}}"#, "--store",
            "sqlite:shop.db", "--table", "things", "--write-pipeline", "things.yaml", "--strict", in: scene.path)
        #expect(result.code == 0 && result.output.contains("25 inserted"), "\(result.output)\(result.errors)")
        let text = try String(contentsOfFile: scene.folder.file("things.yaml"), encoding: .utf8)
        let yaml =
            "{type: cursor, cursor_path: data.things.pageInfo.endCursor, cursor_param: variables.\(variable), has_more_path: data.things.pageInfo.hasNextPage, in: body}"
        #expect(text.contains("    paginator: \(yaml)\n"), "\(text)")
        let again = try Program.run("run", "things.yaml", "--changes", "0", in: scene.path)
        #expect(again.output.contains("nothing changed, 25 unchanged"), "\(again.output)\(again.errors)")
    }

    @Test func aQueryOfGraphQLWithoutAVariableForTheCursorIsTold() throws {
        let server = try LoopbackServer { Self.connection($0, "after") }
        defer { server.stop() }
        let scene = try Scene(records: 1)
        let result = try Program.run(
            "import", server.url + "/graphql", "--body", #"{"query":"{ things(first: 10) { nodes { id } } }"}"#,
            "--store", "sqlite:shop.db", "--table", "things", "--strict", in: scene.path)
        // A server need not refuse a variable that its query does not have.
        #expect([0, 3].contains(result.code), "\(result.output)\(result.errors)")
        #expect(result.output.contains("the query has no variable for it"), "\(result.output)")
    }

    private static let body =
        #"{"filter": {"state": "$${x} open", "n": 1.50, "tags": ["a", null]}, "start_cursor": "c1"}"#

    @Test(arguments: [["--method", "POST", "--body", body], ["--body", "@query.json"]])
    func theBodyIsSentAndWritten(options: [String]) throws {
        let server = try LoopbackServer { Self.answer($0) }
        defer { server.stop() }
        let scene = try Scene(records: 1)
        try scene.write("query.json", Self.body)
        let url = server.url + "/things"
        let probe = try Program.start(
            ["probe", url, "--write-pipeline", "things.yaml"] + options, in: scene.path
        ).wait()
        #expect(probe.code == 0, "\(probe.output)\(probe.errors)")
        let text = try String(contentsOfFile: scene.folder.file("things.yaml"), encoding: .utf8)
        for piece in ["    method: POST\n", "    body: {json: {\"filter\": {\"state\": ", "in: body}\n"] {
            #expect(text.contains(piece), "\(text)")
        }
        let plan = try Program.run("plan", "things.yaml", "--changes", "0", in: scene.path)
        #expect(plan.output.contains("25 to insert"), "\(plan.output)\(plan.errors)")
        let result = try Program.start(
            ["import", url, "--store", "sqlite:shop.db", "--write-pipeline", "imported.yaml"] + options, in: scene.path
        ).wait()
        #expect(result.output.contains("25 inserted"), "\(result.output)\(result.errors)")
        let again = try Program.run("run", "imported.yaml", "--changes", "0", in: scene.path)
        #expect(again.output.contains("nothing changed, 25 unchanged"), "\(again.output)\(again.errors)")
    }

    @Test(arguments: [
        (["--body", "{oops"], "is not JSON"), (["--body", "@none.json"], "does not exist"),
        (["--method", "GET", "--body", "{}"], "sends no body"), (["--method", "FETCH"], "knows `GET`"),
    ])
    func whatCannotBeSentIsSaid(options: [String], words: String) throws {
        let scene = try Scene(records: 1)
        for command in ["probe", "import"] {
            let result = try Program.start([command, "http://127.0.0.1:9/things"] + options, in: scene.path).wait()
            #expect(result.code == 64 && result.errors.contains(words), "\(result.errors)")
        }
        let file = try Program.run("import", "books.json", "--body", "{}", in: scene.path)
        #expect(file.code == 64 && file.errors.contains("`--body` belongs to a URL"), "\(file.errors)")
    }
}
