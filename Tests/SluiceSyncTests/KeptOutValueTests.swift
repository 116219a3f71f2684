import SluiceReport
import SluiceReview
import SluiceStore
import TestSupport
import Testing

/// What a stream gave of a field and the row never held, since another stream goes before it.
@Suite("Values that another stream keeps out")
struct KeptOutValueTests {
    /// Streams of one table that go in this order, of which none deletes more carefully than it has to.
    private func shop(_ order: [String], reading names: [String]? = nil) throws -> Workshop {
        let shop = try Workshop()
        let streams = (names ?? order).map { name in
            """
              - name: \(name)
                entity: Book
                path: \(name).json
                deleted_when: .gone == true
                delete_missing: {mode: hard, max_delete: 100%, min_records: 0}
            """
        }
        try shop.define(
            "shop",
            """
            merge: {precedence: [\(order.joined(separator: ", "))]}
            entities:
              Book:
                table: books
                primary_key: id
                fields: {id: int, title: string, shelf: string}
                children: {chapters: {entity: Chapter, from: "chapters[*]", key: [nr]}}
              Chapter: {table: chapters, fields: {nr: int, title: string}}
            streams:
            \(streams.joined(separator: "\n"))
            """)
        for name in order { try shop.put("[]", as: "\(name).json") }
        return shop
    }

    private func edits(_ shop: Workshop) throws -> [String] {
        var edits: [String] = []
        try EditReader(store: shop.open(.reading)).edits(pipelines: nil, entity: nil) { edit in
            edits += edit.fields.map { "\($0.name) \($0.base.value ?? "-") \($0.local ?? "-")" }
        }
        return edits
    }

    private func lists(_ shop: Workshop, _ records: KeyValuePairs<String, String>) throws {
        for (name, text) in records { try shop.put(text, as: "\(name).json") }
        #expect(try shop.syncPlanned().0.status == .succeeded)
    }

    static let readings = [["first", "second"], ["second", "first"]]

    @Test("A null of the stream that goes first keeps out as a value does", arguments: readings, ["\"x2\"", nil])
    func null(reading: [String], news: String?) throws {
        let shop = try shop(["first", "second"], reading: reading)
        func first(_ shelf: String) -> String {
            #"[{"id":1,"title":"a","shelf":\#(shelf),"chapters":[{"nr":1,"title":null}]}]"#
        }
        try lists(
            shop,
            [
                "first": first("null"),
                "second": #"[{"id":1,"title":"b","shelf":"wy","chapters":[{"nr":1,"title":"cy"}]}]"#,
            ])
        #expect(try shop.rows("SELECT title, shelf FROM books") == ["'a'|NULL"])
        #expect(try edits(shop) == [])
        try shop.sql("UPDATE books SET shelf = 'wy'")
        try shop.sql("UPDATE chapters SET title = 'cy'")
        #expect(try edits(shop).sorted() == [#"shelf null "wy""#, #"title null "cy""#])
        guard let news else {
            try lists(shop, ["first": "[]"])
            // Until the other stream says it once more.
            #expect(try shop.rows("SELECT title, shelf FROM books") == ["'b'|'wy'"])
            return
        }
        for _ in 1...2 {
            try lists(shop, ["first": first(news)])
            #expect(try shop.rows("SELECT title, shelf FROM books") == ["'a'|'wy'"])
            #expect(try shop.rows("SELECT title FROM chapters") == ["'cy'"])
            #expect(try shop.openConflicts.count == 1)
        }
        for _ in 1...2 {
            try lists(shop, ["first": "[]", "second": "[]"])
            #expect(try shop.rows("SELECT title, shelf FROM books") == ["'a'|'wy'"])
            #expect(try shop.openConflicts.count == 1)
        }
    }

    /// How a stream loses a record.
    enum End: String, CaseIterable, Sendable {
        case drops, states

        var list: String { self == .drops ? "[]" : #"[{"id":2,"gone":true}]"# }
    }

    /// Which of two streams loses a record first.
    enum Turn: CaseIterable, Sendable { case first, second, both }

    /// The columns that a person changes before the record goes.
    enum Edit: String, CaseIterable, Sendable { case shelf, title }

    @Test("So does a value of a stream that loses the record as well", arguments: ends, Seeds.some(of: turns, oneOf: 5))
    func lost(_ ends: [End], _ turn: (reading: [String], turn: Turn, edit: Edit)) throws {
        let shop = try shop(["first", "second"], reading: turn.reading)
        try lists(
            shop,
            [
                "first": #"[{"id":2,"title":"a","shelf":"z"}]"#,
                "second": #"[{"id":2,"title":"b","shelf":"z"}]"#,
            ])
        try shop.sql("UPDATE books SET \(turn.edit.rawValue) = 'mine'")
        switch turn.turn {
        case .first:
            try lists(shop, ["first": ends[0].list])
            try lists(shop, ["second": ends[1].list])
        case .second:
            try lists(shop, ["second": ends[1].list])
            try lists(shop, ["first": ends[0].list])
        case .both: try lists(shop, ["first": ends[0].list, "second": ends[1].list])
        }
        #expect(try shop.openConflicts.count == 1)
        // Only where it was read alone meanwhile, the row is the second one's.
        let isSecond = turn.turn == .first && ends[0] == .drops
        let (held, other) = isSecond ? ("b", "a") : ("a", "b")
        if turn.edit == .shelf { #expect(try shop.rows("SELECT title FROM books") == ["'\(held)'"]) }
        try shop.sql("UPDATE books SET title = '\(other)', shelf = 'z'")
        #expect(try edits(shop) == [#"title "\#(held)" "\#(other)""#])
        for _ in 1...2 {
            try lists(shop, [:])
            #expect(try shop.rows("SELECT title, shelf FROM books") == ["'\(other)'|'z'"])
            #expect(try shop.openConflicts.count == 1)
        }
        try shop.sql("UPDATE books SET title = '\(held)'")
        #expect(try edits(shop) == [])
        try lists(shop, [:])
        #expect(try shop.rows("SELECT title FROM books") == [])
    }

    static let ends = End.allCases.flatMap { first in End.allCases.map { [first, $0] } }
    static let turns = readings.flatMap { reading in
        Turn.allCases.flatMap { turn in Edit.allCases.map { (reading: reading, turn: turn, edit: $0) } }
    }

    @Test("Of three streams, the one that goes first of those that are left tells edits")
    func three() throws {
        let shop = try shop(["first", "third", "second"])
        func book(_ shelf: String) -> String { #"[{"id":1,"title":"t","shelf":"\#(shelf)"}]"# }
        try lists(shop, ["first": book("a1"), "third": book("c1"), "second": book("b1")])
        try lists(shop, ["first": "[]", "second": book("b2")])
        #expect(try shop.rows("SELECT shelf FROM books") == ["'c1'"])
        #expect(try edits(shop) == [])
        for value in ["mine", "b1", "b2", "a1"] {
            try shop.sql("UPDATE books SET shelf = '\(value)'")
            #expect(try edits(shop) == [#"shelf "c1" "\#(value)""#])
            try lists(shop, [:])
            #expect(try shop.rows("SELECT shelf FROM books") == ["'\(value)'"])
        }
        try lists(shop, ["third": book("c2")])
        #expect(try shop.rows("SELECT shelf FROM books") == ["'a1'"])
        #expect(try shop.openConflicts.count == 1)
        #expect(try edits(shop) == [#"shelf "c1" "a1""#])
    }

    @Test(
        "A decision about a field settles what other streams ask about it", arguments: ["first", "second"],
        [true, false])
    func decision(decided: String, takesRemote: Bool) throws {
        let shop = try shop(["first", "second"])
        try lists(shop, ["second": #"[{"id":2,"title":"b","shelf":null}]"#])
        try shop.sql("UPDATE books SET shelf = 'mine'")
        try lists(
            shop,
            ["first": #"[{"id":2,"title":"a","shelf":"y1"}]"#, "second": #"[{"id":2,"title":"b","shelf":"y2"}]"#])
        #expect(try shop.openConflicts.count == 2)
        let store = try shop.open(.settling)
        try store.begin()
        let all = try store.conflicts.list(includingClosed: false)
        var decisions = all.filter { $0.stream == decided }.map { ConflictDecision($0, takesRemote ? .remote : .local) }
        #expect(decisions.count == 1)
        try ConflictResolver(store: store).carryOut(&decisions, who: "ada")
        #expect(decisions.map(\.outcome) == [.resolved])
        #expect(decisions.flatMap(\.answers) == all.filter { $0.stream != decided }.compactMap(\.id))
        try store.commit()
        let value = takesRemote ? decided == "first" ? "y1" : "y2" : "mine"
        for isRenewed in [false, true, true] {
            #expect(try shop.openConflicts == [])
            #expect(try shop.rows("SELECT shelf FROM books") == ["'\(value)'"])
            #expect(try edits(shop) == (value == "y1" ? [] : [#"shelf "y1" "\#(value)""#]))
            #expect(try shop.quietRun(renewing: isRenewed).written == [])
        }
        try lists(shop, ["first": #"[{"id":2,"title":"a","shelf":"y3"}]"#])
        #expect(try shop.openConflicts.count == (value == "y1" ? 0 : 1))
        #expect(try shop.rows("SELECT shelf FROM books") == ["'\(value == "y1" ? "y3" : value)'"])
    }

    @Test("A value that waits for a decision keeps out what comes after it", arguments: End.allCases)
    func awaited(end: End) throws {
        let shop = try shop(["first", "second", "third"])
        func book(_ title: String, _ shelf: String) -> String { #"[{"id":1,"title":"\#(title)","shelf":"\#(shelf)"}]"# }
        try lists(shop, ["first": book("a", "a1"), "third": book("c", "c1")])
        try shop.sql("UPDATE books SET shelf = 'mine'")
        let left = end == .drops ? "[]" : #"[{"id":1,"gone":true}]"#
        try lists(shop, ["first": left, "second": book("b", "b1")])
        #expect(try shop.rows("SELECT title, shelf FROM books") == ["'b'|'mine'"])
        let asked = end == .drops ? 1 : 2
        #expect(try shop.openConflicts.count == asked)
        try shop.sql("UPDATE books SET shelf = 'c1'")
        for _ in 1...2 {
            #expect(try edits(shop).count == 1)
            try lists(shop, [:])
            #expect(try shop.rows("SELECT title, shelf FROM books") == ["'b'|'c1'"])
            #expect(try shop.openConflicts.count == asked)
        }
        try lists(shop, ["second": "[]", "third": "[]"])
        #expect(try shop.rows("SELECT shelf FROM books") == ["'c1'"])
    }
}
