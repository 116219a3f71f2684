import Foundation
import SluiceSQLite
import TestSupport
import Testing

/// Stores that cannot be used as they are: what is wrong has a name, and nothing of it changes.
@Suite struct BadStoreTests {
    /// One store, and what is said of it.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        /// The store, relative to the folder.
        var store = "shop.db"
        let words: [String]
        /// What a plan says; empty where it succeeds.
        var planWords: [String]?
        /// How the program ends.
        var code: Int32 = 1
        let prepare: @Sendable (Scene) throws -> Void
        var testDescription: String { name }
    }

    @Test(arguments: rows)
    func aStoreThatCannotBeUsedSaysWhy(row: Row) throws {
        try check(row) { try Program.start($0, in: $1).wait() }
    }

    @Test(.enabled(if: Privileges.canBeDropped, "permissions do not bind this user"), arguments: permissions)
    func aStoreThatMayNotBeUsedSaysWhy(row: Row) throws {
        try check(row) { try Privileges.run($0, in: $1) }
    }

    private func check(_ row: Row, run: ([String], String) throws -> Program.Result) throws {
        let scene = try Scene(records: 3)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        try scene.writeBooks(400, edition: 2)
        try row.prepare(scene)
        defer {
            try? scene.permit(0o755)
            try? scene.permit(0o644, "shop.db")
        }
        let before = try content(of: scene)
        func program(_ command: String) throws -> Program.Result {
            try run([command, "books.yaml", "--store", "sqlite:\(row.store)", "--changes", "0"], scene.path)
        }
        expectOneError(try program("run"), code: row.code, row.words)
        let plan = try program("plan")
        if row.planWords == [] {
            #expect(plan.code == 0, "\(plan.output)\(plan.errors)")
            let isNew = row.store != "shop.db"
            #expect(plan.output.contains(isNew ? "400 to insert" : "397 to insert, 3 to update"))
            // A plan says beforehand what would become of the run.
            for word in row.words + ["warning: books: A run could not keep what this plan shows."] {
                #expect(plan.errors.contains(word), "\(plan.errors)")
            }
        } else {
            expectOneError(plan, code: row.code, row.planWords ?? row.words)
        }
        #expect(try content(of: scene) == before, "byte for byte, without a file beside it")
    }

    @Test(.enabled(if: Privileges.canBeDropped, "permissions do not bind this user"))
    func aStoreThatMayOnlyBeReadIsPlannedWithWhatItRemembers() throws {
        let server = try LoopbackServer { request in
            request.header("If-None-Match") == nil
                ? .text(#"[{"id": 1, "title": "x", "price": 1}]"#, headers: [("ETag", "\"1\"")])
                : .text("", status: 304, headers: [("ETag", "\"1\"")])
        }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        try scene.permit(0o444, "shop.db")
        try scene.permit(0o555)
        defer { try? scene.permit(0o755) }
        let before = try content(of: scene)
        let plan = try Privileges.run(["plan", "books.yaml", "--format", "json"], in: scene.path)
        #expect(plan.code == 0, "\(plan.errors)")
        #expect(plan.output.contains(#""not_modified":1"#), "\(plan.output)")
        #expect(try content(of: scene) == before, "byte for byte, without a file beside it")
    }

    @Test func aDatabaseThatIsNoStoreYetIsPlannedOverHTTP() throws {
        let server = try LoopbackServer { _ in .text(#"[{"id": 1, "title": "x", "price": 1}]"#) }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        _ = try Connection(path: scene.store, mode: .create).execute("CREATE TABLE mine (id INTEGER PRIMARY KEY)")
        for command in ["plan", "run"] {
            let result = try Program.run(command, "books.yaml", in: scene.path)
            #expect(result.code == 0, "\(command): \(result.errors)")
        }
    }

    /// Every file of the scene with its bytes; nil for what is no file or may not be read.
    private func content(of scene: Scene) throws -> [String: Data?] {
        let names = try FileManager.default.contentsOfDirectory(atPath: scene.path)
        return Dictionary(
            uniqueKeysWithValues: names.map { ($0, try? Data(contentsOf: URL(filePath: scene.folder.file($0)))) })
    }

    @Test(arguments: tables)
    func aTableThatRefusesSaysWhichRecord(row: Row) throws {
        let scene = try Scene(records: 3)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        try scene.writeBooks(5, edition: 2)
        try row.prepare(scene)
        let before = try StoreDump(scene.store)
        for command in ["plan", "run"] {
            let result = try Program.run(command, "books.yaml", in: scene.path)
            // A plan never comes to the end of its transaction.
            if command == "plan" && row.name.contains("checked at the end") {
                #expect(result.code == 0)
                continue
            }
            expectOneError(result, code: row.code, row.words)
        }
        let after = try StoreDump(scene.store)
        #expect(after.differences(from: before) == [])
        if before.runs.isEmpty { return }
        #expect(after.runs.count == before.runs.count + 1)
        let counts = "SELECT inserted, updated, deleted FROM _sluice_runs WHERE status = 'failed'"
        #expect(try scene.query(counts) == ["0|0|0"], "what was not kept is not counted")
    }

    /// Another program that holds the store: a run says so, and waits where it is asked to.
    @Test(arguments: ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"])
    func aStoreThatIsLockedSaysSoOrIsWaitedFor(statement: String) throws {
        let scene = try Scene(records: 3)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        try scene.writeBooks(3, edition: 2)
        let before = try StoreDump(scene.store)
        let other = try Connection(path: scene.store, mode: .existing)
        try other.execute(statement)
        for command in ["plan", "run"] {
            let result = try Program.run(command, "books.yaml", "--wait", "0s", in: scene.path)
            expectOneError(result, code: 6, ["`shop.db` is locked by another program", "--wait 10m"])
            #expect(result.output.contains("not done, the store is in use"))
        }
        let waiting = try Program.start(["run", "books.yaml", "--wait", "1m"], in: scene.path)
        try other.execute("ROLLBACK")
        let result = try waiting.wait()
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        #expect(try scene.query("SELECT DISTINCT substr(title, -1) FROM books") == ["2"])
        #expect(before.runs.count == 1)
    }
}
