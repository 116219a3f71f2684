import Foundation
import SluicePostgres
import TestSupport
import Testing

/// A store goes from SQLite to PostgreSQL and back, and runs go on from there.
@Suite struct StoreCopyTests {
    /// There and back, every table is as it was, runs and numbers included.
    @Test func aStoreIsTheSameThereAndBack() throws {
        let scene = try StoreScene()
        let schema = try StoreSchema()
        // As PostgreSQL writes these values; that others are compared by value is seen below.
        try scene.execute("UPDATE issue SET price = '1000', data = '{\"a\":7}' WHERE id = 2")
        let there = try scene.program("store", "copy", scene.file, schema.store, "--verify")
        try scene.expect(there, 0)
        #expect(there.output.contains("and compared: all are equal."), "\(there)")
        let back = try scene.program("store", "copy", schema.store, "sqlite:back.db", "--verify", "--format", "json")
        try scene.expect(back, 0)
        #expect(back.output.contains("\"verified\":true") && back.output.contains("\"not_copied\":[]"), "\(back)")
        let after = try scene.contents(of: "back.db")
        var before = try scene.contents(of: "issues.db")
        #expect(before.removeValue(forKey: "other") != nil, "a table of another program is not copied")
        #expect(before.keys.sorted() == after.keys.sorted())
        for table in before.keys.sorted() where after[table] != before[table] {
            Issue.record("\(table)\n\(before[table] ?? [])\n\(after[table] ?? [])")
        }
        let again = try scene.program("store", "copy", scene.file, "sqlite:twin.db", "--verify")
        try scene.expect(again, 0)
        let twin = try scene.contents(of: "twin.db")
        for (table, rows) in try scene.contents(of: "issues.db") where table != "other" {
            #expect(twin[table] == rows, "\(table)")
        }
    }

    /// What stays behind is said.
    @Test func whatIsNotCopiedIsListed() throws {
        let scene = try StoreScene()
        let copied = try scene.program("store", "copy", scene.file, "sqlite:twin.db")
        try scene.expect(copied, 0)
        for left in [
            "the table `other`",
            "the trigger `watch` of `other`: CREATE TRIGGER watch AFTER DELETE ON other BEGIN DELETE FROM other WHERE 0; END",
            "the view `titles`: CREATE VIEW titles AS SELECT title FROM issue",
        ] {
            #expect(copied.output.contains("Not copied: \(left)."), "\(copied)")
        }
        let checked = try scene.sluice("store", "check", store: "sqlite:twin.db")
        #expect(checked.code == 0, "\(checked)")
    }

    /// Who may do what is said of tables, and what people wrote about them: none of it goes along.
    @Test func grantsAndCommentsAreListed() throws {
        let scene = try StoreScene()
        let schema = try StoreSchema()
        try scene.expect(try scene.program("store", "copy", scene.file, schema.store), 0)
        try schema.connection.execute(
            """
            GRANT SELECT, DELETE ON issue TO pg_monitor; GRANT UPDATE (title) ON issue TO pg_monitor;
            GRANT SELECT ON conflicts_issue TO PUBLIC; COMMENT ON TABLE issue IS 'All of them';
            COMMENT ON COLUMN issue.title IS 'in one line'; GRANT USAGE ON SCHEMA \(schema.schema) TO pg_monitor;
            CREATE SEQUENCE numbers OWNED BY issue.id; GRANT USAGE ON SEQUENCE numbers TO pg_monitor;
            ALTER DEFAULT PRIVILEGES IN SCHEMA \(schema.schema) GRANT SELECT ON TABLES TO pg_monitor
            """)
        let copied = try scene.program("store", "copy", schema.store, "sqlite:back.db")
        try scene.expect(copied, 0)
        for left in [
            "the grants on `issue` to `pg_monitor`: DELETE, SELECT, UPDATE (title)",
            "the grants on `conflicts_issue` to `PUBLIC`: SELECT", "the comment on `issue`: All of them",
            "the comment on `issue.title`: in one line",
            "the grants on the schema `\(schema.schema)` to `pg_monitor`: USAGE",
            "the grants on `numbers` to `pg_monitor`: USAGE", "the grants on new tables to `pg_monitor`: SELECT",
        ] {
            #expect(copied.output.contains("Not copied: \(left)."), "\(copied)")
        }
    }

    /// The copy knows the same edits, conflicts and runs, asks for nothing again, and takes back what was done before.
    @Test(arguments: ["postgres", "sqlite"])
    func theCopyGoesOn(_ kind: String) throws {
        let scene = try StoreScene()
        let schema = try StoreSchema()
        let copy = kind == "postgres" ? schema.store : "sqlite:\(scene.folder.file("copy.db"))"
        try scene.expect(try scene.program("store", "copy", scene.file, copy, "--verify"), 0)
        for command in [
            ["edits"], ["conflicts", "list", "--all"], ["quarantine", "list"], ["history"], ["history", "2"],
            ["inspect", "record", "Issue", "1"], ["plan", "issues.yaml"],
        ] {
            let told = try [scene.file, copy].map { store in
                let told = try Program.start(command + ["--store", store, "--format", "json"], in: scene.path).wait()
                #expect(told.code == 0, "\(command) \(told)")
                return Self.comparable(told.output, store)
            }
            #expect(told[0] == told[1], "\(command)")
        }
        let checked = try scene.sluice("store", "check", store: copy)
        #expect(checked.code == 0, "\(checked)")
        let before = try scene.sluice("run", "issues.yaml", "--format", "json", store: copy)
        try scene.expect(before, 0)
        let quiet = try scene.sluice("plan", "issues.yaml", "--detailed-exitcode", store: copy)
        #expect(quiet.code == 0, "\(quiet)")
        let undone = try scene.sluice("undo", "2", "--format", "json", store: copy)
        #expect([0, 1].contains(undone.code), "\(undone)")
        #expect(undone.output.contains("\"action\":\"delete\""), "the new record goes: \(undone)")
        let numbers = try scene.sluice("history", "--format", "json", store: copy)
        #expect(numbers.output.contains("\"run\":4"), "numbers go on: \(numbers)")
    }

    /// What two stores tell, without what differs from store to store and from moment to moment.
    private static func comparable(_ text: String, _ store: String) -> String {
        text.replacing(store, with: "STORE").replacing("'STORE'", with: "STORE")
            .replacing(/"seconds":[0-9.e-]+/, with: "").replacing(/"[a-z_]*_at":"[^"]*"/, with: "")
            .replacing("{\"a\": 7}", with: "{\"a\":7}")
    }

    /// A copy is made where there is no store, and of a store.
    @Test func aStoreThatIsThereIsLeftAlone() throws {
        let scene = try StoreScene()
        let schema = try StoreSchema()
        try scene.expect(try scene.program("store", "copy", scene.file, schema.store), 0)
        try scene.expect(try scene.program("store", "copy", schema.store, "sqlite:copy.db"), 0)
        let before = try scene.contents(of: "copy.db")
        for (from, to) in [
            (scene.file, schema.store), (scene.file, "sqlite:copy.db"), (schema.store, "sqlite:copy.db"),
            (scene.file, scene.file), (schema.store, schema.store), ("sqlite:none.db", "sqlite:new.db"),
        ] {
            let refused = try scene.program("store", "copy", from, to)
            #expect(refused.code == 1 && refused.errors.hasPrefix("error:"), "\(from) \(to) \(refused)")
        }
        #expect(try scene.contents(of: "copy.db") == before)
        #expect(!FileManager.default.fileExists(atPath: scene.folder.file("new.db")))
        let wrong = try scene.program("store", "copy", "shop.db", "sqlite:new.db")
        #expect(wrong.code == 64 && wrong.errors.contains("sqlite:shop.db"), "\(wrong)")
    }

    /// Types with a length keep their values, and what only this kind of database holds is taken from the one to the other.
    @Test func columnsOfPeopleAreTheSameInAnotherSchema() throws {
        let scene = try StoreScene()
        let (schema, other) = (try StoreSchema(), try StoreSchema())
        try scene.expect(try scene.program("store", "copy", scene.file, schema.store), 0)
        try schema.connection.execute(
            """
            ALTER TABLE issue ADD COLUMN c char(2) NOT NULL DEFAULT 'DE', ADD COLUMN b bit(4) DEFAULT B'1010',
                ADD COLUMN n numeric DEFAULT 'NaN', ADD COLUMN t timestamptz DEFAULT 'infinity';
            """)
        let copied = try scene.program("store", "copy", schema.store, other.store, "--verify")
        try scene.expect(copied, 0)
        let found = try other.connection.run("SELECT DISTINCT concat_ws(' ', c, b, n, t) FROM issue").values
        #expect(found == [[PostgresValue("DE 1010 NaN infinity")]])
    }

    /// A table of another program has a name that the copy needs.
    @Test func nothingIsCopiedIntoATableThatIsThere() throws {
        let scene = try StoreScene()
        let schema = try StoreSchema()
        try schema.connection.execute("CREATE SCHEMA \(schema.schema); CREATE TABLE issue (id int)")
        let refused = try scene.program("store", "copy", scene.file, schema.store)
        #expect(refused.code == 1 && refused.errors.contains("`issue`"), "\(refused)")
        #expect(
            try schema.connection.integer(
                "SELECT count(*) FROM pg_tables WHERE schemaname = '\(schema.schema)'") == 1)
    }

    /// Each value that the target cannot hold is named with its table, key and column, and nothing is copied.
    @Test(arguments: [
        ("UPDATE issue SET title = 'a' || char(0) WHERE id = 1", "`title` of {\"id\":1} in `issue`"),
        ("UPDATE issue SET at = '2026-01-01T00:00:00.1234567Z' WHERE id = 2", "`at` of {\"id\":2} in `issue`"),
        ("UPDATE issue SET at = 'soon' WHERE id = 2", "`at` of {\"id\":2} in `issue`"),
        ("UPDATE issue SET price = 'much' WHERE id = 2", "`price` of {\"id\":2} in `issue`"),
        ("UPDATE issue SET done = 7 WHERE id = 4", "`done` of {\"id\":4} in `issue`"),
        ("UPDATE issue SET data = '{' WHERE id = 4", "`data` of {\"id\":4} in `issue`"),
        ("UPDATE issue SET token = 'A' WHERE id = 4", "`token` of {\"id\":4} in `issue`"),
        ("UPDATE _sluice_conflicts SET note = char(0)", "`note` of"),
    ])
    func whatTheTargetCannotHoldIsNamed(_ sql: String, _ name: String) throws {
        let scene = try StoreScene()
        let schema = try StoreSchema()
        try scene.execute(sql)
        let refused = try scene.program("store", "copy", scene.file, schema.store)
        #expect(refused.code == 1 && refused.errors.contains(name), "\(refused)")
        #expect(try !schema.isThere)
        // A file holds it.
        try scene.expect(try scene.program("store", "copy", scene.file, "sqlite:twin.db", "--verify"), 0)
    }

    /// Rows that refer to nothing are copied to a file, where they may be; a database that sees to references refuses them.
    @Test func aBrokenReference() throws {
        let scene = try StoreScene()
        let schema = try StoreSchema()
        try scene.execute("PRAGMA foreign_keys = OFF; UPDATE issue SET author_id = 404 WHERE id = 1")
        let refused = try scene.program("store", "copy", scene.file, schema.store)
        #expect(refused.code == 1 && refused.errors.contains("`issue` (author_id)"), "\(refused)")
        #expect(refused.errors.contains("store check"), "\(refused)")
        #expect(try !schema.isThere)
        try scene.expect(try scene.program("store", "copy", scene.file, "sqlite:twin.db", "--verify"), 0)
        let checked = try scene.sluice("store", "check", store: "sqlite:twin.db")
        #expect(checked.code == 1 && checked.output.contains("refers by `author`"), "\(checked)")
        try scene.execute("UPDATE issue SET author_id = 7 WHERE id = 1", in: "twin.db")
        try scene.expect(try scene.sluice("store", "check", store: "sqlite:twin.db"), 0)
        try scene.expect(try scene.program("store", "copy", "sqlite:twin.db", schema.store, "--verify"), 0)
    }

    /// Killed in the middle, a copy leaves no store.
    @Test(arguments: ["postgres", "sqlite"])
    func aKilledCopyLeavesNoStore(_ kind: String) throws {
        let scene = try StoreScene()
        let schema = try StoreSchema()
        try scene.execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 400000)
            INSERT INTO user (id, login) SELECT i, 'user ' || i FROM n
            """)
        let target = kind == "postgres" ? schema.store : "sqlite:copy.db"
        let running = try Program.start(["store", "copy", scene.file, target], in: scene.path)
        var isFilling = false
        let deadline = Date(timeIntervalSinceNow: 60)
        while !isFilling && running.process.isRunning && Date() < deadline {
            isFilling =
                kind == "postgres"
                ? try schema.connection.integer(
                    "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'COPY \"\(schema.schema)\".\"user\"%'") == 1
                : FileManager.default.fileExists(atPath: scene.folder.file("copy.db-journal"))
        }
        kill(running.process.processIdentifier, SIGKILL)
        let ended = try running.wait()
        try #require(isFilling && ended.code == 128 + SIGKILL, "it was not killed in the middle: \(ended)")
        let looked = try scene.sluice("history", store: target)
        #expect(looked.code == 1, "\(looked)")
        try scene.expect(try scene.program("store", "copy", scene.file, target), 0)
        let checked = try scene.sluice("store", "check", store: target)
        #expect(checked.code == 0, "\(checked)")
    }

    /// Columns that give numbers themselves go on after the last one.
    @Test func numbersGoOn() throws {
        let scene = try StoreScene()
        let schema = try StoreSchema()
        try scene.write(
            "things.yaml",
            """
            version: 1
            name: things
            source: {base_url: "file:."}
            entities: {Thing: {table: things, primary_key: [id], fields: {id: int, name: string}}}
            streams: [{name: things, entity: Thing, path: things.json}]
            """)
        try scene.write("things.json", "[{\"id\": 41, \"name\": \"a\"}]")
        try scene.execute("CREATE TABLE things (id INTEGER PRIMARY KEY, name VARCHAR(20), note TEXT)")
        try scene.expect(try scene.sluice("run", "things.yaml"), 0)
        try scene.expect(try scene.program("store", "copy", scene.file, schema.store, "--verify"), 0)
        #expect(
            try schema.connection.integer(
                "INSERT INTO \(schema.schema).things (name) VALUES ('b') RETURNING id") == 42)
        let other = try StoreSchema()
        try scene.expect(try scene.program("store", "copy", schema.store, other.store, "--verify"), 0)
        #expect(
            try other.connection.integer("INSERT INTO \(other.schema).things (name) VALUES ('c') RETURNING id") == 43)
        let checked = try scene.sluice("store", "check", store: other.store)
        #expect(checked.code == 0, "\(checked)")
    }

    /// What a file holds and an index of PostgreSQL does not.
    @Test func aValueThatIsTooLongForAnIndexIsTold() throws {
        let scene = try StoreScene()
        let schema = try StoreSchema()
        try scene.write(
            "things.yaml",
            """
            version: 1
            name: things
            source: {base_url: "file:."}
            entities: {Thing: {primary_key: [id], unique: [[name]], fields: {id: int, name: string}}}
            streams: [{name: things, entity: Thing, path: things.json}]
            """)
        var random = SeededGenerator(seed: 7)
        let name = (0..<1_000).map { _ in String(random.next(), radix: 36) }.joined()
        try scene.write("things.json", "[{\"id\": 1, \"name\": \"\(name)\"}]")
        try scene.expect(try scene.sluice("run", "things.yaml"), 0)
        let told = try scene.program("store", "copy", scene.file, schema.store)
        #expect(told.code != 0 && told.errors.contains("A value is too long for an index of the store"), "\(told)")
        #expect(
            try schema.connection.integer(
                "SELECT count(*) FROM pg_tables WHERE schemaname = '\(schema.schema)'") == 0)
    }
}
