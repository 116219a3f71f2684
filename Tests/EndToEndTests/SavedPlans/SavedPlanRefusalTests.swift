import Foundation
import SluiceSQLite
import Synchronization
import TestSupport
import Testing

/// Where a saved plan is not carried out, or not saved.
@Suite("A saved plan is refused") struct SavedPlanRefusalTests: SavedPlanSuite {
    /// What may come between a plan and its being applied.
    enum Meanwhile: String, CaseIterable, CustomTestStringConvertible {
        case pipelineChanges, aRunCame, aDecisionCame, anotherStore, aTableIsGone
        var testDescription: String { rawValue }

        var words: String {
            switch self {
            case .pipelineChanges: "is not as it was when the plan was made"
            case .aRunCame: "run 2 came after it"
            case .aDecisionCame: "run 2, a decision on conflicts, came after it"
            case .anotherStore: "or this one has gone another way since it was copied: run 1 of the plan's store began"
            case .aTableIsGone: "books"
            }
        }

        func happen(to scene: Scene) throws {
            switch self {
            case .pipelineChanges:
                let text = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
                try scene.write("books.yaml", text.replacing("price: decimal", with: "price: decimal, isbn: string"))
            case .aRunCame: _ = try Program.run("run", "books.yaml", in: scene.path)
            case .aDecisionCame:
                _ = try Program.run("run", "books.yaml", in: scene.path)
                try scene.execute("UPDATE _sluice_runs SET command = 'resolve' WHERE id = 2")
            case .anotherStore: try scene.execute("UPDATE _sluice_runs SET started_at = '2020-01-01T00:00:00Z'")
            case .aTableIsGone: try scene.execute("DROP TABLE books")
            }
        }
    }

    @Test(arguments: Meanwhile.allCases)
    func isRefusedWhereItNoLongerFits(_ change: Meanwhile) throws {
        let scene = try planned()
        try change.happen(to: scene)
        let before = try scene.contents()
        let result = try apply(scene)
        #expect([1, 4].contains(result.code), "\(result.output)\(result.errors)")
        #expect((result.output + result.errors).contains(change.words), "\(result.output)\(result.errors)")
        #expect(try scene.contents() == before)
    }

    /// A script may make several stores within a second, each with its first run.
    @Test func isToldFromTheStoreOfAnotherPlaceWhoseRunsAreAlike() throws {
        let scene = try Scene(records: 2)
        for store in ["shop", "other"] {
            #expect(
                try Program.run("run", "books.yaml", "--store", "sqlite:\(store).db", in: scene.path).code == 0)
        }
        let started = try scene.query("SELECT started_at FROM _sluice_runs")[0]
        let other = try Connection(path: scene.folder.file("other.db"), mode: .existing)
        try other.execute("UPDATE _sluice_runs SET started_at = '\(started)'")
        try scene.writeBooks(2, edition: 2)
        try plan(scene, "--store", "sqlite:shop.db")
        let refused = try apply(scene, "--store", "sqlite:other.db", "--allow-older")
        #expect(refused.code == 4, "\(refused)")
        #expect(refused.errors.contains("was made for another store"), "\(refused)")
        #expect(try other.rows("SELECT count(*) FROM books WHERE title LIKE '%edition 2'") == [[.integer(0)]])
        // The same store at another place.
        try scene.execute("VACUUM INTO 'moved.db'".replacing("moved.db", with: scene.folder.file("moved.db")))
        let moved = try apply(scene, "--store", "sqlite:moved.db")
        #expect(moved.code == 0, "\(moved)")
    }

    /// A run that fails is noted, and changes nothing; so is an apply that fails once it has begun.
    @Test func isAppliedAfterARunThatWroteNothing() throws {
        let scene = try planned()
        let text = try String(contentsOfFile: scene.folder.file("books.json"), encoding: .utf8)
        try scene.write("books.json", "[{")
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 1)
        try scene.write("books.json", text)
        try scene.execute("ALTER TABLE books RENAME TO other")
        let failed = try apply(scene)
        #expect([1, 4].contains(failed.code), "\(failed.output)\(failed.errors)")
        try scene.execute("ALTER TABLE other RENAME TO books")
        let runs = "SELECT id, status FROM _sluice_runs ORDER BY id"
        #expect(
            try scene.query(runs).map { $0.replacing("failed", with: "refused") } == [
                "1|succeeded", "2|refused", "3|refused",
            ])
        let applied = try apply(scene)
        #expect(applied.code == 0, "\(applied.output)\(applied.errors)")
        #expect(try scene.query(runs).last == "4|succeeded")
    }

    @Test func isComparedRecordByRecordWhereARunCame() throws {
        let scene = try planned()
        try scene.writeBooks(4, edition: 3)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        let result = try apply(scene, "--allow-older")
        // The plan knows nothing of the fourth book, and the others have moved.
        #expect(result.code == 5, "\(result.output)\(result.errors)")
        #expect(try titles(scene) == Self.editions(3, 3, 3, 3))
    }

    /// A run that moved the cursor would have the plan ask for something else.
    @Test func isRefusedWhereItWouldAskForSomethingElse() throws {
        let month = Mutex(2)
        let server = try LoopbackServer { _ in
            let month = month.withLock { $0 }
            return .text(#"[{"id": 1, "title": "\#(month)", "at": "2026-0\#(month)-01T00:00:00Z"}]"#)
        }
        defer { server.stop() }
        func say(_ next: Int) { month.withLock { $0 = next } }
        let scene = try Scene()
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            store: sqlite:shop.db
            source: {base_url: "\(server.url)"}
            entities: {Book: {table: books, primary_key: id, fields: {id: int, title: string, at: datetime}}}
            streams:
            - {name: books, entity: Book, path: books.json, params: {since: "{{ cursor.start }}"},
               incremental: {cursor_field: at, initial_value: 2026-01-01T00:00:00Z}}
            """)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        say(3)
        #expect(try Program.run("plan", "books.yaml", "--save", Self.file, in: scene.path).code == 0)
        say(4)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        let result = try apply(scene, "--allow-older")
        #expect(result.code == 4 && result.errors.contains("has no answer to"), "\(result)")
        #expect(try scene.query("SELECT title FROM books") == ["4"])
        #expect(try scene.query("SELECT status FROM _sluice_runs ORDER BY id").last == "refused")
    }

    @Test(arguments: [
        ("{}", Int32(4), "is no plan"), ("sluice.plan/5\nx", 4, "was saved by a newer sluice"),
        ("sluice.plan/3\nx", 4, "was saved by an older sluice"), ("sluice.plan/4\n", 1, "is damaged"),
        ("sluice.plan/4\nx", 1, "is damaged"), ("", 4, "is no plan"),
    ])
    func isToldFromOtherFiles(_ text: String, code: Int32, words: String) throws {
        let scene = try Scene()
        try scene.write(Self.file, text)
        for command in [["apply"], ["show"]] {
            let result = try Program.start(command + [Self.file], in: scene.path).wait()
            #expect(result.code == code && result.errors.contains(words), "\(result.code) \(result.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: scene.store))
    }

    /// Whatever byte of it is spoilt, and wherever it ends: both commands say so, and no run begins.
    @Test func isRefusedWhereItIsDamaged() throws {
        let scene = try planned()
        let whole = [UInt8](try Data(contentsOf: URL(filePath: scene.folder.file(Self.file))))
        let runs = try scene.query("SELECT * FROM _sluice_runs")
        let store = try scene.contents()
        var files = [20, whole.count / 2, whole.count - 1].map { Array(whole.prefix($0)) }
        files.append(whole + [0])
        files.append(whole + whole)
        for place in stride(from: 14, to: whole.count, by: whole.count / 8) {
            files.append(whole)
            files[files.count - 1][place] ^= 4
        }
        for bytes in files {
            try scene.write(Self.file, bytes: bytes)
            for command in ["show", "apply"] {
                let result = try Program.run(command, Self.file, in: scene.path)
                #expect(result.code == 1 && result.output.isEmpty, "\(result)")
                #expect(result.errors.contains("The plan `books.plan` is damaged"), "\(result)")
                #expect(result.errors.contains("Make it again"), "\(result)")
            }
        }
        #expect(try scene.query("SELECT * FROM _sluice_runs") == runs)
        #expect(try scene.contents() == store)
    }

    /// What goes to the quarantine belongs to what a plan shows.
    @Test func isRefusedWhereOtherValuesWouldGoToTheQuarantine() throws {
        let scene = try Scene(records: 1)
        func pipeline(_ type: String) -> String {
            """
            version: 1
            name: shop
            store: sqlite:shop.db
            source: {base_url: "file:."}
            entities: {Item: {table: items, primary_key: id, fields: {id: int, value: \(type)}}}
            streams: [{name: items, entity: Item, path: items.json}]
            """
        }
        try scene.write("shop.yaml", pipeline("string"))
        try scene.write("items.json", #"[{"id": 1, "value": "7"}, {"id": 2, "value": "8"}]"#)
        #expect(try Program.run("run", "shop.yaml", in: scene.path).code == 0)
        try scene.execute("UPDATE items SET value = 'E' WHERE id = 1")
        try scene.write("shop.yaml", pipeline("int"))
        try scene.write("items.json", #"[{"id": 1, "value": 7}, {"id": 2, "value": 8}]"#)
        let planned = try Program.run(
            "plan", "shop.yaml", "--save", Self.file, "--allow-schema", "quarantine", in: scene.path)
        #expect(planned.code == 0 && planned.output.contains("! values of items, 1 row"), "\(planned)")
        try scene.execute("UPDATE items SET value = 'F' WHERE id = 2")
        let refused = try apply(scene)
        #expect(refused.code == 4, "\(refused)")
        #expect((refused.output + refused.errors).contains("other values of `value` of `items`"), "\(refused)")
        #expect(try scene.query("SELECT value FROM items ORDER BY id") == ["E", "F"])
        #expect(!(refused.output + refused.errors).contains("Run once with `--allow-schema"), "\(refused)")
        // As it was when the plan was made.
        try scene.execute("UPDATE items SET value = '8' WHERE id = 2")
        let applied = try apply(scene)
        #expect(applied.code == 0, "\(applied)")
        #expect(try scene.query("SELECT id, quote(value) FROM items ORDER BY id") == ["1|NULL", "2|8"])
    }

    @Test func isNotSavedWhereItIsNotWhole() throws {
        let scene = try planned()
        try scene.write("books.json", "nonsense")
        let failed = try Program.run("plan", "books.yaml", "--save", "new.plan", in: scene.path)
        #expect(failed.code == 1, "\(failed.output)")
        try scene.writeBooks(3)
        try scene.write("other.txt", "mine")
        let taken = try Program.run("plan", "books.yaml", "--save", "other.txt", in: scene.path)
        #expect(taken.code == 1 && taken.errors.contains("is no saved plan"), "\(taken.errors)")
        let missing = try Program.run("plan", "books.yaml", "--save", "no/such/folder.plan", in: scene.path)
        #expect(missing.code == 1 && missing.errors.contains("The plan cannot be saved"), "\(missing.errors)")
        let names = try FileManager.default.contentsOfDirectory(atPath: scene.path).filter { $0.hasSuffix(".part") }
        #expect(names == [] && !FileManager.default.fileExists(atPath: scene.folder.file("new.plan")))
    }
}
