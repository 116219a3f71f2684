import SluiceReport
import SluiceReview
import SluiceStore
import Testing

/// A list that was edited here and whose record leaves one of two streams while the other one comes to give it.
@Suite("Lists that pass from one stream to another")
struct ListHandoverTests {
    private func shop(first: String) throws -> Workshop {
        let streams = [
            "{name: crm, entity: Book, path: crm.json, deleted_when: .gone == true, delete_missing: {mode: hard, max_delete: 100%, min_records: 0}}",
            "{name: web, entity: Book, path: web.json}",
        ]
        let shop = try Workshop()
        try shop.define(
            "shop",
            """
            merge: {precedence: [crm, web]}
            entities:
              Book: {table: books, primary_key: id, fields: {id: int, title: string}, children: {lines: {entity: Line, from: "lines[*]", ordered: true}}}
              Line: {table: lines, fields: {t: string}}
            streams:
              - \(streams[first == "crm" ? 0 : 1])
              - \(streams[first == "crm" ? 1 : 0])
            """)
        for file in ["crm", "web"] { try shop.put("[]", as: "\(file).json") }
        return shop
    }

    private func book(_ title: String, _ lines: String...) -> String {
        #"[{"id":4,"title":"\#(title)","lines":[\#(lines.map { #"{"t":"\#($0)"}"# }.joined(separator: ","))]}]"#
    }

    private func lines(_ shop: Workshop) throws -> [String] { try shop.rows("SELECT t FROM lines ORDER BY position") }

    @Test("The edited list is asked about, and stays as somebody decided", arguments: ["crm", "web"])
    func edited(first: String) throws {
        let shop = try shop(first: first)
        try shop.put(book("a", "a1", "a2"), as: "crm.json")
        #expect(try shop.syncPlanned().0.status == .succeeded)
        try shop.sql("UPDATE lines SET t = 'mine' WHERE position = 1")
        try shop.put("[]", as: "crm.json")
        #expect(try shop.syncPlanned().0.status == .succeeded)
        #expect(try shop.openConflicts.count == 1)
        for text in ["b1", "b2"] {
            try shop.put(book("b", text), as: "web.json")
            #expect(try shop.syncPlanned().0.status == .succeeded)
            #expect(try lines(shop) == ["'a1'", "'mine'"])
            let open = try shop.open(.reading).conflicts.list(includingClosed: false)
            #expect(open.map(\.isOfList) == [true])
            #expect(open.first?.remote?.contains(text) == true)
        }
        try decide(shop)
        try shop.put(book("a"), as: "crm.json")
        #expect(try shop.syncPlanned().0.status == .succeeded)
        #expect(try lines(shop) == ["'a1'", "'mine'"])
        try decide(shop)
        try shop.put(#"[{"id":4,"gone":true}]"#, as: "crm.json")
        for _ in 1...2 {
            #expect(try shop.syncPlanned().0.status == .succeeded)
            #expect(try lines(shop) == ["'a1'", "'mine'"])
        }
    }

    /// Keeps what is here.
    private func decide(_ shop: Workshop) throws {
        let store = try shop.open(.settling)
        try store.begin()
        var decisions = try store.conflicts.list(includingClosed: false).map { ConflictDecision($0, .local) }
        try ConflictResolver(store: store).carryOut(&decisions, who: "ada")
        #expect(decisions.allSatisfy { $0.outcome == .resolved })
        try store.commit()
    }

    @Test("What a stream gave of a child that another one keeps is no edit of its record")
    func left() throws {
        let shop = try Workshop()
        try shop.define(
            "shop",
            """
            merge: {precedence: [crm, web]}
            entities:
              Book: {table: books, primary_key: id, fields: {id: int, title: string}, children: {lines: {entity: Line, from: "lines[*]", key: [k]}}}
              Line: {table: lines, fields: {k: int, t: string}}
            streams:
              - {name: crm, entity: Book, path: crm.json, deleted_when: .gone == true}
              - {name: web, entity: Book, path: web.json, delete_missing: {mode: hard, min_records: 5}}
            """)
        try shop.put(#"[{"id":4,"title":"a","lines":[{"k":1,"t":"a"}]}]"#, as: "crm.json")
        try shop.put(#"[{"id":4,"title":"b","lines":[{"k":1,"t":"b"}]}]"#, as: "web.json")
        #expect(try shop.syncPlanned().0.status == .succeeded)
        // The one says no more of the child, and that the other one lists it no longer is refused.
        try shop.put(#"[{"id":4,"title":"a","lines":[]}]"#, as: "crm.json")
        try shop.put("[]", as: "web.json")
        _ = try shop.syncPlanned()
        #expect(try shop.rows("SELECT t FROM lines") == ["'a'"])
        try shop.put(#"[{"id":4,"gone":true}]"#, as: "crm.json")
        _ = try shop.syncPlanned()
        #expect(try shop.openConflicts == [])
        #expect(try shop.rows("SELECT id FROM books") == [])
    }
}
