import Foundation
import SluicePostgres
import TestSupport
import Testing

/// The program with a store on PostgreSQL: what people type, and what they are told where it does not go well.
@Suite struct PostgresProgramTests {
    private let scene: Scene
    private let place: PostgresSchemaURL
    private let connection: PostgresConnection

    init() throws {
        scene = try Scene()
        place = try PostgresSchemaURL()
        connection = try PostgresConnection(PostgresAddress(place.server))
        try connection.execute("SET client_min_messages = warning")
    }

    private func run(_ arguments: String..., store: String? = nil, environment: [String: String] = [:]) throws
        -> Program.Result
    {
        try Program.start(arguments + ["--store", store ?? place.store], in: scene.path, environment: environment)
            .wait()
    }

    private func clean() { try? connection.execute("DROP SCHEMA IF EXISTS \(place.schema) CASCADE") }

    private func texts(_ sql: String) throws -> [String] {
        try connection.run(sql).values.map { row in
            if case .text(let bytes)? = row.first { String(decoding: bytes, as: UTF8.self) } else { "" }
        }
    }

    /// Everything that looks or decides works as on SQLite, in the order in which one would do it.
    @Test func theCommandsWork() throws {
        defer { clean() }
        let plan = try run("plan", "books.yaml")
        #expect(plan.code == 0, "\(plan)")
        #expect(try texts("SELECT nspname::text FROM pg_namespace WHERE nspname = '\(place.schema)'") == [])

        #expect(try run("run", "books.yaml").code == 0)
        try connection.execute("UPDATE \(place.schema).books SET title = 'ours' WHERE id = 1")
        try connection.execute("DELETE FROM \(place.schema).books WHERE id = 2")
        let edits = try run("edits")
        #expect(edits.code == 0 && edits.output.contains("ours"), "\(edits)")

        let saved = try run("plan", "books.yaml", "--save", "saved.plan")
        #expect(saved.code == 0, "\(saved)")
        let applied = try Program.run("apply", "saved.plan", in: scene.path)
        #expect(applied.code == 0, "\(applied)")
        #expect(try texts("SELECT title FROM \(place.schema).books WHERE id = 1") == ["ours"])

        for command in ["status", "history", "doctor"] {
            let told = try run(command)
            #expect(told.code == 0, "\(command): \(told)")
        }
        for command in [
            ["conflicts", "list"], ["quarantine", "list"], ["inspect", "schema"],
            ["inspect", "record", "Book", "1"],
            ["validate", "books.yaml"],
        ] {
            let told = try Program.start(command + ["--store", place.store], in: scene.path).wait()
            #expect(told.code == 0, "\(command): \(told)")
        }
        let generated = try run("generate", "pipeline", "--from-table", "books")
        #expect(generated.code == 0 && generated.output.contains("decimal"), "\(generated)")
        let undo = try run("undo", "1")
        #expect([0, 1].contains(undo.code), "\(undo)")
        #expect(try texts("SELECT title FROM \(place.schema).books WHERE id = 1") == ["ours"], "an edit stays")
    }

    /// A schema with tables of others is looked at before a first run, and left as it is.
    @Test(arguments: [
        ("TABLE %.books (id bigint, title text)", "no primary key or unique index covers exactly id"),
        ("VIEW %.books AS SELECT 1::bigint AS id", "`books` is a view; records need a table."),
    ])
    func validateFindsWhatAFirstRunRefuses(table: String, words: String) throws {
        defer { clean() }
        try connection.execute("CREATE SCHEMA \(place.schema)")
        try connection.execute("CREATE \(table.replacing("%", with: place.schema))")
        for (command, code) in [("validate", 78 as Int32), ("run", 4)] {
            let told = try run(command, "books.yaml")
            #expect(told.code == code && (told.output + told.errors).contains(words), "\(told)")
        }
        let tables = try texts("SELECT tablename::text FROM pg_tables WHERE schemaname = '\(place.schema)'")
        #expect(tables.allSatisfy { $0 == "books" }, "\(tables)")
    }

    @Test func aFirstRunThatFailsLeavesNothing() throws {
        defer { clean() }
        try scene.write("books.json", "[{\"id\": 1")
        let result = try run("run", "books.yaml")
        #expect(result.code != 0, "\(result)")
        #expect(try texts("SELECT nspname::text FROM pg_namespace WHERE nspname = '\(place.schema)'") == [])
    }

    /// No output has the password, wherever it stood in the URL.
    @Test(arguments: [
        "postgres://nobody:s3cr3t@127.0.0.1:1/shop", "postgres://127.0.0.1:1/shop?user=nobody&password=s3cr3t",
    ])
    func aServerThatIsAway(_ url: String) throws {
        for command in ["plan", "run"] {
            let result = try run(command, "books.yaml", store: url)
            #expect(result.code == 1, "\(result)")
            let all = result.output + result.errors
            #expect(all.contains("cannot be reached") && all.contains("server is running"), "\(result)")
            #expect(all.contains("The store `postgres://") && !all.contains("s3cr3t"), "\(result)")
        }
        for command in ["status", "history", "edits"] {
            let result = try run(command, store: url)
            #expect(result.code == 1 && !(result.output + result.errors).contains("s3cr3t"), "\(result)")
        }
    }

    /// What is no address of a store may have a password all the same.
    @Test(arguments: ["host=/tmp password=s3cr3t", "password='s3cr3t' dbname=shop", "sqlite=s3cr3t password=s3cr3t"])
    func wordsThatAreNoAddress(_ text: String) throws {
        try scene.write("other.yaml", "version: 1\nname: other\nstore: \"\(text)\"\n")
        for result in [
            try run("run", "books.yaml", store: text), try run("status", store: text),
            try Program.run("validate", "other.yaml", in: scene.path),
            try Program.run("run", "books.yaml", in: scene.path, environment: ["SLUICE_STORE": text]),
        ] {
            #expect([64, 78].contains(result.code) && !(result.output + result.errors).contains("s3cr3t"), "\(result)")
        }
    }

    @Test func aStoreThatNoRunHasWrittenTo() throws {
        let result = try run("status")
        #expect(result.code == 1 && result.errors.contains("is no store yet"), "\(result)")
    }

    @Test func aRoleThatMayNotMakeTables() throws {
        let role = "reader_of_\(place.schema)"
        try connection.execute("CREATE ROLE \(role) LOGIN; CREATE SCHEMA \(place.schema)")
        defer {
            clean()
            try? connection.execute("DROP ROLE \(role)")
        }
        let url = place.store.replacing("postgres://postgres@", with: "postgres://\(role)@")
        try #require(url != place.store)
        let result = try run("run", "books.yaml", store: url)
        #expect(result.code == 1, "\(result)")
        #expect((result.output + result.errors).contains("GRANT USAGE, CREATE ON SCHEMA"), "\(result)")
        try connection.execute("GRANT USAGE, CREATE ON SCHEMA \(place.schema) TO \(role)")
        #expect(try run("run", "books.yaml", store: url).code == 0)
    }

    /// What a role lacks for tables that are there is listed before a run finds it, and is enough.
    @Test func whatARoleLacksForTablesThatAreThere() throws {
        let role = "filler_of_\(place.schema)"
        try connection.execute(
            """
            CREATE ROLE \(role) LOGIN; CREATE SCHEMA \(place.schema);
            CREATE TABLE \(place.schema).books (id bigint PRIMARY KEY, title text, price numeric, number serial);
            GRANT SELECT ON \(place.schema).books TO \(role)
            """)
        defer {
            clean()
            try? connection.execute("DROP ROLE \(role)")
        }
        let url = place.store.replacing("postgres://postgres@", with: "postgres://\(role)@")
        let told = try run("validate", "books.yaml", store: url)
        let grants = [
            "GRANT USAGE, CREATE ON SCHEMA \"\(place.schema)\" TO \"\(role)\"",
            "GRANT INSERT, UPDATE, DELETE ON \"\(place.schema)\".\"books\" TO \"\(role)\"",
            "GRANT USAGE ON SEQUENCE \"\(place.schema)\".\"books_number_seq\" TO \"\(role)\"",
        ]
        for grant in grants {
            #expect(told.code == 78 && (told.output + told.errors).contains(grant), "\(told)")
            try connection.execute(grant)
        }
        #expect(try run("validate", "books.yaml", store: url).code == 0)
        #expect(try run("run", "books.yaml", store: url).code == 0)
    }

    /// Clear values are gone from dead rows as well once a field is redacted: with the run's own lock, and of all tables but one
    /// that somebody has locked, until the next run.
    @Test func whatIsRedactedIsGoneFromDeadRows() throws {
        defer { clean() }
        let text = """
            version: 1
            name: secrets
            source: {base_url: "file:."}
            entities: {Secret: {table: secrets, primary_key: id, fields: {id: int, word: WORD}}}
            streams: [{name: secrets, entity: Secret, path: secrets.json}]
            """
        try scene.write("secrets.yaml", text.replacing("WORD", with: "string"))
        try scene.write("secrets.json", #"[{"id": 1, "word": "open sesame"}]"#)
        #expect(try run("run", "secrets.yaml").code == 0)
        try scene.write("secrets.yaml", text.replacing("WORD", with: "{type: string, redact: mask}"))
        let reader = try PostgresConnection(PostgresAddress(place.server))
        try reader.execute("BEGIN; LOCK TABLE \(place.schema).secrets IN ACCESS SHARE MODE")
        let held = try run("run", "secrets.yaml")
        #expect(
            held.code == 0 && held.output.contains("Unused pages of the store may still hold clear values"), "\(held)")
        let notes = "SELECT name FROM \(place.schema)._sluice_schema WHERE kind = 'redaction'"
        #expect(try texts(notes) == [""])
        try reader.execute("COMMIT")
        // Transactions of tests beside this one see old rows as well, for a while.
        var done = try run("run", "secrets.yaml")
        for _ in 1...100 where (done.output + done.errors).contains("Unused pages") {
            done = try run("run", "secrets.yaml")
        }
        #expect(done.code == 0 && !(done.output + done.errors).contains("Unused pages"), "\(done)")
        #expect(try texts(notes) == [] && texts("SELECT word FROM \(place.schema).secrets") == ["***"])
    }

    /// What only the owner of a table may do is said as the statement that the owner runs, for each table.
    @Test func whatTheOwnerOfATableHasToRun() throws {
        let role = "hand_of_\(place.schema)"
        let prefix = "\"\(place.schema)\"."
        try connection.execute(
            """
            CREATE ROLE \(role) LOGIN; CREATE SCHEMA \(place.schema);
            CREATE TABLE \(prefix)authors (id bigint PRIMARY KEY);
            CREATE TABLE \(prefix)works (id bigint PRIMARY KEY, author bigint REFERENCES \(prefix)authors);
            GRANT USAGE, CREATE ON SCHEMA \(place.schema) TO \(role);
            GRANT SELECT, INSERT, UPDATE, DELETE, REFERENCES ON ALL TABLES IN SCHEMA \(place.schema) TO \(role)
            """)
        defer {
            clean()
            try? connection.execute("DROP ROLE \(role)")
        }
        try scene.write(
            "works.yaml",
            """
            version: 1
            name: works
            source: {base_url: "file:."}
            entities:
              Author: {table: authors, primary_key: id, fields: {id: int, name: string}}
              Work: {table: works, primary_key: id, fields: {id: int, author: {ref: Author, column: author}}}
            streams: [{name: authors, entity: Author, path: authors.json}, {name: works, entity: Work, path: works.json}]
            """)
        try scene.write("authors.json", #"[{"id": 1, "name": "Ann"}]"#)
        try scene.write("works.json", #"[{"id": 1, "author": 1}]"#)
        let url = place.store.replacing("postgres://postgres@", with: "postgres://\(role)@")
        let column = "ALTER TABLE \(prefix)\"authors\" ADD COLUMN \"name\" text"
        let index = "CREATE INDEX \"works_author\" ON \(prefix)\"works\" (\"author\")"
        for (command, code) in [("validate", Int32(78)), ("doctor", 1)] {
            let told = try run(command, "works.yaml", store: url)
            let text = told.output + told.errors
            #expect(told.code == code && text.contains("must be owner of table"), "\(told)")
            #expect(!text.contains("aborted"), "\(told)")
            for statement in [column, index] {
                #expect(text.contains("Have that owner run `\(statement)`"), "\(told)")
            }
        }
        let refused = try run("run", "works.yaml", store: url)
        #expect(refused.code == 1 && refused.errors.contains("`\(column)`"), "\(refused)")
        try connection.execute(column)
        // An index is there for speed alone.
        for command in ["validate", "doctor", "plan", "run"] {
            let told = try run(command, "works.yaml", store: url)
            #expect(told.code == 0 && (told.output + told.errors).contains(index), "\(told)")
        }
        #expect(try run("plan", "works.yaml", "--detailed-exitcode", store: url).code == 0)
        try connection.execute(index)
        for command in ["validate", "doctor", "plan", "run"] {
            let told = try run(command, "works.yaml", store: url)
            #expect(told.code == 0 && !(told.output + told.errors).contains("works_author"), "\(told)")
        }
    }

    /// What a role lacks for the store's own tables is said wherever it shows, and what is said is enough.
    @Test func aRoleThatTheStoreDoesNotBelongTo() throws {
        let (owner, role) = ("owner_of_\(place.schema)", "guest_of_\(place.schema)")
        try connection.execute(
            "CREATE ROLE \(owner) LOGIN; CREATE ROLE \(role) LOGIN; CREATE SCHEMA \(place.schema) AUTHORIZATION \(owner)"
        )
        defer {
            clean()
            try? connection.execute("DROP ROLE \(owner); DROP ROLE \(role)")
        }
        func url(_ name: String) -> String {
            place.store.replacing("postgres://postgres@", with: "postgres://\(name)@")
        }
        #expect(try run("run", "books.yaml", store: url(owner)).code == 0)
        let membership = "`GRANT \"\(owner)\" TO \"\(role)\"`"
        let usage = "GRANT USAGE ON SCHEMA \"\(place.schema)\" TO \"\(role)\""
        let select = "GRANT SELECT ON ALL TABLES IN SCHEMA \"\(place.schema)\" TO \"\(role)\""
        func expect(_ words: [String], _ commands: [String]) throws {
            for command in commands {
                let told = try Program.start(
                    command.split(separator: " ").map(String.init) + ["--store", url(role)], in: scene.path
                ).wait()
                let text = told.output + told.errors
                #expect(told.code != 0, "\(command): \(told)")
                for part in words { #expect(text.contains(part), "\(command), \(part): \(told)") }
                #expect(!text.contains("validate"), "\(command): \(told)")
            }
        }
        let all = ["status", "conflicts list", "validate books.yaml", "plan books.yaml", "run books.yaml", "doctor"]
        try expect([membership, usage, select], all)
        try connection.execute(usage)
        try expect([membership, select], all)
        try connection.execute(select)
        for command in [["status"], ["conflicts", "list"], ["edits"]] {
            let told = try Program.start(command + ["--store", url(role)], in: scene.path).wait()
            #expect(told.code == 0, "\(told)")
        }
        try expect(["may read", membership], ["plan books.yaml", "run books.yaml", "doctor", "doctor books.yaml"])
        // It may write to the store, and not to the table that the pipeline fills.
        try connection.execute(
            """
            GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \(place.schema) TO \(role);
            REVOKE INSERT ON \(place.schema).books FROM \(role)
            """)
        let doctor = try run("doctor", "books.yaml", store: url(role))
        #expect(doctor.code == 1 && doctor.output.contains("GRANT INSERT ON "), "\(doctor)")
        try connection.execute("GRANT \(owner) TO \(role)")
        for command in ["doctor", "run"] {
            let told = try run(command, "books.yaml", store: url(role))
            #expect(told.code == 0, "\(told)")
        }
    }

    /// Who holds a lock is told, and nothing is written meanwhile.
    @Test func aTableThatSomebodyHasLocked() throws {
        defer { clean() }
        #expect(try run("run", "books.yaml").code == 0)
        try scene.write("books.json", "[{\"id\": 1, \"title\": \"new\", \"price\": 1}]")
        try connection.begin()
        try connection.execute(
            "SET application_name = 'editor'; LOCK TABLE \(place.schema).books IN ACCESS EXCLUSIVE MODE")
        let result = try run("run", "books.yaml")
        try connection.rollback()
        #expect(result.code == 6, "\(result)")
        #expect((result.output + result.errors).contains("`editor` of the role `postgres`"), "\(result)")
    }

    /// A record that PostgreSQL cannot hold, in a list with one that it can.
    struct Unfit: CustomTestStringConvertible {
        let testDescription: String
        let fields: String
        let record: String
        /// Words of the reason.
        let words: String
    }

    /// A text that cannot be packed.
    private static let noise: String = {
        var generator = SeededGenerator(seed: 7)
        return String(
            (0..<3_000).map { _ in "abcdefghijklmnopqrstuvwxyz0123456789".randomElement(using: &generator) ?? "a" })
    }()

    @Test(arguments: [
        Unfit(
            testDescription: "a NUL in a value of another type", fields: "id: string, v: int",
            record: #"{"id": "x", "v": "y\u0000"}"#, words: "Expected a whole number"),
        Unfit(
            testDescription: "a NUL in a key", fields: "id: string, v: int", record: #"{"id": "x\u0000", "v": 1}"#,
            words: "text without NUL"),
        Unfit(
            testDescription: "a key that no index holds", fields: "id: string, v: int",
            record: "{\"id\": \"\(noise)\", \"v\": 1}", words: "an index cannot hold it"),
        Unfit(
            testDescription: "a unique value that no index holds", fields: "id: string, v: int, u: string",
            record: "{\"id\": \"x\", \"u\": \"\(noise)\"}", words: "an index cannot hold it"),
        Unfit(
            testDescription: "a key with too many digits", fields: "id: decimal, v: int",
            record: #"{"id": "1e131072", "v": 1}"#, words: "131072 digits before the point"),
    ])
    func aRecordThatTheDatabaseCannotHold(_ unfit: Unfit) throws {
        defer { clean() }
        let unique = unfit.fields.contains("u: string") ? "unique: [[u]], " : ""
        try scene.write(
            "things.yaml",
            """
            version: 1
            name: things
            source: {base_url: "file:."}
            entities: {Thing: {table: things, primary_key: id, \(unique)fields: {\(unfit.fields)}}}
            streams: [{name: things, entity: Thing, path: things.json}]
            """)
        try scene.write("things.json", "[\(unfit.record), {\"id\": \"7\", \"v\": 5}]")
        for _ in 1...2 {
            let result = try run("run", "things.yaml")
            #expect(result.code == 0, "\(result)")
            #expect(try texts("SELECT id::text FROM \(place.schema).things") == ["7"])
        }
        let list = try run("quarantine", "list")
        #expect(list.output.contains(unfit.words), "\(list)")
    }

    /// A trigger that waits for the end of the transaction refuses the record that it does not like, and no other.
    @Test func aTriggerThatWaits() throws {
        defer { clean() }
        try connection.execute(
            """
            CREATE SCHEMA \(place.schema);
            CREATE TABLE \(place.schema).books (id bigint PRIMARY KEY, title text, price numeric);
            CREATE FUNCTION \(place.schema).f() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN IF new.title = ''Two'' THEN RAISE EXCEPTION ''not today''; END IF; RETURN new; END';
            CREATE CONSTRAINT TRIGGER late AFTER INSERT OR UPDATE ON \(place.schema).books
                DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION \(place.schema).f()
            """)
        try scene.write(
            "books.json", #"[{"id": 1, "title": "One"}, {"id": 2, "title": "Two"}, {"id": 3, "title": "Three"}]"#)
        let plan = try run("plan", "books.yaml", "--format", "json")
        #expect(plan.output.contains(#""quarantined":1"#), "\(plan)")
        let result = try run("run", "books.yaml")
        #expect(result.code == 0, "\(result)")
        #expect(try texts("SELECT id::text FROM \(place.schema).books ORDER BY 1") == ["1", "3"])
    }

    /// A trigger refuses a record by whichever code it likes.
    @Test(arguments: [
        "RAISE EXCEPTION 'not today' USING ERRCODE = '45000'", "RAISE EXCEPTION 'not today' USING ERRCODE = 'SL001'",
        "RAISE EXCEPTION 'not today' USING ERRCODE = '0A000'",
        "RAISE insufficient_privilege USING MESSAGE = 'not today'",
        "RAISE no_data_found USING MESSAGE = 'not today'", "ASSERT false, 'not today'",
        "SELECT relname INTO STRICT new.title FROM pg_class WHERE relname = 'none'",
        "new.title := (SELECT relname FROM pg_class)", "CASE new.title WHEN 'One' THEN RETURN new; END CASE",
    ])
    func aTriggerWithACodeOfItsOwn(_ statement: String) throws {
        defer { clean() }
        try connection.execute(
            """
            CREATE SCHEMA \(place.schema);
            CREATE TABLE \(place.schema).books (id bigint PRIMARY KEY, title text, price numeric);
            CREATE FUNCTION \(place.schema).f() RETURNS trigger LANGUAGE plpgsql AS $f$
                BEGIN IF new.title = 'Two' THEN \(statement); END IF; RETURN new; END $f$;
            CREATE TRIGGER own BEFORE INSERT OR UPDATE ON \(place.schema).books
                FOR EACH ROW EXECUTE FUNCTION \(place.schema).f()
            """)
        try scene.write(
            "books.json", #"[{"id": 1, "title": "One"}, {"id": 2, "title": "Two"}, {"id": 3, "title": "Three"}]"#)
        let result = try run("run", "books.yaml")
        #expect(result.code == 0, "\(result)")
        #expect(try texts("SELECT id::text FROM \(place.schema).books ORDER BY 1") == ["1", "3"])
        let list = try run("quarantine", "list")
        let words =
            [("SELECT", "query returned no rows"), ("new", "more than one row returned"), ("CASE", "case not found")]
            .first { statement.hasPrefix($0.0) }?.1 ?? "not today"
        #expect(list.output.contains(words) && list.output.contains("trigger"), "\(list)")
    }

    /// PostgreSQL keeps 63 bytes of a name; what the store derives from names is shortened so that it stays its own.
    @Test func longNames() throws {
        defer { clean() }
        let names = ["a", "b"].map { String(repeating: "x", count: 56) + $0 }
        let entities = names.enumerated().map {
            "E\($0): {table: \($1), primary_key: id, fields: {id: int, title: string}}"
        }
        let streams = names.indices.map { "{name: s\($0), entity: E\($0), path: books.json}" }
        try scene.write(
            "long.yaml",
            """
            version: 1
            name: long
            source: {base_url: "file:."}
            entities: {\(entities.joined(separator: ", "))}
            streams: [\(streams.joined(separator: ", "))]
            """)
        for title in ["One", "Two"] {
            try scene.write("books.json", "[{\"id\": 1, \"title\": \"\(title)\"}]")
            let result = try run("run", "long.yaml")
            #expect(result.code == 0, "\(result)")
        }
        let views = try texts(
            "SELECT viewname::text FROM pg_views WHERE schemaname = '\(place.schema)' AND viewname LIKE 'conflicts%'")
        #expect(views.count == 2, "\(views)")
    }

    /// PostgreSQL takes no foreign key to a table that is not there; the store adds it once it is.
    @Test func tablesThatReferToEachOther() throws {
        defer { clean() }
        func write(_ city: String) throws {
            try scene.write(
                "land.yaml",
                """
                version: 1
                name: land
                source: {base_url: "file:."}
                entities:
                  Airport: {table: airports, primary_key: id, fields: {id: int, city: {ref: City, from: city}, near: {refs: City, from: "near[*]"}}}
                  City: {table: cities, primary_key: id, fields: {id: int, main: {ref: Airport, from: main}\(city)}}
                  River: {table: rivers, primary_key: [name, no], fields: {name: string, no: int}}
                streams: [{name: airports, entity: Airport, path: airports.json}, {name: cities, entity: City, path: cities.json}]
                """)
        }
        try write("")
        try scene.write("airports.json", #"[{"id": 1, "city": 7, "near": [7, 8]}]"#)
        try scene.write("cities.json", #"[{"id": 7, "main": 1}, {"id": 8, "main": null}]"#)
        let first = try run("run", "land.yaml")
        #expect(first.code == 0, "\(first)")
        func keys() throws -> [String] {
            try texts(
                """
                SELECT conrelid::regclass::text || ' -> ' || confrelid::regclass::text FROM pg_constraint
                WHERE contype = 'f' AND connamespace = '\(place.schema)'::regnamespace ORDER BY 1
                """
            ).map { $0.replacing("\(place.schema).", with: "") }
        }
        let circle = [
            "airports -> cities", "airports_near -> airports", "airports_near -> cities", "cities -> airports",
        ]
        #expect(try keys() == circle)
        // References that come later lead to a table that comes later as well.
        try write(", by: {ref: River, from: by}")
        try scene.write(
            "cities.json", #"[{"id": 7, "main": 1, "by": {"name": "Rhine", "no": 1}}, {"id": 8, "main": null}]"#)
        let second = try run("run", "land.yaml")
        #expect(second.code == 0, "\(second)")
        #expect(try keys() == circle + ["cities -> rivers"])
        #expect(try run("run", "land.yaml").output.contains("unchanged"))
    }

    /// The store of a pipeline is named by its environment, and is a secret then.
    @Test func aStoreThatIsASecret() throws {
        defer { clean() }
        let text = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write("books.yaml", text.replacing("store: sqlite:shop.db", with: "store: ${env:STORE_URL}"))
        let environment = ["STORE_URL": place.store]
        let result = try Program.run("run", "books.yaml", in: scene.path, environment: environment)
        #expect(result.code == 0, "\(result)")
        let status = try Program.run("status", "books.yaml", in: scene.path, environment: environment)
        #expect(status.code == 0, "\(status)")
        for told in [result, status] {
            #expect(!(told.output + told.errors).contains(place.schema), "\(told)")
        }
    }
}
