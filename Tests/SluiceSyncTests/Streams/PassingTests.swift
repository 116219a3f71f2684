import SluiceReport
import Testing

/// Records that pass from one stream of a table to another one, with what belongs to them.
@Suite("Records that pass to another stream") struct PassingTests {
    private func shop(_ entities: String, precedence: [String], reading order: [String]) throws -> Workshop {
        let streams = order.map {
            "{name: \($0), entity: A, path: \($0).json, delete_missing: {mode: hard, max_delete: 100%, min_records: 0}}"
        }
        let shop = try Workshop()
        try shop.define(
            "shared",
            """
            merge: {precedence: [\(precedence.joined(separator: ", "))]}
            entities: {\(entities)}
            streams: [\(streams.joined(separator: ", "))]
            """)
        return shop
    }

    private func put(_ shop: Workshop, _ documents: [String: String]) throws {
        for (stream, text) in documents { try shop.put(text, as: "\(stream).json") }
    }

    private static func lists(_ kind: String) -> String {
        "A: {primary_key: [id], fields: {id: int}, children: {e: {entity: E, from: \"e[*]\", \(kind)}}}"
    }

    @Test(
        "Undo brings back the children of the stream that had them",
        arguments: ["b", "a"], [["a", "b"], ["b", "a"]])
    func undo(_ value: String, _ order: [String]) throws {
        let shop = try shop(
            Self.lists("key: [k]") + ", E: {fields: {k: int, v: string}}", precedence: ["a", "b"], reading: order)
        try put(shop, ["a": #"[{"id":2,"e":[{"k":1,"v":"a"},{"k":2,"v":"a"}]}]"#, "b": #"[{"id":2}]"#])
        _ = try shop.syncPlanned()
        let before = try shop.managed()
        try put(shop, ["a": "[]", "b": #"[{"id":2,"e":[{"k":1,"v":"\#(value)"}]}]"#])
        let (report, _) = try shop.syncPlanned()
        #expect(try shop.rows("SELECT k || v FROM e") == ["'1\(value)'"])
        let undone = try shop.undoPlanned(#require(report.run)).report
        #expect(undone.status == .succeeded && undone.left == 0)
        #expect(try shop.managed() == before)
    }

    @Test("Undo brings back the elements of the stream that had them", arguments: [["a", "b"], ["b", "a"]])
    func undoOrdered(_ order: [String]) throws {
        let shop = try shop(
            Self.lists("ordered: true") + ", E: {fields: {v: {from: $}}}", precedence: ["a", "b"], reading: order)
        try put(shop, ["a": #"[{"id":2,"e":["x","y","z"]}]"#, "b": #"[{"id":2}]"#])
        _ = try shop.syncPlanned()
        let before = try shop.managed()
        try put(shop, ["a": "[]", "b": #"[{"id":2,"e":["x","q"]}]"#])
        let (report, _) = try shop.syncPlanned()
        #expect(try shop.rows("SELECT v FROM e ORDER BY position") == ["'x'", "'q'"])
        #expect(try shop.undoPlanned(#require(report.run)).report.left == 0)
        #expect(try shop.managed() == before)
    }

    @Test("Undo leaves a child that people added, and what it belongs to, of whichever stream", arguments: ["a", "b"])
    func undoWithAddedChild(_ giver: String) throws {
        let shop = try shop(
            Self.lists("key: [k]") + ", E: {fields: {k: int, v: string}}", precedence: ["b", "a"], reading: ["a", "b"])
        try put(shop, ["a": "[]", "b": "[]"])
        try put(shop, [giver: #"[{"id":1},{"id":2,"e":[{"k":1,"v":"a"}]}]"#])
        let (report, _) = try shop.syncPlanned()
        try shop.sql("INSERT INTO e VALUES (2, 7, 'mine')")
        let undone = try shop.undoPlanned(#require(report.run)).report
        #expect(undone.status == .partial && undone.left == 1)
        #expect(try shop.rows("SELECT id FROM a") == ["2"])
        #expect(try shop.rows("SELECT k FROM e") == ["7"])
    }

    @Test("A list that somebody emptied is asked about as a whole where another stream gives it")
    func emptied() throws {
        let shop = try shop(
            Self.lists("ordered: true") + ", E: {fields: {v: {from: $}}}", precedence: ["b", "a"], reading: ["b", "a"])
        try put(shop, ["b": "[]", "a": #"[{"id":2,"e":["d"]}]"#])
        _ = try shop.syncPlanned()
        try shop.sql("DELETE FROM e")
        try put(shop, ["a": #"[{"id":2}]"#])
        _ = try shop.syncPlanned()
        try put(shop, ["b": #"[{"id":2,"e":["d","a","d"]}]"#, "a": "[]"])
        _ = try shop.syncPlanned()
        #expect(try shop.rows("SELECT count(*) FROM e") == ["0"])
        let open = ["'edit_edit'|'{\"a_id\":2}'|'open'"]
        let conflicts = "SELECT kind, key, status FROM _sluice_conflicts WHERE status = 'open'"
        #expect(try shop.rows(conflicts) == open)
        #expect(try shop.quietRun().written == [])
        #expect(try shop.rows(conflicts) == open)
    }

    @Test("A record that another stream lists in quarantine keeps its row", arguments: [["a", "b"], ["b", "a"]])
    func quarantined(_ order: [String]) throws {
        let shop = try shop(
            "A: {primary_key: [id], fields: {id: int, n: int}}", precedence: ["a", "b"], reading: order)
        try put(shop, ["a": #"[{"id":1,"n":1},{"id":2,"n":2}]"#, "b": "[]"])
        _ = try shop.syncPlanned()
        try shop.sql("ALTER TABLE a ADD COLUMN own TEXT; UPDATE a SET own = 'ours'")
        try put(shop, ["a": "[]", "b": #"[{"id":1,"n":"bad"}]"#])
        let (report, _) = try shop.syncPlanned()
        #expect(report.summary.quarantined == 1 && report.summary.delete == 1)
        #expect(try shop.rows("SELECT id, n, own FROM a") == ["1|1|'ours'"])
        #expect(try shop.quietRun().written == [])
        try put(shop, ["b": #"[{"id":1,"n":5}]"#])
        _ = try shop.syncPlanned()
        #expect(try shop.rows("SELECT id, n, own FROM a") == ["1|5|'ours'"])
    }

    @Test("A unique value that a row gives up as it goes is another stream's record's in the same run")
    func unique() throws {
        for order in [["a", "b"], ["b", "a"]] {
            let shop = try shop(
                "A: {primary_key: [id], fields: {id: int, n: int}, unique: [[n]]}", precedence: ["b", "a"],
                reading: order)
            try put(shop, ["b": "[]", "a": #"[{"id":2,"n":1},{"id":4}]"#])
            _ = try shop.syncPlanned()
            try put(shop, ["b": #"[{"id":4,"n":1}]"#, "a": #"[{"id":4}]"#])
            _ = try shop.syncPlanned()
            #expect(try shop.rows("SELECT * FROM a") == ["4|1"], "\(order)")
            #expect(try shop.rows("SELECT count(*) FROM _sluice_conflicts WHERE status = 'open'") == ["0"])
            #expect(try shop.quietRun().written == [])
        }
    }
}
