import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceStore
import TestSupport
import Testing

/// Records that cannot be taken, and how they come back.
@Suite("Quarantine over several runs")
struct QuarantineTests {
    private func shop() throws -> Workshop {
        try Workshop(
            fields: [try field("id", .int), try field("n", .int), try field("m", .int)],
            rule: DeleteRule(mode: .hard, maximum: .percent(100)))
    }

    private func entries(_ shop: Workshop) throws -> [String] {
        try shop.rows(
            "SELECT coalesce(key, '-') || ' ' || reason || ' ' || pointer || ' ' || coalesce(value, '-') || ' ' || status FROM _sluice_quarantine ORDER BY id"
        ).map { String($0.dropFirst().dropLast()) }
    }

    @Test("An entry says what is wrong, stays while it is wrong, and is closed when the record is mended")
    func mended() throws {
        let shop = try shop()
        let (first, recorder) = try shop.syncPlanned(#"[{"id":1,"n":"x","m":[1]},{"id":2,"n":5}]"#)
        #expect(first.summary.text == "insert 1, quarantined 1")
        #expect(first.streams[0].quarantined == 1)
        #expect(
            recorder.quarantine.map { String(decoding: $0.record, as: UTF8.self) } == [#"{"id":1,"n":"x","m":[1]}"#])
        var written = try entries(shop)
        #expect(written == [#"{"id":1} type_mismatch /n "x" open"#])
        let (_, quiet) = try shop.quietRun()
        #expect(quiet == [])
        // Wrong in another way of the same kind: the same entry, brought up to date.
        _ = try shop.syncPlanned(#"[{"id":1,"n":1,"m":[1]},{"id":2,"n":5}]"#)
        written = try entries(shop)
        #expect(written == [#"{"id":1} type_mismatch /m [1] open"#])
        let (mended, _) = try shop.syncPlanned(#"[{"id":1,"n":1,"m":1},{"id":2,"n":5}]"#)
        #expect(mended.summary.text == "insert 1, unchanged 1")
        written = try entries(shop)
        #expect(written == [#"{"id":1} type_mismatch /m [1] closed"#])
        let (_, again) = try shop.quietRun()
        #expect(again == [])
    }

    @Test("A record that is quarantined keeps its row, and takes its changes when it is mended")
    func keepsItsRow() throws {
        let shop = try shop()
        _ = try shop.syncPlanned(#"[{"id":1,"n":1,"m":1}]"#)
        _ = try shop.syncPlanned(#"[{"id":1,"n":2,"m":"many"}]"#)
        var items = try shop.items
        #expect(items == ["1|1|1"])
        let (report, _) = try shop.syncPlanned(#"[{"id":1,"n":2,"m":3}]"#)
        #expect(report.summary.text == "update 1")
        items = try shop.items
        #expect(items == ["1|2|3"])
    }

    @Test("Records without a key are told apart by their content, and closed when a complete scan has them no longer")
    func keyless() throws {
        let shop = try shop()
        _ = try shop.syncPlanned(#"[{"n":1},{"n":2},{"n":1},{"id":5}]"#)
        var written = try entries(shop)
        #expect(written == ["- missing_key /id - open", "- missing_key /id - open"])
        let (again, quiet) = try shop.quietRun()
        #expect(again.summary.text == "unchanged 1, quarantined 2")
        #expect(quiet == [])
        _ = try shop.syncPlanned(#"[{"id":5}]"#)
        written = try entries(shop)
        #expect(written == ["- missing_key /id - closed", "- missing_key /id - closed"])
    }

    @Test("An entry is closed when its record is gone from a complete scan")
    func gone() throws {
        let shop = try shop()
        _ = try shop.syncPlanned(#"[{"id":1,"n":"x"},{"id":2}]"#)
        _ = try shop.syncPlanned(#"[{"id":2}]"#)
        let written = try entries(shop)
        #expect(written == [#"{"id":1} type_mismatch /n "x" closed"#])
    }

    /// What becomes of a record in quarantine that scans do not list any more.
    struct Absence: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var rule = DeleteRule(mode: .hard, maximum: .percent(100))
        var edit: String?
        /// Whether its row is there after each of two complete scans without it.
        let stays: [Bool]

        func confirmed(by scans: Int) -> Absence {
            var absence = self
            absence.rule.confirmation = .scans(scans)
            return absence
        }
    }

    enum Store: String, CaseIterable, Sendable { case file, schema }

    static let absences = [
        Absence(testDescription: "hard", stays: [false, false]),
        Absence(testDescription: "hard, once two scans say so", stays: [true, false]).confirmed(by: 1),
        Absence(testDescription: "soft", rule: DeleteRule(mode: .soft, maximum: .percent(100)), stays: [false, false]),
        Absence(testDescription: "report", rule: DeleteRule(mode: .report), stays: [true, true]),
        Absence(testDescription: "ignore", rule: DeleteRule(mode: .ignore), stays: [true, true]),
        Absence(
            testDescription: "more than may go", rule: DeleteRule(mode: .hard, maximum: .count(0)), stays: [true, true]),
        Absence(
            testDescription: "ignore, and the row is deleted here", rule: DeleteRule(mode: .ignore),
            edit: "DELETE FROM items WHERE id = 1", stays: [false, false]),
        Absence(
            testDescription: "report, and the row is deleted here", rule: DeleteRule(mode: .report),
            edit: "DELETE FROM items WHERE id = 1", stays: [false, false]),
        Absence(testDescription: "an edited row", edit: "UPDATE items SET m = 5 WHERE id = 1", stays: [true, true]),
    ]

    @Test(
        "An entry stays while its record's row does, of which nobody knows what the source says now",
        arguments: Seeds.pairs(in: Store.allCases, absences))
    func staysWithItsRow(_ store: Store, _ absence: Absence) throws {
        let shop = try shop()
        if store == .schema { shop.database = try WorkshopSchema() }
        shop.rule = absence.rule
        _ = try shop.syncPlanned(#"[{"id":1,"n":1},{"id":2}]"#)
        if let edit = absence.edit { try shop.sql(edit) }
        _ = try shop.syncPlanned(#"[{"id":1,"n":"x"},{"id":2}]"#)
        for stays in absence.stays {
            _ = try shop.syncPlanned(#"[{"id":2}]"#)
            #expect(try entries(shop) == [#"{"id":1} type_mismatch /n "x" \#(stays ? "open" : "closed")"#])
        }
        // What it says again is known.
        _ = try shop.syncPlanned(#"[{"id":1,"n":3},{"id":2}]"#)
        #expect(try entries(shop) == [#"{"id":1} type_mismatch /n "x" closed"#])
    }

    @Test("A good and a bad record of one key, in either order", arguments: [true, false])
    func goodAndBad(_ goodFirst: Bool) throws {
        let shop = try shop()
        let good = #"{"id":1,"n":1}"#
        let bad = #"{"id":1,"n":"x"}"#
        let (first, _) = try shop.syncPlanned(goodFirst ? "[\(good),\(bad)]" : "[\(bad),\(good)]")
        #expect(first.summary.text == "insert 1, quarantined 1")
        let (again, written) = try shop.quietRun()
        #expect(again.summary.text == "unchanged 1, quarantined 1")
        #expect(written == [])
    }

    @Test("Unique values may swap, turn round, or pass from one that is gone")
    func swaps() throws {
        let shop = try Workshop(rule: DeleteRule(mode: .hard, maximum: .percent(100)))
        shop.unique = [["a"]]
        func json(_ values: [String]) -> String {
            "[" + values.enumerated().map { "{\"id\":\($0 + 1),\"a\":\"\($1)\"}" }.joined(separator: ",") + "]"
        }
        _ = try shop.syncPlanned(json(["x", "y", "z"]))
        let (swapped, _) = try shop.syncPlanned(json(["y", "x", "z"]))
        #expect(swapped.summary.text == "update 2, unchanged 1")
        let (turned, _) = try shop.syncPlanned(json(["x", "z", "y"]))
        #expect(turned.summary.text == "update 3")
        var items = try shop.rows("SELECT id, a FROM items ORDER BY id")
        #expect(items == ["1|'x'", "2|'z'", "3|'y'"])
        let (passed, _) = try shop.syncPlanned(#"[{"id":4,"a":"x"},{"id":2,"a":"y"},{"id":3,"a":"w"}]"#)
        #expect(passed.summary.text == "insert 1, update 2, delete 1")
        items = try shop.rows("SELECT id, a FROM items ORDER BY id")
        #expect(items == ["2|'y'", "3|'w'", "4|'x'"])
        let (_, quiet) = try shop.quietRun()
        #expect(quiet == [])
    }
}
