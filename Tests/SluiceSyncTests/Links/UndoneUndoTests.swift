import SluiceModel
import SluiceReport
import SluiceReview
import SluiceStore
import TestSupport
import Testing

/// An undo that was undone, and the undo of that, are as if neither had been, however often.
@Suite("Undos of undos")
struct UndoneUndoTests {
    private func edits(_ shop: Workshop) throws -> [String] {
        var found: [String] = []
        try EditReader(store: shop.open(.reading)).edits(pipelines: nil, entity: nil) { edit in
            let fields = edit.fields.map { "\($0.name)=\($0.base.value ?? "-")/\($0.local ?? "-")" }
            found.append("\(edit.kind) \(edit.key) \(fields.joined(separator: " "))")
        }
        return found.sorted()
    }

    private func undone(_ shop: Workshop) throws -> [String] {
        try shop.rows("SELECT id, undone_by FROM _sluice_runs WHERE undone_by IS NOT NULL ORDER BY id")
    }

    /// Takes the last run back, and that, some times; each time all is as it was two times before.
    private func undo(_ shop: Workshop, before: [String], times: Int = 5) throws {
        let (first, now) = (try shop.lastRun(), try edits(shop))
        for time in 0..<times {
            let (report, _) = try shop.undoPlanned(first + Int64(time))
            #expect(report.status == .succeeded, "\(report)")
            #expect(try edits(shop) == (time % 2 == 0 ? before : now), "time \(time)")
            // Every second run of the chain holds, the last one among them.
            let gone = stride(from: Int64(time), through: 0, by: -2).map { first + $0 }.sorted()
            #expect(try undone(shop) == gone.map { "\($0)|\($0 + 1)" }, "time \(time)")
        }
    }

    @Test(
        "Whether a run made a row for others stays known",
        arguments: Seeds.pairs(in: StubEditTests.Store.allCases, [false, true]))
    func stub(_ store: StubEditTests.Store, isEmbedded: Bool) throws {
        let shop = try Workshop()
        if store == .schema { shop.database = try WorkshopSchema() }
        let rule = "delete_missing: {mode: hard, max_delete: 100%, min_records: 0}"
        try shop.define(
            "shop",
            """
            entities:
              Issue: {table: issues, primary_key: id, fields: {id: int, author: {ref: User, on_dangling: stub}}}
              User: {table: users, primary_key: id, fields: {id: int, name: string}}
            streams:
              - {name: issues, entity: Issue, path: issues.json, \(rule)}
              - {name: users, entity: User, path: users.json, \(rule)}
            """)
        try shop.put(#"[{"id":1,"author":42}]"#, as: "issues.json")
        try shop.put(#"[{"id":42,"name":"Bob"}]"#, as: "users.json")
        _ = try shop.syncPlanned()
        let embedded = isEmbedded ? #",{"id":3,"author":{"id":42,"name":"Bob"}}"# : ""
        try shop.put(#"[{"id":1,"author":42}\#(embedded)]"#, as: "issues.json")
        try shop.put("[]", as: "users.json")
        _ = try shop.syncPlanned()
        #expect(try shop.rows("SELECT id, name FROM users") == ["42|NULL"])
        try undo(shop, before: [], times: 4)
        #expect(try shop.rows("SELECT id, name FROM users") == ["42|NULL"])
        // Once people delete it, that is known as well.
        try shop.sql("UPDATE issues SET author_id = NULL")
        try shop.sql("DELETE FROM users WHERE id = 42")
        #expect(try edits(shop).contains(#"delete {"id":42} "#))
    }

    /// Who takes people's row away.
    enum Way: String, CaseIterable, Sendable { case decision, policy }

    @Test("A row that people added is theirs", arguments: Way.allCases, [["b"], ["b", "c", "d"], []])
    func added(_ way: Way, source: [String]) throws {
        let scripts = try Scripts(policy: way == .policy ? .remoteWins : .manual)
        try scripts.run(["a"])
        try scripts.shop.sql("INSERT INTO line VALUES (1, 1, 'mine')")
        var before = try edits(scripts.shop)
        #expect(before == [#"add {"play_id":1,"position":1} play_id=-/1 position=-/1 text=-/"mine""#])
        try scripts.run(source)
        if way == .decision {
            before = try edits(scripts.shop)
            try scripts.resolve(.remote)
        }
        #expect(try edits(scripts.shop) == [])
        try undo(scripts.shop, before: before)
        #expect(try scripts.lines == "0a 1mine")
        // Once people delete it again, no run had made it.
        try scripts.shop.sql("DELETE FROM line WHERE position = 1")
        #expect(try edits(scripts.shop) == [])
    }
}
