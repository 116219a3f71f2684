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
}
