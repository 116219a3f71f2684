import Foundation
import TestSupport
import Testing

/// What `undo` says is what became of the rows.
@Suite struct UndoReportTests {
    /// Records and the users that they lead to.
    private func scene(_ rule: String) throws -> Scene {
        let scene = try Scene()
        try scene.write(
            "shop.yaml",
            """
            version: 1
            name: shop
            store: sqlite:shop.db
            source: {base_url: "file:."}
            entities:
              User: {table: users, primary_key: [id], fields: {id: int, login: string}}
              Rec: {table: recs, primary_key: [id], fields: {id: int, x: string, au: {ref: User, from: au\(rule)}}}
            streams:
              - {name: users, entity: User, path: users.json, delete_missing: {mode: hard, max_delete: 100%}}
              - {name: recs, entity: Rec, path: recs.json, delete_missing: {mode: hard, max_delete: 100%}}
            """)
        return scene
    }

    private func run(_ scene: Scene, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let result = try Program.run("run", "shop.yaml", in: scene.path)
        #expect(result.code == 0, "\(result.output)\(result.errors)", sourceLocation: sourceLocation)
    }

    /// The report of an undo, which a plan of it says as well.
    private func undo(_ run: String, _ scene: Scene) throws -> (code: Int32, report: [String: Any]) {
        let plan = try Program.run(
            "undo", run, "--plan", "--store", "sqlite:shop.db", "--format", "json", in: scene.path)
        let result = try Program.run("undo", run, "--store", "sqlite:shop.db", "--format", "json", in: scene.path)
        func parsed(_ text: String) throws -> [String: Any] {
            let whole = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            return try #require((whole?["pipelines"] as? [[String: Any]])?.first)
        }
        let (planned, report) = (try parsed(plan.output), try parsed(result.output))
        #expect(planned["changes"] as? NSArray == report["changes"] as? NSArray)
        #expect(planned["summary"] as? NSDictionary == report["summary"] as? NSDictionary)
        return (result.code, report)
    }

    /// The changes of a report as `User 3 update`.
    private func changes(_ report: [String: Any]) -> Set<String> {
        let changes = report["changes"] as? [[String: Any]] ?? []
        return Set(
            changes.map { change in
                let key = change["key"] as? [String: Any] ?? [:]
                return "\(change["entity"] ?? "") \(key["id"] ?? "") \(change["action"] ?? "")"
            })
    }

    @Test func aReferenceThatLeadsToItsRecordAgainIsNamed() throws {
        let scene = try scene("")
        let users = #"[{"id":1,"login":"ann"},{"id":2,"login":"bob"}]"#
        try scene.write("users.json", users)
        try scene.write("recs.json", #"[{"id":5,"x":"a","au":1},{"id":6,"x":"b","au":2}]"#)
        try run(scene)
        try scene.write("users.json", #"[{"id":1,"login":"ann"}]"#)
        try run(scene)
        #expect(try scene.query("SELECT id, au_id FROM recs ORDER BY id") == ["5|1", "6|null"])
        let (code, report) = try undo("2", scene)
        #expect(code == 0 && changes(report) == ["User 2 insert"], "\(report)")
        let notes = (report["problems"] as? [[String: Any]] ?? []).filter { $0["code"] as? String == "linked" }
        #expect(notes.count == 1 && notes.first?["entity"] as? String == "Rec", "\(report)")
        let keys = notes.first?["keys"] as? [[String: Any]] ?? []
        #expect(keys.map { $0["id"] as? Int } == [6], "\(report)")
        #expect(try scene.query("SELECT id, au_id FROM recs ORDER BY id") == ["5|1", "6|2"])
    }

    @Test func aRowThatIsThereAgainWithItsKeyAloneIsNoDelete() throws {
        let scene = try scene(", on_dangling: stub")
        try scene.write("users.json", #"[{"id":3,"login":"ann"},{"id":4,"login":"bob"}]"#)
        try scene.write("recs.json", #"[{"id":1,"x":"a","au":3}]"#)
        try run(scene)
        try scene.write("recs.json", #"[{"id":1,"x":"b","au":3}]"#)
        try run(scene)
        let (_, report) = try undo("1", scene)
        #expect(changes(report).isSuperset(of: ["User 3 update", "User 4 delete"]), "\(report)")
        #expect(!changes(report).contains("User 3 delete"), "\(report)")
        #expect(try scene.query("SELECT id, login FROM users") == ["3|null"])
    }

    @Test func aRowThatARunMadeAndDeletedIsNotTold() throws {
        let scene = try Scene()
        try scene.write(
            "shop.yaml",
            """
            version: 1
            name: shop
            store: sqlite:shop.db
            source: {base_url: "file:."}
            entities:
              A: {table: a, primary_key: [id], fields: {id: int, x: string}}
            streams:
              - {name: all, entity: A, path: all.json}
              - {name: gone, entity: A, path: gone.json, deleted_when: .gone == true}
            merge: {precedence: [all, gone]}
            """)
        try scene.write("all.json", #"[{"id":1,"x":"a"},{"id":2,"x":"b"}]"#)
        try scene.write("gone.json", #"[{"id":2,"gone":true}]"#)
        try run(scene)
        #expect(try scene.query("SELECT id FROM a") == ["1"])
        let (code, report) = try undo("1", scene)
        #expect(code == 0 && changes(report) == ["A 1 delete"], "\(report)")
        #expect(try scene.query("SELECT id FROM a") == [])
        // And the undo can be taken back.
        let back = try undo("2", scene)
        #expect(back.code == 0 && changes(back.report) == ["A 1 insert"], "\(back.report)")
        #expect(try scene.query("SELECT id FROM a") == ["1"])
    }

    /// How many records a count of a report names: own records, or those of an entity within them.
    private func count(_ report: [String: Any], _ outcome: String, within entity: String? = nil) -> Int? {
        let all = report["entities"] as? [String: [String: Any]]
        let counts = entity.map { all?[$0] } ?? report["summary"] as? [String: Any]
        return counts?[outcome] as? Int
    }

    @Test func recordsWithinOthersAreCountedWithTheirEntity() throws {
        let scene = try Scene()
        try scene.write(
            "shop.yaml",
            """
            version: 1
            name: shop
            store: sqlite:shop.db
            source: {base_url: "file:."}
            entities:
              Order:
                table: orders
                primary_key: [id]
                fields: {id: int, user: {ref: User}}
                children: {lines: {entity: Line, from: "lines[*]", key: [no]}}
              Line: {table: lines, fields: {no: int, qty: int}}
              User: {table: users, primary_key: [id], fields: {id: int, login: string}}
            streams: [{name: orders, entity: Order, path: orders.json}]
            """)
        let lines = #""lines":[{"no":1,"qty":1},{"no":2,"qty":2}]"#
        try scene.write(
            "orders.json",
            #"[{"id":1,"user":{"id":7,"login":"ann"},\#(lines)},{"id":2,"user":{"id":7,"login":"ann"},\#(lines)}]"#)
        try run(scene)
        let (_, gone) = try undo("1", scene)
        #expect(count(gone, "delete") == 2, "\(gone)")
        #expect(count(gone, "delete", within: "Line") == 4 && count(gone, "delete", within: "User") == 1, "\(gone)")
        let (_, back) = try undo("2", scene)
        #expect(count(back, "insert") == 2, "\(back)")
        #expect(count(back, "insert", within: "Line") == 4 && count(back, "insert", within: "User") == 1, "\(back)")
        let history = try Program.run("history", "--store", "sqlite:shop.db", in: scene.path)
        #expect(history.output.contains("Line: 4 inserted"), "\(history.output)")
    }

    /// Books whose rows are marked where they go.
    private func marked() throws -> Scene {
        let scene = try Scene()
        try scene.write(
            "shop.yaml",
            """
            version: 1
            name: shop
            store: sqlite:shop.db
            source: {base_url: "file:."}
            entities: {Book: {table: books, primary_key: [id], fields: {id: int, title: string}}}
            streams:
              - {name: books, entity: Book, path: books.json, delete_missing: {mode: soft, max_delete: 100%}}
            """)
        return scene
    }

    @Test func aMarkIsTakenBackAsTheReturnOfItsRow() throws {
        let scene = try marked()
        try scene.write("books.json", #"[{"id":1,"title":"one"},{"id":2,"title":"two"}]"#)
        try run(scene)
        try scene.write("books.json", #"[{"id":1,"title":"one"}]"#)
        try run(scene)
        let marks = "SELECT id, title, _deleted_at IS NOT NULL FROM books ORDER BY id"
        #expect(try scene.query(marks) == ["1|one|0", "2|two|1"])
        let (_, back) = try undo("2", scene)
        #expect(changes(back) == ["Book 2 insert"] && count(back, "insert") == 1, "\(back)")
        #expect("\(back["changes"] ?? "")".contains("two"), "\(back)")
        #expect(try scene.query(marks) == ["1|one|0", "2|two|0"])
        let (_, again) = try undo("3", scene)
        #expect(changes(again) == ["Book 2 delete"] && count(again, "delete") == 1, "\(again)")
        #expect(try scene.query(marks) == ["1|one|0", "2|two|1"])
    }

    @Test func aMarkThatWentWithAChangeIsToldWithWhatTheRowHoldsThen() throws {
        let scene = try marked()
        try scene.write("books.json", #"[{"id":1,"title":"one"},{"id":2,"title":"two"}]"#)
        try run(scene)
        try scene.write("books.json", #"[{"id":1,"title":"one"}]"#)
        try run(scene)
        try scene.write("books.json", #"[{"id":1,"title":"one"},{"id":2,"title":"new"}]"#)
        try run(scene)
        #expect(try scene.query("SELECT title, _deleted_at IS NULL FROM books WHERE id = 2") == ["new|1"])
        let (_, gone) = try undo("3", scene)
        #expect(changes(gone) == ["Book 2 delete"], "\(gone)")
        #expect(try scene.query("SELECT title, _deleted_at IS NULL FROM books WHERE id = 2") == ["two|0"])
        let (_, back) = try undo("4", scene)
        #expect(changes(back) == ["Book 2 insert"], "\(back)")
        let told = "\(back["changes"] ?? "")"
        #expect(told.contains("new") && !told.contains("two"), "\(back)")
        #expect(try scene.query("SELECT title, _deleted_at IS NULL FROM books WHERE id = 2") == ["new|1"])
    }
}
