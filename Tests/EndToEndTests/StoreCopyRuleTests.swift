import Foundation
import SluicePostgres
import SluiceSQLite
import TestSupport
import Testing

/// What becomes of the rules, indexes, keys and defaults that people gave a table when its store is copied to the other kind
/// of database: it is there, or it is listed.
@Suite struct StoreCopyRuleTests {
    /// Something that people defined, and what becomes of it.
    struct Rule: CustomTestStringConvertible {
        let name: String
        /// What the tables `things` and `kinds` have besides, and what is defined beside them.
        var column = ""
        var constraint = ""
        var sql = ""
        /// A statement that the copy refuses, and one that it takes.
        var refused: String?
        var taken: String?
        /// A query over the copy that gives 1.
        var isOne: String?
        /// What the list of what is not copied says.
        var left: String?
        var testDescription: String { name }
    }

    private static func things(_ rule: Rule, identity: String) -> String {
        """
        CREATE TABLE kinds (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE things (id \(identity), name TEXT, kind INTEGER, n INTEGER\(rule.column)\(rule.constraint));
        \(rule.sql)
        """
    }

    private static let pipeline = """
        version: 1
        name: things
        source: {base_url: "file:."}
        entities:
          Kind: {table: kinds, primary_key: [id], fields: {id: int, name: string}}
          Thing: {table: things, primary_key: [id], fields: {id: int, name: string, kind: int, n: int}}
        streams:
          - {name: kinds, entity: Kind, path: kinds.json}
          - {name: things, entity: Thing, path: things.json}
        """

    static let fromFile = [
        Rule(
            name: "a comparison in a CHECK", constraint: ", CHECK (n > 0)",
            refused: "INSERT INTO things (id, n) VALUES (7, 0)", taken: "INSERT INTO things (id, n) VALUES (7, 1)"),
        Rule(
            name: "IN, length and OR in a CHECK with a name",
            constraint: ", CONSTRAINT few CHECK (name IN ('a', 'b') OR length(name) BETWEEN 3 AND 5)",
            refused: "INSERT INTO things (id, name) VALUES (7, 'xx')",
            taken: "INSERT INTO things (id, name) VALUES (7, 'abc')"),
        Rule(
            name: "a CHECK of a column", column: ", m INTEGER CHECK (m IS NOT NULL OR 1 < 2) CHECK (m <> 3)",
            refused: "INSERT INTO things (id, m) VALUES (7, 3)", left: "CHECK (m IS NOT NULL OR 1 < 2)"),
        Rule(
            name: "a CHECK that orders texts", constraint: ", CHECK (name < 'x')",
            taken: "INSERT INTO things (id, name) VALUES (7, 'y')",
            left: "the CHECK rule of `things`: CHECK (name < 'x')"),
        Rule(
            name: "a CHECK that calls a function", constraint: ", CHECK (name GLOB 'a*')",
            left: "the CHECK rule of `things`: CHECK (name GLOB 'a*')"),
        Rule(
            name: "what becomes of rows where a key changes",
            column: ", own INTEGER REFERENCES kinds (id) ON UPDATE CASCADE ON DELETE SET NULL",
            isOne: """
                SELECT count(*) FROM information_schema.referential_constraints
                WHERE constraint_schema = 'SCHEMA' AND update_rule = 'CASCADE' AND delete_rule = 'SET NULL'
                """),
        Rule(
            name: "a partial index", sql: "CREATE INDEX few ON things (n) WHERE n > 1;",
            left: "the index `few` of `things`: CREATE INDEX few ON things (n) WHERE n > 1"),
        Rule(
            name: "an index over an expression", sql: "CREATE INDEX low ON things (lower(name));",
            left: "the index `low` of `things`: CREATE INDEX low ON things (lower(name))"),
        Rule(
            name: "an index over columns", sql: "CREATE UNIQUE INDEX both ON things (kind, n);",
            isOne: "SELECT count(*) FROM pg_indexes WHERE schemaname = 'SCHEMA' AND indexname = 'both'"),
        Rule(
            name: "a collation", column: ", label TEXT COLLATE NOCASE",
            left: "the collation `NOCASE` of `things.label`"),
        Rule(
            name: "a computed column", column: ", twice INTEGER GENERATED ALWAYS AS (n * 2)",
            left: "the computed column `things.twice`"),
        Rule(
            name: "a default", column: ", label TEXT DEFAULT 'none', score INTEGER DEFAULT 3",
            taken: "INSERT INTO things (id) VALUES (7)",
            isOne: "SELECT count(*) FROM things WHERE label = 'none' AND score = 3 AND id = 7"),
        Rule(
            name: "a default that is computed", column: ", score INTEGER DEFAULT (abs(-3))",
            left: "the default `abs(-3)` of `things.score`."),
        Rule(
            name: "a default that is computed, of what must not be null",
            column: ", score INTEGER NOT NULL DEFAULT (abs(-3))", taken: "INSERT INTO things (id) VALUES (7)",
            left: "the default `abs(-3)` of `things.score`, and so its `NOT NULL`."),
        Rule(
            name: "a trigger", sql: "CREATE TRIGGER watch AFTER DELETE ON things BEGIN DELETE FROM kinds WHERE 0; END;",
            left: "the trigger `watch` of `things`: CREATE TRIGGER watch AFTER DELETE ON things BEGIN"),
        Rule(
            name: "a view", sql: "CREATE VIEW names AS SELECT name FROM things;",
            left: "the view `names`: CREATE VIEW names AS SELECT name FROM things"),
    ]

    @Test(arguments: fromFile)
    func aRuleOfAFileIsThereOrListed(_ rule: Rule) throws {
        let folder = try Self.folder(rule, identity: "INTEGER PRIMARY KEY")
        let schema = try StoreSchema()
        let copied = try Program.start(
            ["store", "copy", "sqlite:things.db", schema.store, "--verify"], in: folder.path
        ).wait()
        try #require(copied.code == 0, "\(copied)")
        try Self.check(rule, copied)
        if let refused = rule.refused {
            #expect(throws: PostgresError.self) { try schema.connection.execute(refused) }
        }
        if let taken = rule.taken { try schema.connection.execute(taken) }
        if let query = rule.isOne {
            #expect(try schema.connection.integer(query.replacing("SCHEMA", with: schema.schema)) == 1)
        }
        // Between two files all rules of a table stay.
        let twin = try Program.start(["store", "copy", "sqlite:things.db", "sqlite:twin.db"], in: folder.path).wait()
        try #require(twin.code == 0, "\(twin)")
        #expect(!twin.output.contains("CHECK"), "\(twin)")
        if let refused = rule.refused {
            let file = try Connection(path: folder.file("twin.db"), mode: .existing)
            #expect(throws: SQLiteError.self) { try file.execute(refused) }
        }
    }

    static let fromSchema = [
        Rule(
            name: "a comparison in a CHECK", constraint: ", CHECK (n > 0)",
            refused: "INSERT INTO things (id, n) VALUES (7, 0)", taken: "INSERT INTO things (id, n) VALUES (7, 1)"),
        Rule(
            name: "a list in a CHECK", column: ", state varchar(9)", constraint: ", CHECK (state IN ('new', 'done'))",
            refused: "INSERT INTO things (id, state) VALUES (7, 'odd')",
            taken: "INSERT INTO things (id, state) VALUES (7, 'new')",
            left: "the type `character varying(9)` of `things.state`, which is text in the copy."),
        Rule(
            name: "a precision", column: ", price numeric(8,2)",
            taken: "INSERT INTO things (id, price) VALUES (7, '0.155')",
            left: "the type `numeric(8,2)` of `things.price`, which is text in the copy."),
        Rule(
            name: "a CHECK that matches", constraint: ", CHECK (name ~ '^a')",
            left: "the CHECK rule `things_name_check` of `things`: CHECK ((name ~ '^a'::text))"),
        Rule(
            name: "a rule that excludes", constraint: ", EXCLUDE USING btree (n WITH =)",
            left: "the rule `things_n_excl` of `things`: EXCLUDE USING btree (n WITH =)"),
        Rule(
            name: "what becomes of rows where a key changes",
            column: ", own INTEGER REFERENCES kinds (id) ON UPDATE CASCADE",
            isOne: """
                SELECT count(*) FROM pragma_foreign_key_list('things') WHERE on_update = 'CASCADE' AND on_delete = 'NO ACTION'
                """),
        Rule(
            name: "a partial index", sql: "CREATE INDEX few ON things (n) WHERE n > 1;",
            left: "the index `few` of `things`: CREATE INDEX few ON "),
        Rule(
            name: "a collation", column: ", label text COLLATE \"en-x-icu\", plain text COLLATE \"C\"",
            left: "the collation `en-x-icu` of `things.label`"),
        Rule(
            name: "a column that gives numbers and is no key",
            column: ", ticket INTEGER GENERATED BY DEFAULT AS IDENTITY", taken: "INSERT INTO things (id) VALUES (7)",
            left: "that `things.ticket` gives numbers by itself, and so its `NOT NULL`."),
        Rule(
            name: "a serial column that is no key", column: ", ticket serial",
            taken: "INSERT INTO things (id) VALUES (7)",
            left: "that `things.ticket` gives numbers by itself, and so its `NOT NULL`."),
        Rule(
            name: "a moment that is never null", column: ", made timestamptz NOT NULL DEFAULT clock_timestamp()",
            taken: "INSERT INTO things (id) VALUES (7)",
            left: "the default `clock_timestamp()` of `things.made`, and so its `NOT NULL`."),
        Rule(
            name: "a function", sql: "CREATE FUNCTION half(n int) RETURNS int LANGUAGE sql AS 'SELECT n / 2';",
            left: "the function `half(n integer)`: CREATE OR REPLACE FUNCTION "),
        Rule(name: "a type", sql: "CREATE TYPE mood AS ENUM ('good', 'bad');", left: "the type `mood`."),
        Rule(name: "a sequence", sql: "CREATE SEQUENCE tickets;", left: "the sequence `tickets`."),
        Rule(
            name: "statistics", sql: "CREATE STATISTICS pairs ON kind, n FROM things;",
            left: "the statistics `pairs` of `things`: CREATE STATISTICS "),
        Rule(
            name: "a policy", sql: "CREATE POLICY few ON things FOR SELECT USING (n > 1);",
            left: "the policy `few` of `things`: FOR SELECT TO PUBLIC USING ((n > 1))."),
        Rule(
            name: "a rewriting rule", sql: "CREATE RULE keep AS ON DELETE TO things WHERE n > 1 DO INSTEAD NOTHING;",
            left: "the rule `keep` of `things`: CREATE RULE keep AS ON DELETE TO "),
        Rule(
            name: "a view", sql: "CREATE VIEW names AS SELECT name FROM things;",
            left: "the view `names`: SELECT "),
    ]

    @Test(arguments: fromSchema)
    func aRuleOfASchemaIsThereOrListed(_ rule: Rule) throws {
        let schema = try StoreSchema()
        let folder = try Self.folder(nil, identity: "")
        try schema.connection.execute(
            "CREATE SCHEMA \(schema.schema); "
                + Self.things(rule, identity: "INTEGER GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY"))
        let run = try Program.start(["run", "things.yaml", "--store", schema.store], in: folder.path).wait()
        try #require(run.code == 0, "\(run)")
        let copied = try Program.start(
            ["store", "copy", schema.store, "sqlite:copy.db", "--verify"], in: folder.path
        ).wait()
        try #require(copied.code == 0, "\(copied)")
        try Self.check(rule, copied)
        let file = try Connection(path: folder.file("copy.db"), mode: .existing)
        if let refused = rule.refused { #expect(throws: SQLiteError.self) { try file.execute(refused) } }
        if let taken = rule.taken { try file.execute(taken) }
        if let query = rule.isOne { #expect(try file.integer(query) == 1) }
        // Between two schemas all but these stay.
        let other = try StoreSchema()
        let twin = try Program.start(["store", "copy", schema.store, other.store], in: folder.path).wait()
        try #require(twin.code == 0, "\(twin)")
        for word in ["CHECK", "collation", "by itself"] { #expect(!twin.output.contains(word), "\(twin)") }
        if let refused = rule.refused {
            #expect(throws: PostgresError.self) { try other.connection.execute(refused) }
        }
    }

    /// A number whose row is gone is given again, or not, as it was where the store was.
    @Test func numbersThatAreGoneAreNotGivenAgain() throws {
        let folder = try Self.folder(Rule(name: ""), identity: "INTEGER PRIMARY KEY AUTOINCREMENT")
        let file = try Connection(path: folder.file("things.db"), mode: .existing)
        try file.execute("INSERT INTO things (id, name) VALUES (50, 'x'); DELETE FROM things WHERE id = 50")
        let schema = try StoreSchema()
        for (from, to) in [
            ("sqlite:things.db", schema.store), (schema.store, "sqlite:back.db"),
            ("sqlite:things.db", "sqlite:twin.db"),
        ] {
            let copied = try Program.start(["store", "copy", from, to, "--verify"], in: folder.path).wait()
            try #require(copied.code == 0, "\(copied)")
        }
        let insert = "INSERT INTO things (name) VALUES ('y') RETURNING id"
        #expect(try schema.connection.integer(insert) == 51)
        for name in ["back.db", "twin.db"] {
            #expect(try Connection(path: folder.file(name), mode: .existing).integer(insert) == 51, "\(name)")
        }
        let plain = try Self.folder(Rule(name: ""), identity: "INTEGER PRIMARY KEY")
        try Connection(path: plain.file("things.db"), mode: .existing).execute(
            "INSERT INTO things (id, name) VALUES (50, 'x'); DELETE FROM things WHERE id = 50")
        let other = try StoreSchema()
        let copied = try Program.start(["store", "copy", "sqlite:things.db", other.store], in: plain.path).wait()
        try #require(copied.code == 0, "\(copied)")
        #expect(try other.connection.integer(insert) == 3)
    }

    /// What another program takes numbers from goes on giving them there and back.
    @Test(arguments: ["GENERATED BY DEFAULT AS IDENTITY", "GENERATED ALWAYS AS IDENTITY"])
    func aKeyThatGivesNumbersGoesOnThereAndBack(_ identity: String) throws {
        let schemas = try (0..<3).map { _ in try StoreSchema() }
        let folder = try Self.folder(nil, identity: "")
        // Another column of the row identifies it for the pipeline.
        try schemas[0].connection.execute(
            """
            CREATE SCHEMA \(schemas[0].schema);
            CREATE TABLE things (row bigint \(identity) PRIMARY KEY, id bigint NOT NULL UNIQUE, name text, kind bigint, n bigint)
            """)
        let run = try Program.start(["run", "things.yaml", "--store", schemas[0].store], in: folder.path).wait()
        try #require(run.code == 0, "\(run)")
        for (from, to) in [
            (schemas[0].store, "sqlite:copy.db"), ("sqlite:copy.db", schemas[1].store),
            (schemas[0].store, schemas[2].store),
        ] {
            let copied = try Program.start(["store", "copy", from, to, "--verify"], in: folder.path).wait()
            #expect(copied.code == 0 && !copied.output.contains("Not copied"), "\(copied)")
        }
        for schema in schemas {
            #expect(try schema.connection.integer("INSERT INTO things (id) VALUES (70) RETURNING row") == 3)
        }
        let kind = identity.contains("ALWAYS") ? "a" : "d"
        let kept = "SELECT count(*) FROM pg_attribute WHERE attrelid = 'things'::regclass AND attidentity = '\(kind)'"
        #expect(try schemas[2].connection.integer(kept) == 1)
    }

    /// A copy takes nothing from the schema that it was made of, which can be dropped.
    @Test func aCopyDoesNotHangOnTheSchemaThatItWasMadeOf() throws {
        let (schema, other) = (try StoreSchema(), try StoreSchema())
        let folder = try Self.folder(nil, identity: "")
        let rule = Rule(
            name: "", column: ", mood mood DEFAULT 'bad', half integer DEFAULT half(4), plain integer DEFAULT 3",
            constraint: ", CHECK (half(n) < 9)")
        try schema.connection.execute(
            """
            CREATE SCHEMA \(schema.schema); CREATE TYPE mood AS ENUM ('good', 'bad');
            CREATE FUNCTION half(n int) RETURNS int LANGUAGE sql AS 'SELECT n / 2';
            """ + Self.things(rule, identity: "INTEGER PRIMARY KEY"))
        let run = try Program.start(["run", "things.yaml", "--store", schema.store], in: folder.path).wait()
        try #require(run.code == 0, "\(run)")
        let copied = try Program.start(["store", "copy", schema.store, other.store, "--verify"], in: folder.path).wait()
        try #require(copied.code == 0, "\(copied)")
        #expect(copied.output.contains("of `things.half`.") && copied.output.contains("the CHECK rule"), "\(copied)")
        try schema.connection.execute("DROP SCHEMA \(schema.schema) CASCADE")
        try other.connection.execute("INSERT INTO things (id) VALUES (7)")
        let isKept = "SELECT count(*) FROM things WHERE id = 7 AND mood = 'bad' AND half IS NULL AND plain = 3"
        #expect(try other.connection.integer(isKept) == 1)
    }

    /// Rows that break a rule, as they can where a database was told not to look, are copied; the rule is listed.
    @Test func rowsThatBreakARule() throws {
        let folder = try Self.folder(
            Rule(name: "", constraint: ", CHECK (n > 0)"), identity: "INTEGER PRIMARY KEY")
        try Connection(path: folder.file("things.db"), mode: .existing).execute(
            "PRAGMA ignore_check_constraints = ON; UPDATE things SET n = 0 WHERE id = 1")
        let schema = try StoreSchema()
        let copied = try Program.start(["store", "copy", "sqlite:things.db", schema.store], in: folder.path).wait()
        try #require(copied.code == 0, "\(copied)")
        #expect(copied.output.contains("Not copied: the CHECK rule of `things`"), "\(copied)")
        let twin = try Program.start(["store", "copy", "sqlite:things.db", "sqlite:twin.db"], in: folder.path).wait()
        try #require(twin.code == 0 && !twin.output.contains("CHECK"), "\(twin)")
    }

    /// A folder with the pipeline, its records, and a store in a file over tables of people where a rule is given.
    private static func folder(_ rule: Rule?, identity: String) throws -> TemporaryDirectory {
        let folder = try TemporaryDirectory()
        func write(_ name: String, _ text: String) throws {
            try text.write(toFile: folder.file(name), atomically: true, encoding: .utf8)
        }
        try write("things.yaml", pipeline)
        try write("kinds.json", #"[{"id": 1, "name": "tool"}]"#)
        try write(
            "things.json", #"[{"id": 1, "name": "a", "kind": 1, "n": 1}, {"id": 2, "name": "abc", "kind": 1, "n": 2}]"#)
        guard let rule else { return folder }
        try Connection(path: folder.file("things.db"), mode: .create).execute(things(rule, identity: identity))
        let run = try Program.start(["run", "things.yaml", "--store", "sqlite:things.db"], in: folder.path).wait()
        try #require(run.code == 0, "\(run)")
        return folder
    }

    private static func check(_ rule: Rule, _ copied: Program.Result) throws {
        if let left = rule.left {
            #expect(copied.output.contains("Not copied: ") && copied.output.contains(left), "\(copied)")
        } else {
            #expect(!copied.output.contains("Not copied"), "\(copied)")
        }
    }
}
