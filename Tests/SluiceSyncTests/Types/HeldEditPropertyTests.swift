import SluiceModel
import SluiceReview
import TestSupport
import Testing

/// Random histories of a column that takes another type and gets its old one back, beside the same where it does not.
///
/// A failure names its seed; see ``Seeds``.
@Suite("Edits in the quarantine over random histories")
struct HeldEditPropertyTests {
    private typealias Scene = HeldEditScene

    static let seeds = Seeds.first(8)

    @Test("Both stores are alike in the end", arguments: seeds)
    func areAlike(_ seed: UInt64) throws { try expectAlike(seed, .file) }

    /// PostgreSQL does the same, with fewer histories.
    @Test("And so they are on PostgreSQL", arguments: Seeds.first(3))
    func areAlikeOnPostgres(_ seed: UInt64) throws { try expectAlike(seed, .schema) }

    private func expectAlike(_ seed: UInt64, _ store: Scene.Store) throws {
        var random = SeededGenerator(seed: seed)
        let way = random.pick(Scene.Way.allCases)
        let policy = random.pick([nil, nil, nil, ConflictPolicy.remoteWins, .localWins])
        let (changed, other) = (try Scene.shop(store, way, policy), try Scene.shop(store, way, policy))
        var told: [String] = []
        func perform(_ step: Scene.Step) throws {
            told.append("\(step)")
            try Scene.perform(step, changed, way, changes: true)
            try Scene.perform(step, other, way, changes: false)
        }
        try perform(Self.said(random.pick(["null", #""x""#, nil])))
        try perform(.edit("UPDATE items SET p = 'E2' WHERE id = 4"))
        if random.chance(30) { try perform(Self.said(random.pick(["null", #""2024-01-01""#]))) }
        try perform(.change)
        let change = try Self.lastRun(changed)
        for _ in 0..<random.pick([2, 3, 4, 5]) {
            let last = try Self.lastRun(changed)
            if last > change, random.chance(15), try Self.lastRun(other) == last {
                try perform(.undo(last))
            } else {
                try perform(next(&random, hasConflicts: try !Scene.open(changed).isEmpty))
            }
            #expect(try Scene.open(changed) == Scene.open(other), "seed \(seed): \(told)")
            #expect(try Scene.edits(changed) == Scene.edits(other), "seed \(seed): \(told)")
        }
        try Scene.retype(changed, way, isBack: true)
        for shop in [changed, other] { _ = shop.sync() }
        let place: Comment = "seed \(seed): \(told)"
        #expect(try Scene.row(changed) == Scene.row(other), place)
        #expect(try changed.bases == other.bases, place)
        #expect(try Scene.open(changed) == Scene.open(other), place)
        #expect(try Scene.edits(changed) == Scene.edits(other), place)
        #expect(try changed.database.damage() == [], place)
    }

    private func next(_ random: inout SeededGenerator, hasConflicts: Bool) -> Scene.Step {
        if hasConflicts, random.chance(40) { return .decide(random.pick([.local, .remote])) }
        if random.chance(10) { return .edit("DELETE FROM items WHERE id = 4") }
        if random.chance(10) { return .edit("UPDATE items SET p = '2024-03-03' WHERE id = 4") }
        if random.chance(20) { return .source(#"[{"id":6,"v":"a"}]"#) }
        return Self.said(random.pick(["null", nil, #""2024-01-01""#, #""2024-05-05""#]))
    }

    private static func lastRun(_ shop: Workshop) throws -> Int64 {
        Int64(try shop.rows("SELECT coalesce(max(id), 0) FROM _sluice_runs")[0]) ?? 0
    }

    private static func said(_ value: String?) -> Scene.Step {
        .source(#"[{"id":4,"v":"a"\#(value.map { ",\"p\":\($0)" } ?? "")},{"id":6,"v":"a"}]"#)
    }
}
