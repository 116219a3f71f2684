import Foundation
import SluiceGzip
import TestSupport
import Testing

/// A saved plan is carried out as it stands, or says why not.
@Suite("A saved plan") struct SavedPlanTests {
    private static let file = "books.plan"

    /// A store with books, of which the source has new editions, and the plan of that.
    private func planned(books: Int = 3, edition: Int = 2) throws -> Scene {
        let scene = try Scene(records: books)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        try scene.writeBooks(books, edition: edition)
        try plan(scene)
        return scene
    }

    private func plan(_ scene: Scene, _ more: String...) throws {
        let result = try Program.start(["plan", "books.yaml", "--save", Self.file] + more, in: scene.path).wait()
        #expect(result.code == 0, "\(result.output)\(result.errors)")
    }

    private func apply(_ scene: Scene, _ more: String...) throws -> Program.Result {
        try Program.start(["apply", Self.file] + more, in: scene.path).wait()
    }

    private func titles(_ scene: Scene) throws -> [String] { try scene.query("SELECT title FROM books ORDER BY id") }

    private static func editions(_ numbers: Int...) -> [String] {
        numbers.enumerated().map { "Book \($0 + 1), edition \($1)" }
    }

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
        #expect(undone.code == 4 && undone.errors.contains("run 3 came after it"), "\(undone.errors)")
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

    // MARK: What has moved

    /// What people may do to a row between plan and apply.
    private enum Hand: CaseIterable { case nothing, title, price, delete }

    /// What the source may do to a record between run and plan.
    private enum Remote: CaseIterable { case same, title, gone, new }

    private struct Row { let id: Int, remote: Remote, hand: Hand }

    private func json(_ rows: [Row], edition: Int) -> String {
        let records = rows.compactMap { row -> String? in
            if edition == 1 ? row.remote == .new : row.remote == .gone { return nil }
            let number = row.remote == .title ? edition : 1
            return "{\"id\": \(row.id), \"title\": \"Book \(row.id), edition \(number)\", \"price\": 9.5}"
        }
        return "[\(records.joined(separator: ",\n"))]"
    }

    private func change(_ row: Row, by hand: Hand) -> String? {
        switch hand {
        case .nothing: nil
        case .title:
            row.remote == .new
                ? "INSERT INTO books (id, title, price) VALUES (\(row.id), 'by hand', '1')"
                : "UPDATE books SET title = 'by hand' WHERE id = \(row.id)"
        case .price: row.remote == .new ? nil : "UPDATE books SET price = '1.25' WHERE id = \(row.id)"
        case .delete: row.remote == .new ? nil : "DELETE FROM books WHERE id = \(row.id)"
        }
    }

    /// An independent model: a row that people changed since the plan stays as they left it, and all others become what the
    /// plan says. With `--stale merge`, and after a run behind it, the tables are those of a run without a plan.
    @Test(arguments: [UInt64(11), 12, 13, 14])
    func leavesWhatPeopleChangedSince(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let rows = (1...40).map { id in
            Row(
                id: id, remote: Remote.allCases.randomElement(using: &random) ?? .same,
                hand: Bool.random(using: &random) ? Hand.allCases.randomElement(using: &random) ?? .nothing : .nothing)
        }
        let scene = try Scene()
        try scene.write("books.json", json(rows, edition: 1))
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        try scene.write("books.json", json(rows, edition: 2))
        try plan(scene)
        for row in rows { if let sql = change(row, by: row.hand) { try scene.execute(sql) } }
        let start = try Data(contentsOf: URL(filePath: scene.store))

        let skipped = try apply(scene, "--format", "json")
        let expected = rows.compactMap { row -> String? in
            let isTouched = change(row, by: row.hand) != nil
            let isNew = row.remote == .title || row.remote == .new
            var title = "Book \(row.id), edition \(isTouched ? 1 : isNew && row.remote == .title ? 2 : 1)"
            var price = "9.5"
            if isTouched {
                if row.hand == .delete { return nil }
                if row.hand == .title { title = "by hand" }
                if row.remote == .new { price = "1" } else if row.hand == .price { price = "1.25" }
            } else if row.remote == .gone {
                return nil
            }
            return "\(row.id)|\(title)|\(price)"
        }
        let here = try scene.query("SELECT id, title, price FROM books ORDER BY id")
        #expect(here == expected, "seed \(seed)\n\(skipped.output)\(skipped.errors)")
        // A change that the plan has and a hand has prevented is told.
        let moved = rows.filter { change($0, by: $0.hand) != nil && $0.remote != .same }.count
        #expect(skipped.code == (moved > 0 ? 5 : 0), "seed \(seed): \(skipped.output)\(skipped.errors)")
        #expect(try scene.query("SELECT count(*) FROM _sluice_conflicts") == ["0"], "seed \(seed)")
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        let behind = try scene.query("SELECT id, title, price FROM books ORDER BY id")
        let conflicts = try scene.query("SELECT key, field, kind, status FROM _sluice_conflicts ORDER BY 1, 2")

        // Both ways lead to where a run without a plan leads.
        for way in [["run", "books.yaml"], ["apply", Self.file, "--stale", "merge"]] {
            for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: scene.store + ending) }
            try start.write(to: URL(filePath: scene.store))
            let result = try Program.start(way, in: scene.path).wait()
            #expect(result.code == 0, "seed \(seed): \(result.output)\(result.errors)")
            let there = try scene.query("SELECT id, title, price FROM books ORDER BY id")
            #expect(there == behind, "seed \(seed): \(way)")
            let open = try scene.query("SELECT key, field, kind, status FROM _sluice_conflicts ORDER BY 1, 2")
            #expect(open == conflicts, "seed \(seed): \(way)")
        }
    }

    @Test func leavesWhatStandsWithinAMovedRecord() throws {
        let scene = try Scene()
        func write(_ edition: Int) throws {
            let orders = (1...2).map { id in
                "{\"id\": \(id), \"note\": \"n\(edition)\", \"lines\": [{\"sku\": \"a\", \"n\": \(edition)}, {\"sku\": \"x\(edition)\", \"n\": 1}]}"
            }
            try scene.write("books.json", "[\(orders.joined(separator: ","))]")
        }
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            store: sqlite:shop.db
            source: {base_url: "file:."}
            entities:
              Order:
                table: orders
                primary_key: id
                fields: {id: int, note: string}
                children:
                  lines: {entity: Line, from: "lines[*]", key: [sku]}
              Line: {table: lines, fields: {sku: string, n: int}}
            streams: [{name: books, entity: Order, path: books.json}]
            """)
        try write(1)
        let first = try Program.run("run", "books.yaml", in: scene.path)
        #expect(first.code == 0, "\(first.output)\(first.errors)")
        try write(2)
        try plan(scene)
        try scene.execute("UPDATE orders SET note = 'by hand' WHERE id = 1")
        let result = try apply(scene)
        #expect(result.code == 5, "\(result.output)\(result.errors)")
        #expect(try scene.query("SELECT id, note FROM orders ORDER BY 1") == ["1|by hand", "2|n2"])
        let lines = try scene.query("SELECT order_id, sku, n FROM lines ORDER BY 1, 2")
        #expect(lines == ["1|a|1", "1|x1|1", "2|a|2", "2|x2|1"], "\(lines)")
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        let after = try scene.query("SELECT order_id, sku, n FROM lines ORDER BY 1, 2")
        #expect(after == ["1|a|2", "1|x2|1", "2|a|2", "2|x2|1"], "\(after)")
    }

    /// Something that stands within a record and changes hands between a plan and its being applied.
    struct Within: CustomTestStringConvertible {
        let testDescription: String
        /// What the record holds at first, and when the plan is made.
        let first: String, second: String
        /// What people do before the plan, and after it.
        var before: String?
        let after: String
        /// The rows that show it, which stay as people left them.
        let rows: String
    }

    @Test(arguments: [
        Within(
            testDescription: "a child whose edit is taken back", first: #""parts":[{"pid":1,"name":"x"}]"#,
            second: #""parts":[{"pid":1,"name":"y"}]"#, before: "UPDATE part SET name = 'z'",
            after: "UPDATE part SET name = 'x'", rows: "SELECT name FROM part"),
        Within(
            testDescription: "a child that is edited since", first: #""parts":[{"pid":1,"name":"x"}]"#,
            second: #""parts":[{"pid":1,"name":"y"}]"#, after: "UPDATE part SET name = 'z'",
            rows: "SELECT name FROM part"),
        Within(
            testDescription: "a child that goes and is edited since", first: #""parts":[{"pid":1,"name":"x"}]"#,
            second: #""parts":[]"#, after: "UPDATE part SET name = 'z'", rows: "SELECT name FROM part"),
        Within(
            testDescription: "a child that comes and was added since", first: #""parts":[]"#,
            second: #""parts":[{"pid":1,"name":"x"}]"#, after: "INSERT INTO part VALUES (1, 1, 'z')",
            rows: "SELECT name FROM part"),
        Within(
            testDescription: "an embedded record that is edited since", first: #""by":{"id":7,"name":"x"}"#,
            second: #""by":{"id":7,"name":"y"}"#, after: "UPDATE person SET name = 'z'",
            rows: "SELECT name FROM person"),
        Within(
            testDescription: "an ordered list that is edited since", first: #""steps":[{"do":"a"},{"do":"b"}]"#,
            second: #""steps":[{"do":"a"},{"do":"c"}]"#, after: "UPDATE step SET do = 'z' WHERE position = 1",
            rows: "SELECT do FROM step ORDER BY position"),
        Within(
            testDescription: "an ordered list whose edit is taken back", first: #""steps":[{"do":"a"},{"do":"b"}]"#,
            second: #""steps":[{"do":"a"},{"do":"c"}]"#, before: "UPDATE step SET do = 'z' WHERE position = 0",
            after: "UPDATE step SET do = 'a' WHERE position = 0", rows: "SELECT do FROM step ORDER BY position"),
    ])
    func leavesWhatMovedWithinARecord(_ within: Within) throws {
        let scene = try Scene()
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            store: sqlite:shop.db
            source: {base_url: "file:."}
            entities:
              Item:
                table: item
                primary_key: id
                fields: {id: int, by: {ref: Person, from: by}}
                children:
                  parts: {entity: Part, from: "parts[*]", key: [pid]}
                  steps: {entity: Step, from: "steps[*]", ordered: true}
              Part: {table: part, fields: {pid: int, name: string}}
              Step: {table: step, fields: {do: string}}
              Person: {table: person, primary_key: id, fields: {id: int, name: string}}
            streams: [{name: books, entity: Item, path: books.json}]
            """)
        func write(_ text: String) throws { try scene.write("books.json", "[{\"id\":1,\(text)}]") }
        try write(within.first)
        let first = try Program.run("run", "books.yaml", in: scene.path)
        #expect(first.code == 0, "\(first.output)\(first.errors)")
        if let before = within.before { try scene.execute(before) }
        try write(within.second)
        try plan(scene)
        try scene.execute(within.after)
        func rows() throws -> [String] {
            try scene.query(within.rows) + scene.query("SELECT kind, status FROM _sluice_conflicts ORDER BY id")
        }
        let before = try rows()
        let result = try apply(scene, "--format", "json")
        #expect(result.code == 5, "\(result.output)\(result.errors)")
        #expect(try rows() == before, "\(result.output)")
        #expect(result.output.contains(#""moved":1"#), "\(result.output)")
    }

    // MARK: What is refused

    /// What may come between a plan and its being applied.
    enum Meanwhile: String, CaseIterable, CustomTestStringConvertible {
        case pipelineChanges, aRunCame, anotherStore, aTableIsGone
        var testDescription: String { rawValue }

        var words: String {
            switch self {
            case .pipelineChanges: "is not as it was when the plan was made"
            case .aRunCame: "run 2 came after it"
            case .anotherStore: "was made for another store"
            case .aTableIsGone: "books"
            }
        }

        func happen(to scene: Scene) throws {
            switch self {
            case .pipelineChanges:
                let text = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
                try scene.write("books.yaml", text.replacing("price: decimal", with: "price: decimal, isbn: string"))
            case .aRunCame: _ = try Program.run("run", "books.yaml", in: scene.path)
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

    @Test func isComparedRecordByRecordWhereARunCame() throws {
        let scene = try planned()
        try scene.writeBooks(4, edition: 3)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        let result = try apply(scene, "--allow-older")
        // The plan knows nothing of the fourth book, and the others have moved.
        #expect(result.code == 5, "\(result.output)\(result.errors)")
        #expect(try titles(scene) == Self.editions(3, 3, 3, 3))
    }

    @Test(arguments: [
        ("{}", Int32(4), "is no plan"), ("sluice.plan/3\nx", 4, "was saved by a newer sluice"),
        ("sluice.plan/1\n", 1, "is damaged"), ("sluice.plan/2\nx", 1, "is damaged"), ("", 4, "is no plan"),
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

    /// Whatever byte of it is spoilt: an error or the plan itself, and never a trap.
    @Test func isDamagedWithoutHarm() throws {
        let scene = try planned()
        let whole = try Data(contentsOf: URL(filePath: scene.folder.file(Self.file)))
        let store = try scene.contents()
        var random = SeededGenerator(seed: 7)
        for _ in 0..<12 {
            var bytes = [UInt8](whole)
            if Bool.random(using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
            } else {
                bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
            }
            try scene.write(Self.file, bytes: bytes)
            let shown = try Program.run("show", Self.file, in: scene.path)
            #expect([0, 1, 4].contains(shown.code), "\(shown.code) \(shown.errors)")
            if shown.code != 0 {
                let result = try apply(scene)
                #expect([0, 1, 4, 5, 78].contains(result.code), "\(result.code) \(result.errors)")
                if result.code != 0 { #expect(try scene.contents()["books"] == store["books"]) }
                if result.code == 0 { break }
            }
        }
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

    // MARK: Redacted values

    /// A store with people, whose addresses are redacted, and the plan of what the source says now.
    private func redacted(_ redact: String, _ more: String...) throws -> Scene {
        let scene = try Scene(
            document: Self.people([1: "ann@example.com", 2: "bob@example.com"]),
            fields: "id: int, mail: {type: string, redact: \(redact)}, title: string")
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        try scene.write("books.json", Self.people([1: "ann@example.org", 2: "bob@example.com", 3: "cleo@example.com"]))
        let result = try Program.start(["plan", "books.yaml", "--save", Self.file] + more, in: scene.path).wait()
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        return scene
    }

    private static func people(_ mails: KeyValuePairs<Int, String>) -> String {
        let records = mails.map { "{\"id\": \($0.key), \"mail\": \"\($0.value)\", \"title\": \"T\($0.value.count)\"}" }
        return "[\(records.joined(separator: ","))]"
    }

    @Test(arguments: ["hash", "mask", "drop"])
    func holdsNoRedactedValueInClear(_ redact: String) throws {
        let scene = try redacted(redact)
        for text in try PlanTexts.all(in: scene.folder.file(Self.file)) {
            #expect(!text.contains("@example"), "\(text)")
            #expect(!text.contains("ann@") && !text.contains("cleo"), "\(text)")
        }
        let shown = try Program.run("show", Self.file, in: scene.path)
        #expect(shown.code == 0 && !shown.output.contains("@example"), "\(shown.output)\(shown.errors)")
        #expect(shown.output.contains("# asks the source again, since fields have `redact`"), "\(shown.output)")
        let applied = try apply(scene, "--format", "json")
        #expect(applied.code == 0, "\(applied.output)\(applied.errors)")
        #expect(try scene.query("SELECT count(*) FROM books") == ["3"])
        // What was applied is what a run would have written.
        let run = try Program.run("run", "books.yaml", "--format", "json", in: scene.path)
        #expect(run.output.contains(#""unchanged":3"#), "\(run.output)")
    }

    @Test func ofRedactedFieldsAsksTheSourceAgainAndDoesWhatWasPlannedAlone() throws {
        let scene = try redacted("hash")
        // One record is as planned, one has changed, and one was not there.
        try scene.write(
            "books.json",
            Self.people([1: "ann@example.org", 2: "bob@example.com", 3: "cleo@elsewhere.com", 4: "dan@example.com"]))
        let result = try apply(scene, "--format", "json")
        #expect(result.code == 5, "\(result.output)\(result.errors)")
        #expect(result.output.contains(#""planned":2,"made":1,"moved":2"#), "\(result.output)")
        #expect(try scene.query("SELECT id, title FROM books ORDER BY id") == ["1|T15", "2|T15"])
        let ann = try scene.query("SELECT mail FROM books WHERE id = 1")
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        #expect(try scene.query("SELECT count(*) FROM books") == ["4"])
        #expect(try scene.query("SELECT mail FROM books WHERE id = 1") == ann)
    }

    @Test func ofRedactedFieldsTellsOfChangesThatTheSourceNoLongerGives() throws {
        let scene = try redacted("hash")
        try scene.write("books.json", Self.people([1: "ann@example.org", 2: "bob@example.com"]))
        let result = try apply(scene, "--format", "json")
        #expect(result.code == 5, "\(result.output)\(result.errors)")
        #expect(result.output.contains(#""planned":2,"made":1,"moved":0"#), "\(result.output)")
        #expect(result.output.contains("unsaid_changes"), "\(result.output)")
        #expect(try scene.query("SELECT count(*) FROM books") == ["2"])
    }

    /// People may write into a column whose values are redacted.
    @Test func holdsNothingOfWhatPeopleWroteIntoARedactedColumn() throws {
        let scene = try redacted("hash")
        try scene.execute("UPDATE books SET mail = 'written@example.net' WHERE id = 1")
        try plan(scene)
        for text in try PlanTexts.all(in: scene.folder.file(Self.file)) {
            #expect(!text.contains("example.net") && !text.contains("@example"), "\(text)")
        }
    }

    @Test func ofRedactedFieldsAsksTheRecordingThatAnsweredIt() throws {
        let scene = try redacted("hash")
        try scene.write("books.json", "[]")
        let server = try LoopbackServer { _ in .text(Self.people([1: "ann@example.org", 2: "bob@example.com"])) }
        let yaml = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write(
            "books.yaml",
            yaml.replacing("\"file:.\"", with: "\"\(server.url)\"").replacing("path: books", with: "path: /books"))
        #expect(try Program.run("record", "books.yaml", "--to", "tape", in: scene.path).code == 0)
        server.stop()
        try plan(scene, "--replay", "tape")
        let result = try apply(scene)
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        #expect(try scene.query("SELECT id, title FROM books ORDER BY id") == ["1|T15", "2|T15"])
    }

    @Test func holdsNoSecretAndIsPrivate() throws {
        let server = try LoopbackServer { _ in .text(#"[{"id": 1, "title": "a", "price": 1}]"#) }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        let yaml = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write(
            "books.yaml",
            yaml.replacing("source: {", with: "source: {auth: {type: bearer, token: \"${env:BOOKS_TOKEN}\"}, "))
        let result = try Program.start(
            ["plan", "books.yaml", "--save", Self.file], in: scene.path, environment: ["BOOKS_TOKEN": "tops3cret-token"]
        ).wait()
        #expect(result.code == 0, "\(result.errors)")
        let path = scene.folder.file(Self.file)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let texts = try PlanTexts.all(in: path)
        #expect(texts.contains { $0.contains("/books") } && !texts.contains { $0.contains("tops3cret") })
        // Nor is it asked for again.
        #expect(try apply(scene).code == 0)
        #expect(try titles(scene) == ["a"])
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

/// The texts that stand in a saved plan.
enum PlanTexts {
    static func all(in path: String) throws -> [String] {
        let data = [UInt8](try Data(contentsOf: URL(filePath: path)))
        func number(_ start: Int) -> Int { data[start..<start + 8].reversed().reduce(0) { $0 << 8 | Int($1) } }
        var position = (data.firstIndex(of: UInt8(ascii: "\n")) ?? 0) + 1
        var texts: [String] = []
        while position < data.count {
            let (packed, start) = (number(position + 1), position + 17)
            let bytes = try Packing.unpacked(Array(data[start..<start + packed]), count: number(position + 9))
            texts.append(String(decoding: bytes, as: UTF8.self))
            position = start + packed
        }
        return texts
    }
}
