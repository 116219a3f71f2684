import SluiceMerge
import SluiceModel
import SluiceStore
import Testing

@testable import SluicePlans

/// Facts about a record in, a plan out: no store is needed to tell what becomes of it.
@Suite("What becomes of a record")
struct RecordPlannerTests {
    /// A record with the identifier 1 and one text `a`, which base, store and source have or have not.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// What the source said last; nil where it never had the record.
        var base: String?
        var state = BaseState.live
        /// What the store holds; nil where there is no row.
        var local: String?
        /// What the source says; nil where the record is gone.
        var remote: String?
        var policy = ConflictPolicy.manual
        /// What is planned, in words.
        let plan: String
    }

    static let cases = [
        Case(testDescription: "new", remote: "z", plan: "is simply inserted"),
        Case(
            testDescription: "new, and its row is there", local: "y", remote: "z",
            plan: #"conflict, row stays, base - live open, open add_add - "y" "z""#),
        Case(
            testDescription: "nothing changed", base: "x", local: "x", remote: "x",
            plan: "unchanged, row stays, base stays"),
        Case(
            testDescription: "changed at the source", base: "x", local: "x", remote: "z",
            plan: "update, row a=z, base z live"),
        Case(
            testDescription: "changed alike on both sides", base: "x", local: "y", remote: "y",
            plan: "unchanged, row stays, base y live"),
        Case(
            testDescription: "changed on both sides", base: "x", local: "y", remote: "z",
            plan: #"conflict, row stays, base x live open, open edit_edit "x" "y" "z""#),
        Case(
            testDescription: "changed on both sides, the source wins", base: "x", local: "y", remote: "z",
            policy: .remoteWins, plan: #"update, row a=z, base z live, auto edit_edit "x" "y" "z""#),
        Case(
            testDescription: "changed on both sides, which fails", base: "x", local: "y", remote: "z", policy: .fail,
            plan: "fails over a: edit_edit"),
        Case(
            testDescription: "deleted here", base: "x", remote: "x", plan: "unchanged, row stays, base stays"),
        Case(
            testDescription: "deleted here and changed at the source", base: "x", remote: "z",
            plan: #"conflict, row stays, base x live open, open delete_edit - - {"id":1,"a":"z"}"#),
        Case(
            testDescription: "deleted here and changed at the source, which wins", base: "x", remote: "z",
            policy: .remoteWins,
            plan: #"insert, row new a=z, base z live, auto delete_edit - - {"id":1,"a":"z"}"#),
        Case(
            testDescription: "deleted here and changed at the source, which fails", base: "x", remote: "z",
            policy: .fail, plan: "fails over the record: delete_edit"),
        Case(
            testDescription: "comes back", base: "x", state: .remoteTombstone, remote: "z",
            plan: "insert, row new a=z, base z live"),
        Case(
            testDescription: "gone", base: "x", local: "x", plan: "delete, row goes, base x remoteTombstone"),
        Case(
            testDescription: "gone and edited here", base: "x", local: "y",
            plan: #"conflict, row stays, base x live open, open edit_delete - {"id":1,"a":"y"} -"#),
        Case(
            testDescription: "gone and edited here, the source wins", base: "x", local: "y", policy: .remoteWins,
            plan: #"delete, row goes, base x remoteTombstone, auto edit_delete - {"id":1,"a":"y"} -"#),
        Case(
            testDescription: "gone on both sides", base: "x", plan: "none, row stays, base x remoteTombstone"),
    ]

    @Test("is decided from facts alone", arguments: cases)
    func plans(_ known: Case) {
        let schema = RecordSchema(
            pipeline: "p", stream: "s", entity: "E", table: "e",
            fields: [
                RecordSchema.Field(name: "id", column: "id", type: .int),
                RecordSchema.Field(name: "a", column: "a", type: .string),
            ], keyFields: [0], policy: known.policy)
        let planner = RecordPlanner(
            schema: schema, sources: OtherSources(), run: 2, time: "2026-01-01T00:00:00Z")
        let base = known.base.map { text in
            let entries = [BaseEntry.value(.integer(1)), .value(FieldValue(text))]
            return BaseRow(
                rowHash: planner.canonical.rowHash(of: entries), entries: entries, state: known.state, isOpen: false,
                firstRun: 1, lastRun: 1)
        }
        let facts = RecordFacts(
            key: RecordKey([.integer(1)]), base: base, local: known.local.map { [.integer(1), FieldValue($0)] })
        #expect(words(planner, facts, known) == known.plan)
    }

    /// What is planned, in words.
    private func words(_ planner: RecordPlanner, _ facts: RecordFacts, _ known: Case) -> String {
        do throws(PolicyFailure) {
            return words(try plan(planner, facts, known))
        } catch {
            switch error.subject {
            case .field(let field, let kind, _, _):
                return "fails over \(planner.schema.fields[field].name): \(kind.rawValue)"
            case .record(let kind): return "fails over the record: \(kind.rawValue)"
            }
        }
    }

    private func plan(
        _ planner: RecordPlanner, _ facts: RecordFacts, _ known: Case
    ) throws(PolicyFailure) -> RecordPlan? {
        guard let remote = known.remote else {
            let row: LocalRow = known.local.map { .present(isEdited: $0 != known.base) } ?? .absent
            let record = planner.gone(
                facts, base: planner.base(of: facts, for: .source), for: .source, row: row, below: .clean,
                hasMoved: false, isKept: false)
            return try planner.plan(record, within: nil, isWanted: false)
        }
        let batch = Self.batch(remote)
        let listed = RecordPlanner.Listed(record: 0, facts: facts, isWanted: false)
        if let base = facts.base { return try planner.plan(listed, of: batch, base: base) }
        return try planner.planNew(listed, of: batch)
    }

    private static func batch(_ a: String) -> RecordBatch {
        var batch = RecordBatch(fieldCount: 2, capacity: 1)
        batch.bytes = Array(a.utf8)
        batch.cells = [
            Cell(kind: .integer, payload: 1), Cell(kind: .text, payload: 0, length: UInt32(batch.bytes.count)),
        ]
        batch.digests = [FieldDigest.integer(1), FieldDigest.text(batch.bytes)]
        batch.rowHashes = [0]
        batch.keyHashes = [0]
        batch.origins = [RecordOrigin(page: 0, ordinal: 0)]
        return batch
    }

    private func words(_ plan: RecordPlan?) -> String {
        guard let plan else { return "is simply inserted" }
        func text(_ value: FieldValue?) -> String {
            if case .text(let bytes)? = value { String(decoding: bytes, as: UTF8.self) } else { "-" }
        }
        let row =
            switch plan.write?.row {
            case .insert(let values): "new a=\(text(values[1]))"
            case .update(_, let values): "a=\(text(values.first))"
            case .delete: "goes"
            case .none?, nil: "stays"
            case .set, .markDeleted, .restore: "?"
            }
        let base =
            plan.write?.base.map { "\(text($0.entries[1].value)) \($0.state)\($0.isOpen ? " open" : "")" } ?? "stays"
        let conflicts = plan.conflicts.map { change in
            switch change {
            case .remember(let entry, _, _):
                "\(entry.status) \(entry.kind) \(entry.base ?? "-") \(entry.local ?? "-") \(entry.remote ?? "-")"
            case .close(_, let status, _): "closed as \(status)"
            case .revise: "revised"
            }
        }
        return (["\(plan.outcome)", "row \(row)", "base \(base)"] + conflicts).joined(separator: ", ")
    }
}
