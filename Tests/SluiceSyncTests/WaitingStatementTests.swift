import SluiceReport
import SluiceReview
import SluiceStore
import Testing

/// A deletion that one of two streams states waits for a decision, since the row was edited here.
@Suite("Stated deletions that wait for a decision")
struct WaitingStatementTests {
    /// Two streams, `states` and `lists`, of which the first one says which records are deleted.
    private func shop(_ order: [String], when deleted: String = ".gone == true") throws -> Workshop {
        let shop = try Workshop()
        try shop.define(
            "shop",
            """
            merge: {precedence: [\(order.joined(separator: ", "))]}
            entities: {Book: {table: books, primary_key: id, fields: {id: int, title: string, shelf: string}}}
            streams:
              - {name: states, entity: Book, path: states.json, deleted_when: '\(deleted)'}
              - {name: lists, entity: Book, path: lists.json}
            """)
        for file in ["states", "lists"] { try shop.put("[]", as: "\(file).json") }
        return shop
    }

    private func edits(_ shop: Workshop) throws -> [String] {
        var edits: [String] = []
        try EditReader(store: shop.open(.reading)).edits(pipelines: nil, entity: nil) { edit in
            edits += edit.fields.map { "\($0.name) \($0.base.value ?? "-") \($0.local ?? "-")" }
        }
        return edits
    }

    private func sync(_ shop: Workshop) throws { #expect(try shop.syncPlanned().0.status == .succeeded) }

    static let orders = [["states", "lists"], ["lists", "states"]]

    @Test("What another stream lists since the statement is no edit", arguments: orders)
    func listedSince(order: [String]) throws {
        let shop = try shop(order)
        try shop.put(#"[{"id":2,"title":"old","shelf":"x"}]"#, as: "states.json")
        try sync(shop)
        try shop.sql("UPDATE books SET shelf = 'mine'")
        try shop.put(#"[{"id":2,"gone":true}]"#, as: "states.json")
        try shop.put(#"[{"id":2,"title":"new","shelf":"y"}]"#, as: "lists.json")
        try sync(shop)
        #expect(try shop.rows("SELECT title, shelf FROM books") == ["'new'|'mine'"])
        #expect(try edits(shop) == [#"shelf "x" "mine""#])
        try shop.sql("UPDATE books SET shelf = 'x'")
        try sync(shop)
        #expect(try shop.rows("SELECT title, shelf FROM books") == [])
        #expect(try shop.openConflicts.isEmpty)
        #expect(try shop.quietRun(renewing: true).written == [])
    }

    @Test("What the statement carries is no base of the row", arguments: orders)
    func carried(order: [String]) throws {
        let shop = try shop(order, when: "true")
        try shop.put(#"[{"id":6,"title":"a","shelf":"z"}]"#, as: "lists.json")
        try sync(shop)
        try shop.sql("UPDATE books SET shelf = 'mine'")
        try shop.put(#"[{"id":6,"title":"last","shelf":"last"}]"#, as: "states.json")
        for _ in 1...2 {
            try sync(shop)
            #expect(try edits(shop) == [#"shelf "z" "mine""#])
        }
        try shop.sql("UPDATE books SET shelf = 'z'")
        try sync(shop)
        #expect(try shop.rows("SELECT title, shelf FROM books") == [])
        #expect(try shop.openConflicts.isEmpty)
    }

    /// How a statement that carries other values than were listed ends its wait.
    enum End: String, CaseIterable, Sendable { case editTakenBack, listedAnew, keptHere }

    @Test("A statement that waited is not news again", arguments: orders, End.allCases)
    func known(order: [String], end: End) throws {
        let shop = try shop(order)
        try shop.put(#"[{"id":2,"title":"old","shelf":"x"}]"#, as: "states.json")
        try sync(shop)
        try shop.sql("UPDATE books SET shelf = 'mine'")
        try shop.put(#"[{"id":2,"title":"last","shelf":"last","gone":true}]"#, as: "states.json")
        try sync(shop)
        #expect(try edits(shop) == [#"shelf "x" "mine""#])
        #expect(try shop.openConflicts.count == 1)
        switch end {
        case .editTakenBack:
            try shop.sql("UPDATE books SET shelf = 'x'")
            try sync(shop)
            #expect(try shop.rows("SELECT id FROM books") == [])
        case .listedAnew: break
        case .keptHere:
            let store = try shop.open(.settling)
            try store.begin()
            var decisions = try store.conflicts.list(includingClosed: false).map { ConflictDecision($0, .local) }
            try ConflictResolver(store: store).carryOut(&decisions, who: "ada")
            #expect(decisions.map(\.outcome) == [.resolved])
            try store.commit()
        }
        try shop.put(#"[{"id":2,"title":"new","shelf":"y"}]"#, as: "lists.json")
        try sync(shop)
        // The feed of deletions says it as long as it likes.
        for title in ["new", "newer"] {
            try shop.put(#"[{"id":2,"title":"\#(title)","shelf":"y"}]"#, as: "lists.json")
            try sync(shop)
            #expect(try shop.rows("SELECT title FROM books") == ["'\(title)'"])
        }
        #expect(try shop.openConflicts.allSatisfy { $0.contains("shelf") })
    }

    /// What makes a statement another one, beside which another stream lists the record with something new.
    enum News: String, CaseIterable, Sendable { case leftOutBefore, otherValues }

    @Test(
        "A new statement in the run in which another stream lists something new holds", arguments: orders, News.allCases
    )
    func stated(order: [String], news: News) throws {
        let shop = try shop(order, when: "true")
        try shop.put(#"[{"id":2,"title":"a","shelf":"x"}]"#, as: "lists.json")
        try sync(shop)
        try shop.sql("UPDATE books SET title = 'mine'")
        try shop.put(#"[{"id":2,"title":"last"}]"#, as: "states.json")
        try sync(shop)
        if news == .leftOutBefore {
            try shop.put("[]", as: "states.json")
            try sync(shop)
            #expect(try shop.openConflicts.count == 1)
        }
        try shop.put(#"[{"id":2,"title":"\#(news == .otherValues ? "other" : "last")"}]"#, as: "states.json")
        try shop.put(#"[{"id":2,"title":"b","shelf":"x"}]"#, as: "lists.json")
        for _ in 1...2 {
            try sync(shop)
            #expect(try shop.openConflicts.contains { $0.contains("edit_delete") })
            #expect(try shop.rows("SELECT title FROM books") == ["'mine'"])
        }
        try shop.sql("UPDATE books SET title = 'a'")
        try sync(shop)
        #expect(try shop.rows("SELECT id FROM books") == [])
    }

    @Test("What a statement said of a record is nothing of its row once it is no longer stated", arguments: orders)
    func ended(order: [String]) throws {
        let shop = try shop(order, when: "true")
        try shop.put(#"[{"id":1,"title":"k"},{"id":2,"title":"a"}]"#, as: "lists.json")
        try sync(shop)
        try shop.put(#"[{"id":2,"title":"a","shelf":"last"}]"#, as: "states.json")
        try sync(shop)
        try shop.put(#"[{"id":1,"title":"k"},{"id":2,"title":"b"}]"#, as: "lists.json")
        try sync(shop)
        try shop.put("[]", as: "states.json")
        try sync(shop)
        #expect(try shop.rows("SELECT title, shelf FROM books WHERE id = 2") == ["'b'|NULL"])
        #expect(try edits(shop) == [])
    }
}
