import SluiceReport
import SluiceReview
import SluiceStore
import Testing

/// Rows that were edited here and stay, since somebody has to decide about the deletion that a source states.
@Suite("Edits of rows whose deletion is stated")
struct StatedEditTests {
    private func shop(_ order: [String], rule: String = "defer") throws -> Workshop {
        let shop = try Workshop()
        try shop.define(
            "shop",
            """
            merge: {precedence: [\(order.joined(separator: ", "))]}
            entities:
              Book: {table: books, primary_key: id, fields: {id: int, title: string, author: {ref: Author, upsert: false, on_dangling: \(rule)}}}
              Author: {table: authors, primary_key: id, fields: {id: int}}
            streams:
              - {name: crm, entity: Book, path: crm.json, deleted_when: .gone == true}
              - {name: bill, entity: Book, path: bill.json, deleted_when: .gone == true}
              - {name: authors, entity: Author, path: authors.json, delete_missing: {mode: hard, max_delete: 100%, min_records: 0}}
            """)
        for file in ["crm", "bill", "authors"] { try shop.put("[]", as: "\(file).json") }
        return shop
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let order: [String]
        /// What the two list, and who states the deletion.
        let crm: String
        let bill: String
        let stating: String
        /// What the row held before it was edited.
        let base: String
    }

    static let cases = [
        Case(
            testDescription: "the first one states it", order: ["crm", "bill"], crm: "c", bill: "b", stating: "crm",
            base: "c"),
        Case(
            testDescription: "the second one states it", order: ["crm", "bill"], crm: "c", bill: "b", stating: "bill",
            base: "c"),
        Case(
            testDescription: "the first one states it and gave no title", order: ["crm", "bill"], crm: "", bill: "b",
            stating: "crm", base: "b"),
        Case(
            testDescription: "the second one states it, which the other one goes behind", order: ["bill", "crm"],
            crm: "c",
            bill: "b", stating: "bill", base: "b"),
    ]

    @Test("The value before is what the row held", arguments: cases)
    func base(_ known: Case) throws {
        let shop = try shop(known.order)
        func record(_ title: String) -> String { title.isEmpty ? #"[{"id":2}]"# : #"[{"id":2,"title":"\#(title)"}]"# }
        try shop.put(record(known.crm), as: "crm.json")
        try shop.put(record(known.bill), as: "bill.json")
        #expect(try shop.syncPlanned().0.status == .succeeded)
        #expect(try shop.rows("SELECT title FROM books") == ["'\(known.base)'"])
        try shop.sql("UPDATE books SET title = 'mine'")
        try shop.put(#"[{"id":2,"gone":true}]"#, as: "\(known.stating).json")
        for title in ["mine", "c", "b"] where title != known.base {
            try shop.sql("UPDATE books SET title = '\(title)'")
            _ = try shop.syncPlanned()
            let store = try shop.open(.reading)
            var edits: [String] = []
            try EditReader(store: store).edits(pipelines: nil, entity: nil) { edit in
                edits += edit.fields.map { "\($0.name) \($0.base.value ?? "-") \($0.local ?? "-")" }
            }
            #expect(edits == [#"title "\#(known.base)" "\#(title)""#])
            let open = try store.conflicts.list(includingClosed: false).filter { $0.field == nil }
            let bases = try ConflictBases(store: store).explained(open).map(\.base)
            #expect(bases == [#"{"id":2,"title":"\#(known.base)"}"#])
        }
    }

    @Test("It loses a reference as others do, and the undo gives that back", arguments: ["set_null", "defer"])
    func unlinked(rule: String) throws {
        let shop = try shop(["crm", "bill"], rule: rule)
        try shop.put(#"[{"id":2,"title":"b","author":7},{"id":4,"title":"c","author":7}]"#, as: "crm.json")
        try shop.put(#"[{"id":7}]"#, as: "authors.json")
        #expect(try shop.syncPlanned().0.status == .succeeded)
        try shop.sql("UPDATE books SET title = 'mine' WHERE id = 4")
        try shop.put(#"[{"id":4,"gone":true}]"#, as: "bill.json")
        try shop.put("[]", as: "authors.json")
        let (report, recorder) = try shop.syncPlanned()
        #expect(try shop.rows("SELECT id, author_id FROM books ORDER BY id") == ["2|NULL", "4|NULL"])
        #expect(recorder.changes.count { $0.hasPrefix("update unlink") } == 2, "\(recorder.changes)")
        _ = try shop.undoPlanned(#require(report.run))
        #expect(try shop.rows("SELECT id, author_id FROM books ORDER BY id") == ["2|7", "4|7"])
    }
}
