import SluiceReport
import SluiceReview
import SluiceStore
import Testing

/// A record that both streams of a table lose in one run, of which one may delete no row.
@Suite("Records that all streams lose in one run")
struct LostByAllTests {
    private static let streams = [
        "{name: crm, entity: Book, path: crm.json, delete_missing: {mode: hard, max_delete: 10%}}",
        "{name: web, entity: Book, path: web.json, delete_missing: {mode: hard, max_delete: 100%, min_records: 0}}",
    ]
    private static let both = #"[{"id":1,"title":"a"},{"id":2,"title":"b"}]"#
    private static let one = #"[{"id":1,"title":"a"}]"#

    private func shop(crmIsFirst: Bool, precedence: String) throws -> Workshop {
        let shop = try Workshop()
        let streams = crmIsFirst ? Self.streams : Self.streams.reversed()
        try shop.define(
            "shop",
            """
            merge: {precedence: [\(precedence)]}
            entities: {Book: {table: books, primary_key: id, fields: {id: int, title: string}}}
            streams:
            \(streams.map { "  - \($0)" }.joined(separator: "\n"))
            """)
        for file in ["crm", "web"] { try shop.put(Self.both, as: "\(file).json") }
        #expect(try shop.syncPlanned().0.status == .succeeded)
        for file in ["crm", "web"] { try shop.put(Self.one, as: "\(file).json") }
        return shop
    }

    @Test("One that was edited is asked about at once", arguments: [true, false], ["crm, web", "web, crm"])
    func edited(crmIsFirst: Bool, precedence: String) throws {
        let shop = try shop(crmIsFirst: crmIsFirst, precedence: precedence)
        try shop.sql("UPDATE books SET title = 'mine' WHERE id = 2")
        for _ in 1...2 {
            let report = try shop.syncPlanned().0
            #expect(report.problems.filter { $0.code == "deletes_refused" }.isEmpty, "\(report.problems)")
            #expect(try shop.rows("SELECT title FROM books ORDER BY id") == ["'a'", "'mine'"])
            #expect(try shop.openConflicts.count == 1)
        }
    }

    @Test("One that nobody edited stays, and passes to none", arguments: [true, false], ["crm, web", "web, crm"])
    func untouched(crmIsFirst: Bool, precedence: String) throws {
        let shop = try shop(crmIsFirst: crmIsFirst, precedence: precedence)
        for _ in 1...2 {
            let refusals = try shop.syncPlanned().0.problems.filter { $0.code == "deletes_refused" }
            // The stream that may delete it deletes it where it is the last that had it.
            let stays = try shop.rows("SELECT title FROM books WHERE id = 2") == ["'b'"]
            #expect(stays == (refusals.count == 1))
            #expect(refusals.allSatisfy { !$0.message.contains("pass") }, "\(refusals)")
        }
    }
}
