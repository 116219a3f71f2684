import Foundation
import TestSupport
import Testing

/// What becomes of records that have moved between a plan and its being applied.
@Suite("A saved plan, and what has moved") struct SavedPlanMovedTests: SavedPlanSuite {
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

    /// What people wrote meanwhile into rows that the plan does not touch stays, also where a column takes another type: it is
    /// compared by what it means in that type.
    @Test(arguments: [
        ("n: string", "n: int", "'55'", "55"), ("n: int", "n: string", "55", "55"),
        ("n: int", "n: decimal", "55", "55"),
    ])
    func editsBesideAChangeOfTypeStay(before: String, after: String, edit: String, kept: String) throws {
        let document = #"[{"id": 1, "n": "1"}, {"id": 5, "n": "5"}]"#
        let scene = try Scene(
            document: before == "n: string"
                ? document
                : document.replacing(#": "1""#, with: ": 1")
                    .replacing(#": "5""#, with: ": 5"),
            fields: "id: int, \(before)")
        let first = try Program.run("run", "books.yaml", in: scene.path)
        #expect(first.code == 0, "\(first)")
        let text = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write("books.yaml", text.replacing(before, with: after))
        try plan(scene)
        try scene.execute("UPDATE books SET n = \(edit) WHERE id = 5")
        let result = try apply(scene)
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        #expect(!(result.output + result.errors).contains("not as"), "\(result.output)\(result.errors)")
        #expect(try scene.query("SELECT n FROM books ORDER BY id") == ["1", kept])
        // It is an edit as any other.
        let edits = try Program.run("edits", "--store", "sqlite:shop.db", in: scene.path)
        #expect(edits.output.contains("Book 5"), "\(edits)")
    }

    /// A plan is applied once, so that its warning names what can be done then: the run merges what was left.
    @Test func whatIsSaidOfAMovedRecordCanBeDone() throws {
        let scene = try planned()
        try scene.execute("UPDATE books SET title = 'by hand' WHERE id = 2")
        let result = try apply(scene)
        #expect(result.code == 5, "\(result.output)\(result.errors)")
        let advice = "left as it is. The next `sluice run` merges it; a new plan shows what that does."
        #expect((result.output + result.errors).contains(advice), "\(result.output)\(result.errors)")
        #expect(try apply(scene, "--stale", "merge").code == 4)
        try plan(scene)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        #expect(try scene.query("SELECT key, field, status FROM _sluice_conflicts") == [#"{"id":2}|title|open"#])
        #expect(try titles(scene) == ["Book 1, edition 2", "by hand", "Book 3, edition 2"])
    }

    private func writeOrders(_ scene: Scene, edition: Int) throws {
        let orders = (1...2).map { id in
            "{\"id\": \(id), \"note\": \"n\(edition)\", \"lines\": [{\"sku\": \"a\", \"n\": \(edition)}, {\"sku\": \"x\(edition)\", \"n\": 1}]}"
        }
        try scene.write("books.json", "[\(orders.joined(separator: ","))]")
    }

    /// A store with orders that have lines, of which the source has new ones, and the plan of that.
    private func plannedOrders() throws -> Scene {
        let scene = try Scene()
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
        try writeOrders(scene, edition: 1)
        let first = try Program.run("run", "books.yaml", in: scene.path)
        #expect(first.code == 0, "\(first.output)\(first.errors)")
        try writeOrders(scene, edition: 2)
        try plan(scene)
        return scene
    }

    /// Each entity has its moved records listed, and each record counts once.
    @Test(arguments: [
        ("skip", "left as it is", "stale_records"), ("merge", "merged anew", "merged_anew"),
    ])
    func namesMovedRecordsOfEachEntity(stale: String, outcome: String, code: String) throws {
        let scene = try plannedOrders()
        try scene.execute("UPDATE orders SET note = 'by hand' WHERE id = 1")
        try scene.execute("UPDATE lines SET n = 7 WHERE order_id = 2 AND sku = 'a'")
        let result = try apply(scene, "--stale", stale)
        let text = result.output + result.errors
        #expect(text.contains("- Order 1\n") && text.contains("- Line "), "\(text)")
        for entity in ["Order", "Line"] {
            #expect(
                result.output.contains("1 record of `\(entity)` is not as the plan found it, and was \(outcome)"),
                "\(text)")
        }
        #expect(!text.contains("… and"), "\(text)")
        let history = try Program.run("history", "2", "--store", "sqlite:shop.db", "--format", "json", in: scene.path)
        #expect(history.output.components(separatedBy: "\"code\":\"\(code)\"").count == 3, "\(history.output)")
        let list = try Program.run("history", "--store", "sqlite:shop.db", in: scene.path).output
        #expect(list.contains("not as planned") == (stale == "skip"), "\(list)")
    }

    /// Records that were left are counted where they stand, by all that tells of the run; those that were merged anew are
    /// counted by what became of them.
    @Test(arguments: ["skip", "merge"]) func countsEachMovedRecordOnce(stale: String) throws {
        let scene = try plannedOrders()
        try scene.execute("UPDATE orders SET note = 'by hand' WHERE id = 1")
        try scene.execute("UPDATE lines SET n = 7 WHERE order_id = 2 AND sku = 'a'")
        try scene.execute("UPDATE lines SET n = 7 WHERE order_id = 2 AND sku = 'x1'")
        let applied = try apply(scene, "--stale", stale, "--format", "json")
        func object(_ text: String) throws -> [String: Any] {
            try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
        }
        let report = try #require((try object(applied.output)["pipelines"] as? [[String: Any]])?.first)
        let own = report["summary"] as? [String: Int] ?? [:]
        let within = report["entities"] as? [String: [String: Int]] ?? [:]
        let left = stale == "skip"
        #expect(own["stale"] == (left ? 1 : nil) && own["conflict"] == (left ? 0 : 1), "\(applied.output)")
        // What stands within the order that was edited is left with it, and is not counted.
        #expect(within["Line"]?["stale"] == (left ? 2 : nil), "\(applied.output)")
        func told(_ command: String, _ list: String, _ member: String?) throws -> (String, [String: Any]) {
            let text = try Program.run(command, "--store", "sqlite:shop.db", "--format", "json", in: scene.path).output
            let first = try #require((try object(text)[list] as? [[String: Any]])?.first)
            return (text, member.flatMap { first[$0] as? [String: Any] } ?? first)
        }
        for (text, run) in [try told("history", "runs", nil), try told("status", "pipelines", "last_run")] {
            #expect(
                run["summary"] as? [String: Int] == own && run["entities"] as? [String: [String: Int]] == within,
                "\(text)")
        }
        let list = try Program.run("history", "--store", "sqlite:shop.db", in: scene.path).output.split(separator: "\n")
        #expect(list.first?.contains("not as planned") == left, "\(list)")
        if left {
            #expect(list.first?.contains("1 not as planned") == true && list.first?.contains("; Line: ") == true)
        }
    }

    @Test func leavesWhatStandsWithinAMovedRecord() throws {
        let scene = try plannedOrders()
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

    @Test("What changed within a record that was deleted since the plan is asked about by the next run")
    func asksAboutWhatChangedWithinADeletedRecord() throws {
        let scene = try plannedOrders()
        try writeOrders(scene, edition: 1)
        let lines = try String(contentsOfFile: scene.path + "/books.json", encoding: .utf8)
        try scene.write("books.json", lines.replacing(#""n": 1"#, with: #""n": 5"#))
        try plan(scene)
        try scene.execute("DELETE FROM lines WHERE order_id = 1; DELETE FROM orders WHERE id = 1")
        let applied = try apply(scene)
        #expect(applied.code == 5, "\(applied.output)\(applied.errors)")
        #expect(try scene.query("SELECT count(*) FROM _sluice_conflicts WHERE id > 0") == ["0"])
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        #expect(try scene.query("SELECT kind, status FROM _sluice_conflicts WHERE id > 0") == ["delete_edit|open"])
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
}
