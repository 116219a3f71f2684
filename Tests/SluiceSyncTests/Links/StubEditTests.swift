import SluiceModel
import SluiceReport
import SluiceReview
import SluiceStore
import TestSupport
import Testing

/// What people put into a row that a run made for others that refer to it.
@Suite("Edits of rows that stand for records to come")
struct StubEditTests {
    enum Store: String, CaseIterable, Sendable { case file, schema }

    private func shop(_ store: Store) throws -> Workshop {
        let shop = try Workshop()
        if store == .schema { shop.database = try WorkshopSchema() }
        try shop.define(
            "shop",
            """
            entities:
              Issue: {table: issues, primary_key: id, fields: {id: int, title: string, author: {ref: User, upsert: false, on_dangling: stub}}}
              User: {table: users, primary_key: id, fields: {id: int, name: string}}
            streams:
              - {name: issues, entity: Issue, path: issues.json}
              - {name: users, entity: User, path: users.json, delete_missing: {mode: hard, max_delete: 100%, min_records: 0}}
            """)
        try shop.put(#"[{"id":1,"author":42}]"#, as: "issues.json")
        try shop.put(#"[{"id":7,"name":"Ann"}]"#, as: "users.json")
        #expect(try shop.syncPlanned().0.status == .succeeded)
        return shop
    }

    private func edits(_ shop: Workshop) throws -> [String] {
        var found: [String] = []
        try EditReader(store: shop.open(.reading)).edits(pipelines: nil, entity: nil) { edit in
            let fields = edit.fields.map { "\($0.name)=\($0.base.value ?? "-")/\($0.local ?? "-")" }
            found.append("\(edit.kind) \(edit.key) \(fields.joined(separator: " "))")
        }
        return found
    }

    @Test("A row that has nothing but its key is no edit, and what people put into it is", arguments: Store.allCases)
    func filled(_ store: Store) throws {
        let shop = try shop(store)
        #expect(try edits(shop) == [])
        try shop.sql("UPDATE users SET name = 'mine' WHERE id = 42")
        #expect(try edits(shop) == [#"edit {"id":42} name=-/"mine""#])
        #expect(shop.sync(.plan).report.edits?.values == 1)
        try shop.sql("UPDATE users SET name = NULL WHERE id = 42")
        #expect(try edits(shop) == [])
    }

    @Test("Once its record came and went, too", arguments: Seeds.some(of: Store.allCases, oneOf: 2))
    func again(_ store: Store) throws {
        let shop = try shop(store)
        try shop.put(#"[{"id":42,"name":"Bob"}]"#, as: "users.json")
        #expect(try shop.syncPlanned().0.status == .succeeded)
        #expect(try edits(shop) == [])
        try shop.put("[]", as: "users.json")
        #expect(try shop.syncPlanned().0.status == .succeeded)
        #expect(try shop.rows("SELECT id, name FROM users") == ["42|NULL"])
        #expect(try edits(shop) == [])
        try shop.sql("UPDATE users SET name = 'mine' WHERE id = 42")
        #expect(try edits(shop) == [#"edit {"id":42} name=-/"mine""#])
    }

    /// What becomes of the row for user 42 as the run that made it is undone.
    struct Since: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var sql: [String] = []
        var users: String?
        /// The rows that stay for issues and user 42.
        let issues: [String]
        let user: [String]
    }

    static let since = [
        Since(testDescription: "nothing", issues: [], user: []),
        Since(
            testDescription: "people filled it", sql: ["UPDATE users SET name = 'mine' WHERE id = 42"], issues: [],
            user: ["42|'mine'"]),
        Since(
            testDescription: "people filled it, and the row that leads to it is edited",
            sql: ["UPDATE users SET name = 'mine' WHERE id = 42", "UPDATE issues SET title = 'own'"], issues: ["1|42"],
            user: ["42|'mine'"]),
        Since(
            testDescription: "its source filled it", users: #"[{"id":7,"name":"Ann"},{"id":42,"name":"Bob"}]"#,
            issues: [], user: ["42|'Bob'"]),
    ]

    @Test(
        "Undo of the run that made a row leaves what it was filled with",
        arguments: Seeds.pairs(in: Store.allCases, since))
    func undone(_ store: Store, since: Since) throws {
        let shop = try shop(store)
        if let users = since.users {
            try shop.put(users, as: "users.json")
            #expect(try shop.syncPlanned().0.status == .succeeded)
        }
        for statement in since.sql { try shop.sql(statement) }
        let (report, _) = try shop.undoPlanned(1)
        #expect(report.status == (since.user.isEmpty ? .succeeded : .partial))
        #expect(try shop.rows("SELECT id, author_id FROM issues") == since.issues)
        #expect(try shop.rows("SELECT id, name FROM users WHERE id = 42") == since.user)
    }

    @Test(
        "A row that people emptied, or inserted with nothing but its key, stands for no record",
        arguments: Seeds.pairs(in: Store.allCases, [false, true]))
    func emptied(_ store: Store, isInserted: Bool) throws {
        let shop = try shop(store)
        func users(_ name: String?) throws {
            let record = name.map { #",{"id":43,"name":"\#($0)"}"# } ?? ""
            try shop.put(#"[{"id":7,"name":"Ann"}\#(record)]"#, as: "users.json")
            #expect(try shop.syncPlanned().0.status == .succeeded)
        }
        try users("Bob")
        if !isInserted { try shop.sql("UPDATE users SET name = 'mine' WHERE id = 43") }
        try users(nil)
        if isInserted {
            try shop.sql("INSERT INTO users (id) VALUES (43)")
        } else {
            try HeldEditScene.decide(.local, shop)
            try shop.sql("UPDATE users SET name = NULL WHERE id = 43")
        }
        try users("Bob")
        #expect(try shop.rows("SELECT id, name FROM users WHERE id = 43") == ["43|NULL"])
        #expect(try HeldEditScene.open(shop) == [])
        try users("Eve")
        #expect(try shop.rows("SELECT id, name FROM users WHERE id = 43") == ["43|NULL"])
        #expect(try HeldEditScene.open(shop) == [#"clear_edit name "Bob" null "Eve""#])
    }

    @Test(
        "Undo of the run that made a row for a record that went gives back what was known of that",
        arguments: Seeds.some(of: Store.allCases, oneOf: 2))
    func knownAgain(_ store: Store) throws {
        let shop = try shop(store)
        try shop.put(#"[{"id":42,"name":"Bob"}]"#, as: "users.json")
        #expect(try shop.syncPlanned().0.status == .succeeded)
        let bases = try shop.managed().filter { $0.key.hasPrefix("_sluice_base_") }
        try shop.put("[]", as: "users.json")
        let run = try #require(try shop.syncPlanned().0.run)
        #expect(try shop.rows("SELECT id, name FROM users") == ["42|NULL"])
        #expect(try shop.undoPlanned(run).report.status == .succeeded)
        #expect(try shop.rows("SELECT id, name FROM users WHERE id = 42") == ["42|'Bob'"])
        #expect(try shop.managed().filter { $0.key.hasPrefix("_sluice_base_") } == bases)
    }

    @Test(
        "A row that people deleted stays so, which is an edit, until a source has its record",
        arguments: Seeds.pairs(in: Store.allCases, [false, true]))
    func deleted(_ store: Store, wasAtSource: Bool) throws {
        let shop = try shop(store)
        func run(issues: String? = nil, users: String? = nil) throws {
            if let issues { try shop.put(issues, as: "issues.json") }
            if let users { try shop.put(users, as: "users.json") }
            _ = try shop.syncPlanned()
        }
        if wasAtSource {
            try run(users: #"[{"id":42,"name":"Bob"}]"#)
            try run(users: "[]")
            #expect(try shop.rows("SELECT id, name FROM users WHERE id = 42") == ["42|NULL"])
        }
        try shop.sql("UPDATE issues SET author_id = NULL")
        try shop.sql("DELETE FROM users WHERE id = 42")
        #expect(try edits(shop).filter { $0.hasPrefix("delete") } == [#"delete {"id":42} "#])
        try run(issues: #"[{"id":1,"author":42},{"id":3,"author":42}]"#)
        #expect(try shop.rows("SELECT id, author_id FROM issues ORDER BY id") == ["1|NULL", "3|NULL"])
        #expect(try shop.rows("SELECT id FROM users WHERE id = 42") == [])
        #expect(try edits(shop).filter { $0.hasPrefix("delete") } == [#"delete {"id":42} "#])
        #expect(try shop.quietRun().written == [])
        try run(users: #"[{"id":42,"name":"Eve"}]"#)
        #expect(try shop.rows("SELECT id, author_id FROM issues ORDER BY id") == ["1|NULL", "3|42"])
        #expect(try edits(shop).filter { $0.hasPrefix("delete") } == [])
    }

    @Test("Whose history is forgotten, too", arguments: Seeds.pairs(in: Store.allCases, [false, true]))
    func deletedLongAgo(_ store: Store, wasAtSource: Bool) throws {
        let shop = try shop(store)
        func forget() throws {
            let store = try shop.open(.settling)
            try store.begin()
            try store.changes.prune(pipeline: "shop", endedBefore: "9", limit: .max)
            try store.commit()
        }
        try forget()
        if wasAtSource {
            // From then on it is a row that its source gave, and took away.
            for users in [#"[{"id":42,"name":"Bob"}]"#, "[]"] {
                try shop.put(users, as: "users.json")
                _ = try shop.syncPlanned()
                try forget()
            }
        }
        try shop.sql("UPDATE issues SET author_id = NULL")
        try shop.sql("DELETE FROM users WHERE id = 42")
        try shop.put(#"[{"id":1,"author":42},{"id":3,"author":42}]"#, as: "issues.json")
        _ = try shop.syncPlanned()
        #expect(try shop.rows("SELECT id, author_id FROM issues ORDER BY id") == ["1|NULL", "3|NULL"])
        #expect(try shop.rows("SELECT id FROM users WHERE id = 42") == [])
        #expect(try edits(shop).filter { $0.hasPrefix("delete") } == [#"delete {"id":42} "#])
    }

    @Test("A row that an undo took back nobody deleted", arguments: Store.allCases)
    func takenBack(_ store: Store) throws {
        let shop = try shop(store)
        #expect(try shop.undoPlanned(1).report.status == .succeeded)
        #expect(try edits(shop) == [])
        #expect(try shop.syncPlanned().0.status == .succeeded)
        #expect(try shop.rows("SELECT id, author_id FROM issues") == ["1|42"])
    }

    @Test("A row that people inserted is theirs", arguments: Seeds.some(of: Store.allCases, oneOf: 2))
    func added(_ store: Store) throws {
        let shop = try shop(store)
        try shop.sql("INSERT INTO users (id, name) VALUES (9, 'own')")
        #expect(try edits(shop) == [#"add {"id":9} id=-/9 name=-/"own""#])
    }
}
