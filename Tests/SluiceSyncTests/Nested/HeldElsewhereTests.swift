import SluiceReport
import Testing

/// What one source no longer gives and another one does stays as it is until that one is read: fields, children that are merged one by
/// one, and lists that are one value, with all that people did to them.
@Suite("What another source still holds")
struct HeldElsewhereTests {
    /// How the other source is read.
    enum Reading: CaseIterable, Sendable {
        /// In the same run.
        case together
        /// By a run of another pipeline.
        case byPipeline
        /// By another run of the same pipeline, with `--stream`.
        case byStream
    }

    /// Records with children and lists, which two sources give.
    struct Scene {
        let shop: Workshop
        private let reading: Reading

        init(_ reading: Reading) throws {
            shop = try Workshop()
            self.reading = reading
            for stream in ["crm", "bill"] { try shop.put("[]", as: "\(stream).json") }
        }

        private func entry(_ stream: String, _ name: String) -> String {
            "{name: \(name), entity: B, path: \(stream).json, delete_missing: {mode: hard, max_delete: 100%, min_records: 0}}"
        }

        private func define(_ name: String, _ streams: String, precedence: String) throws {
            try shop.define(
                name,
                """
                merge: {precedence: [\(precedence)]}
                entities:
                  B:
                    table: b
                    primary_key: id
                    fields: {id: int, t: string}
                    children: {ks: {entity: K, key: [k]}, cs: {entity: C, ordered: true}}
                  K: {table: k, fields: {k: int, v: string}}
                  C: {table: c, fields: {v: string}}
                streams: [\(streams)]
                """)
        }

        /// Runs one source; both where they are read together.
        func run(_ stream: String) throws {
            if reading == .byPipeline {
                try define(stream, entry(stream, "s"), precedence: "crm/s, bill/s")
            } else {
                try define("shop", "\(entry("crm", "crm")), \(entry("bill", "bill"))", precedence: "crm, bill")
                shop.stream = reading == .byStream ? stream : nil
            }
            let report = try shop.syncPlanned().0
            #expect(report.status == .succeeded, "\(report.problems)")
            #expect(try shop.quietRun().written == [])
        }

        func record(_ word: String, children: [Int], list: Int) -> String {
            let ks = children.map { #"{"k":\#($0),"v":"\#(word)"}"# }.joined(separator: ",")
            let cs = (0..<list).map { #"{"v":"\#(word)\#($0)"}"# }.joined(separator: ",")
            return #"[{"id":1,"t":"\#(word)","ks":[\#(ks)],"cs":[\#(cs)]}]"#
        }

        /// The record, its children and its list.
        var rows: [String] {
            get throws {
                try shop.values("SELECT t FROM b").map { $0[0] }
                    + shop.values("SELECT k || v FROM k ORDER BY k").map { $0[0] }
                    + [
                        shop.values("SELECT position || v FROM c ORDER BY position").map { $0[0] }.joined(
                            separator: " ")
                    ]
            }
        }

        /// The open conflicts, with what is here and what the source says.
        var open: [String] {
            get throws {
                try shop.values(
                    "SELECT kind || ' ' || local || ' ' || remote FROM _sluice_conflicts WHERE status = 'open' ORDER BY 1"
                ).map { $0[0] }
            }
        }
    }

    @Test("stays as the first source gave it until the other one is read", arguments: Reading.allCases, [false, true])
    func stays(_ reading: Reading, isThere: Bool) throws {
        let scene = try Scene(reading)
        try scene.shop.put(scene.record("c", children: [1, 2], list: 3), as: "crm.json")
        try scene.shop.put(scene.record("b", children: [2], list: 2), as: "bill.json")
        for stream in ["crm", "bill"] { try scene.run(stream) }
        #expect(try scene.rows == ["c", "1c", "2c", "0c0 1c1 2c2"])
        // It lists the record without anything in it, or no longer.
        try scene.shop.put(isThere ? scene.record("c", children: [], list: 0) : "[]", as: "crm.json")
        try scene.run("crm")
        if reading != .together { #expect(try scene.rows == ["c", "2c", "0c0 1c1 2c2"]) }
        try scene.run("bill")
        #expect(try scene.rows == [isThere ? "c" : "b", "2b", "0b0 1b1"])
        try scene.shop.put(scene.record("b", children: [2], list: 1), as: "bill.json")
        try scene.run("bill")
        #expect(try scene.rows == [isThere ? "c" : "b", "2b", "0b0"])
        #expect(try scene.open == [])
    }

    @Test("stays gone where the other source never gave it", arguments: Reading.allCases)
    func goes(_ reading: Reading) throws {
        let scene = try Scene(reading)
        try scene.shop.put(scene.record("c", children: [1], list: 2), as: "crm.json")
        try scene.shop.put(scene.record("b", children: [2], list: 1), as: "bill.json")
        for stream in ["crm", "bill"] { try scene.run(stream) }
        try scene.shop.put(scene.record("b", children: [], list: 0), as: "bill.json")
        try scene.run("bill")
        #expect(try scene.rows == ["c", "1c", "0c0 1c1"])
        try scene.shop.put("[]", as: "crm.json")
        try scene.run("crm")
        #expect(try scene.rows.dropFirst() == [""])
    }

    /// What people do to a list, before the first source drops it or before the other one is read.
    enum Edit: String, CaseIterable, Sendable {
        case edited = "UPDATE c SET v = 'm' WHERE position = 0"
        case shortened = "DELETE FROM c WHERE position = 1"
        case emptied = "DELETE FROM c"

        /// The list as a conflict shows it.
        var text: String {
            switch self {
            case .edited: #"[{"position":0,"v":"m"},{"position":1,"v":"c1"}]"#
            case .shortened: #"[{"position":0,"v":"c0"}]"#
            case .emptied: "[]"
            }
        }

        var rows: String {
            switch self {
            case .edited: "0m 1c1"
            case .shortened: "0c0"
            case .emptied: ""
            }
        }
    }

    @Test(
        "A list that people changed before is asked about as the source says it that has it",
        arguments: Reading.allCases, Edit.allCases)
    func editedBefore(_ reading: Reading, edit: Edit) throws {
        let scene = try edited(reading)
        try scene.shop.sql(edit.rawValue)
        try scene.shop.put("[]", as: "crm.json")
        try scene.run("crm")
        if reading != .together { #expect(try scene.open == []) }
        try expectQuestion(scene, edit)
    }

    @Test(
        "And so is one that people change before that source is read",
        arguments: [Reading.byPipeline, .byStream], Edit.allCases)
    func editedBetween(_ reading: Reading, edit: Edit) throws {
        let scene = try edited(reading)
        try scene.shop.put("[]", as: "crm.json")
        try scene.run("crm")
        try scene.shop.sql(edit.rawValue)
        try expectQuestion(scene, edit)
    }

    private func edited(_ reading: Reading) throws -> Scene {
        let scene = try Scene(reading)
        try scene.shop.put(scene.record("c", children: [], list: 2), as: "crm.json")
        try scene.shop.put(scene.record("b", children: [], list: 1), as: "bill.json")
        for stream in ["crm", "bill"] { try scene.run(stream) }
        return scene
    }

    private func expectQuestion(_ scene: Scene, _ edit: Edit) throws {
        try scene.run("bill")
        #expect(try scene.open == [#"edit_edit \#(edit.text) [{"position":0,"v":"b0"}]"#])
        #expect(try scene.rows.last == edit.rows)
    }
}
