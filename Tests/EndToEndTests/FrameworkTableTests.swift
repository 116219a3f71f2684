import Foundation
import SluiceSQLite
import TestSupport
import Testing

/// Tables that other programs made and go on using: what they wrote is the same value, and what is written is such that
/// they read it as the same.
///
/// SQL and stored forms are what `scripts/framework-tables.py` prints of Django 5.2 and SQLAlchemy 2.1; those of Rails
/// and Prisma are as their documentation and their adapters for SQLite have them.
@Suite struct FrameworkTableTests {
    struct Framework: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sql: String
        /// How it has a record: the code, the price, the time with its fraction and the time without.
        let row: @Sendable (_ id: Int, _ name: String, _ price: String) -> [String]
    }

    private static let day = "'2024-01-02'"
    private static let data = #"'{"a": [1, null]}'"#

    static let frameworks = [
        Framework(
            testDescription: "Django",
            sql: """
                CREATE TABLE "items" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "code" char(32) NOT NULL UNIQUE, "name" varchar(100) NOT NULL, "price" decimal NULL, "made" datetime NULL, "seen" datetime NULL, "day" date NULL, "active" bool NULL, "data" text NULL CHECK ((JSON_VALID("data") OR "data" IS NULL)))
                """
        ) { id, name, price in
            [
                "'9b2f1f6e8c1e4a3f9f530a4f4e1f6c1\(id)'", "'\(name)'", price, "'2024-01-02 03:04:05.250000'",
                "'2024-01-02 03:04:05'", day, "1", data,
            ]
        },
        Framework(
            testDescription: "SQLAlchemy",
            sql: """
                CREATE TABLE items (
                	id INTEGER NOT NULL,
                	code CHAR(32),
                	name VARCHAR(100) NOT NULL,
                	price NUMERIC(10, 2),
                	made DATETIME,
                	seen TIMESTAMP,
                	day DATE,
                	active BOOLEAN,
                	data JSON,
                	PRIMARY KEY (id),
                	UNIQUE (code)
                )
                """
        ) { id, name, price in
            [
                "'9b2f1f6e8c1e4a3f9f530a4f4e1f6c1\(id)'", "'\(name)'", price, "'2024-01-02 03:04:05.250000'",
                "'2024-01-02 03:04:05.000000'", day, "1", data,
            ]
        },
        Framework(
            testDescription: "Rails",
            sql: """
                CREATE TABLE "items" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "code" varchar, "name" varchar NOT NULL, "price" decimal(10,2), "made" datetime(6), "seen" datetime(6), "day" date, "active" boolean, "data" json);
                CREATE TABLE "ar_internal_metadata" ("key" varchar NOT NULL PRIMARY KEY)
                """
        ) { id, name, price in
            [
                "'9b2f1f6e-8c1e-4a3f-9f53-0a4f4e1f6c1\(id)'", "'\(name)'", price, "'2024-01-02 03:04:05.250000'",
                "'2024-01-02 03:04:05.000000'", day, "1", data,
            ]
        },
        Framework(
            testDescription: "Prisma",
            sql: """
                CREATE TABLE "items" (
                    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
                    "code" TEXT NOT NULL,
                    "name" TEXT NOT NULL,
                    "price" DECIMAL,
                    "made" DATETIME,
                    "seen" DATETIME,
                    "day" TEXT,
                    "active" BOOLEAN,
                    "data" JSONB
                );
                CREATE TABLE "_prisma_migrations" ("id" TEXT PRIMARY KEY NOT NULL)
                """
        ) { id, name, price in
            [
                "'9b2f1f6e-8c1e-4a3f-9f53-0a4f4e1f6c1\(id)'", "'\(name)'", price, "1704164645250", "1704164645000",
                day, "1", data,
            ]
        },
    ]

    private static func record(_ id: Int, name: String, price: String) -> String {
        """
        {"id": \(id), "code": "9B2F1F6E-8C1E-4A3F-9F53-0A4F4E1F6C1\(id)", "name": "\(name)", "price": "\(price)",
         "made": "2024-01-02T04:04:05.25+01:00", "seen": "2024-01-02T03:04:05Z", "day": "2024-01-02", "active": true,
         "data": {"a": [1, null]}}
        """
    }

    private static let fields =
        "id: int, code: uuid, name: string, price: decimal, made: datetime, seen: datetime, day: date, active: bool, data: json"
    private static let columns = ["code", "name", "price", "made", "seen", "day", "active", "data"]

    private func scene(_ sql: String, _ records: [String], fields: String = fields, key: String = "id") throws -> Scene
    {
        let scene = try Scene(document: "[\(records.joined(separator: ","))]", fields: fields, key: key)
        let pipeline = try #require(try? String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8))
        try scene.write("books.yaml", pipeline.replacing("table: books", with: "table: items"))
        try Connection(path: scene.store, mode: .create).execute(sql)
        return scene
    }

    private func run(_ scene: Scene) throws -> String {
        let run = try Program.run("run", "books.yaml", in: scene.path)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        return run.output
    }

    private func rows(_ scene: Scene) throws -> [String] {
        try scene.query(
            "SELECT \(Self.columns.map { "quote(\($0))" }.joined(separator: ", ")) FROM items ORDER BY id")
    }

    @Test(arguments: frameworks, [true, false])
    func valuesMeanTheSameOnBothSides(framework: Framework, hasRow: Bool) throws {
        let scene = try scene(
            framework.sql,
            [Self.record(1, name: "a", price: "12.50"), Self.record(2, name: "b", price: "12.00")])
        let before = framework.row(1, "a", "12.5")
        if hasRow { try scene.execute("INSERT INTO items VALUES (1, \(before.joined(separator: ", ")))") }
        // What is there is as the source says, and what is new is as the other program would have it.
        let first = try run(scene)
        #expect(first.contains(hasRow ? "1 inserted" : "2 inserted"), "\(first)")
        #expect(!first.contains("conflict"), "\(first)")
        func compact(_ row: [String]) -> String { row.joined(separator: "|") }
        let ours = framework.row(2, "b", "12").map { $0 == Self.data ? #"'{"a":[1,null]}'"# : $0 }
        let adopted = framework.row(1, "a", "12.5").map { hasRow || $0 != Self.data ? $0 : #"'{"a":[1,null]}'"# }
        #expect(try rows(scene) == [compact(adopted), compact(ours)])
        let quiet = try StoreDump(scene.store)
        #expect(try run(scene).contains("nothing changed, 2 unchanged"))
        #expect(try StoreDump(scene.store).differences(from: quiet) == [])

        let edits = try Program.run("edits", "--store", "sqlite:shop.db", in: scene.path)
        #expect(edits.code == 0 && !edits.output.contains("Book 1"), "\(edits.output)\(edits.errors)")

        // The other program writes what it has read: that is no edit. What it edits stays, and all else goes on.
        let time = framework.row(3, "", "")[3].replacing("03:04:05", with: "06:04:05").replacing(
            "4645250", with: "4646250")
        try scene.execute(
            """
            UPDATE items SET code = code, price = price, made = made, data = '{"a": [1, null]}';
            UPDATE items SET made = \(time) WHERE id = 1
            """)
        try scene.write(
            "books.json",
            "[\(Self.record(1, name: "c", price: "13.75")), \(Self.record(2, name: "b", price: "12.00"))]")
        let second = try run(scene)
        #expect(second.contains("1 updated") && !second.contains("conflict"), "\(second)")
        #expect(try scene.query("SELECT name, price, quote(made) FROM items WHERE id = 1") == ["c|13.75|\(time)"])

        // Both sides changed the time: a conflict that shows both as times.
        try scene.write(
            "books.json",
            "[\(Self.record(1, name: "c", price: "13.75").replacing("04:04:05.25+01:00", with: "05:00:00Z")), \(Self.record(2, name: "b", price: "12.00"))]"
        )
        _ = try run(scene)
        let conflict = try scene.query("SELECT field, base, local, remote FROM _sluice_conflicts WHERE status = 'open'")
        let local = framework.testDescription == "Prisma" ? "2024-01-02T03:04:06.25Z" : "2024-01-02T06:04:05.25Z"
        #expect(conflict == [#"made|"2024-01-02T03:04:05.25Z"|"\#(local)"|"2024-01-02T05:00:00Z""#])
        let resolved = try Program.run(
            "conflicts", "resolve", "1", "--take", "remote", "--store", "sqlite:shop.db", in: scene.path)
        #expect(resolved.code == 0, "\(resolved.output)\(resolved.errors)")
        let taken = ["Django": "'2024-01-02 05:00:00'", "Prisma": "1704171600000"][framework.testDescription]
        #expect(
            try scene.query("SELECT quote(made) FROM items WHERE id = 1")
                == [taken ?? "'2024-01-02 05:00:00.000000'"])
        #expect(try run(scene).contains("nothing changed"))

        // What is taken back is as it was.
        let all = try rows(scene)
        try scene.write("books.json", "[\(Self.record(2, name: "d", price: "0.07"))]")
        _ = try run(scene)
        #expect(try scene.query("SELECT id, name, price FROM items") == ["2|d|0.07"])
        let number = try scene.query("SELECT max(id) FROM _sluice_runs")[0]
        let undone = try Program.run("undo", number, "--store", "sqlite:shop.db", in: scene.path)
        #expect(undone.code == 0, "\(undone.output)\(undone.errors)")
        #expect(try rows(scene) == all)
    }

    /// Values that another program's column would change, each with what the run says.
    @Test(arguments: [
        ("made datetime", "made: datetime", #""2024-01-02T03:04:05.1234567Z""#, "times to the microsecond"),
        (
            "made DATETIME); CREATE TABLE _prisma_migrations (id", "made: datetime", #""2024-01-02T03:04:05.0001Z""#,
            "times to the millisecond"
        ),
        ("price DECIMAL(20,10)", "price: decimal", #""1234567890.1234567""#, "at most 15 digits"),
        ("price NUMERIC", "price: decimal", "1e400", "at most 15 digits"),
        ("data JSON", "data: json", "12345678901234567890", "at most 15 digits"),
    ])
    func whatDoesNotFitIsKeptApart(column: String, field: String, value: String, words: String) throws {
        let name = field.split(separator: ":")[0]
        let good = ["made": #""2024-01-02T03:04:05Z""#, "price": "1.5", "data": "1.5"][String(name)] ?? ""
        let scene = try scene(
            "CREATE TABLE items (id INTEGER PRIMARY KEY, \(column))",
            [#"{"id": 1, "\#(name)": \#(value)}"#, #"{"id": 2, "\#(name)": \#(good)}"#], fields: "id: int, \(field)")
        let output = try run(scene)
        #expect(output.contains(words) && output.contains("`\(name)` of `items`"), "\(output)")
        #expect(try scene.query("SELECT id FROM items") == ["2"])
        #expect(try scene.query("SELECT reason FROM _sluice_quarantine") == ["constraint"])
        let before = try StoreDump(scene.store)
        _ = try run(scene)
        #expect(try StoreDump(scene.store).differences(from: before) == [])
    }

    /// Whole schemas as `db/structure.sql` of Rails and `migration.sql` of Prisma have them, with the columns that these
    /// programs fill themselves and demand.
    static let schemas = [
        (
            "Rails 8",
            """
            CREATE TABLE IF NOT EXISTS "schema_migrations" ("version" varchar NOT NULL PRIMARY KEY);
            CREATE TABLE IF NOT EXISTS "ar_internal_metadata" ("key" varchar NOT NULL PRIMARY KEY, "value" varchar, "created_at" datetime(6) NOT NULL, "updated_at" datetime(6) NOT NULL);
            CREATE TABLE IF NOT EXISTS "items" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "name" varchar NOT NULL, "price" decimal(10,2) DEFAULT 0.0, "active" boolean DEFAULT 1 NOT NULL, "made" datetime(6) NOT NULL, "updated" datetime(6) NOT NULL)
            """, "'2024-01-02 03:04:05.000000'"
        ),
        (
            "Rails 5",
            """
            CREATE TABLE "schema_migrations" ("version" varchar NOT NULL PRIMARY KEY);
            CREATE TABLE "ar_internal_metadata" ("key" varchar NOT NULL PRIMARY KEY, "value" varchar, "created_at" datetime NOT NULL, "updated_at" datetime NOT NULL);
            CREATE TABLE "items" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "name" varchar, "price" decimal(10,2), "active" boolean DEFAULT 1 NOT NULL, "made" datetime NOT NULL, "updated" datetime NOT NULL)
            """, "'2024-01-02 03:04:05.000000'"
        ),
        (
            "Prisma",
            """
            CREATE TABLE "_prisma_migrations" ("id" TEXT PRIMARY KEY NOT NULL, "checksum" TEXT NOT NULL, "finished_at" DATETIME, "migration_name" TEXT NOT NULL, "logs" TEXT, "rolled_back_at" DATETIME, "started_at" DATETIME NOT NULL DEFAULT current_timestamp, "applied_steps_count" INTEGER UNSIGNED NOT NULL DEFAULT 0);
            CREATE TABLE "items" (
                "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
                "name" TEXT NOT NULL,
                "price" DECIMAL NOT NULL,
                "active" BOOLEAN NOT NULL DEFAULT true,
                "made" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
                "updated" DATETIME NOT NULL
            )
            """, "1704164645000"
        ),
    ]

    @Test(arguments: schemas, [true, false])
    func whatOnlyTheOtherProgramFillsIsLeftToIt(schema: (name: String, sql: String, time: String), hasRow: Bool) throws
    {
        let fields =
            #"id: int, name: string, price: decimal, active: {type: bool, default: true}, made: {type: datetime, default: "2024-01-02T03:04:05Z"}, updated: {type: datetime, default: "2024-01-02T03:04:05Z"}"#
        let records = (1...2).map { #"{"id": \#($0), "name": "n\#($0)", "price": "9.50"}"# }
        let scene = try scene(schema.sql, records, fields: "id: int, name: string, price: decimal")
        let refused = try Program.run("run", "books.yaml", in: scene.path)
        #expect(
            refused.code == 4
                && refused.errors.contains(
                    "column `updated` is NOT NULL without a default, and no field fills it: add a field with a `default`, as in `updated: {default: …}`"
                ), "\(refused.errors)")
        let yaml = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write("books.yaml", yaml.replacing("id: int, name: string, price: decimal", with: fields))
        let own = schema.time.replacing("05.000000", with: "06.000000").replacing("4645000", with: "4646000")
        if hasRow { try scene.execute("INSERT INTO items VALUES (1, 'n1', 9.5, 0, \(own), \(own))") }
        let first = try run(scene)
        #expect(first.contains(hasRow ? "1 inserted" : "2 inserted") && !first.contains("conflict"), "\(first)")
        let rows = try scene.query("SELECT active, quote(made), quote(updated) FROM items ORDER BY id")
        let new = "1|\(schema.time)|\(schema.time)"
        #expect(rows == [hasRow ? "0|\(own)|\(own)" : new, new])
        let before = try StoreDump(scene.store)
        #expect(try run(scene).contains("nothing changed, 2 unchanged"))
        #expect(try StoreDump(scene.store).differences(from: before) == [])
        // The other program touches a row, and the source changes it.
        try scene.execute("UPDATE items SET updated = \(own) WHERE id = 2")
        try scene.write("books.json", "[\(records.joined(separator: ",").replacing("9.50", with: "9.75"))]")
        let second = try run(scene)
        #expect(second.contains("2 updated") && !second.contains("conflict"), "\(second)")
        #expect(try scene.query("SELECT price, quote(updated) FROM items WHERE id = 2") == ["9.75|\(own)"])
    }

    /// SQLite makes a whole number of a double in a column of decimals where it is one.
    @Test(arguments: ["decimal", "DECIMAL(10,2)", "NUMERIC"])
    func aDoubleIsTheSameInAColumnOfDecimals(type: String) throws {
        let scene = try scene(
            "CREATE TABLE items (id INTEGER PRIMARY KEY, rate \(type))",
            [#"{"id": 1, "rate": 12.0}"#, #"{"id": 2, "rate": 0.1}"#, #"{"id": 3, "rate": 1e300}"#],
            fields: "id: int, rate: double")
        try scene.execute("INSERT INTO items VALUES (1, 12), (2, 0.1)")
        let first = try run(scene)
        #expect(first.contains("1 inserted") && !first.contains("conflict"), "\(first)")
        let before = try StoreDump(scene.store)
        #expect(try run(scene).contains("nothing changed, 3 unchanged"))
        #expect(try StoreDump(scene.store).differences(from: before) == [])
        #expect(try !Program.run("edits", "--store", "sqlite:shop.db", in: scene.path).output.contains("rate"))
        // What is edited to a whole number is that number, to be merged like any other.
        try scene.execute("UPDATE items SET rate = 7 WHERE id = 2")
        try scene.write("books.json", #"[{"id": 1, "rate": 13}, {"id": 2, "rate": 7.0}, {"id": 3, "rate": 1e300}]"#)
        let second = try run(scene)
        #expect(second.contains("1 updated") && !second.contains("conflict"), "\(second)")
        #expect(
            try scene.query("SELECT id, typeof(rate), rate FROM items WHERE id < 3") == ["1|integer|13", "2|integer|7"])
    }

    /// A table with a column `UUID`, a UUID that is there before, and how long all are that Sluice writes.
    static let uuids: [(sql: String, before: String?, length: String)] = {
        let sqlAlchemy = "CREATE TABLE items (\n\tid INTEGER NOT NULL, \n\tcode UUID, \n\tPRIMARY KEY (id)\n)"
        let sequelize = "CREATE TABLE `items` (`id` INTEGER PRIMARY KEY, `code` UUID)"
        let (plain, hyphenated) = ("9b2f1f6e8c1e4a3f9f530a4f4e1f6c19", "9b2f1f6e-8c1e-4a3f-9f53-0a4f4e1f6c19")
        return [
            (sqlAlchemy, nil, "32"), (sqlAlchemy, plain, "32"), (sqlAlchemy, hyphenated, "36"),
            (sequelize, nil, "36"), (sequelize, plain, "32"), (sequelize, hyphenated, "36"),
        ]
    }()

    /// What is there tells the form, else who made the table; whatever comes later, it stays.
    @Test(arguments: uuids)
    func aColumnOfUUIDsKeepsTheFormThatWasFound(sql: String, before: String?, length: String) throws {
        func records(_ digits: Int...) -> String {
            "["
                + digits.enumerated().map {
                    #"{"id": \#($0 + 1), "code": "9b2f1f6e-8c1e-4a3f-9f53-0a4f4e1f6c1\#($1)"}"#
                }.joined(separator: ",") + "]"
        }
        let scene = try scene(sql, [], fields: "id: int, code: uuid")
        if let before { try scene.execute("INSERT INTO items VALUES (9, '\(before)')") }
        try scene.write("books.json", records(1, 2))
        #expect(try run(scene).contains("2 inserted"))
        // The rows of others go, and one of the other form comes.
        let other = length == "32" ? "9b2f1f6e-8c1e-4a3f-9f53-0a4f4e1f6c18" : "9b2f1f6e8c1e4a3f9f530a4f4e1f6c18"
        try scene.execute("DELETE FROM items WHERE id = 9; INSERT INTO items VALUES (8, '\(other)')")
        try scene.write("books.json", records(1, 3, 4))
        let output = try run(scene)
        #expect(output.contains("1 inserted") && output.contains("1 updated"), "\(output)")
        #expect(!output.contains("conflict"), "\(output)")
        #expect(
            try scene.query("SELECT DISTINCT length(code), typeof(code) FROM items WHERE id < 8") == ["\(length)|text"])
        #expect(try run(scene).contains("nothing changed"))
    }

    /// SQLite makes a number of digits that look like one in a column `UUID`.
    @Test(arguments: [
        "00000000-0000-0000-0000-000000000000", "12345678-1234-4678-8234-567812345678",
        "12345678-1234-4e78-8234-567812345678",
    ])
    func digitsThatAreANumberGoToQuarantine(_ uuid: String) throws {
        let scene = try scene(
            Self.uuids[0].sql, [#"{"id": 1, "code": "\#(uuid)"}"#, #"{"id": 2, "code": "9b\#(uuid.dropFirst(2))"}"#],
            fields: "id: int, code: uuid")
        let output = try run(scene)
        #expect(output.contains("1 inserted") && output.contains("no number without their hyphens"), "\(output)")
        #expect(try scene.query("SELECT id, code FROM items") == ["2|9b\(uuid.dropFirst(2).replacing("-", with: ""))"])
    }

    /// A record may be identified by a UUID that another program keeps without hyphens.
    @Test func aKeyMayBeOfAnotherForm() throws {
        let first = "9b2f1f6e-8c1e-4a3f-9f53-0a4f4e1f6c11"
        let second = "9b2f1f6e-8c1e-4a3f-9f53-0a4f4e1f6c12"
        func document(_ names: (String, String)...) -> String {
            "[" + names.map { #"{"id": "\#($0.0)", "label": "\#($0.1)"}"# }.joined(separator: ",") + "]"
        }
        let scene = try scene(
            #"CREATE TABLE "items" ("id" char(32) NOT NULL PRIMARY KEY, "label" text NOT NULL)"#, [],
            fields: "id: uuid, label: string")
        try scene.execute("INSERT INTO items VALUES ('\(first.replacing("-", with: ""))', 'x')")
        try scene.write("books.json", document((first, "x"), (second, "y")))
        #expect(try run(scene).contains("1 inserted"))
        try scene.write("books.json", document((first, "z"), (second, "y")))
        #expect(try run(scene).contains("1 updated"))
        #expect(try scene.query("SELECT length(id), label FROM items ORDER BY id") == ["32|z", "32|y"])
        try scene.execute("UPDATE items SET label = 'mine' WHERE label = 'z'; DELETE FROM items WHERE label = 'y'")
        #expect(try run(scene).contains("nothing changed"))
        let edits = try Program.run("edits", "--store", "sqlite:shop.db", in: scene.path)
        #expect(edits.output.contains("1 value edited in 1 row, 1 row deleted"), "\(edits.output)\(edits.errors)")
        try scene.write("books.json", document((second, "y")))
        let output = try run(scene)
        #expect(output.contains("conflict"), "an edited row that is gone is no loss: \(output)")
        #expect(try scene.query("SELECT label FROM items") == ["mine"])
    }

    /// References by such keys are refused, not broken.
    @Test func aReferenceToAKeyOfAnotherFormIsRefused() throws {
        let scene = try Scene(document: "[]")
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            store: sqlite:shop.db
            source: {base_url: "file:."}
            entities:
              Tag: {table: tags, primary_key: [id], fields: {id: uuid, label: string}}
              Book: {table: books, primary_key: [id], fields: {id: int, tag: {ref: Tag}}}
            streams:
              - {name: books, entity: Book, path: books.json}
            """)
        try Connection(path: scene.store, mode: .create).execute(
            #"CREATE TABLE "tags" ("id" char(32) NOT NULL PRIMARY KEY, "label" text)"#)
        let run = try Program.run("run", "books.yaml", in: scene.path)
        #expect(run.code == 4 && run.errors.contains("references by this key cannot be followed"), "\(run.errors)")
    }
}
