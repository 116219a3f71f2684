import SluiceStore
import Testing

@testable import SluiceMerge
@testable import SluiceModel
@testable import SluicePlans
@testable import SluiceReconcile

/// What a plan says is written in one way, whoever made the plan.
@Suite("The writer of plans")
struct PlanWriterTests {
    /// A table with the rows 1 = a, 2 = b and 3 = c, whose values of `a` are unique, and a writer for it.
    private final class Desk {
        let shop: Workshop
        let store: any RecordStore
        let table: any RecordTable
        var writer: PlanWriter

        init(run: Int64?) throws {
            shop = try Workshop()
            shop.unique = [["a"]]
            _ = try shop.syncPlanned(#"[{"id":1,"a":"a"},{"id":2,"a":"b"},{"id":3,"a":"c"}]"#)
            store = try shop.open(.settling)
            try store.begin()
            table = try #require(try store.knownTable(pipeline: "shop", stream: "items", entity: "Item"))
            writer = PlanWriter(
                table, in: store, canonical: CanonicalRecord(schema: table.schema), otherSources: .none, run: run)
        }

        deinit { store.rollback() }

        /// The rows as in `1=a`.
        func rows() throws -> [String] {
            let keys = (1...9).map { RecordKey([.integer($0)]) }
            return zip(keys, try table.localRows(keys)).compactMap { key, row in
                row.map { "\(key.values[0].text)=\($0[1].text)" }
            }
        }

        /// A conflict over `a` of the record 1, of which the source says something.
        func conflict(_ remote: String) -> ConflictEntry {
            ConflictEntry(
                pipeline: "shop", stream: "items", entity: "Item", key: #"{"id":1}"#, field: "a", kind: "edit_edit",
                base: nil, local: #""a""#, remote: remote, policy: "manual", status: .open)
        }
    }

    /// What becomes of plans.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The record of each plan with the value of `a` that it is to have; nil where it goes.
        let plans: [(id: Int64, value: String?)]
        /// The positions of those that have to wait.
        let waits: Set<Int>
        /// How these end.
        let endings: [String]
        let rows: [String]
    }

    static let cases = [
        Case(
            testDescription: "free values are written at once", plans: [(1, "x"), (4, "y")], waits: [], endings: [],
            rows: ["1=x", "2=b", "3=c", "4=y"]),
        Case(
            testDescription: "a row that goes makes room at once", plans: [(1, nil), (2, "a")], waits: [], endings: [],
            rows: ["2=a", "3=c"]),
        Case(
            testDescription: "values pass from row to row", plans: [(1, "b"), (2, "a")], waits: [0, 1],
            endings: ["1 written", "2 written"], rows: ["1=b", "2=a", "3=c"]),
        Case(
            testDescription: "a row that keeps its value has it", plans: [(1, "x"), (4, "b")], waits: [1],
            endings: ["4 The values of `a`, which must be unique, are taken by {\"id\":2}."],
            rows: ["1=x", "2=b", "3=c"]),
    ]

    @Test("Each record is written, or its ending says why not", arguments: cases)
    func endings(_ known: Case) throws {
        let desk = try Desk(run: 2)
        let plans = try known.plans.map { id, value in
            let key = RecordKey([.integer(id)])
            let isThere = try desk.table.localRow(key) != nil
            let row: RecordWrite.Row =
                switch value {
                case nil: .delete
                case let value? where isThere: .update(fields: [1], values: [FieldValue(value)])
                case let value?: .insert([.integer(id), FieldValue(value), .null])
                }
            return RecordPlan(writing: RecordWrite(key: key, row: row, base: nil))
        }
        let waits = try desk.writer.write(plans)
        #expect(waits == known.waits)
        for index in waits.sorted() { desk.writer.postpone(plans[index]) }
        #expect(desk.writer.waitingKeys == Set(known.waits.map { plans[$0].key }))
        let settled = try desk.writer.finish()
        #expect(
            settled.plans.map { "\($0.plan.key.values[0].text) \($0.ending.reason(desk.table.schema) ?? "written")" }
                == known.endings)
        #expect(desk.writer.waitingKeys.isEmpty)
        #expect(try desk.rows() == known.rows)
    }

    @Test("A conflict that is found once more is brought up to date, also where its plan closes it")
    func foundOnceMore() throws {
        let desk = try Desk(run: 2)
        let ledger = desk.store.conflicts
        func all() throws -> [String] {
            try ledger.list(includingClosed: true).map { "\($0.id ?? 0) \($0.remote ?? "-") \($0.status) \($0.seen)" }
        }
        #expect(try desk.writer.conflicts.apply([.remember(desk.conflict("1"), over: nil)]).map(\.isNews) == [true])
        // Who opens it does not know that one is open.
        #expect(try desk.writer.conflicts.apply([.remember(desk.conflict("2"), over: nil)]).map(\.isNews) == [true])
        #expect(try all() == ["1 2 open 2"])
        #expect(try desk.writer.conflicts.apply([.remember(desk.conflict("2"), over: nil)]).isEmpty)
        let open = try #require(try ledger.entry(id: 1))
        _ = try desk.writer.conflicts.apply([.close(open, as: .auto), .remember(desk.conflict("3"), over: nil)])
        #expect(try all() == ["1 3 open 3"])
        // What a policy settled is told beside it.
        var settled = desk.conflict("4")
        settled.status = .auto
        _ = try desk.writer.conflicts.apply([.remember(settled, over: nil)])
        #expect(try all() == ["1 3 open 3", "2 4 auto 1"])
    }

    @Test("What waits can be changed, and what follows from a record is written when it is settled")
    func revised() throws {
        let desk = try Desk(run: 2)
        var plan = RecordPlan(key: RecordKey([.integer(1)]))
        plan.write = RecordWrite(key: plan.key, row: .update(fields: [1], values: [FieldValue("b")]), base: nil)
        #expect(try desk.writer.write([plan]) == [0])
        desk.writer.postpone(plan)
        desk.writer.revise(plan.key) { $0.conflicts = [.remember(desk.conflict(#""x""#), over: nil)] }
        #expect(try desk.store.conflicts.list(includingClosed: true).isEmpty)
        #expect(
            try desk.writer.write([
                RecordPlan(writing: RecordWrite(key: RecordKey([.integer(2)]), row: .delete, base: nil))
            ]) == [])
        for (plan, _) in try desk.writer.finish().plans {
            #expect(try desk.writer.settle([plan])[0].map(\.isNews) == [true])
        }
        #expect(try desk.rows() == ["1=b", "3=c"])
        #expect(try desk.store.conflicts.list(includingClosed: true).map(\.remote) == [#""x""#])
    }

    @Test("A conflict is news where the source says something else of it, and a plan gives it no number")
    func conflicts() throws {
        for run in [Int64(2), nil] {
            let desk = try Desk(run: run)
            func told(_ change: ConflictChange) throws -> [String] {
                try desk.writer.conflicts.apply([change]).map {
                    "\($0.entry.status) \($0.entry.seen) \($0.isNews ? "news" : "known") \($0.entry.id == nil ? "unnumbered" : "numbered")"
                }
            }
            let name = run == nil ? "unnumbered" : "numbered"
            func known() throws -> ConflictEntry {
                try #require(try desk.store.conflicts.list(includingClosed: true).first)
            }
            #expect(try told(.remember(desk.conflict(#""x""#), over: nil)) == ["open 1 news \(name)"])
            // The same value in another spelling is nothing new.
            #expect(try told(.remember(desk.conflict(#""\u0078""#), over: known())) == [])
            #expect(try told(.remember(desk.conflict(#""y""#), over: known())) == ["open 2 news \(name)"])
            #expect(try told(.remember(desk.conflict(#""y""#), over: known(), isNews: true)) == ["open 3 news \(name)"])
            var decided = try known()
            (decided.resolution, decided.who) = ("local", "ada")
            #expect(try told(.revise(decided)) == ["open 3 known \(name)"])
            #expect(try known().who == "ada")
            #expect(try told(.close(known(), as: .obsolete)) == ["obsolete 3 known \(name)"])
            #expect(try known().lastRun == run)
        }
    }
}

extension FieldValue {
    /// The value in words.
    fileprivate var text: String {
        switch self {
        case .integer(let number): "\(number)"
        case .text(let bytes): String(decoding: bytes, as: UTF8.self)
        case .null, .real, .blob: "-"
        }
    }
}
