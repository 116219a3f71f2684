import Foundation
import TestSupport
import Testing

/// An entity that gets another identifier: what is kept by it passes to the new one, or nothing is written.
@Suite struct KeyChangeTests {
    /// The shop's people, tags and orders, with lines within the orders.
    private static func pipeline(
        person: String = "id", tag: String = "id", order: String = "id", line: String = "sku", more: String = ""
    ) -> String {
        """
        version: 1
        name: shop
        store: sqlite:shop.db
        source: {base_url: "file:."}
        entities:
          Person: {table: people, primary_key: [\(person)], fields: {id: int, email: string, name: string}}
          Tag: {table: tags, primary_key: [\(tag)], fields: {id: int, slug: string}}
          Line: {table: lines, fields: {sku: string, position_id: int, qty: int}}
          Order:
            table: orders
            primary_key: [\(order)]
            fields:
              id: int
              number: string
              total: int
              buyer: {ref: Person, from: "buyer"}
              tags: {refs: Tag, from: "tags[*]"}
            children: {lines: {entity: Line, from: "lines[*]", key: [\(line)]}}
        streams:
          - {name: people, entity: Person, path: people.json, delete_missing: {mode: hard, max_delete: 100%}}
          - {name: tags, entity: Tag, path: tags.json}
          - {name: orders, entity: Order, path: orders.json, delete_missing: {mode: hard, max_delete: 100%}}
        \(more)
        """
    }

    private static let people = """
        [{"id": 1, "email": "a@x", "name": "Ann"}, {"id": 2, "email": "b@x", "name": "Bob"},
         {"id": 3, "email": "c@x", "name": "Cid"}]
        """
    private static let tags = #"[{"id": 1, "slug": "x"}, {"id": 2, "slug": "y"}]"#

    /// Orders by the identifiers of people and tags.
    private static func orders(_ people: [String] = ["1", "2"], _ tags: [String] = ["1", "2"], total: Int = 15)
        -> String
    {
        """
        [{"id": 10, "number": "N10", "total": \(total), "buyer": \(people[0]), "tags": [\(tags[0]), \(tags[1])],
          "lines": [{"sku": "A", "position_id": 1, "qty": 1}, {"sku": "B", "position_id": 2, "qty": 2}]},
         {"id": 11, "number": "N11", "total": 25, "buyer": \(people[1]), "tags": [\(tags[1])],
          "lines": [{"sku": "A", "position_id": 3, "qty": 7}]}]
        """
    }

    private static func scene() throws -> Scene {
        let scene = try Scene(records: 1)
        try scene.write("shop.yaml", pipeline())
        for (name, text) in [("people", people), ("tags", tags), ("orders", orders())] {
            try scene.write("\(name).json", text)
        }
        let first = try Program.run("run", "shop.yaml", in: scene.path)
        try #require(first.code == 0, "\(first.errors)")
        return scene
    }

    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let after: String
        /// What the source says of the orders by then.
        var orders = KeyChangeTests.orders()
        /// Rows afterwards, by queries.
        let rows: [String: [String]]
    }

    static let changes = [
        Change(
            testDescription: "what others refer to", after: pipeline(person: "email"),
            orders: orders([#""a@x""#, #""b@x""#]),
            rows: ["SELECT id, buyer_email FROM orders": ["10|a@x", "11|b@x"]]),
        Change(
            testDescription: "several fields", after: pipeline(person: "email, name"),
            orders: orders([#"{"email": "a@x", "name": "Ann"}"#, #"{"email": "b@x", "name": "Bob"}"#]),
            rows: ["SELECT id, buyer_email, buyer_name FROM orders": ["10|a@x|Ann", "11|b@x|Bob"]]),
        Change(
            testDescription: "one field more", after: pipeline(person: "id, email"),
            orders: orders([#"{"id": 1, "email": "a@x"}"#, #"{"id": 2, "email": "b@x"}"#]),
            rows: ["SELECT id, buyer_id, buyer_email FROM orders": ["10|1|a@x", "11|2|b@x"]]),
        Change(
            testDescription: "the targets of pairs", after: pipeline(tag: "slug"),
            orders: orders(["1", "2"], [#""x""#, #""y""#]),
            rows: ["SELECT order_id, tag_slug FROM orders_tags ORDER BY 1, 2": ["10|x", "10|y", "11|y"]]),
        Change(
            testDescription: "the owner of pairs and of what stands within", after: pipeline(order: "number"),
            rows: [
                "SELECT order_number, tag_id FROM orders_tags ORDER BY 1, 2": ["N10|1", "N10|2", "N11|2"],
                "SELECT order_number, sku, qty FROM lines ORDER BY 1, 2": ["N10|A|1", "N10|B|2", "N11|A|70"],
            ]),
        Change(
            testDescription: "what stands within alone", after: pipeline(line: "position_id"),
            rows: ["SELECT order_id, position_id, sku FROM lines ORDER BY 1, 2": ["10|1|A", "10|2|B", "11|3|A"]]),
        Change(
            testDescription: "everything at once",
            after: pipeline(person: "email", tag: "slug", order: "number", line: "position_id"),
            orders: orders([#""a@x""#, #""b@x""#], [#""x""#, #""y""#]),
            rows: [
                "SELECT number, buyer_email FROM orders": ["N10|a@x", "N11|b@x"],
                "SELECT order_number, tag_slug FROM orders_tags ORDER BY 1, 2": ["N10|x", "N10|y", "N11|y"],
                "SELECT order_number, position_id FROM lines ORDER BY 1, 2": ["N10|1", "N10|2", "N11|3"],
            ]),
    ]

    @Test("Nothing is news under the new identifier, and edits stay edits", arguments: changes)
    func passes(_ change: Change) throws {
        let scene = try Self.scene()
        for statement in [
            "UPDATE people SET name = name || '' WHERE id = 1", "UPDATE orders SET total = 99 WHERE id = 11",
            "UPDATE lines SET qty = 70 WHERE order_id = 11", "DELETE FROM people WHERE id = 3",
        ] { try scene.execute(statement) }
        try scene.write("shop.yaml", change.after)
        try scene.write("orders.json", change.orders)
        let plan = try Program.run("plan", "shop.yaml", in: scene.path)
        #expect(plan.code == 0 && plan.output.contains("~ identifier of "), "\(plan.output)\(plan.errors)")
        let run = try Program.run("run", "shop.yaml", "--format", "json", in: scene.path)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(run.output.contains(#""change":"change_key""#))
        for (query, rows) in change.rows { #expect(try scene.query(query) == rows, "\(query)") }
        #expect(try scene.query("SELECT total FROM orders ORDER BY id") == ["15", "99"])
        #expect(try scene.query("SELECT max(qty) FROM lines") == ["70"])
        #expect(try scene.query("SELECT count(*) FROM people") == ["2"], "A row that people deleted stays away")
        #expect(try scene.query("PRAGMA foreign_key_check").isEmpty)
        #expect(try scene.query("PRAGMA integrity_check") == ["ok"])
        let again = try Program.run("run", "shop.yaml", in: scene.path)
        #expect(again.code == 0 && !again.output.contains("inserted"), "\(again.output)\(again.errors)")
        let edits = try Program.run("edits", "--store", "sqlite:shop.db", in: scene.path)
        for table in ["lines", "orders"] {
            #expect(edits.output.contains("\(table): 1 value edited in 1 row"), "\(edits.output)")
        }
    }

    @Test("What people made stays; what names a column that is gone is left out and said")
    func objects() throws {
        let scene = try Self.scene()
        for statement in [
            "CREATE INDEX own_index ON orders (total)", "CREATE VIEW own_view AS SELECT id, total FROM orders",
            "CREATE VIEW gone_view AS SELECT buyer_id FROM orders", "CREATE TABLE own_log (id INTEGER)",
            "CREATE TRIGGER own_trigger AFTER UPDATE ON orders BEGIN INSERT INTO own_log VALUES (new.id); END",
            "CREATE TABLE own_notes (id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders (id))",
            "INSERT INTO own_notes VALUES (1, 10)",
        ] { try scene.execute(statement) }
        let own = "SELECT type, name, sql FROM sqlite_schema WHERE name LIKE 'own%' ORDER BY name"
        let before = try scene.query(own)
        try scene.write("shop.yaml", Self.pipeline(person: "email", order: "number"))
        try scene.write("orders.json", Self.orders([#""a@x""#, #""b@x""#]))
        let run = try Program.run("run", "shop.yaml", in: scene.path)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(run.output.contains("! not made again  CREATE VIEW gone_view"), "\(run.output)")
        #expect(try scene.query(own) == before)
        #expect(try scene.query("SELECT count(*) FROM own_log") == ["0"])
        #expect(try scene.query("SELECT id FROM own_view ORDER BY id") == ["10", "11"])
        #expect(try scene.query("PRAGMA foreign_key_check").isEmpty)
    }

    @Test("undo of the run takes the identifiers back, and earlier runs can be undone")
    func undo() throws {
        let scene = try Self.scene()
        try scene.write("orders.json", Self.orders(total: 16))
        #expect(try Program.run("run", "shop.yaml", in: scene.path).code == 0)
        try scene.write("shop.yaml", Self.pipeline(person: "email", tag: "slug", order: "number"))
        try scene.write("orders.json", Self.orders([#""a@x""#, #""b@x""#], [#""x""#, #""y""#], total: 17))
        #expect(try Program.run("run", "shop.yaml", in: scene.path).code == 0)
        let earlier = try Program.run("undo", "3", "--plan", "--store", "sqlite:shop.db", in: scene.path)
        #expect(earlier.code == 0 && earlier.output.contains("~ identifier of orders"), "\(earlier.output)")
        for run in ["3", "2"] {
            let undo = try Program.run("undo", run, "--store", "sqlite:shop.db", in: scene.path)
            #expect(undo.code == 0, "\(undo.output)\(undo.errors)")
        }
        #expect(try scene.query("SELECT id, number, total, buyer_id FROM orders") == ["10|N10|15|1", "11|N11|25|2"])
        #expect(try scene.query("SELECT order_id, tag_id FROM orders_tags ORDER BY 1, 2") == ["10|1", "10|2", "11|2"])
        try scene.write("shop.yaml", Self.pipeline())
        try scene.write("orders.json", Self.orders())
        let again = try Program.run("run", "shop.yaml", in: scene.path)
        #expect(again.code == 0 && again.output.contains("unchanged") && !again.output.contains("updated"))
    }

    // MARK: Types

    /// Numbers that identify become texts, in the pipeline and at the source.
    private static func asTexts(_ scene: Scene) throws {
        try scene.write("shop.yaml", pipeline().replacing("id: int", with: "id: string"))
        try scene.write("people.json", texts(people, "\"id\": "))
        try scene.write("tags.json", texts(tags, "\"id\": "))
        let said = orders(["\"1\"", "\"2\""], ["\"1\"", "\"2\""])
        try scene.write("orders.json", texts(texts(said, "{\"id\": "), "\"position_id\": "))
    }

    /// A document in which the numbers behind some words are texts.
    private static func texts(_ json: String, _ words: String) -> String {
        var parts = json.components(separatedBy: words)
        for index in parts.indices.dropFirst() {
            let digits = parts[index].prefix { $0.isNumber }
            parts[index] = "\"\(digits)\"" + parts[index].dropFirst(digits.count)
        }
        return parts.joined(separator: words)
    }

    @Test("Identifiers get another type, and with them all that refers to them and stands within; undo takes it back")
    func types() throws {
        let scene = try Self.scene()
        for statement in [
            "UPDATE orders SET total = 99 WHERE id = 11", "UPDATE lines SET qty = 70 WHERE order_id = 11",
            "DELETE FROM people WHERE id = 3",
        ] { try scene.execute(statement) }
        try scene.write("orders.json", Self.orders(total: 16))
        #expect(try Program.run("run", "shop.yaml", in: scene.path).code == 0)
        let before = try scene.query("SELECT id, total, buyer_id FROM orders ORDER BY id")
        try Self.asTexts(scene)
        let plan = try Program.run("plan", "shop.yaml", in: scene.path)
        #expect(plan.code == 0, "\(plan.output)\(plan.errors)")
        #expect(plan.output.contains("~ identifier of orders, 2 rows  \"id\" from INTEGER to TEXT"), "\(plan.output)")
        let run = try Program.run("run", "shop.yaml", "--format", "json", in: scene.path)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(
            !run.output.contains(#""inserted":1"#) && run.output.contains(#""change":"change_key""#), "\(run.output)")
        #expect(
            try scene.query("SELECT id, typeof(id), buyer_id, typeof(buyer_id) FROM orders ORDER BY id") == [
                "10|text|1|text", "11|text|2|text",
            ])
        #expect(
            try scene.query("SELECT order_id, typeof(order_id), sku, qty FROM lines ORDER BY 1, 3") == [
                "10|text|A|1", "10|text|B|2", "11|text|A|70",
            ])
        #expect(
            try scene.query("SELECT order_id, tag_id, typeof(order_id), typeof(tag_id) FROM orders_tags ORDER BY 1, 2")
                == ["10|1|text|text", "10|2|text|text", "11|2|text|text"])
        #expect(try scene.query("SELECT count(*) FROM people") == ["2"], "A row that people deleted stays away")
        #expect(try scene.query("PRAGMA foreign_key_check").isEmpty)
        #expect(try scene.query("PRAGMA integrity_check") == ["ok"])
        let again = try Program.run("run", "shop.yaml", in: scene.path)
        #expect(again.code == 0 && !again.output.contains("inserted"), "\(again.output)\(again.errors)")
        let edits = try Program.run("edits", "--store", "sqlite:shop.db", in: scene.path)
        for table in ["lines", "orders"] {
            #expect(edits.output.contains("\(table): 1 value edited in 1 row"), "\(edits.output)")
        }
        for run in ["3", "2"] {
            let undo = try Program.run("undo", run, "--store", "sqlite:shop.db", in: scene.path)
            #expect(undo.code == 0, "\(undo.output)\(undo.errors)")
            if run == "3" {
                #expect(try scene.query("SELECT id, total, buyer_id FROM orders ORDER BY id") == before)
                #expect(try scene.query("SELECT DISTINCT typeof(id) FROM orders") == ["integer"])
            }
        }
        #expect(try scene.query("SELECT id, total FROM orders ORDER BY id") == ["10|15", "11|99"])
        try scene.write("shop.yaml", Self.pipeline())
        for (name, text) in [("people", Self.people), ("tags", Self.tags), ("orders", Self.orders())] {
            try scene.write("\(name).json", text)
        }
        let back = try Program.run("run", "shop.yaml", in: scene.path)
        #expect(back.code == 0 && !back.output.contains("inserted"), "\(back.output)\(back.errors)")
    }

    @Test(
        "References that identify, refer to their own table or wait for records take the new type, and conflicts stay")
    func typesOfReferences() throws {
        let scene = try Scene(records: 1)
        func write(_ type: String, _ quote: String, bob: String = "Bobby") throws {
            func id(_ number: Int) -> String { "\(quote)\(number)\(quote)" }
            try scene.write(
                "shop.yaml",
                """
                version: 1
                name: shop
                store: sqlite:shop.db
                source: {base_url: "file:."}
                entities:
                  User: {table: users, primary_key: [id], fields: {id: \(type), name: string, boss: {ref: User, from: boss}}}
                  Member:
                    table: members
                    primary_key: [user, team]
                    fields: {user: {ref: User, from: user, on_dangling: fail}, team: int, role: string}
                  Note:
                    table: notes
                    primary_key: [id]
                    fields: {id: int, about: {ref: User, from: about, on_dangling: defer}}
                streams:
                  - {name: users, entity: User, path: users.json}
                  - {name: members, entity: Member, path: members.json}
                  - {name: notes, entity: Note, path: notes.json}
                """)
            try scene.write(
                "users.json",
                #"[{"id": \#(id(1)), "name": "Ann"}, {"id": \#(id(2)), "name": "\#(bob)", "boss": \#(id(1))}]"#)
            try scene.write(
                "members.json",
                #"[{"user": \#(id(1)), "team": 7, "role": "a"}, {"user": \#(id(2)), "team": 7, "role": "b"}]"#)
            try scene.write(
                "notes.json", #"[{"id": 100, "about": \#(id(2))}, {"id": 101, "about": \#(id(99))}]"#)
        }
        try write("int", "", bob: "Bob")
        #expect(try Program.run("run", "shop.yaml", in: scene.path).code == 0)
        try scene.execute("UPDATE members SET role = 'edited' WHERE user_id = 2")
        try scene.execute("UPDATE users SET name = 'Robert' WHERE id = 2")
        try scene.execute("CREATE INDEX own_roles ON members (user_id, role)")
        try write("int", "")
        #expect(try Program.run("run", "shop.yaml", in: scene.path).code == 0)
        try write("string", "\"")
        // What the run does is foreseen, of the identifier and of all that refers to it.
        let drift = try Program.run("inspect", "drift", "shop.yaml", "--offline", in: scene.path).output
        for column in ["users.id", "users.boss_id", "members.user_id", "notes.about_id"] {
            let line = drift.split(separator: "\n").first { $0.contains("    \(column) ") }
            #expect(line?.hasSuffix("  INTEGER  becomes TEXT in the next run") == true, "\(column)\n\(drift)")
        }
        #expect(!drift.contains("cannot hold") && !drift.contains("Values that do not fit"), "\(drift)")
        let run = try Program.run("run", "shop.yaml", in: scene.path)
        #expect(run.code == 0 && !run.output.contains("inserted"), "\(run.output)\(run.errors)")
        #expect(
            run.output.contains(#"~ reference of notes, 2 rows  "about_id" from INTEGER to TEXT, by "users""#),
            "\(run.output)")
        let told = try Program.run("history", "3", "--store", "sqlite:shop.db", in: scene.path).output
        #expect(told.contains(#"~ reference of notes  "about_id" from INTEGER to TEXT, by "users""#), "\(told)")
        #expect(
            try scene.query("SELECT quote(id), quote(boss_id), name FROM users") == ["'1'|NULL|Ann", "'2'|'1'|Robert"])
        #expect(try scene.query("SELECT quote(user_id), role FROM members ORDER BY 1") == ["'1'|a", "'2'|edited"])
        #expect(try scene.query("SELECT count(*) FROM sqlite_schema WHERE name = 'own_roles'") == ["1"])
        let conflicts = try Program.run("conflicts", "list", "--store", "sqlite:shop.db", in: scene.path)
        #expect(conflicts.output.contains(#"base "Bob"   local "Robert"   remote "Bobby""#), "\(conflicts.output)")
        // A record that comes later is found by its identifier in the new type.
        try scene.write(
            "users.json",
            #"[{"id": "1", "name": "Ann"}, {"id": "2", "name": "Bobby", "boss": "99"}, {"id": "99", "name": "Zed"}]"#)
        let later = try Program.run("run", "shop.yaml", in: scene.path)
        #expect(later.output.contains("1 reference linked"), "\(later.output)\(later.errors)")
        // What the source said of a reference before is known in the new type.
        #expect(try scene.query("SELECT quote(boss_id) FROM users WHERE id = '2'") == ["'99'"], "\(later.output)")
        for run in ["4", "3"] {
            let undo = try Program.run("undo", run, "--store", "sqlite:shop.db", in: scene.path)
            #expect(undo.code == 0, "\(undo.output)\(undo.errors)")
        }
        #expect(try scene.query("SELECT quote(user_id), role FROM members ORDER BY 1") == ["1|a", "2|edited"])
        #expect(try scene.query("SELECT id, quote(about_id) FROM notes") == ["100|2", "101|NULL"])
        #expect(try scene.query("PRAGMA foreign_key_check").isEmpty)
        #expect(try scene.query("PRAGMA integrity_check") == ["ok"])
    }

    @Test("An identifier that is none of the new type stands in the way, with its row")
    func refusedTypes() throws {
        let scene = try Self.scene()
        try Self.asTexts(scene)
        #expect(try Program.run("run", "shop.yaml", in: scene.path).code == 0)
        try scene.execute("UPDATE people SET id = 'p-3' WHERE id = '3'")
        try scene.write("shop.yaml", Self.pipeline())
        for command in ["plan", "run"] {
            let refused = try Program.run(command, "shop.yaml", "--allow-schema", "quarantine", in: scene.path)
            #expect(refused.code == 4 && refused.errors.contains(#"{"id":"p-3"}"#), "\(refused.errors)")
            #expect(refused.errors.contains("`id` was string and is now int"), "\(refused.errors)")
        }
        #expect(try scene.query("SELECT DISTINCT typeof(id) FROM people") == ["text"])
    }

    @Test("Tables of others that refer to an identifier by its type stand in the way")
    func referrers() throws {
        let scene = try Self.scene()
        try scene.execute("CREATE TABLE own_notes (id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders (id))")
        try Self.asTexts(scene)
        let refused = try Program.run("run", "shop.yaml", in: scene.path)
        #expect(
            refused.code == 4 && refused.errors.contains("`own_notes` refers to it by a foreign key of its own"),
            "\(refused.errors)")
    }

    @Test("A row without an identifier of its own stands in the way, with its key")
    func refused() throws {
        let scene = try Self.scene()
        try scene.execute("UPDATE people SET email = 'a@x' WHERE id = 2")
        try scene.write("shop.yaml", Self.pipeline(person: "email"))
        let words = #"{"email":"a@x"} is that of {"id":1}, {"id":2}"#
        for command in ["plan", "run"] {
            let refused = try Program.run(command, "shop.yaml", in: scene.path)
            #expect(refused.code == 4 && refused.errors.contains(words), "\(refused.errors)")
            #expect(refused.errors.contains("shop.yaml:6: `primary_key` of `Person` was id and is now email"))
        }
        let checked = try Program.run("validate", "shop.yaml", "--store", "sqlite:shop.db", in: scene.path)
        #expect((checked.output + checked.errors).contains(words), "\(checked.output)\(checked.errors)")
        #expect(try scene.query("SELECT name FROM pragma_table_info('people') WHERE pk") == ["id"])
    }

    /// A child record has no `primary_key`: its list says what tells it apart.
    @Test func aChildThatCannotFollowNamesItsList() throws {
        let scene = try Scene()
        func write(_ rule: String) throws {
            try scene.write(
                "shop.yaml",
                """
                version: 1
                name: shop
                store: sqlite:shop.db
                source: {base_url: "file:."}
                entities:
                  Concert:
                    table: concerts
                    primary_key: id
                    fields: {id: int}
                    children: {songs: {entity: Song, from: "songs[*]", \(rule)}}
                  Song: {table: songs, fields: {title: string}}
                streams: [{name: concerts, entity: Concert, path: concerts.json}]
                """)
        }
        try write("ordered: true")
        try scene.write("concerts.json", #"[{"id": 1, "songs": [{"title": "a"}, {"title": "b"}]}]"#)
        let first = try Program.run("run", "shop.yaml", in: scene.path)
        #expect(first.code == 0, "\(first.output)\(first.errors)")
        try scene.execute("UPDATE songs SET title = 'edited' WHERE title = 'a'")
        try write("key: [title]")
        let refused = try Program.run("run", "shop.yaml", in: scene.path)
        #expect(refused.code != 0, "\(refused.output)")
        #expect(refused.errors.contains("The identifier of `Song` was concert_id, position"), "\(refused.errors)")
        #expect(refused.errors.contains("or put `key` or `ordered` of its list back"), "\(refused.errors)")
        #expect(!refused.errors.contains("primary_key"), "\(refused.errors)")
    }
}
