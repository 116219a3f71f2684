import SluiceModel
import SluiceReport
import SluiceReview
import SluiceStore
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
              Issue: {table: issues, primary_key: id, fields: {id: int, author: {ref: User, upsert: false, on_dangling: stub}}}
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

    @Test("Once its record came and went, too", arguments: Store.allCases)
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

    @Test("A row that people inserted is theirs", arguments: Store.allCases)
    func added(_ store: Store) throws {
        let shop = try shop(store)
        try shop.sql("INSERT INTO users (id, name) VALUES (9, 'own')")
        #expect(try edits(shop) == [#"add {"id":9} id=-/9 name=-/"own""#])
    }
}
