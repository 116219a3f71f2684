import Foundation
import TestSupport
import Testing

/// What follows an identifier that changes although it is not kept by it: lists, indexes, views, and the names that things
/// have by the time the change is taken back.
@Suite struct KeyChangeFollowTests {
    /// A shop's items with an owner, tags, and parts within.
    private static let pipeline = """
        version: 1
        name: shop
        store: sqlite:shop.db
        source: {base_url: "file:."}
        entities:
          Item: {table: item, primary_key: [id], fields: {id: int, code: string, note: string, owner: {ref: User, from: owner}, tags: {refs: Tag, from: "tags[*]"}}, children: {parts: {entity: Part, from: "parts[*]", key: [pid]}}}
          Part: {table: part, fields: {pid: int, sku: string}}
          User: {table: user, primary_key: [id], fields: {id: int, email: string}}
          Tag: {table: tag, primary_key: [id], fields: {id: int, name: string}}
        streams: [{name: items, entity: Item, path: items.json}]
        """
    private static let items = """
        [{"id": 1, "code": "c", "note": "n", "owner": {"id": 7, "email": "a@b"}, "tags": [{"id": 3, "name": "t"}],
          "parts": [{"pid": 1, "sku": "s"}]}]
        """

    /// A change of a file: words and what takes their place.
    typealias Edit = (from: String, to: String)

    private static let itemByCode: Edit = (
        "Item: {table: item, primary_key: [id]", "Item: {table: item, primary_key: [code]"
    )
    private static let userByEmail: Edit = (
        "User: {table: user, primary_key: [id]", "User: {table: user, primary_key: [email]"
    )
    private static let partBySku: Edit = ("key: [pid]", "key: [sku]")

    private static func scene() throws -> Scene {
        let scene = try Scene(records: 1)
        try scene.write("shop.yaml", pipeline)
        try scene.write("items.json", items)
        let first = try Program.run("run", "shop.yaml", in: scene.path)
        try #require(first.code == 0, "\(first.errors)")
        return scene
    }

    /// Changes the pipeline's file and runs it.
    @discardableResult
    private func run(_ edits: [Edit], _ scene: Scene) throws -> Program.Result {
        var text = try String(contentsOfFile: scene.path + "/shop.yaml", encoding: .utf8)
        for (from, to) in edits {
            try #require(text.contains(from), "\(from)")
            text = text.replacing(from, with: to)
        }
        try scene.write("shop.yaml", text)
        return try Program.run("run", "shop.yaml", in: scene.path)
    }

    private func columns(_ table: String, _ scene: Scene) throws -> String {
        try scene.query("SELECT name FROM pragma_table_info('\(table)')").joined(separator: " ")
    }

    private func check(_ scene: Scene) throws {
        for pragma in ["integrity_check", "quick_check"] { #expect(try scene.query("PRAGMA \(pragma)") == ["ok"]) }
        #expect(try scene.query("PRAGMA foreign_key_check").isEmpty)
    }

    /// A source that is gone and had no records leaves references behind, which nobody says any more.
    @Test("A source that said nothing does not stand in the way once it is gone")
    func silentSources() throws {
        let scene = try Self.scene()
        let box = "  Box: {table: box, primary_key: [id], fields: {id: int, item: {ref: Item, column: item}}}\n"
        let stream = ", {name: boxes, entity: Box, path: boxes.json}]"
        try scene.write("boxes.json", "[]")
        let with = try run(
            [("streams: [", box + "streams: ["), ("path: items.json}]", "path: items.json}" + stream)], scene)
        #expect(with.code == 0, "\(with)")
        let without = try run([(box, ""), (stream, "]")], scene)
        #expect(without.code == 0, "\(without)")
        let changed = try run([Self.itemByCode], scene)
        #expect(changed.code == 0, "\(changed)")
        #expect(try scene.query("SELECT name FROM _sluice_schema WHERE name LIKE 'shop/boxes/%'").isEmpty)
        try check(scene)
    }

    // MARK: Lists

    @Test("The open conflict of a list passes on, and can be decided")
    func lists() throws {
        let scene = try Scene(records: 1)
        try scene.write(
            "shop.yaml",
            """
            version: 1
            name: shop
            store: sqlite:shop.db
            source: {base_url: "file:."}
            entities:
              Item: {table: item, primary_key: [id], fields: {id: int, code: string}, children: {lines: {entity: Line, from: "lines[*]", ordered: true}}}
              Line: {table: line, fields: {text: string}}
            streams: [{name: items, entity: Item, path: items.json}]
            """)
        func items(_ text: String) -> String { #"[{"id": 1, "code": "c1", "lines": [{"text": "\#(text)"}]}]"# }
        try scene.write("items.json", items("a"))
        #expect(try run([], scene).code == 0)
        try scene.execute("UPDATE line SET text = 'L'")
        try scene.write("items.json", items("b"))
        #expect(try run([], scene).code == 0)
        #expect(try run([Self.itemByCode], scene).code == 0)
        let open = "SELECT id, key FROM _sluice_conflicts WHERE status = 'open'"
        #expect(try scene.query(open) == [#"1|{"item_code":"c1"}"#])
        let decided = try Program.run(
            "conflicts", "resolve", "--all", "--take", "remote", "--store", "sqlite:shop.db", in: scene.path)
        #expect(decided.code == 0, "\(decided.output)\(decided.errors)")
        #expect(try scene.query("SELECT item_code, text FROM line") == ["c1|b"])
        #expect(try scene.query(open).isEmpty)
    }

    // MARK: Tables

    @Test("Columns stand in the place of those that they follow, and indexes and views follow; undo takes it back")
    func order() throws {
        let scene = try Self.scene()
        let objects =
            "SELECT name FROM sqlite_schema WHERE type = 'index' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '@_sluice%' ESCAPE '@' ORDER BY 1"
        let (indexes, view) = (try scene.query(objects), try columns("conflicts_part", scene))
        let tables = try ["item", "item_tags", "part"].map { try columns($0, scene) }
        #expect(tables == ["id code note owner_id", "item_id tag_id", "item_id pid sku"])
        let changed = try run([Self.itemByCode, Self.userByEmail], scene)
        #expect(changed.code == 0, "\(changed.output)\(changed.errors)")
        #expect(try columns("item", scene) == "id code note owner_email")
        #expect(try columns("item_tags", scene) == "item_code tag_id")
        #expect(try columns("part", scene) == "item_code pid sku")
        #expect(
            try columns("conflicts_part", scene).hasPrefix("item_code pid base_sku local_sku remote_sku conflict_ids"))
        #expect(try scene.query(objects).contains("item_owner_email"))
        try check(scene)
        let undone = try Program.run("undo", "2", "--store", "sqlite:shop.db", in: scene.path)
        #expect(undone.code == 0, "\(undone.output)\(undone.errors)")
        #expect(try ["item", "item_tags", "part"].map { try columns($0, scene) } == tables)
        #expect(try scene.query(objects) == indexes)
        #expect(try columns("conflicts_part", scene) == view)
        try check(scene)
        try scene.write("shop.yaml", Self.pipeline)
        let plan = try Program.run("plan", "shop.yaml", "--format", "json", in: scene.path)
        #expect(plan.code == 0 && plan.output.contains(#""schema_changes":[]"#), "\(plan.output)\(plan.errors)")
    }

    @Test("The index of a reference goes with its columns, whatever its table was called when it was made")
    func indexes() throws {
        let scene = try Self.scene()
        #expect(try run([("Item: {table: item,", "Item: {table: things, table_renamed_from: item,")], scene).code == 0)
        let changed = try run([Self.userByEmail], scene)
        #expect(changed.code == 0 && !changed.output.contains("not made again"), "\(changed.output)\(changed.errors)")
        let stale = "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql LIKE '%owner_id%'"
        #expect(try scene.query(stale).isEmpty)
        let renamed = try run([("note: string", "remark: {type: string, from: note, renamed_from: note}")], scene)
        #expect(renamed.code == 0, "\(renamed.output)\(renamed.errors)")
        try scene.execute("ALTER TABLE things RENAME COLUMN remark TO again")
    }

    @Test("An index of people on a column that goes is left out and said, and not made of a text")
    func ownIndexes() throws {
        let scene = try Self.scene()
        try scene.execute(#"CREATE INDEX mine ON "item" ("owner_id", "note")"#)
        let changed = try run([Self.userByEmail], scene)
        #expect(
            changed.code == 0 && changed.output.contains("! not made again  CREATE INDEX mine"), "\(changed.output)")
        #expect(try scene.query("SELECT name FROM sqlite_schema WHERE name = 'mine'").isEmpty)
    }

    // MARK: Names that change afterwards

    struct Renaming: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: [@Sendable () -> Edit]
        let renaming: [@Sendable () -> Edit]
        /// Rows after the undo, by queries.
        let rows: [String: [String]]

        init(
            _ description: String, _ change: Edit, _ renaming: Edit..., rows: [String: [String]]
        ) {
            testDescription = description
            let (from, to) = change
            self.change = [{ (from, to) }]
            self.renaming = renaming.map { from, to in { (from, to) } }
            self.rows = rows
        }
    }

    static let renamings = [
        Renaming(
            "the table that pairs lead to", itemByCode,
            ("Tag: {table: tag,", "Tag: {table: labels, table_renamed_from: tag,"),
            rows: ["SELECT item_id, tag_id FROM item_tags": ["1|3"], "SELECT item_id, pid FROM part": ["1|1"]]),
        Renaming(
            "the table whose identifier changed", itemByCode,
            ("Item: {table: item,", "Item: {table: things, table_renamed_from: item,"),
            rows: ["SELECT id, code FROM things": ["1|c"], "SELECT item_id, pid FROM part": ["1|1"]]),
        Renaming(
            "the entity whose identifier changed", itemByCode,
            ("Item: {table: item,", "Thing: {renamed_from: Item, table: item,"), ("entity: Item", "entity: Thing"),
            rows: ["SELECT thing_id, pid FROM part": ["1|1"], "SELECT id, code FROM item": ["1|c"]]),
        Renaming(
            "the field that identifies", itemByCode,
            ("primary_key: [code]", "primary_key: [kode]"),
            ("code: string,", "kode: {type: string, from: code, renamed_from: code},"),
            rows: ["SELECT id, kode FROM item": ["1|c"], "SELECT item_id, pid FROM part": ["1|1"]]),
        Renaming(
            "the table that is referred to", userByEmail,
            ("User: {table: user,", "User: {table: people, table_renamed_from: user,"),
            rows: ["SELECT id, owner_id FROM item": ["1|7"], "SELECT id, email FROM people": ["7|a@b"]]),
        Renaming(
            "the table around what stands within", partBySku,
            ("Item: {table: item,", "Item: {table: things, table_renamed_from: item,"),
            rows: ["SELECT item_id, pid, sku FROM part": ["1|1|s"]]),
    ]

    @Test("undo of the change follows renames that came after it", arguments: renamings)
    func undo(_ renaming: Renaming) throws {
        let scene = try Self.scene()
        for edits in [renaming.change, renaming.renaming] {
            let result = try run(edits.map { $0() }, scene)
            try #require(result.code == 0, "\(result.output)\(result.errors)")
        }
        let undone = try Program.run("undo", "2", "--store", "sqlite:shop.db", in: scene.path)
        #expect(undone.code == 0, "\(undone.output)\(undone.errors)")
        for (query, rows) in renaming.rows { #expect(try scene.query(query) == rows, "\(query)") }
        try check(scene)
    }

    @Test("Changes that follow each other are taken back one after the other, the last one first")
    func twice() throws {
        let scene = try Self.scene()
        #expect(try run([Self.itemByCode], scene).code == 0)
        #expect(try run([("primary_key: [code]", "primary_key: [note]")], scene).code == 0)
        for number in ["3", "2"] {
            let undone = try Program.run("undo", number, "--store", "sqlite:shop.db", in: scene.path)
            #expect(undone.code == 0, "\(undone.output)\(undone.errors)")
        }
        #expect(try scene.query("SELECT item_id, pid FROM part") == ["1|1"])
        #expect(try scene.query("SELECT item_id, tag_id FROM item_tags") == ["1|3"])
        try check(scene)
    }

    // MARK: What stands against it

    struct Refusal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var statement: String?
        let edits: @Sendable () -> [Edit]
        let words: String
    }

    static let refusals = [
        Refusal(
            testDescription: "a foreign key of people to what stands within",
            statement: "CREATE TABLE mine (a INTEGER, b INTEGER, FOREIGN KEY (a, b) REFERENCES part (item_id, pid))",
            edits: { [itemByCode] }, words: "A foreign key of `mine` (`a`, `b`) leads to `part` by `item_id`"),
        Refusal(
            testDescription: "a foreign key of people to pairs",
            statement:
                "CREATE TABLE mine (a INTEGER, b INTEGER, FOREIGN KEY (a, b) REFERENCES item_tags (item_id, tag_id))",
            edits: { [itemByCode] }, words: "A foreign key of `mine` (`a`, `b`) leads to `item_tags` by `item_id`"),
        Refusal(
            testDescription: "an entity that gets another name, and has children",
            edits: { [("Item: {table: item,", "Thing: {table: item,"), ("entity: Item", "entity: Thing")] },
            words: "If `item_id` only has another name now, give the field, or the entity whose identifier it repeats,"),
        Refusal(
            testDescription: "an entity that gets another name, and another identifier",
            edits: {
                [
                    (
                        "Item: {table: item, primary_key: [id]",
                        "Thing: {renamed_from: Item, table: item, primary_key: [code]"
                    ),
                    ("entity: Item", "entity: Thing"),
                ]
            }, words: "Rename in one run, with `primary_key` and `key` as they were"),
        Refusal(
            testDescription: "an entity that gets another name, and another identifier of another one",
            edits: {
                [
                    ("Tag: {table: tag", "Label: {renamed_from: Tag, table: tag"), ("refs: Tag", "refs: Label"),
                    itemByCode,
                ]
            }, words: "`shop/items Tag` is now `shop/items Label` in the same run"),
        Refusal(
            testDescription: "a table that gets another name",
            edits: {
                [
                    (
                        "User: {table: user, primary_key: [id]",
                        "User: {table: people, table_renamed_from: user, primary_key: [email]"
                    )
                ]
            },
            words: "The table `user` is now `people` in the same run"),
        Refusal(
            testDescription: "a stream that gets another name",
            edits: { [("name: items", "name: things, renamed_from: items"), partBySku] },
            words: "Rename in one run"),
        Refusal(
            testDescription: "a field that gets another name and identifies",
            edits: {
                [
                    (
                        "primary_key: [id], fields: {id: int, code: string",
                        "primary_key: [kode], fields: {id: int, kode: {type: string, from: code, renamed_from: code}"
                    )
                ]
            }, words: "The field `code` is now `kode` in the same run"),
        Refusal(
            testDescription: "a reference to a row that is not there",
            statement: "PRAGMA foreign_keys = OFF; DELETE FROM user WHERE id = 7",
            edits: { [("User: {table: user, primary_key: [id]", "User: {table: user, primary_key: [email]")] },
            words:
                "1 row of `item` refers to rows of `user` that are not there, so nobody knows their new identifiers: {\"id\":1} to {\"id\":7}. Set this reference of `item` to null, or let the records come."
        ),
        Refusal(
            testDescription: "what stands within a row that is not there, and cannot refer to none",
            statement: "PRAGMA foreign_keys = OFF; DELETE FROM item WHERE id = 1", edits: { [itemByCode] },
            words:
                "1 row of `item_tags` and 1 row of `part` refer to rows of `item` that are not there, so nobody knows their new identifiers: {\"item_id\":1,\"tag_id\":3}; {\"item_id\":1,\"pid\":1}. Delete this row of `item_tags`, delete this row of `part`, or let the records come."
        ),
    ]

    @Test("What stands against a change is named, with the way out, and nothing is written", arguments: refusals)
    func refused(_ refusal: Refusal) throws {
        let scene = try Self.scene()
        if let statement = refusal.statement { try scene.execute(statement) }
        let before = try scene.query("SELECT sql FROM sqlite_schema ORDER BY name")
        let result = try run(refusal.edits(), scene)
        #expect(result.code == 4 && result.errors.contains(refusal.words), "\(result.output)\(result.errors)")
        #expect(try scene.query("SELECT sql FROM sqlite_schema ORDER BY name") == before)
    }

    /// A field that is gone with an edit, two identifiers, rows that refer to nothing, and a type.
    @Test("All that stands against a change is told in one refusal, each with its place, by `run` and `validate`")
    func together() throws {
        let scene = try Self.scene()
        try scene.execute(
            """
            PRAGMA foreign_keys = OFF; INSERT INTO item (id, note, owner_id) VALUES (2, 'x', 9);
            INSERT INTO user (id, email) VALUES (8, 'a@b'); UPDATE item SET note = 'mine' WHERE id = 1;
            INSERT INTO item_tags VALUES (99, 3); INSERT INTO part VALUES (99, 1, 's')
            """)
        let result = try run(
            [
                Self.itemByCode, Self.userByEmail, ("note: string, ", ""),
                (
                    "Tag: {table: tag, primary_key: [id], fields: {id: int, name: string",
                    "Tag: {table: tag, primary_key: [id], fields: {id: int, name: int"
                ),
            ], scene)
        let words = [
            (
                "6:36",
                #"`primary_key` of `Item` was id and is now code, and the table `item` cannot follow. 1 of its rows has no code: {"id":2}. Fill it in, or put `primary_key` back."#
            ),
            (
                "8:36",
                #"`primary_key` of `User` was id and is now email, and the table `user` cannot follow. Rows of it would have one identifier: {"email":"a@b"} is that of {"id":7}, {"id":8}. Correct or delete them, or put `primary_key` back."#
            ),
            (
                "8:36",
                #"1 row of `item` refers to rows of `user` that are not there, so nobody knows their new identifiers: {"id":2} to {"id":9}. Set this reference of `item` to null, or let the records come."#
            ),
            ("6:36", #"1 row of `item_tags` and 1 row of `part` refer to rows of `item` that are not there"#),
            ("6:3", "People changed values in the column `note` of `item`"),
            ("9:64", "`name` of `Tag` is now int"),
        ]
        for (place, words) in words {
            let line = place.prefix { $0 != ":" }
            #expect(result.errors.contains("shop.yaml:\(line): \(words)"), "\(words): \(result.errors)")
        }
        #expect(result.code == 4, "\(result)")
        let validated = try Program.run("validate", "shop.yaml", "--store", "sqlite:shop.db", in: scene.path)
        for (place, words) in words {
            let told = "shop.yaml:\(place): error: Store and pipeline differ: \(words)"
            #expect((validated.output + validated.errors).contains(told), "\(words): \(validated)")
        }
    }

    @Test(
        "Own columns that refer to the identifier of before go on, since it stays unique",
        arguments: ["chk INTEGER REFERENCES user (id)", "up INTEGER REFERENCES item (id)"])
    func ownColumns(_ column: String) throws {
        let scene = try Self.scene()
        try scene.execute("ALTER TABLE item ADD COLUMN \(column)")
        let result = try run([Self.itemByCode, Self.userByEmail], scene)
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        try check(scene)
        try scene.execute(
            "PRAGMA foreign_keys = ON; UPDATE item SET \(column.prefix { $0 != " " }) = \(column.contains("user") ? 7 : 1)"
        )
    }

    @Test("A row that its source calls by another identifier, in an open conflict, stands in the way")
    func contested() throws {
        let scene = try Self.scene()
        try scene.execute("INSERT INTO item (id, code) VALUES (2, 'mine')")
        let more = #", {"id": 2, "code": "theirs", "owner": null, "tags": [], "parts": []}]"#
        try scene.write("items.json", String(Self.items.dropLast()) + more)
        #expect(try run([], scene).code == 0)
        let result = try run([Self.itemByCode], scene)
        #expect(
            result.code == 4
                && result.errors.contains(#"{"id":2}, where `code` is "mine" and its source says "theirs" (conflict "#),
            "\(result.output)\(result.errors)")
        #expect(try scene.query("SELECT count(*) FROM item") == ["2"])
    }
}
