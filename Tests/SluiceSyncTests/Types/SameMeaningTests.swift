import SluiceModel
import SluiceNotices
import SluicePipeline
import SluiceReport
import SluiceReview
import SluiceStore
import SluiceSync
import TestSupport
import Testing

/// A field gets a type in which its source says the same as before, in another spelling: that is no news.
@Suite("What a source says in another type is no news where it means the same")
struct SameMeaningTests {
    typealias Store = HeldEditScene.Store

    struct Case: Sendable, CustomTestStringConvertible {
        let after: FieldType
        var formats: [String] = []
        /// What the source says, a text.
        let said: String
        /// What it says later.
        let next: String
        /// The first as the column holds it.
        let held: String
        var testDescription: String { "\(said) as \(after.rawValue)" }
    }

    static let cases = [
        Case(
            after: .datetime, formats: ["rfc3339", "date"], said: #""2026-12-01""#, next: #""2026-12-05""#,
            held: "2026-12-01T00:00:00Z"),
        Case(
            after: .datetime, said: #""2026-12-01T10:00:00+01:00""#, next: #""2026-12-01T11:00:00+01:00""#,
            held: "2026-12-01T09:00:00Z"),
        Case(after: .date, formats: ["%d.%m.%Y"], said: #""01.12.2026""#, next: #""02.12.2026""#, held: "2026-12-01"),
        Case(after: .int, said: #""7.0""#, next: "8", held: "7"),
        Case(after: .decimal, said: #""1e3""#, next: #""2e3""#, held: "1000"),
        Case(
            after: .uuid, said: #""9B2F1F6E-8C1E-4A3F-9F53-0A4F4E1F6C11""#,
            next: #""9b2f1f6e-8c1e-4a3f-9f53-0a4f4e1f6c12""#, held: "9b2f1f6e-8c1e-4a3f-9f53-0a4f4e1f6c11"),
    ]

    private static func record(_ value: String) -> String { #"[{"id":1,"v":\#(value)}]"# }

    /// A store in which the source said a text, with an edit of it or not.
    private func shop(_ test: Case, _ store: Store, edit: String?) throws -> Workshop {
        let shop = try Workshop(fields: [try field("id", .int), try field("v")])
        if store == .schema { shop.database = try WorkshopSchema() }
        shop.keepsBase = .full
        shop.adjustOptions = { $0.quarantinesMisfits = true }
        _ = try shop.syncPlanned(Self.record(test.said))
        if let edit { try shop.sql("UPDATE items SET v = '\(edit)'") }
        return shop
    }

    private func retype(_ shop: Workshop, _ test: Case) {
        shop.fields[1].type = test.after
        shop.fields[1].formats = test.formats
        if test.formats.contains("date") { shop.fields[1].timezone = "UTC" }
    }

    private let waiting = "SELECT count(*) FROM _sluice_quarantine WHERE status = 'open'"

    @Test("An edit stands, and is in conflict with the next value", arguments: Seeds.pairs(cases, in: Store.allCases))
    func editStands(_ test: Case, _ store: Store) throws {
        let shop = try shop(test, store, edit: "soon")
        retype(shop, test)
        for _ in 1...2 {
            let (report, _) = try shop.syncPlanned(Self.record(test.said))
            #expect(report.summary.conflict == 0 && report.summary.update == 0, "\(report.summary.text)")
            #expect(try HeldEditScene.edits(shop).count == 1)
        }
        let next = try shop.syncPlanned(Self.record(test.next)).0
        #expect(next.summary.conflict == 1, "\(next.summary.text)")
        #expect(try shop.rows("SELECT v FROM items") == ["NULL"] && shop.rows(waiting) == ["1"])
    }

    @Test(
        "A conflict that is open is no news, and the source's side can be taken",
        arguments: Seeds.pairs(cases, in: Store.allCases))
    func conflictStays(_ test: Case, _ store: Store) throws {
        let shop = try shop(test, store, edit: "soon")
        #expect(try shop.syncPlanned(Self.record(test.next)).0.openedConflicts == 1)
        retype(shop, test)
        for _ in 1...2 {
            let (report, _) = try shop.syncPlanned(Self.record(test.next))
            #expect(report.summary.conflict == 1 && report.openedConflicts == 0, "\(report.summary.text)")
            #expect(try shop.rows("SELECT seen FROM _sluice_conflicts") == ["1"])
        }
        try HeldEditScene.decide(.remote, shop)
        #expect(try shop.rows("SELECT count(v) FROM items") == ["1"] && shop.rows(waiting) == ["0"])
        let (report, _) = try shop.syncPlanned(Self.record(test.next))
        #expect(report.summary.conflict == 0 && report.summary.update == 0, "\(report.summary.text)")
        #expect(try HeldEditScene.edits(shop) == [])
    }

    @Test("And stays one with the type of before", arguments: Seeds.pairs(cases, in: Store.allCases))
    func editIsBack(_ test: Case, _ store: Store) throws {
        let shop = try shop(test, store, edit: "soon")
        retype(shop, test)
        _ = try shop.syncPlanned(Self.record(test.said))
        (shop.fields[1].type, shop.fields[1].formats, shop.fields[1].timezone) = (.string, [], nil)
        let (report, _) = try shop.syncPlanned(Self.record(test.said))
        #expect(report.summary.conflict == 0, "\(report.summary.text)")
        #expect(try shop.rows("SELECT v FROM items") == ["'soon'"] && shop.rows(waiting) == ["0"])
        #expect(try HeldEditScene.edits(shop) == [#"edit {"id":1} v \#(test.said) "soon""#])
    }

    @Test(
        "Where nobody edited the row, it has the value, and nothing waits",
        arguments: Seeds.pairs(cases, in: Store.allCases))
    func valueIsTaken(_ test: Case, _ store: Store) throws {
        let shop = try shop(test, store, edit: nil)
        retype(shop, test)
        for run in 1...2 {
            let (report, _) = try shop.syncPlanned(Self.record(test.said))
            #expect(
                report.summary.conflict == 0 && report.summary.update == (run == 1 ? 1 : 0), "\(report.summary.text)")
            // PostgreSQL writes times in words of its own.
            let held = store == .file ? "CAST(v AS text)" : "CASE WHEN v IS NOT NULL THEN '\(test.held)' END"
            #expect(try shop.rows("SELECT \(held) FROM items") == ["'\(test.held)'"])
            #expect(try shop.rows(waiting) == ["0"])
        }
    }

    @Test("The undo of that run brings the text back", arguments: Seeds.pairs(cases, in: Store.allCases))
    func textIsBack(_ test: Case, _ store: Store) throws {
        let shop = try shop(test, store, edit: nil)
        retype(shop, test)
        _ = try shop.syncPlanned(Self.record(test.said))
        let undo = try shop.undoPlanned(2).report
        #expect(undo.status == .succeeded && undo.left == 0, "\(undo.problems)")
        let text = test.said.dropFirst().dropLast()
        #expect(try shop.rows("SELECT v FROM items") == ["'\(text)'"] && shop.rows(waiting) == ["0"])
        #expect(try HeldEditScene.edits(shop) == [])
    }

    @Test("Where somebody wrote the value that is meant, the base has it in the new type", arguments: cases)
    func valueIsWritten(_ test: Case) throws {
        let shop = try shop(test, .file, edit: test.held)
        retype(shop, test)
        let (report, _) = try shop.syncPlanned(Self.record(test.said))
        #expect(report.summary.conflict == 0 && report.summary.update == 0, "\(report.summary.text)")
        #expect(try HeldEditScene.edits(shop) == [] && shop.rows(waiting) == ["0"])
        // It is the source's: what comes next is taken.
        let next = try shop.syncPlanned(Self.record(test.next)).0
        #expect(next.summary.conflict == 0 && next.summary.update == 1, "\(next.summary.text)")
    }

    @Test("A row that was deleted here stays deleted", arguments: Seeds.pairs(cases, in: Store.allCases))
    func deletedRow(_ test: Case, _ store: Store) throws {
        let shop = try shop(test, store, edit: nil)
        try shop.sql("DELETE FROM items")
        _ = try shop.syncPlanned(Self.record(test.said))
        retype(shop, test)
        let (report, _) = try shop.syncPlanned(Self.record(test.said))
        #expect(report.summary.conflict == 0, "\(report.summary.text)")
        #expect(try shop.rows("SELECT v FROM items") == [])
    }
}
