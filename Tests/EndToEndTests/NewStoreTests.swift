import Foundation
import Synchronization
import TestSupport
import Testing

/// Stores that are not there yet: who makes them, who may, and what is left where nothing comes of it.
@Suite struct NewStoreTests {
    /// A source whose first answer waits until it may go, and whose editions follow each other.
    private final class SlowSource: Sendable {
        let isAsked = Gate()
        let mayAnswer = Gate()
        private let count = Mutex(0)
        let isBroken: Bool

        init(isBroken: Bool = false) { self.isBroken = isBroken }

        func answer(_ request: ServerRequest) -> ServerResponse {
            let edition = count.withLock { count in
                count += 1
                return count
            }
            if edition == 1 {
                isAsked.open()
                mayAnswer.wait()
                if isBroken { return .text("no", status: 404) }
            }
            return .text(#"[{"id": 1, "title": "edition \#(edition)", "price": "9.50"}]"#)
        }
    }

    /// The ways to write to a store, and the pipeline's further keys.
    private static let ways: [(command: [String], extra: String)] = [
        (["run", "books.yaml"], "\ncommit: run\n"), (["run", "books.yaml"], "\ncommit: page\n"),
        (["import", "URL/books", "--table", "books", "--key", "id", "--store", "sqlite:shop.db"], ""),
    ]

    private func scene(_ url: String, _ way: Int) throws -> (scene: Scene, command: [String]) {
        let scene = try Scene(url: url)
        let pipeline = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write("books.yaml", pipeline + Self.ways[way].extra)
        return (scene, Self.ways[way].command.map { $0.replacingOccurrences(of: "URL", with: url) })
    }

    private func files(_ scene: Scene) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scene.path).filter { $0.hasPrefix("shop.db") }.sorted()
    }

    @Test("Of two first runs the second one is refused, or waits and has the last word", arguments: ways.indices)
    func oneAfterTheOther(_ way: Int) throws {
        let source = SlowSource()
        let server = try LoopbackServer { source.answer($0) }
        defer {
            source.mayAnswer.open()
            server.stop()
        }
        let (scene, command) = try scene(server.url, way)
        let first = try Program.start(command, in: scene.path)
        #expect(source.isAsked.wait())
        let refused = try Program.start(command, in: scene.path).wait()
        expectOneError(refused, code: 6, ["Another run of `books` is using `shop.db`", "--wait 10m"])
        let json = try Program.start(command + ["--format", "json"], in: scene.path).wait()
        #expect(json.code == 6 && json.output.contains(#""status":"locked""#), "\(json.output)")
        #expect(server.requests.count == 1, "who has no lock asks for nothing")
        // What looks on neither waits nor disturbs.
        let plan = try Program.run("plan", "books.yaml", in: scene.path)
        #expect(plan.code == 0 && plan.output.contains("1 to insert"), "\(plan.output)\(plan.errors)")
        #expect(try Program.run("status", "--store", "sqlite:shop.db", in: scene.path).errors.contains("no store yet"))
        let second = try Program.start(command + ["--wait", "1m"], in: scene.path)
        source.mayAnswer.open()
        #expect(try first.wait().code == 0)
        let result = try second.wait()
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        #expect(try scene.query("SELECT title FROM books") == ["edition 3"])
        #expect(try scene.query("SELECT count(*) FROM _sluice_runs") == ["2"])
        #expect(try files(scene) == ["shop.db"])
    }

    @Test("A first run that fails leaves no file, nor does a plan", arguments: ways.indices)
    func nothingIsLeft(_ way: Int) throws {
        let server = try LoopbackServer { _ in .text("no", status: 404) }
        defer { server.stop() }
        let (scene, command) = try scene(server.url, way)
        let run = try Program.start(command, in: scene.path).wait()
        #expect(run.code == 1, "\(run.output)\(run.errors)")
        #expect(try Program.run("plan", "books.yaml", in: scene.path).code == 1)
        #expect(try files(scene) == [])
    }

    @Test("What another pipeline wrote meanwhile stays where the run that made the file fails")
    func whatAnotherWroteStays() throws {
        let source = SlowSource(isBroken: true)
        let server = try LoopbackServer { source.answer($0) }
        defer {
            source.mayAnswer.open()
            server.stop()
        }
        let scene = try Scene(url: server.url)
        let pipeline = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write("others.yaml", pipeline.replacingOccurrences(of: "name: books", with: "name: others"))
        let first = try Program.start(["run", "books.yaml"], in: scene.path)
        #expect(source.isAsked.wait())
        #expect(try Program.run("run", "others.yaml", in: scene.path).code == 0)
        source.mayAnswer.open()
        #expect(try first.wait().code == 1)
        #expect(try scene.query("SELECT title FROM books") == ["edition 2"])
    }

    @Test("A first run that is killed leaves an empty file at most, which the next one fills", arguments: ways.indices)
    func theNextRunFillsWhatAKilledOneMade(_ way: Int) throws {
        let source = SlowSource()
        let server = try LoopbackServer { source.answer($0) }
        defer {
            source.mayAnswer.open()
            server.stop()
        }
        let (scene, command) = try scene(server.url, way)
        let first = try Program.start(command, in: scene.path)
        #expect(source.isAsked.wait())
        kill(first.process.processIdentifier, SIGKILL)
        #expect(try first.wait().code == 128 + 9)
        #expect(try Program.run("plan", "books.yaml", in: scene.path).code == 0)
        #expect(try Program.start(command, in: scene.path).wait().code == 0)
        #expect(try scene.query("SELECT count(*) FROM books") == ["1"])
    }

    // MARK: Who may read it

    /// The permissions of what stands in the place of the store and beside it.
    private func modes(_ scene: Scene) throws -> [String: Int] {
        var modes: [String: Int] = [:]
        for name in try files(scene) {
            let attributes = try FileManager.default.attributesOfItem(atPath: scene.folder.file(name))
            modes[name] = attributes[.posixPermissions] as? Int
        }
        return modes
    }

    @Test("Its owner alone may read a new store and what stands beside it")
    func itsOwnerAloneMayReadIt() throws {
        let isAsked = Gate()
        let mayAnswer = Gate()
        let server = try LoopbackServer { request in
            switch request.query {
            case nil:
                return .text(
                    #"[{"id": 1, "title": "a"}, {"id": {}}]"#, headers: [("Link", "</books?page=2>; rel=\"next\"")])
            case "page=2":
                return .text(#"[{"id": 2, "title": "b"}]"#, headers: [("Link", "</books?page=3>; rel=\"next\"")])
            default:
                isAsked.open()
                mayAnswer.wait()
                return .text(#"[{"id": 3, "title": "c"}]"#)
            }
        }
        defer {
            mayAnswer.open()
            server.stop()
        }
        let (scene, command) = try scene(server.url, 1)
        let run = try Program.start(command, in: scene.path)
        #expect(isAsked.wait())
        // The second page is in the store once its log and the index of that are there; the first one was written into the file.
        let deadline = Date.now.addingTimeInterval(30)
        while try modes(scene)["shop.db-shm"] == nil && Date.now < deadline {}
        let during = try modes(scene)
        #expect(during["shop.db"] == 0o600 && during["shop.db-wal"] == 0o600 && during["shop.db-shm"] == 0o600)
        #expect(during["shop.db-pages"] ?? 0o700 == 0o700)
        mayAnswer.open()
        #expect(try run.wait().code == 0)
        #expect(try modes(scene) == ["shop.db": 0o600])
        // Who opens it to others has decided so.
        try scene.permit(0o640, "shop.db")
        #expect(try Program.start(command, in: scene.path).wait().code == 0)
        #expect(try modes(scene) == ["shop.db": 0o640])
    }

    // MARK: What it is called

    @Test(
        "A store is named by a path, never by one of SQLite's own names",
        arguments: [
            ("sqlite:", "a file must follow"), ("sqlite::memory:", "`:memory:` would be lost"),
            ("sqlite:file:m.db", "not by an SQLite URI"), ("sqlite:file:m.db?mode=memory", "not by an SQLite URI"),
            ("sqlite:file::memory:?cache=shared", "not by an SQLite URI"), ("sqlite:FILE:m.db", "not by an SQLite URI"),
            ("file:m.db", "kind `file:`"),
        ])
    func ownNamesAreRefused(_ url: String, _ reason: String) throws {
        let scene = try Scene()
        let pipeline = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write(
            "named.yaml", pipeline.replacingOccurrences(of: "store: sqlite:shop.db", with: "store: \"\(url)\""))
        let before = try FileManager.default.contentsOfDirectory(atPath: scene.path).sorted()
        for (result, code) in [
            (try Program.run("run", "books.yaml", "--store", url, in: scene.path), Int32(64)),
            (try Program.run("status", in: scene.path, environment: ["SLUICE_STORE": url]), 64),
            (try Program.run("run", "named.yaml", in: scene.path), 78),
        ] {
            #expect(result.code == code, "\(result.output)\(result.errors)")
            #expect(result.errors.contains("sqlite:shop.db"), "\(result.errors)")
            if code == 78 && !url.hasPrefix("sqlite:") || url == "sqlite:" { continue }
            #expect(result.errors.contains(reason), "\(result.errors)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: scene.path).sorted() == before)
    }

    @Test(
        "A file may be called as SQLite calls something else", arguments: ["file:m.db?mode=memory", ":memory:", "a?b"])
    func aPathIsAPath(_ name: String) throws {
        let scene = try Scene(records: 2)
        let pipeline = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write(
            "books.yaml",
            pipeline.replacingOccurrences(of: "store: sqlite:shop.db", with: "store: \"sqlite:./\(name)\""))
        for arguments in [["run", "books.yaml"], ["run", "books.yaml", "--store", "sqlite:./\(name)"]] {
            let run = try Program.start(arguments, in: scene.path).wait()
            #expect(run.code == 0, "\(run.output)\(run.errors)")
        }
        #expect(FileManager.default.fileExists(atPath: scene.folder.file(name)))
        let status = try Program.run("status", "--store", "sqlite:./\(name)", in: scene.path)
        #expect(status.code == 0 && status.output.contains("books"), "\(status.output)\(status.errors)")
    }

    @Test("The run that makes a store with records in quarantine says once who may read it")
    func aNewStoreWithRecordsInQuarantineSaysWhoMayReadIt() throws {
        let words = "store `shop.db` keeps records in quarantine. Only its owner may read and write it (mode 0600)."
        let scene = try Scene(document: #"[{"id": 1, "title": "a"}, {"id": "x", "title": "b"}]"#)
        let runs = try (0..<2).map { _ in try Program.run("run", "books.yaml", "--no-progress", in: scene.path) }
        #expect(runs.map { $0.output.contains(words) } == [true, false], "\(runs)")
        let mode = try FileManager.default.attributesOfItem(atPath: scene.store)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let logged = try Program.run(
            "run", "books.yaml", "--store", "sqlite:new.db", "--quiet", "--log-level", "info", "--log-format", "json",
            in: scene.path)
        #expect(logged.errors.contains("store_private"), "\(logged.errors)")
        let clean = try Scene(records: 2)
        #expect(try !Program.run("run", "books.yaml", in: clean.path).output.contains("0600"))
    }
}
