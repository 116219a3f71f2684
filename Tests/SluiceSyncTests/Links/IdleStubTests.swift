import SluiceReport
import SluiceReview
import SluiceStore
import TestSupport
import Testing

/// A row that a run made for records that refer to it goes with the last of them, unless somebody filled it.
@Suite("Rows that stand for records to which nothing refers any more")
struct IdleStubTests {
    /// How a ticket refers to a user.
    enum Way: String, CaseIterable, Sendable {
        case field, set, key

        var fields: String {
            switch self {
            case .field: "{id: int, title: string, user: {ref: User, upsert: false, on_dangling: stub}}"
            case .set: "{id: int, title: string, user: {refs: User, via: watchers, upsert: false, on_dangling: stub}}"
            case .key: "{user: {ref: User, upsert: false, on_dangling: stub}, id: int, title: string}"
            }
        }

        var key: String { self == .key ? "[user, id]" : "id" }

        func ticket(_ user: Int) -> String {
            #"[{"id":1,"title":"x","user":\#(self == .set ? "[\(user)]" : "\(user)")}]"#
        }
    }

    struct Place: Sendable, CustomTestStringConvertible {
        let store: StubEditTests.Store
        let way: Way
        var testDescription: String { "\(store), by a \(way)" }

        static let all = StubEditTests.Store.allCases.flatMap { store in
            Way.allCases.map { Place(store: store, way: $0) }
        }
    }

    /// What becomes of the row for user 42 between the run that makes it and the one that takes away what refers to it.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var users: String?
        var sql: String?
        /// The row in the end.
        var row: [String] = []
    }

    static let cases = [
        Case(testDescription: "nothing"),
        Case(
            testDescription: "people fill it", sql: "UPDATE users SET name = 'mine' WHERE id = 42", row: ["42|'mine'"]),
        Case(
            testDescription: "its source fills it", users: #"[{"id":7,"name":"Ann"},{"id":42,"name":"Bob"}]"#,
            row: ["42|'Bob'"]),
        Case(
            testDescription: "its source has it with nothing but its key", users: #"[{"id":7,"name":"Ann"},{"id":42}]"#,
            row: ["42|NULL"]),
    ]

    private func shop(_ place: Place, tickets: String? = nil, users: String? = nil) throws -> Workshop {
        let shop = try Workshop()
        if place.store == .schema { shop.database = try WorkshopSchema() }
        let deletes = "delete_missing: {mode: hard, max_delete: 100%, min_records: 0}"
        try shop.define(
            "shop",
            """
            entities:
              Ticket: {table: tickets, primary_key: \(place.way.key), fields: \(place.way.fields)}
              User: {table: users, primary_key: id, fields: {id: int, name: string}}
            streams:
              - {name: tickets, entity: Ticket, path: tickets.json, \(deletes)}
              - {name: users, entity: User, path: users.json, \(deletes)}
            """)
        try run(shop, tickets: tickets ?? place.way.ticket(42), users: users ?? #"[{"id":7,"name":"Ann"}]"#)
        return shop
    }

    @discardableResult
    private func run(_ shop: Workshop, tickets: String? = nil, users: String? = nil) throws -> RunReport {
        if let tickets { try shop.put(tickets, as: "tickets.json") }
        if let users { try shop.put(users, as: "users.json") }
        let report = try shop.syncPlanned().0
        #expect(report.status == .succeeded, "\(report.problems)")
        return report
    }

    private func row(_ shop: Workshop) throws -> [String] {
        try shop.rows("SELECT id, name FROM users WHERE id = 42")
    }

    private func edits(_ shop: Workshop) throws -> [String] {
        var found: [String] = []
        try EditReader(store: shop.open(.reading)).edits(pipelines: nil, entity: nil) {
            found.append("\($0.kind) \($0.key)")
        }
        return found
    }

    @Test("It goes, is told and is no edit; one that was filled stays", arguments: Seeds.pairs(in: Place.all, cases))
    func goes(_ place: Place, _ test: Case) throws {
        let shop = try shop(place)
        #expect(try row(shop) == ["42|NULL"])
        if let users = test.users { try run(shop, users: users) }
        if let sql = test.sql { try shop.sql(sql) }
        let before = try edits(shop)
        let report = try run(shop, tickets: "[]")
        #expect(try row(shop) == test.row)
        #expect(report.problems.contains { $0.code == "stubs_removed" } == test.row.isEmpty, "\(report.problems)")
        #expect(try edits(shop) == before)
        #expect(try shop.quietRun().written == [])
    }

    @Test("It goes where what refers to it leads elsewhere", arguments: Place.all)
    func moved(_ place: Place) throws {
        let shop = try shop(place)
        try run(shop, tickets: place.way.ticket(7))
        #expect(try row(shop) == [] && edits(shop) == [])
    }

    @Test("So does one in the place of a record that went before", arguments: Seeds.some(of: Place.all, oneOf: 2))
    func afterItsRecord(_ place: Place) throws {
        let shop = try shop(place, users: #"[{"id":7,"name":"Ann"},{"id":42,"name":"Bob"}]"#)
        try run(shop, users: #"[{"id":7,"name":"Ann"}]"#)
        #expect(try row(shop) == ["42|NULL"])
        try run(shop, tickets: "[]")
        #expect(try row(shop) == [] && edits(shop) == [])
        try run(shop, users: #"[{"id":7,"name":"Ann"},{"id":42,"name":"Eve"}]"#)
        #expect(try row(shop) == ["42|'Eve'"] && edits(shop) == [])
    }

    @Test("It is made again where something refers to it again", arguments: Seeds.some(of: Place.all, oneOf: 2))
    func again(_ place: Place) throws {
        let shop = try shop(place)
        try run(shop, tickets: "[]")
        try run(shop, tickets: place.way.ticket(42))
        #expect(try row(shop) == ["42|NULL"] && edits(shop) == [])
        try run(shop, tickets: "[]")
        #expect(try row(shop) == [])
    }

    @Test("Undo of the run gives it back with what refers to it", arguments: Place.all)
    func undone(_ place: Place) throws {
        let shop = try shop(place)
        let run = try #require(try self.run(shop, tickets: "[]").run)
        #expect(try shop.undoPlanned(run).report.status == .succeeded)
        #expect(try row(shop) == ["42|NULL"] && edits(shop) == [])
        #expect(try shop.rows("SELECT id, title FROM tickets") == ["1|'x'"])
        #expect(try shop.database.brokenReferences() == [])
        // It stands for its record as before.
        try self.run(shop, tickets: "[]")
        #expect(try row(shop) == [])
    }

    @Test("One that people deleted is left to them", arguments: [StubEditTests.Store.file, .schema])
    func deletedByHand(_ store: StubEditTests.Store) throws {
        let shop = try shop(Place(store: store, way: .field))
        try shop.sql("DELETE FROM tickets")
        try shop.sql("DELETE FROM users WHERE id = 42")
        let before = try edits(shop)
        let report = try run(shop, tickets: "[]", users: #"[{"id":7,"name":"Ann"},{"id":8,"name":"Bea"}]"#)
        #expect(!report.problems.contains { $0.code == "stubs_removed" })
        let after = try edits(shop)
        #expect(before.contains(#"delete {"id":42}"#) && after.contains(#"delete {"id":42}"#))
    }

    @Test("One that another pipeline's run takes away is no edit", arguments: [StubEditTests.Store.file, .schema])
    func ofAnotherPipeline(_ store: StubEditTests.Store) throws {
        let shop = try Workshop()
        if store == .schema { shop.database = try WorkshopSchema() }
        func run(_ name: String, _ tickets: String) throws {
            try shop.define(
                name,
                """
                entities:
                  Ticket: {table: tickets, primary_key: id, fields: {id: int, user: {ref: User, from: user, on_dangling: stub}}}
                  User: {table: users, primary_key: id, fields: {id: int, name: string}}
                streams:
                  - {name: tickets, entity: Ticket, path: \(name).json, delete_missing: {mode: hard, max_delete: 100%, min_records: 0}}
                """)
            try shop.put(tickets, as: "\(name).json")
            #expect(try shop.syncPlanned().0.status == .succeeded)
        }
        try run("crm", #"[{"id":1,"user":42}]"#)
        try run("bill", #"[{"id":1,"user":9},{"id":3,"user":9}]"#)
        try run("crm", "[]")
        try run("bill", #"[{"id":1,"user":9},{"id":3,"user":9}]"#)
        #expect(try shop.rows("SELECT id FROM users ORDER BY id") == ["9"])
        #expect(try edits(shop) == [])
    }

    @Test(
        "Where a trigger may act on deletes it stays, until the trigger is gone",
        arguments: Seeds.some(of: Place.all, oneOf: 2))
    func triggered(_ place: Place) throws {
        let shop = try shop(place)
        let rule = TableRule(event: "DELETE", table: "users", condition: "old.id = 0")
        try rule.make(in: shop)
        try run(shop, tickets: "[]")
        #expect(try row(shop) == ["42|NULL"])
        try rule.drop(in: shop)
        try run(shop, tickets: "[]")
        #expect(try row(shop) == [])
    }
}
