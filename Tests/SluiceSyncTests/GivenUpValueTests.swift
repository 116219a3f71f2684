import SluiceReport
import SluiceReview
import SluiceStore
import Testing

/// What a stream gave of a record that it has no longer, beside another stream that still lists the record.
@Suite("Values of streams that have a record no longer")
struct GivenUpValueTests {
    /// How the stream `first` gives a record up.
    enum End: String, CaseIterable, Sendable {
        case drops, states
    }

    /// Two streams of which `first` goes first; both may list chapters within their books.
    private func shop(_ order: [String] = ["first", "second"], isOrdered: Bool = false) throws -> Workshop {
        let shop = try Workshop()
        let identity = isOrdered ? "ordered: true" : "key: [nr]"
        try shop.define(
            "shop",
            """
            merge: {precedence: [\(order.joined(separator: ", "))]}
            entities:
              Book:
                table: books
                primary_key: id
                fields: {id: int, title: string, shelf: string}
                children: {chapters: {entity: Chapter, from: "chapters[*]", \(identity)}}
              Chapter: {table: chapters, fields: {nr: int, title: string}}
            streams:
              - name: first
                entity: Book
                path: first.json
                deleted_when: .gone == true
                delete_missing: {mode: hard, max_delete: 100%, min_records: 0}
              - name: second
                entity: Book
                path: second.json
                delete_missing: {mode: hard, max_delete: 100%, min_records: 0}
            """)
        for file in ["first", "second"] { try shop.put("[]", as: "\(file).json") }
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

    private func lists(_ shop: Workshop, first: String? = nil, second: String? = nil) throws {
        if let first { try shop.put(first, as: "first.json") }
        if let second { try shop.put(second, as: "second.json") }
        try sync(shop)
    }

    @Test("Writing such a value is an edit once another one took its place", arguments: End.allCases, [true, false])
    func writtenAgain(end: End, isNewer: Bool) throws {
        let shop = try shop()
        if isNewer { try lists(shop, second: #"[{"id":3,"title":"b1"}]"#) }
        try lists(shop, first: #"[{"id":3,"title":"a1"}]"#, second: #"[{"id":3,"title":"b1"}]"#)
        #expect(try shop.rows("SELECT title FROM books") == ["'a1'"])
        switch end {
        case .drops: try lists(shop, first: "[]")
        case .states:
            try lists(shop, first: #"[{"id":3,"gone":true}]"#)
            #expect(try shop.rows("SELECT title FROM books") == [])
            try lists(shop, second: #"[{"id":3,"title":"b2"}]"#)
        }
        let now = end == .drops ? "b1" : "b2"
        #expect(try shop.rows("SELECT title FROM books") == ["'\(now)'"])
        try shop.sql("UPDATE books SET title = 'a1'")
        #expect(try edits(shop) == [#"title "\#(now)" "a1""#])
        for _ in 1...2 {
            try lists(shop, second: #"[{"id":3,"title":"b3"}]"#)
            #expect(try shop.rows("SELECT title FROM books") == ["'a1'"])
            #expect(try shop.openConflicts.count == 1)
        }
    }

    @Test("So it is in what belongs to a record", arguments: [#"[]"#, #"[{"id":3,"chapters":[]}]"#])
    func writtenAgainWithin(left: String) throws {
        let shop = try shop()
        func book(_ title: String) -> String { #"[{"id":3,"chapters":[{"nr":1,"title":"\#(title)"}]}]"# }
        try lists(shop, second: book("b1"))
        try lists(shop, first: book("a1"))
        try lists(shop, first: left)
        #expect(try shop.rows("SELECT title FROM chapters") == ["'b1'"])
        try shop.sql("UPDATE chapters SET title = 'a1'")
        #expect(try edits(shop) == [#"title "b1" "a1""#])
        try lists(shop, second: book("b2"))
        #expect(try shop.rows("SELECT title FROM chapters") == ["'a1'"])
        #expect(try shop.openConflicts.count == 1)
    }

    @Test("So it is where a decision took its place")
    func decided() throws {
        let shop = try shop(["second", "first"])
        try lists(shop, first: #"[{"id":3,"title":"a1"}]"#)
        try lists(shop, first: "[]", second: #"[{"id":3,"title":"b1"}]"#)
        try shop.sql("UPDATE books SET title = 'mine'")
        try lists(shop, second: #"[{"id":3,"title":"b2"}]"#)
        let store = try shop.open(.settling)
        try store.begin()
        var decisions = try store.conflicts.list(includingClosed: false).map { ConflictDecision($0, .remote) }
        try ConflictResolver(store: store).carryOut(&decisions, who: "ada")
        #expect(decisions.map(\.outcome) == [.resolved])
        try store.commit()
        #expect(try shop.rows("SELECT title FROM books") == ["'b2'"])
        try shop.sql("UPDATE books SET title = 'a1'")
        #expect(try edits(shop) == [#"title "b2" "a1""#])
    }

    @Test("An edit of such a value that is taken back is one beside what the other stream says")
    func takenBack() throws {
        let shop = try shop()
        try lists(
            shop, first: #"[{"id":3,"title":"a1","shelf":"a"}]"#, second: #"[{"id":3,"title":"b1","shelf":"b"}]"#)
        try shop.sql("UPDATE books SET shelf = 'mine'")
        try lists(shop, first: "[]")
        #expect(try shop.rows("SELECT title, shelf FROM books") == ["'b1'|'mine'"])
        #expect(try edits(shop) == [#"shelf "b" "mine""#])
        try shop.sql("UPDATE books SET shelf = 'a'")
        try sync(shop)
        #expect(try edits(shop) == [#"shelf "b" "a""#])
        try shop.sql("UPDATE books SET shelf = 'b'")
        #expect(try edits(shop) == [])
        try lists(shop, second: #"[{"id":3,"title":"b1","shelf":"c"}]"#)
        #expect(try shop.rows("SELECT title, shelf FROM books") == ["'b1'|'c'"])
    }

    @Test("A row that was emptied stays so where the stream lists its record again", arguments: orders)
    func emptied(order: [String]) throws {
        let shop = try shop(order)
        try lists(shop, first: #"[{"id":3,"title":"a1"}]"#, second: #"[{"id":3,"title":"b1"}]"#)
        try lists(shop, first: "[]")
        try shop.sql("UPDATE books SET title = NULL")
        for _ in 1...2 {
            try lists(shop, first: #"[{"id":3,"title":"a2"}]"#)
            #expect(try shop.rows("SELECT title FROM books") == ["NULL"])
            #expect(try shop.openConflicts.count == 1)
        }
    }

    @Test("What was listed while a deletion stood is nothing of a row made later", arguments: orders)
    func listedInVain(order: [String]) throws {
        let shop = try shop(order)
        try shop.put(#"[{"id":2,"title":"b1"}]"#, as: "second.json")
        try shop.put(#"[{"id":2,"gone":true}]"#, as: "first.json")
        _ = try shop.syncPlanned()
        #expect(try shop.rows("SELECT id FROM books") == [])
        try lists(shop, first: #"[{"id":2,"shelf":"x"}]"#, second: "[]")
        #expect(try shop.rows("SELECT title, shelf FROM books") == ["NULL|'x'"])
        #expect(try edits(shop) == [])
        try lists(shop, first: "[]")
        #expect(try shop.rows("SELECT id FROM books") == [])
    }

    static let orders = [["first", "second"], ["second", "first"]]

    @Test("A value that was cleared stays so beside a stream that never gave it", arguments: orders, End.allCases)
    func cleared(order: [String], end: End) throws {
        let shop = try shop(order)
        try lists(shop, first: #"[{"id":4,"title":"a1","shelf":"x"}]"#)
        try shop.sql("UPDATE books SET title = 'mine', shelf = NULL")
        let left = end == .drops ? "[]" : #"[{"id":4,"title":"a1","shelf":"x","gone":true}]"#
        try lists(shop, first: left, second: #"[{"id":4,"title":"b1","shelf":"z"}]"#)
        try shop.put(#"[{"id":4,"title":"b2","shelf":"z"}]"#, as: "second.json")
        for _ in 1...3 {
            try sync(shop)
            #expect(try shop.rows("SELECT title, shelf FROM books") == ["'mine'|NULL"])
            #expect(try edits(shop).count == 2)
            #expect(try shop.openConflicts.count == 2)
        }
    }

    @Test("Something new within a record answers a statement that waits", arguments: orders, [false, true])
    func answeredWithin(order: [String], isSilent: Bool) throws {
        let shop = try shop(order)
        func book(_ chapters: String) -> String { #"[{"id":4,"title":"t","chapters":[\#(chapters)]}]"# }
        try lists(
            shop, first: book(#"{"nr":1,"title":"a1"}"#), second: book(#"{"nr":1,"title":"b1"}"#))
        try shop.sql("UPDATE books SET title = 'mine'")
        for _ in 1...2 {
            try lists(shop, first: #"[{"id":4,"gone":true}]"#)
            #expect(try shop.openConflicts.count == 1)
        }
        if isSilent { try lists(shop, first: "[]") }
        for _ in 1...2 {
            try lists(shop, second: book(#"{"nr":1,"title":"b2"},{"nr":2,"title":"b3"}"#))
            #expect(try shop.openConflicts == [])
        }
        #expect(try shop.quietRun(renewing: true).written == [])
        try shop.sql("UPDATE books SET title = 't'")
        for _ in 1...2 {
            try sync(shop)
            #expect(try shop.rows("SELECT title FROM books") == ["'t'"])
            #expect(try shop.rows("SELECT title FROM chapters ORDER BY nr") == ["'b2'", "'b3'"])
        }
    }

    @Test("So does something new in a list that is one value", arguments: orders)
    func answeredByList(order: [String]) throws {
        let shop = try shop(order, isOrdered: true)
        func book(_ titles: String...) -> String {
            let chapters = titles.map { #"{"nr":1,"title":"\#($0)"}"# }.joined(separator: ",")
            return #"[{"id":4,"title":"t","chapters":[\#(chapters)]}]"#
        }
        try lists(shop, first: book("a1"), second: book("b1"))
        try shop.sql("UPDATE books SET title = 'mine'")
        try lists(shop, first: #"[{"id":4,"gone":true}]"#)
        try lists(shop, second: book("b1", "b2"))
        #expect(try shop.openConflicts == [])
        try shop.sql("UPDATE books SET title = 't'")
        for _ in 1...2 {
            try sync(shop)
            #expect(try shop.rows("SELECT title FROM books") == ["'t'"])
            #expect(try shop.rows("SELECT title FROM chapters ORDER BY position") == ["'b1'", "'b2'"])
        }
    }

    @Test("What a stream gave within a record that it states to be deleted is left to others", arguments: orders)
    func leftWithin(order: [String]) throws {
        let shop = try shop(order)
        func book(_ title: String, _ chapter: String) -> String {
            #"[{"id":4,"title":"\#(title)","chapters":[{"nr":1,"title":"\#(chapter)"}]}]"#
        }
        try lists(shop, first: book("t", "a1"), second: book("t", "b1"))
        try shop.sql("UPDATE books SET shelf = 'mine'")
        try lists(shop, first: #"[{"id":4,"gone":true}]"#)
        try lists(shop, second: book("u", "b1"))
        #expect(try shop.rows("SELECT title, shelf FROM books") == ["'u'|'mine'"])
        #expect(try shop.rows("SELECT title FROM chapters") == ["'b1'"])
        try lists(shop, second: book("u", "b2"))
        #expect(try shop.rows("SELECT title FROM chapters") == ["'b2'"])
        #expect(try shop.quietRun(renewing: true).written == [])
    }

    @Test("What waits for a decision within a record is no answer", arguments: orders)
    func awaitedWithin(order: [String]) throws {
        let shop = try shop(order)
        func book(_ title: String) -> String { #"[{"id":4,"title":"t","chapters":[{"nr":1,"title":"\#(title)"}]}]"# }
        try lists(shop, first: #"[{"id":4,"title":"t"}]"#, second: book("b1"))
        try shop.sql("UPDATE chapters SET title = 'mine'")
        try lists(shop, second: book("b2"))
        #expect(try shop.openConflicts.count == 1)
        for _ in 1...3 {
            try lists(shop, first: #"[{"id":4,"gone":true}]"#)
            #expect(try shop.openConflicts.count == 2)
        }
    }
}
