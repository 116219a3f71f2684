import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceReview
import SluiceStore
import TestSupport
import Testing

/// One conflict is open over a field of a record, whoever finds it and however often.
@Suite("Conflicts that are found once more")
struct RenewedConflictTests {
    enum Store: String, CaseIterable, Sendable { case file, schema }

    private func shop(_ store: Store, mode: DeleteRule.Mode = .hard) throws -> Workshop {
        let shop = try Workshop(rule: DeleteRule(mode: mode, maximum: .percent(100)))
        if store == .schema { shop.database = try WorkshopSchema() }
        shop.unique = [["a"]]
        return shop
    }

    private func decide(_ shop: Workshop, _ policy: ConflictPolicy) {
        shop.adjust = { $0.entities[0].conflictRules.fallback = policy }
    }

    /// Decides what is open.
    ///
    /// - Returns: How each decision ended.
    private func resolve(_ shop: Workshop, _ resolution: Resolution) throws -> [ResolutionOutcome?] {
        let store = try shop.open(.settling)
        try store.begin()
        var decisions = try store.conflicts.list(includingClosed: false).map { ConflictDecision($0, resolution) }
        try ConflictResolver(store: store).carryOut(&decisions, who: "ada")
        try store.commit()
        return decisions.map(\.outcome)
    }

    // MARK: A row that is made anew

    /// What happens to record 2, whose `a` another row has, while its conflict is open.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// What people do.
        let edit: String
        var mode = DeleteRule.Mode.hard
        /// What the source says of the record then.
        var record = #"{"id":2,"a":"own","b":"2"}"#
        /// The conflicts after the run.
        var conflicts = [#"unique_collision a - null "own" open 1"#]
    }

    static let cases = [
        Case(testDescription: "its row is deleted", edit: "DELETE FROM items WHERE id = 2"),
        Case(testDescription: "its row gets another identifier", edit: "UPDATE items SET id = 7 WHERE id = 2"),
        Case(
            testDescription: "its row is marked as deleted",
            edit: "UPDATE items SET _deleted_at = '2026-01-01T00:00:00Z' WHERE id = 2", mode: .soft),
        Case(
            testDescription: "its row is deleted, and the source says more of it",
            edit: "DELETE FROM items WHERE id = 2",
            record: #"{"id":2,"a":"own","b":"two"}"#),
        Case(
            testDescription: "its row is deleted, and the source has another value that is taken",
            edit: "DELETE FROM items WHERE id = 2", record: #"{"id":2,"a":"x","b":"2"}"#,
            conflicts: [#"unique_collision a - null "x" open 2"#]),
        Case(
            testDescription: "its row is deleted, and the value is free", edit: "DELETE FROM items WHERE id IN (2, 5)",
            conflicts: [#"unique_collision a - null "own" auto 1"#]),
    ]

    @Test("A row that is made anew keeps its conflict", arguments: Seeds.pairs(cases, in: Store.allCases))
    func madeAnew(_ known: Case, _ store: Store) throws {
        let shop = try shop(store, mode: known.mode)
        decide(shop, .remoteWins)
        _ = try shop.syncPlanned(#"[{"id":1,"a":"x","b":"1"}]"#)
        try shop.sql("INSERT INTO items (id, a, b) VALUES (5, 'own', '5')")
        _ = try shop.syncPlanned(#"[{"id":1,"a":"x","b":"1"},{"id":2,"a":"own","b":"2"}]"#)
        #expect(try shop.conflicts == [#"unique_collision a - null "own" open 1"#])
        try shop.sql(known.edit)
        let (report, _) = try shop.syncPlanned(#"[{"id":1,"a":"x","b":"1"},\#(known.record)]"#)
        #expect(report.status == .succeeded, "\(report.problems)")
        #expect(try shop.conflicts == known.conflicts)
        #expect(try shop.rows("SELECT id FROM items WHERE id = 2") == ["2"])
        let (again, written) = try shop.quietRun()
        #expect(again.status == .succeeded && written == [], "\(again.problems)")
    }

    @Test("Either decision is a way out", arguments: Seeds.pairs([Resolution.local, .remote], in: Store.allCases))
    func decided(_ resolution: Resolution, _ store: Store) throws {
        let shop = try shop(store)
        decide(shop, .remoteWins)
        _ = try shop.syncPlanned(#"[{"id":1,"a":"x"}]"#)
        try shop.sql("INSERT INTO items (id, a) VALUES (5, 'own')")
        let both = #"[{"id":1,"a":"x"},{"id":2,"a":"own"}]"#
        _ = try shop.syncPlanned(both)
        try shop.sql("DELETE FROM items WHERE id = 2")
        // The conflict does not show what the store holds.
        #expect(try resolve(shop, resolution) == [.reopened])
        #expect(try shop.syncPlanned(both).0.status == .succeeded)
        if resolution == .remote { try shop.sql("UPDATE items SET a = 'free' WHERE id = 5") }
        #expect(try resolve(shop, resolution) == [.resolved])
        let (report, _) = try shop.syncPlanned(both)
        #expect(report.status == .succeeded && report.summary.conflict == 0, "\(report)")
        #expect(
            try shop.rows("SELECT a FROM items WHERE id = 2") == [resolution == .local ? "NULL" : "'own'"])
    }

    @Test(
        "A policy that takes a value which is taken already keeps the conflict over the edit", arguments: Store.allCases
    )
    func otherPolicy(_ store: Store) throws {
        let shop = try shop(store)
        _ = try shop.syncPlanned(#"[{"id":1,"a":"x","b":"1"},{"id":2,"a":"y","b":"2"}]"#)
        try shop.sql("UPDATE items SET a = 'mine' WHERE id = 2; INSERT INTO items (id, a) VALUES (5, 'own')")
        _ = try shop.syncPlanned(#"[{"id":1,"a":"x","b":"1"},{"id":2,"a":"own","b":"2"}]"#)
        #expect(try shop.conflicts == [#"edit_edit a "y" "mine" "own" open 1"#])
        decide(shop, .remoteWins)
        let (report, _) = try shop.syncPlanned(#"[{"id":1,"a":"x","b":"1"},{"id":2,"a":"own","b":"two"}]"#)
        #expect(report.status == .succeeded, "\(report.problems)")
        #expect(try shop.conflicts == [#"unique_collision a "y" "mine" "own" open 2"#])
        #expect(try shop.rows("SELECT a, b FROM items WHERE id = 2") == ["'mine'|'two'"])
    }

    // MARK: Any history

    @Test("No history ends in a run that fails, and decisions end it", arguments: Seeds.first(8))
    func anyHistory(_ seed: UInt64) throws { try anyHistory(seed, .file) }

    @Test("The same on PostgreSQL", arguments: Seeds.first(2))
    func anyHistoryOnPostgres(_ seed: UInt64) throws { try anyHistory(seed, .schema) }

    private func anyHistory(_ seed: UInt64, _ store: Store) throws {
        var random = SeededGenerator(seed: seed)
        let shop = try Workshop(
            fields: [try field("id", .int), try field("a"), try field("b"), try field("c")],
            rule: DeleteRule(mode: random.pick([.hard, .soft]), maximum: .percent(100)))
        if store == .schema { shop.database = try WorkshopSchema() }
        shop.unique = random.pick([[["a"]], [["a"], ["c"]], [["a", "b"], ["c"]]])
        var done: [String] = []
        func run(_ what: String) throws {
            done.append(what)
            let report = shop.sync().report
            try #require(report.status != .failed, "seed \(seed): \(done): \(report.problems)")
        }
        func value() -> String { random.chance(15) ? "null" : "\"\(random.pick(["k", "l", "m"]))\"" }
        for _ in 0..<12 {
            let policy = random.pick([ConflictPolicy.manual, .remoteWins, .remoteWins, .localWins])
            decide(shop, policy)
            let records = (0..<5).filter { $0 == 0 || !random.chance(15) }.map { id in
                "{\"id\":\(id),\"a\":\(value()),\"b\":\(value())" + (random.chance(20) ? "}" : ",\"c\":\(value())}")
            }
            if random.chance(70) { try shop.put("[" + records.joined(separator: ",") + "]") }
            if done.isEmpty { try shop.put("[" + records.joined(separator: ",") + "]") }
            try run("\(policy) \(records)")
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let (id, other) = (Int.random(in: 0..<5, using: &random), Int.random(in: 0..<9, using: &random))
                let text = random.pick(["k", "l", "m", "n"])
                let edit = random.pick([
                    "DELETE FROM items WHERE id = \(id)", "DELETE FROM items WHERE id = \(id)",
                    "UPDATE items SET a = '\(text)' WHERE id = \(id)",
                    "UPDATE items SET c = '\(text)' WHERE id = \(id)",
                    "UPDATE items SET id = \(other) WHERE id = \(id)",
                    "INSERT INTO items (id, a, c) VALUES (\(other), '\(text)', '\(text)')",
                ])
                done.append(edit)
                // What another row has is not taken.
                try? shop.sql(edit)
            }
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                done.append("undo")
                let last = try #require(try shop.rows("SELECT max(id) FROM _sluice_runs").first.flatMap { Int64($0) })
                let report = shop.undo(last).report
                try #require(report.status != .failed, "seed \(seed): \(done): \(report.problems)")
            case 1...2:
                let resolution = random.pick([Resolution.local, .remote])
                done.append("take \(resolution.name)")
                _ = try resolve(shop, resolution)
            default: break
            }
        }
        // What a decision finds changed the next run brings up to date.
        for _ in 0..<4 {
            try run("the same")
            _ = try resolve(shop, .local)
        }
        try run("the same")
        #expect(try shop.rows("SELECT * FROM _sluice_conflicts WHERE status = 'open'") == [], "seed \(seed): \(done)")
    }
}
