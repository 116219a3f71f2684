import Foundation
import TestSupport
import Testing

/// A saved plan is carried out as it stands, or says why not.
@Suite("A saved plan") struct SavedPlanTests: SavedPlanSuite {
    // MARK: What it does

    @Test func isCarriedOutWithoutItsSource() throws {
        let scene = try planned()
        try FileManager.default.removeItem(atPath: scene.folder.file("books.json"))
        let result = try apply(scene)
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        #expect(try titles(scene) == Self.editions(2, 2, 2))
        #expect(result.output.contains("3 updated"), "\(result.output)")
    }

    @Test func makesTheTablesOfANewStore() throws {
        let scene = try Scene(records: 3)
        try plan(scene)
        #expect(!FileManager.default.fileExists(atPath: scene.store))
        #expect(try apply(scene).code == 0)
        #expect(try titles(scene) == Self.editions(1, 1, 1))
        // It is done once.
        let again = try apply(scene)
        #expect(again.code == 4 && again.errors.contains("This plan was applied in run 1, at 20"), "\(again.errors)")
    }

    @Test func refusesUniqueValuesThatWereTakenSince() throws {
        let scene = try Scene(
            document: #"[{"id": 1, "note": "a", "price": 1}]"#, fields: "id: int, note: string, price: int")
        let yaml = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write("books.yaml", yaml.replacing("table: books,", with: "table: books, unique: [[note]],"))
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        try scene.execute("INSERT INTO books VALUES (89, 'd', 0)")
        try scene.write(
            "books.json",
            #"[{"id": 1, "note": "b", "price": 2}, {"id": 2, "note": "c", "price": 1}, {"id": 3, "note": "d", "price": 1}]"#
        )
        try plan(scene)
        try scene.execute("INSERT INTO books VALUES (90, 'b', 0), (91, 'c', 0)")
        let rows = "SELECT id, note, price FROM books ORDER BY id"
        let before = try scene.query(rows)
        let refused = try apply(scene)
        #expect(refused.code == 4, "\(refused.output)\(refused.errors)")
        #expect(
            refused.errors.contains(#"does not take 2 records as the plan shows"#)
                && refused.errors.contains(#"Book {"id":1} (note), Book {"id":2} (note)"#), "\(refused.errors)")
        #expect(try scene.query(rows) == before)
        // What the plan shows in conflict is in conflict.
        try scene.execute("DELETE FROM books WHERE id > 89")
        let applied = try apply(scene, "--allow-older")
        #expect(applied.code == 0, "\(applied.output)\(applied.errors)")
        #expect(try scene.query(rows) == ["1|b|2", "2|c|1", "3|null|1", "89|d|0"])
    }

    @Test func historyTellsThatAPlanWasAppliedAndWhatItLeft() throws {
        let scene = try planned()
        try scene.execute("UPDATE books SET title = 'Mine' WHERE id = 2")
        #expect(try apply(scene).code == 5)
        func history(_ more: String...) throws -> String {
            try Program.start(["history"] + more + ["--store", "sqlite:shop.db"], in: scene.path).wait().output
        }
        let line = try history().split(separator: "\n").first ?? ""
        #expect(line.hasPrefix("2  books  apply  ") && line.contains("2 updated, 1 not as planned"), "\(line)")
        #expect(try history("--format", "json").contains(#""command":"apply""#))
        let again = try apply(scene)
        #expect(again.code == 4, "\(again.output)\(again.errors)")
        #expect(again.errors.contains("This plan was applied in run 2, at 20"), "\(again.errors)")
        #expect(again.errors.contains("1 record was not as planned then: make a new plan for it."), "\(again.errors)")
        // It is the last run over the source all the same.
        let status = try Program.run("status", "--store", "sqlite:shop.db", in: scene.path)
        #expect(status.output.hasPrefix("books  run 2 "), "\(status.output)")
        // What was taken back is not applied any more.
        #expect(try Program.run("undo", "2", "--store", "sqlite:shop.db", in: scene.path).code == 0)
        let undone = try apply(scene)
        #expect(
            undone.code == 4 && undone.errors.contains("run 3, an undo of run 2, came after it"), "\(undone.errors)")
    }

    /// Files that are read side by side are kept one after the other.
    @Test(arguments: ["json", "jsonl"])
    func keepsEachFileAsItIs(_ format: String) throws {
        let items = ["p", "q", "r", "s", "t", "u"]
        let scene = try Scene()
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            store: sqlite:shop.db
            source: {base_url: "file:."}
            entities:
              Book: {table: books, primary_key: [part, id], fields: {id: int, title: string, part: {value: "{{ item }}"}}}
            streams:
              - name: books
                entity: Book
                for_each: [\(items.joined(separator: ", "))]
                path: "part_{{ item }}.json"
                format: \(format)
            """)
        for item in items {
            let records = (0..<40).map { "{\"id\": \($0), \"title\": \"\(item)\"}" }
            let text = format == "json" ? "[\(records.joined(separator: ","))]" : records.joined(separator: "\n")
            try scene.write("part_\(item).json", text)
        }
        for _ in 0..<6 {
            try? FileManager.default.removeItem(atPath: scene.store)
            try plan(scene)
            let result = try apply(scene)
            #expect(result.code == 0, "\(result.output)\(result.errors)")
            #expect(try scene.query("SELECT count(*), sum(part = title) FROM books") == ["240|240"])
        }
    }

    /// What one stream loses and another one lists is seen to pass, also where nothing may happen that is not planned.
    @Test(arguments: ["hard", "soft"], [["a", "b"], ["b", "a"]])
    func takesWhatPassesToAnotherStream(_ mode: String, _ order: [String]) throws {
        let scene = try Scene()
        let streams = order.map { name in
            "- {name: \(name), entity: A, path: \(name).json, delete_missing: {mode: \(mode), max_delete: 100%, min_records: 0}}"
        }
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            store: sqlite:shop.db
            source: {base_url: "file:."}
            merge: {precedence: [a, b]}
            entities: {A: {primary_key: [id], fields: {id: int, s: string}}}
            streams:
              \(streams.joined(separator: "\n  "))
            """)
        try scene.write("a.json", #"[{"id":1,"s":"x"},{"id":2,"s":"x"}]"#)
        try scene.write("b.json", "[]")
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        try scene.write("a.json", #"[{"id":2,"s":"x"}]"#)
        try scene.write("b.json", #"[{"id":1,"s":"y"}]"#)
        try plan(scene)
        let result = try apply(scene)
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        #expect(!result.output.contains("changed since the plan"), "\(result.output)")
        #expect(try scene.query("SELECT id, s FROM a ORDER BY id") == ["1|y", "2|x"])
    }

    @Test func asksNoServerAgain() throws {
        let server = try LoopbackServer { request in
            if request.target.contains("page=2") { return .text(#"[{"id": 3, "title": "c", "price": 3}]"#) }
            let first = #"[{"id": 1, "title": "a", "price": 1}, {"id": 2, "title": "b", "price": 2}]"#
            return .text(first, headers: [("Link", "</books?page=2>; rel=\"next\""), ("ETag", "\"one\"")])
        }
        let scene = try Scene(url: server.url)
        try plan(scene)
        let asked = server.requests.count
        server.stop()
        let result = try apply(scene, "--format", "json")
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        #expect(server.requests.count == asked)
        #expect(try titles(scene) == ["a", "b", "c"])
        #expect(result.output.contains(#""command":"apply""#), "\(result.output)")
        #expect(result.output.contains(#""planned":3,"made":3,"moved":0"#), "\(result.output)")
    }

    @Test func keepsCursorsAsARunDoes() throws {
        let server = try LoopbackServer { request in
            .text(
                request.target.contains("since=2026")
                    ? "[]" : #"[{"id": 1, "title": "a", "price": 1, "at": "2026-01-02T00:00:00Z"}]"#)
        }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            store: sqlite:shop.db
            source: {base_url: "\(server.url)"}
            entities: {Book: {table: books, primary_key: id, fields: {id: int, title: string, at: datetime}}}
            streams:
              - name: books
                entity: Book
                path: /books
                params: {since: "{{ cursor.start }}"}
                incremental: {cursor_field: at, initial_value: 2020-01-01T00:00:00Z}
            """)
        try plan(scene)
        #expect(try apply(scene).code == 0)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        #expect(server.requests.last?.target.contains("since=2026-01-0") == true, "\(server.requests.map(\.target))")
    }

    // MARK: What it shows

    @Test(arguments: ["text", "json", "markdown", "csv", "html"])
    func showsWhatThePlanShowed(_ form: String) throws {
        let scene = try planned()
        try scene.execute("UPDATE books SET title = 'Mine' WHERE id = 2")
        try scene.execute("UPDATE books SET title = 'Mine' WHERE id = 3")
        try scene.writeBooks(4, edition: 3)
        try plan(scene, "--format", form, "--output", "plan.out")
        let saved = try String(contentsOfFile: scene.folder.file("plan.out"), encoding: .utf8)
        // Neither source nor store is looked at.
        try FileManager.default.removeItem(atPath: scene.store)
        let shown = try Program.run("show", Self.file, "--format", form, in: scene.path)
        #expect(shown.code == 0, "\(shown.errors)")
        #expect(shown.output == saved)
        #expect(shown.output.contains("edition 3"))
    }

    @Test func markdownSaysWhatIsApproved() throws {
        let scene = try planned()
        let shown = try Program.run("show", Self.file, "--format", "markdown", in: scene.path)
        #expect(shown.code == 0, "\(shown.errors)")
        let words = shown.output.split(separator: "\n").first { $0.hasPrefix("Planned at `20") } ?? ""
        #expect(words.contains(" for the store `sqlite:"), "\(shown.output)")
        #expect(
            words.contains("**Nothing was written yet.** To do exactly this, before another run changes the store:"))
        #expect(words.hasSuffix(": `sluice apply \(Self.file)`."), "\(words)")
        // What a plan without a file shows is nothing to approve.
        let other = try Program.run("plan", "books.yaml", "--format", "markdown", in: scene.path)
        #expect(!other.output.contains("Planned at `"), "\(other.output)")
    }

    /// Who approves in a browser sees what is approved.
    @Test func pageSaysWhatIsApproved() throws {
        let scene = try planned()
        let shown = try Program.run("show", Self.file, "--format", "html", in: scene.path)
        #expect(shown.code == 0, "\(shown.errors)")
        let words = shown.output.split(separator: "\n").first { $0.contains("Nothing was written yet.") } ?? ""
        #expect(words.hasPrefix("<p>Planned for the store <code>sqlite:"), "\(words)")
        #expect(
            words.hasSuffix(
                "before another run changes the store: <code>sluice apply \(Self.file)</code>.</p>"), "\(words)")
        let other = try Program.run("plan", "books.yaml", "--format", "html", in: scene.path)
        #expect(!other.output.contains("sluice apply") && !other.output.contains("Planned for"))
    }

    @Test func whatStandsWithinRecordsIsComparedWithTheOlderAnswer() throws {
        let scene = try Scene(records: 1)
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            store: sqlite:shop.db
            source: {base_url: "file:."}
            entities:
              Book:
                primary_key: [id]
                fields: {id: int, title: string}
                children:
                  parts: {entity: Part, from: "parts[*]", key: [pid]}
                  lines: {entity: Line, from: "lines[*]", ordered: true}
              Part: {fields: {pid: int, name: string}}
              Line: {fields: {text: string}}
            streams: [{name: books, entity: Book, path: books.json}]
            """)
        func answer(_ text: String) throws {
            try scene.write(
                "books.json",
                #"[{"id": 1, "title": "t", "parts": [{"pid": 1, "name": "\#(text)"}], "lines": [{"text": "\#(text)"}]}]"#
            )
        }
        try answer("v1")
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        try answer("v2")
        try plan(scene)
        try answer("v3")
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        let applied = try apply(scene, "--allow-older")
        #expect(applied.code == 5, "\(applied.output)\(applied.errors)")
        #expect(try scene.query("SELECT name FROM part UNION ALL SELECT text FROM line") == ["v3", "v3"])
    }

    // MARK: Kills

    @Test func anApplyThatIsKilledLeavesTheStoreAsItWas() throws {
        let count = 20_000
        let scene = try planned(books: count)
        let start = try Data(contentsOf: URL(filePath: scene.store))
        let before = try scene.query("SELECT id, title FROM books ORDER BY id")
        var early = 0
        for threshold in [300_000, 900_000, 1_500_000] {
            try start.write(to: URL(filePath: scene.store))
            for ending in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: scene.store + ending) }
            let running = try Program.start(["apply", Self.file, "--quiet"], in: scene.path)
            func size() -> Int {
                (try? FileManager.default.attributesOfItem(atPath: scene.store + "-wal")[.size] as? Int) ?? 0
            }
            while running.process.isRunning && size() < threshold {}
            kill(running.process.processIdentifier, SIGKILL)
            let code = try running.wait().code
            #expect(try scene.query("PRAGMA integrity_check") == ["ok"])
            let after = try scene.query("SELECT id, title FROM books ORDER BY id")
            if code == 128 + 9, after == before {
                early += 1
                #expect(try apply(scene, "--quiet").code == 0)
            }
            #expect(try scene.query("SELECT count(*) FROM books WHERE title LIKE '%edition 2'") == ["\(count)"])
        }
        #expect(early > 0, "no kill came before its commit")
    }
}
