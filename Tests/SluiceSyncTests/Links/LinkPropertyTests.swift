import TestSupport
import Testing

/// Random lives of a set of labels, against the formula.
@Suite("Links keep to the set formula")
struct LinkPropertyTests {
    @Test(arguments: [11, 12, 13] as [UInt64])
    func links(seed: UInt64) throws { try life(seed, rounds: 14) { _ in } }

    /// PostgreSQL does the same: half as many rounds are enough there.
    @Test(arguments: Seeds.some(of: [11, 12] as [UInt64], oneOf: 2))
    func linksOnPostgres(seed: UInt64) throws { try life(seed, rounds: 7) { $0.database = try WorkshopSchema() } }

    private func life(_ seed: UInt64, rounds: Int, _ adjust: (Workshop) throws -> Void) throws {
        var random = SeededGenerator(seed: seed)
        let addsOnly = seed % 2 == 0
        let tracker = try Tracker(
            issue: "labels: {refs: Label, via: issue_labels, upsert: false, merge: \(addsOnly ? "add_only" : "set")}")
        try adjust(tracker.shop)
        // Labels 1 to 6 may be there or not.
        var base: [Int: Set<Int>] = [:]
        var there: Set<Int> = []
        try tracker.run()
        for round in 0..<rounds {
            there = Set((1...6).filter { _ in random.chance(70) })
            var local = try sets(tracker)
            var edit = tracker.shop.database is WorkshopFile ? "PRAGMA foreign_keys = OFF;" : ""
            for id in base.keys where random.chance(50) {
                let label = Int.random(in: 1...6, using: &random)
                // A person can only link what is there, and only take away what is linked.
                let labels = try tracker.shop.rows("SELECT id FROM labels")
                if try tracker.shop.rows("SELECT * FROM issue_labels").contains("\(id)|\(label)") {
                    edit += "DELETE FROM issue_labels WHERE issue_id = \(id) AND label_id = \(label);"
                    local[id]?.remove(label)
                } else if labels.contains("\(label)"), local[id]?.contains(label) != true {
                    edit += "INSERT INTO issue_labels VALUES (\(id), \(label));"
                    local[id, default: []].insert(label)
                }
            }
            var remote: [Int: Set<Int>] = [:]
            for id in 1...3 { remote[id] = Set((1...6).filter { _ in random.chance(40) }) }
            let issues = remote.sorted { $0.key < $1.key }.map { id, set in
                #"{"id":\#(id),"labels":\#(Array(set).shuffled(using: &random))}"#
            }
            try tracker.run(
                .init(
                    issues: "[" + issues.joined(separator: ",") + "]",
                    labels: "[" + there.sorted().map { #"{"id":\#($0)}"# }.joined(separator: ",") + "]", edit: edit))
            for (id, now) in remote {
                let before = base[id] ?? []
                var wanted = (local[id] ?? []).union(now.subtracting(before))
                if !addsOnly { wanted.subtract(before.subtracting(now)) }
                #expect(try sets(tracker)[id] == wanted, "seed \(seed), round \(round), issue \(id)")
            }
            // What is there is linked, what is not waits.
            #expect(
                try tracker.shop.rows("SELECT count(*) FROM issue_labels WHERE label_id NOT IN (SELECT id FROM labels)")
                    == ["0"])
            base = remote
        }
    }

    /// The labels of each issue, those that wait too.
    private func sets(_ tracker: Tracker) throws -> [Int: Set<Int>] {
        guard try tracker.shop.database.tables().contains("issues") else { return [:] }
        var sets: [Int: Set<Int>] = [:]
        for id in try tracker.shop.rows("SELECT id FROM issues") { sets[Int(id) ?? 0] = [] }
        let rows =
            try tracker.shop.rows("SELECT issue_id, label_id FROM issue_labels")
            + tracker.shop.values("SELECT key, target_key FROM _sluice_pending").map { keys in
                keys.map { $0.filter(\.isNumber) }.joined(separator: "|")
            }
        for row in rows {
            let parts = row.split(separator: "|").compactMap { Int($0) }
            sets[parts[0], default: []].insert(parts[1])
        }
        return sets
    }
}
