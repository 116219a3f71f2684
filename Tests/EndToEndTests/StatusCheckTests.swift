import Foundation
import Synchronization
import TestSupport
import Testing

/// What `status --check` says to whoever runs it from a timer.
@Suite struct StatusCheckTests {
    /// Runs that ask for changes alone succeed, and say nothing of what is gone.
    @Test func refusedDeletesAreNotMadeUpForByChanges() throws {
        let isShort = Atomic(false)
        let server = try LoopbackServer { request in
            let isWhole = request.query?.contains("since") != true
            let ids = !isWhole ? [] : isShort.load(ordering: .sequentiallyConsistent) ? [1] : [1, 2, 3]
            let records = ids.map { #"{"id":\#($0),"title":"t"}"# }.joined(separator: ",")
            return .text(#"{"items":[\#(records)],"next":"n"}"#)
        }
        defer { server.stop() }
        let scene = try Scene(
            url: server.url, extra: "records: $.items[*]\n    incremental: {token: next, token_param: since}")
        let text = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write("books.yaml", text.replacing("max_delete: 100%", with: "max_delete: 1"))
        func run(_ arguments: String...) throws -> Int {
            Int(try Program.start(["run", "books.yaml", "-q"] + arguments, in: scene.path).wait().code)
        }
        func status() throws -> (code: Int, isNamed: Bool) {
            let result = try Program.run(
                "status", "--store", "sqlite:shop.db", "--check", "--format", "json", in: scene.path)
            let isAdvised = result.output.contains("`--full --allow-deletes 2`")
            return (Int(result.code), result.output.contains(#""unfinished_run":{"run":2"#) && isAdvised)
        }
        #expect(try run() == 0)
        isShort.store(true, ordering: .sequentiallyConsistent)
        #expect(try run("--full") == 4)
        #expect(try run() == 0)
        #expect(try status() == (1, true))
        #expect(try run("--full", "--allow-deletes", "2") == 0)
        #expect(try status() == (0, false))
        #expect(try scene.query("SELECT id FROM books") == ["1"])
    }

    /// A run that commits page by page has its row in the store before it ends.
    @Test func aRunThatIsAtWorkIsToldSo() throws {
        let gate = Gate()
        let server = try LoopbackServer { request in
            let page = request.query.flatMap { $0.split(separator: "=").last.flatMap { Int($0) } } ?? 1
            if page == 4 { gate.wait() }
            let link = page == 4 ? [] : [(name: "Link", value: "</books?page=\(page + 1)>; rel=\"next\"")]
            return .text(#"[{"id":\#(page),"title":"t"}]"#, headers: link)
        }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        let text = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write("books.yaml", text + "\ncommit: page\n")
        func status() throws -> Program.Result {
            try Program.run("status", "--store", "sqlite:shop.db", "--check", in: scene.path)
        }
        let running = try Program.start(["run", "books.yaml", "-q"], in: scene.path)
        defer { gate.open() }
        var seen = try status()
        for _ in 0..<500 where !seen.output.contains("at work since") && running.process.isRunning {
            seen = try status()
        }
        #expect(seen.code == 0 && seen.output.contains("run 1 at work since 20"), "\(seen)")
        #expect(!seen.output.contains("interrupted") && !seen.output.contains("broken off"), "\(seen)")
        let json = try Program.run("status", "--store", "sqlite:shop.db", "--format", "json", in: scene.path)
        #expect(json.output.contains(#""at_work":true"#), "\(json.output)")
        kill(running.process.processIdentifier, SIGKILL)
        _ = try running.wait()
        let broken = try status()
        #expect(broken.code == 1 && broken.output.contains("run 1 interrupted at"), "\(broken)")
        gate.open()
        #expect(try Program.run("run", "books.yaml", "-q", in: scene.path).code == 0)
        #expect(try status().code == 0)
    }

    /// A run of which the store knows only that it began was cut off, unless it is at work.
    @Test(arguments: ["", "\ncommit: page\n"])
    func aRunThatWasCutOffIsTold(_ keys: String) throws {
        let (isAsked, mayAnswer) = (Gate(), Gate())
        // 0 answers, 1 waits, 2 refuses.
        let way = Atomic(0)
        let server = try LoopbackServer { _ in
            switch way.load(ordering: .sequentiallyConsistent) {
            case 1:
                isAsked.open()
                mayAnswer.wait()
            case 2: return .text("no", status: 404)
            default: break
            }
            return .text(#"[{"id":1,"title":"t"}]"#)
        }
        defer {
            mayAnswer.open()
            server.stop()
        }
        let scene = try Scene(url: server.url)
        let text = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write("books.yaml", text + keys)
        func run(_ number: Int) throws -> Int {
            way.store(number, ordering: .sequentiallyConsistent)
            return Int(try Program.start(["run", "books.yaml", "-q"], in: scene.path).wait().code)
        }
        func status(_ arguments: String...) throws -> Program.Result {
            try Program.start(["status", "--store", "sqlite:shop.db", "--check"] + arguments, in: scene.path).wait()
        }
        #expect(try run(0) == 0)
        way.store(1, ordering: .sequentiallyConsistent)
        let running = try Program.start(["run", "books.yaml", "-q"], in: scene.path)
        #expect(isAsked.wait())
        let going = try status()
        #expect(going.code == 0 && !going.output.contains("cut off"), "\(going)")
        kill(running.process.processIdentifier, SIGKILL)
        #expect(try running.wait().code == 128 + 9)
        let told = try status()
        #expect(told.code == 1 && told.output.contains("run 1 succeeded"), "\(told)")
        #expect(told.output.contains("since then, the run that began at 20"), "\(told)")
        #expect(told.output.contains("was cut off; nothing of it is kept\n"), "\(told)")
        let json = try status("--format", "json").output
        #expect(json.contains(#""unkept_run":{"status":"interrupted","started_at":"20"#), "\(json)")
        #expect(json.contains(#""finished_at":null,"reason":"it was killed"#), "\(json)")
        // A plan ends no run, and one that fails does.
        way.store(0, ordering: .sequentiallyConsistent)
        #expect(try Program.start(["plan", "books.yaml"], in: scene.path).wait().code == 0)
        #expect(try status().output.contains("was cut off"))
        #expect(try run(2) == 1)
        let failed = try status()
        #expect(failed.code == 1 && !failed.output.contains("cut off"), "\(failed)")
        #expect(try run(0) == 0)
        #expect(try status().code == 0)
    }

    /// What further scans have to confirm is no refusal, however much it is.
    @Test func aRefusalThatWasMadeUpForIsNotNamedAgain() throws {
        let isShort = Atomic(false)
        let server = try LoopbackServer { _ in
            let ids = isShort.load(ordering: .sequentiallyConsistent) ? [1] : [1, 2, 3]
            return .text("[\(ids.map { #"{"id":\#($0),"title":"t"}"# }.joined(separator: ","))]")
        }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        let text = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write("books.yaml", text.replacing("max_delete: 100%", with: "max_delete: 1, confirm: 1"))
        func run(short: Bool) throws -> Int {
            isShort.store(short, ordering: .sequentiallyConsistent)
            return Int(try Program.start(["run", "books.yaml", "-q"], in: scene.path).wait().code)
        }
        func status() throws -> Int {
            Int(try Program.run("status", "--store", "sqlite:shop.db", "--check", in: scene.path).code)
        }
        #expect(try [run(short: false), run(short: true), status(), run(short: true), status()] == [0, 0, 0, 4, 1])
        #expect(try [run(short: false), status(), run(short: true), status()] == [0, 0, 0, 0])
    }

    /// Without a file, what stands in the usual folder counts: a file with errors, and a pipeline that has never run.
    @Test func theUsualFolderCounts() throws {
        let scene = try Scene()
        try FileManager.default.createDirectory(
            atPath: scene.folder.file("pipelines"), withIntermediateDirectories: true)
        try scene.write("pipelines/books.json", #"[{"id": 1, "title": "one"}]"#)
        func pipeline(_ name: String, key: String = "primary_key") -> String {
            """
            version: 1
            name: \(name)
            source: {base_url: "file:."}
            entities: {Book: {table: \(name), \(key): [id], fields: {id: int, title: string}}}
            streams: [{name: books, entity: Book, path: books.json}]
            """
        }
        func result(_ arguments: String...) throws -> Program.Result {
            try Program.start(arguments, in: scene.path).wait()
        }
        try scene.write("pipelines/one.yaml", pipeline("one"))
        #expect(try result("run").code == 0)
        #expect(try result("status", "--check").code == 0)
        // It has never run.
        try scene.write("pipelines/two.yaml", pipeline("two"))
        var told = try result("status", "--check")
        #expect(told.code == 1 && told.output.contains("two"), "\(told)")
        #expect(try result("status").code == 0)
        // It cannot run.
        try scene.write("pipelines/two.yaml", pipeline("two", key: "primry_key"))
        for command in [["status"], ["status", "--check"], ["history"], ["history", "1"]] {
            told = try Program.start(command, in: scene.path).wait()
            #expect(told.code == 78 && told.errors.contains("primry_key"), "\(command): \(told)")
            #expect(told.output.contains("one"), "\(command): \(told)")
        }
        // A store that is named says what it knows.
        #expect(try result("status", "--check", "--store", "sqlite:sluice.db").code == 0)
    }
}
