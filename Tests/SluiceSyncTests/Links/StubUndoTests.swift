import SluiceReport
import SluiceReview
import SluiceStore
import TestSupport
import Testing

/// A run that deletes a record others refer to empties its row: undo sets back each field that nobody filled since.
@Suite("Undo of rows that stand for records")
struct StubUndoTests {
    /// A store, and whether other streams may give the record too.
    struct Place: Sendable, CustomTestStringConvertible {
        let store: StubEditTests.Store
        let isEmbedded: Bool
        var testDescription: String { "\(store)\(isEmbedded ? ", embedded too" : "")" }

        static let all = StubEditTests.Store.allCases.flatMap { store in
            [false, true].map { Place(store: store, isEmbedded: $0) }
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// What people put into the row.
        var filled: String?
        /// The row once the run is undone, and the fields that are edits then.
        let row: String
        var edits: [String] = []
        /// The row once its source gives another record.
        let other: String
        var counts = "update 1"
    }

    static let cases = [
        Case(testDescription: "in no field", row: "42|'Bob'|'b@x'", other: "42|'Eve'|'e@x'"),
        Case(
            testDescription: "in one field", filled: "name = 'own'", row: "42|'own'|'b@x'", edits: ["name"],
            other: "42|'own'|'e@x'"),
        Case(
            testDescription: "in all fields", filled: "name = 'own', mail = 'o@x'", row: "42|'own'|'o@x'",
            edits: ["name", "mail"], other: "42|'own'|'o@x'", counts: ""),
        Case(
            testDescription: "with what it held", filled: "name = 'Bob', mail = 'b@x'", row: "42|'Bob'|'b@x'",
            other: "42|'Eve'|'e@x'", counts: ""),
    ]

    private static let ann = #"{"id":7,"name":"Ann","mail":"a@x"}"#
    private static let bob = #"{"id":42,"name":"Bob","mail":"b@x"}"#
    private static let eve = #"{"id":42,"name":"Eve","mail":"e@x"}"#

    private func shop(_ place: Place, rule: String = "stub", mode: String = "hard") throws -> Workshop {
        let shop = try Workshop()
        if place.store == .schema { shop.database = try WorkshopSchema() }
        let upsert = place.isEmbedded ? "" : ", upsert: false"
        try shop.define(
            "shop",
            """
            entities:
              Issue:
                table: issues
                primary_key: id
                fields: {id: int, title: string, author: {ref: User\(upsert), on_dangling: \(rule)}}
              User: {table: users, primary_key: id, fields: {id: int, name: string, mail: string}}
            streams:
              - {name: issues, entity: Issue, path: issues.json}
              - {name: users, entity: User, path: users.json, delete_missing: {mode: \(mode), max_delete: 100%, min_records: 0}}
            """)
        try shop.put(#"[{"id":1,"title":"x","author":42}]"#, as: "issues.json")
        try users(Self.bob, shop)
        return shop
    }

    /// Runs once the source has these users beside the first one.
    private func users(_ others: String?, _ shop: Workshop) throws {
        try shop.put("[\(([Self.ann] + [others].compactMap(\.self)).joined(separator: ","))]", as: "users.json")
        #expect(try shop.syncPlanned().0.status == .succeeded)
    }

    private func row(_ shop: Workshop) throws -> [String] {
        try shop.rows("SELECT id, name, mail FROM users WHERE id = 42")
    }

    private func open(_ shop: Workshop) throws -> [String] {
        try HeldEditScene.open(shop).compactMap { $0.split(separator: " ").dropFirst().first.map(String.init) }
    }

    private func edits(_ shop: Workshop, of entity: String? = nil) throws -> [String] {
        var found: [String] = []
        try EditReader(store: shop.open(.reading)).edits(pipelines: nil, entity: entity) { edit in
            found += edit.fields.map(\.name)
        }
        return found
    }

    @Test("What nobody filled is set back, and is no edit", arguments: Seeds.pairs(cases, in: Place.all))
    func setBack(_ test: Case, _ place: Place) throws {
        let shop = try shop(place)
        try users(nil, shop)
        #expect(try row(shop) == ["42|NULL|NULL"])
        if let filled = test.filled { try shop.sql("UPDATE users SET \(filled) WHERE id = 42") }
        let (undone, _) = try shop.undoPlanned(2)
        #expect(undone.status == (test.edits.isEmpty ? .succeeded : .partial))
        #expect(undone.summary.text == test.counts && undone.left == (test.edits.isEmpty ? 0 : 1), "\(undone)")
        #expect(try row(shop) == [test.row])
        #expect(try edits(shop) == test.edits)
        try users(Self.bob, shop)
        #expect(try row(shop) == [test.row])
        #expect(try open(shop) == test.edits)
        #expect(try shop.quietRun(renewing: true).written == [])
        try users(Self.eve, shop)
        #expect(try row(shop) == [test.other])
        #expect(try open(shop) == test.edits)
        #expect(try shop.quietRun(renewing: true).written == [])
    }

    @Test("The undo can be undone", arguments: Place.all, cases.prefix(2))
    func redone(_ place: Place, _ test: Case) throws {
        let shop = try shop(place)
        try users(nil, shop)
        if let filled = test.filled { try shop.sql("UPDATE users SET \(filled) WHERE id = 42") }
        let (before, edited) = (try row(shop), try edits(shop))
        let (undone, _) = try shop.undoPlanned(2)
        #expect(try shop.undoPlanned(try #require(undone.run)).report.status == .succeeded)
        #expect(try row(shop) == before)
        #expect(try edits(shop) == edited)
    }

    /// The row that a later run made for a record that was gone before, once people filled a part of it.
    @Test("A row that stays keeps a base that says nothing of it", arguments: Place.all)
    func kept(_ place: Place) throws {
        let shop = try shop(place)
        try shop.put("[]", as: "issues.json")
        try shop.sql("DELETE FROM issues")
        try users(nil, shop)
        #expect(try row(shop) == [])
        try shop.put(#"[{"id":2,"title":"y","author":42}]"#, as: "issues.json")
        let run = try #require(try shop.syncPlanned().0.run)
        #expect(try row(shop) == ["42|NULL|NULL"])
        try shop.sql("UPDATE users SET name = 'own' WHERE id = 42")
        let (undone, _) = try shop.undoPlanned(run)
        #expect(undone.left == 1 && undone.status == .partial)
        #expect(try row(shop) == ["42|'own'|NULL"])
        #expect(try edits(shop, of: "User") == ["name"])
        try users(Self.eve, shop)
        #expect(try row(shop) == ["42|'own'|'e@x'"])
        #expect(try open(shop) == ["name"])
    }

    @Test(
        "A mark that is taken back leaves what people changed an edit", arguments: Seeds.some(of: Place.all, oneOf: 2))
    func marked(_ place: Place) throws {
        let shop = try shop(place, mode: "soft")
        try users(nil, shop)
        try shop.sql("UPDATE users SET name = 'own' WHERE id = 42")
        #expect(try shop.undoPlanned(2).report.status == .succeeded)
        #expect(try row(shop) == ["42|'own'|'b@x'"])
        #expect(try edits(shop) == ["name"])
        try users(Self.bob, shop)
        #expect(try row(shop) == ["42|'own'|'b@x'"] && open(shop) == [])
        try users(Self.eve, shop)
        #expect(try row(shop) == ["42|'own'|'e@x'"] && open(shop) == ["name"])
    }

    @Test("A row that lost its reference has it again, or what people chose", arguments: ["defer", "set_null"])
    func released(_ rule: String) throws {
        for (edit, author, edited) in [
            ("title = 'own'", "1|42", ["title"]), ("author_id = 7", "1|7", ["author"]),
        ] {
            let shop = try shop(Place(store: .file, isEmbedded: false), rule: rule)
            try users(nil, shop)
            #expect(try shop.rows("SELECT id, author_id FROM issues") == ["1|NULL"])
            try shop.sql("UPDATE issues SET \(edit)")
            _ = try shop.undoPlanned(2)
            #expect(try shop.rows("SELECT id, author_id FROM issues") == [author])
            #expect(try edits(shop) == edited)
            try users(Self.bob, shop)
            #expect(try shop.rows("SELECT id, author_id FROM issues") == [author])
            #expect(try open(shop) == [])
        }
    }

    /// A ticket with labels, of which the key of its comments has a part.
    @Test(
        "A row with links that is part of another's key comes back, also once that one is gone",
        arguments: Seeds.pairs(in: StubEditTests.Store.allCases, [false, true]))
    func linkedAndInKey(_ store: StubEditTests.Store, isGone: Bool) throws {
        let shop = try Workshop()
        if store == .schema { shop.database = try WorkshopSchema() }
        let deletes = "delete_missing: {mode: hard, max_delete: 100%, min_records: 0}"
        try shop.define(
            "desk",
            """
            entities:
              Label: {table: labels, primary_key: id, fields: {id: int, name: string}}
              Ticket: {table: tickets, primary_key: id, fields: {id: int, title: string, labels: {refs: Label, from: "labels[*]"}}}
              Comment:
                table: comments
                primary_key: [ticket, id]
                fields: {id: int, body: string, ticket: {ref: Ticket, from: ticket, on_dangling: stub}}
            streams:
              - {name: labels, entity: Label, path: labels.json, \(deletes)}
              - {name: tickets, entity: Ticket, path: tickets.json, \(deletes)}
              - {name: comments, entity: Comment, path: comments.json, \(deletes)}
            """)
        func run(tickets: String, comments: String) throws {
            try shop.put("[\(tickets)]", as: "tickets.json")
            try shop.put("[\(comments)]", as: "comments.json")
            #expect(try shop.syncPlanned().0.status == .succeeded)
        }
        func state() throws -> [String] {
            try shop.rows("SELECT id, title FROM tickets ORDER BY id") + shop.rows("SELECT * FROM tickets_labels")
        }
        let (other, mine) = (#"{"id":2,"title":"B","labels":[]}"#, #"{"id":11,"ticket":1,"body":"x"}"#)
        let comment = #"{"id":21,"ticket":2,"body":"y"}"#
        try shop.put(#"[{"id":5,"name":"bug"}]"#, as: "labels.json")
        try run(tickets: #"{"id":1,"title":"A","labels":[5]},\#(other)"#, comments: "\(mine),\(comment)")
        let before = try state()
        #expect(before == ["1|'A'", "2|'B'", "1|5"])
        try run(tickets: other, comments: "\(mine),\(comment)")
        #expect(try state() == ["1|NULL", "2|'B'"])
        if isGone {
            try run(tickets: other, comments: comment)
            #expect(try state() == ["2|'B'"])
        }
        #expect(try shop.undoPlanned(2).report.status == .succeeded)
        #expect(try state() == before)
        #expect(try edits(shop) == [])
    }
}
