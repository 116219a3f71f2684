import Foundation
import SluicePostgres
import TestSupport
import Testing

/// The program on PostgreSQL while somebody else has a transaction open: what that one does is met as if it had been there.
/// The other transaction ends once the program waits for it.
@Suite struct PostgresEditorTests {
    let scene: Scene
    let place: PostgresSchemaURL
    let connection: PostgresConnection
    var table: String { "\(place.schema).books" }

    init() throws {
        scene = try Scene(document: Self.first)
        place = try PostgresSchemaURL()
        connection = try PostgresConnection(PostgresAddress(place.server))
        try connection.execute("SET client_min_messages = warning; SET statement_timeout = '60s'")
    }

    static let first = #"[{"id": 1, "title": "One"}, {"id": 2, "title": "Two"}]"#

    func run(_ arguments: [String], store: String? = nil) throws -> Program.Result {
        try Program.start(arguments + ["--store", store ?? place.store], in: scene.path).wait()
    }

    func clean() { try? connection.execute("DROP SCHEMA IF EXISTS \(place.schema) CASCADE") }

    /// Runs the program while somebody has executed statements, who commits once the program waits for that.
    func run(_ arguments: [String], while statements: String) throws -> Program.Result {
        try meet(arguments + ["--store", place.store], statements)
    }

    /// Runs the program with just these arguments while somebody has executed statements.
    func meet(_ arguments: [String], _ statements: String) throws -> Program.Result {
        let editor = try PostgresConnection(PostgresAddress(place.server))
        try editor.execute("BEGIN; \(statements)")
        let program = try Program.start(arguments + ["--wait", "1m"], in: scene.path)
        try awaitBlocking(by: editor)
        try editor.execute("COMMIT")
        return try program.wait()
    }

    /// Waits until somebody waits for a connection's transaction.
    func awaitBlocking(by editor: PostgresConnection) throws {
        try connection.execute(
            """
            DO $$ BEGIN LOOP
                EXIT WHEN EXISTS (SELECT 1 FROM pg_stat_activity WHERE \(editor.processID) = ANY (pg_blocking_pids(pid)));
                PERFORM pg_sleep(0.01), pg_stat_clear_snapshot();
            END LOOP; END $$
            """)
    }

    func texts(_ sql: String) throws -> [String] {
        try connection.run(sql).values.map { row in
            row.map { if case .text(let bytes) = $0 { String(decoding: bytes, as: UTF8.self) } else { "-" } }
                .joined(separator: " ")
        }
    }

    func rows() throws -> [String] { try texts("SELECT id::text, title FROM \(table) ORDER BY id") }

    func conflicts() throws -> [String] {
        try texts("SELECT kind, key, status FROM \(place.schema)._sluice_conflicts ORDER BY id")
    }

    func put(_ json: String) throws { try scene.write("books.json", json) }

    func start(_ json: String? = nil) throws {
        if let json { try put(json) }
        let result = try run(["run", "books.yaml"])
        try #require(result.code == 0, "\(result)")
    }

    // MARK: Runs

    /// What people do to a row, what the source says then, and what comes of it.
    struct Meeting: CustomTestStringConvertible {
        let testDescription: String
        /// What the source says before and after.
        var before = PostgresEditorTests.first
        let after: String
        /// `TABLE` stands for the table.
        let edit: String
        let rows: [String]
        var conflicts: [String] = []
    }

    @Test(arguments: [
        Meeting(
            testDescription: "an edit", after: #"[{"id": 1, "title": "new"}, {"id": 2, "title": "Two"}]"#,
            edit: "UPDATE TABLE SET title = 'mine' WHERE id = 1", rows: ["1 mine", "2 Two"],
            conflicts: [#"edit_edit {"id":1} open"#]),
        Meeting(
            testDescription: "a row that is deleted and inserted anew",
            after: #"[{"id": 1, "title": "new"}, {"id": 2, "title": "Two"}]"#,
            edit: "DELETE FROM TABLE WHERE id = 1; INSERT INTO TABLE (id, title) VALUES (1, 'mine')",
            rows: ["1 mine", "2 Two"], conflicts: [#"edit_edit {"id":1} open"#]),
        Meeting(
            testDescription: "a row that is inserted",
            after: #"[{"id": 1, "title": "One"}, {"id": 2, "title": "Two"}, {"id": 3, "title": "new"}]"#,
            edit: "INSERT INTO TABLE (id, title) VALUES (3, 'new')", rows: ["1 One", "2 Two", "3 new"]),
    ])
    func aRunMeetsAnEdit(_ meeting: Meeting) throws {
        defer { clean() }
        try start(meeting.before)
        try put(meeting.after)
        let result = try run(["run", "books.yaml"], while: meeting.edit.replacing("TABLE", with: table))
        #expect(result.code == 0, "\(result)")
        #expect(try rows() == meeting.rows)
        #expect(try conflicts() == meeting.conflicts)
    }

    /// What a row stands for is judged once its lock is there.
    @Test(arguments: ["title = 'mine'", "own = 'mine'"])
    func aRunMeetsARowThatStandsForARecordAndIsFilled(edit: String) throws {
        defer { clean() }
        try connection.execute(
            "CREATE SCHEMA \(place.schema); CREATE TABLE \(table) (id bigint PRIMARY KEY, title text, own text)")
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            source: {base_url: "file:."}
            entities:
              Book: {table: books, primary_key: id, fields: {id: int, title: string}}
              Loan: {table: loans, primary_key: id, fields: {id: int, book: {ref: Book, upsert: false, on_dangling: stub}}}
            streams:
            - {name: loans, entity: Loan, path: books.json, delete_missing: {mode: hard, max_delete: 100%, min_records: 0}}
            """)
        try start(#"[{"id": 1, "book": 7}, {"id": 2, "book": 8}]"#)
        try put("[]")
        let result = try run(["run", "books.yaml"], while: "UPDATE \(table) SET \(edit) WHERE id = 7")
        #expect(result.code == 0, "\(result)")
        #expect(try texts("SELECT id::text, coalesce(title, own) FROM \(table)") == ["7 mine"])
        #expect(result.output.contains("1 row of `books`, which stands for"), "\(result)")
    }

    @Test func columnsThatDifferInCaseAloneAreRefused() throws {
        defer { clean() }
        try connection.execute(
            "CREATE SCHEMA \(place.schema); CREATE TABLE \(table) (id bigint PRIMARY KEY, \"Title\" text, title text)")
        try put(Self.first)
        let result = try run(["run", "books.yaml"])
        #expect(result.code == 4 && result.errors.contains("the columns `Title` and `title`"), "\(result)")
        #expect(try texts("SELECT count(*)::text FROM \(table)") == ["0"])
    }

    /// A row that a run had marked as deleted, and that somebody brings back, is a row that is there.
    @Test func aRunMeetsARowThatIsBroughtBack() throws {
        defer { clean() }
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            source: {base_url: "file:."}
            entities: {Book: {table: books, primary_key: id, fields: {id: int, title: string}}}
            streams: [{name: books, entity: Book, path: books.json, delete_missing: {mode: soft, max_delete: 100%}}]
            """)
        try start()
        try start(#"[{"id": 1, "title": "One"}]"#)
        try put(#"[{"id": 1, "title": "One"}, {"id": 2, "title": "new"}]"#)
        let result = try run(
            ["run", "books.yaml"],
            while: "UPDATE \(table) SET _deleted_at = NULL, _deleted_by_run = NULL, title = 'mine' WHERE id = 2")
        #expect(result.code == 0 && result.output.contains("1 in conflict"), "\(result)")
        #expect(!result.output.contains("quarantine"), "\(result)")
        #expect(try rows() == ["1 One", "2 mine"])
    }

    // MARK: Undo and decisions

    /// A row that somebody inserts where an undo wants to put one back stays, and is told of.
    @Test func anUndoMeetsARowThatIsInserted() throws {
        defer { clean() }
        try start()
        try start(#"[{"id": 1, "title": "One"}]"#)
        let result = try run(["undo", "2"], while: "INSERT INTO \(table) (id, title) VALUES (2, 'mine')")
        #expect(result.code == 1 && result.output.contains("that row stays"), "\(result)")
        #expect(try rows() == ["1 One", "2 mine"])
    }

    /// Whoever decided did not see the row that is there now.
    @Test func aDecisionMeetsARowThatIsInserted() throws {
        defer { clean() }
        try start()
        try connection.execute("DELETE FROM \(table) WHERE id = 2")
        try start(#"[{"id": 1, "title": "One"}, {"id": 2, "title": "new"}]"#)
        #expect(try conflicts() == [#"delete_edit {"id":2} open"#])
        let result = try run(
            ["conflicts", "resolve", "1", "--take", "remote"],
            while: "INSERT INTO \(table) (id, title) VALUES (2, 'mine')")
        #expect(result.code != 6 && !(result.output + result.errors).contains("again and again"), "\(result)")
        #expect(try rows() == ["1 One", "2 mine"])
        #expect(try conflicts().map { $0.hasSuffix(" open") } == [true])
    }

    // MARK: What is told

    /// Who holds the lock on a row is told as who holds one on the table, also to a role that may see little.
    @Test(arguments: [false, true]) func aRowThatSomebodyHasLocked(_ mayReadStatistics: Bool) throws {
        let role = "runner_of_\(place.schema)"
        try connection.execute("CREATE ROLE \(role) LOGIN; CREATE SCHEMA \(place.schema) AUTHORIZATION \(role)")
        if mayReadStatistics { try connection.execute("GRANT pg_read_all_stats TO \(role)") }
        defer {
            clean()
            try? connection.execute("DROP ROLE \(role)")
        }
        let url = place.store.replacing("postgres://postgres@", with: "postgres://\(role)@")
        try #require(url != place.store)
        #expect(try run(["run", "books.yaml"], store: url).code == 0)
        try put(#"[{"id": 1, "title": "new"}]"#)
        let editor = try PostgresConnection(PostgresAddress(place.server))
        try editor.execute(
            "SET application_name = 'editor'; BEGIN; SELECT 1 FROM \(table) WHERE id = 1 FOR UPDATE")
        let result = try run(["run", "books.yaml", "--wait", "1s"], store: url)
        #expect(result.code == 6, "\(result)")
        let told = result.output + result.errors
        #expect(told.contains("`editor` of the role `postgres` (process \(editor.processID) of"), "\(result)")
        #expect(told.contains("with locks on `books`"), "\(result)")
        #expect(told.contains("has had a transaction open for") == mayReadStatistics, "\(result)")
        try editor.rollback()
        // It waited in vain, and was not cut off.
        let status = try run(["status", "books.yaml", "--check"], store: url)
        #expect(status.code == 0 && status.output.contains("run 1 succeeded"), "\(status)")
    }

    /// Who only reads is in the way of a change of a table, and is named; one who writes is named before.
    @Test(arguments: [false, true]) func aTableThatSomebodyReads(besideAWriter: Bool) throws {
        defer { clean() }
        try start(#"[{"id": 1, "title": "1"}]"#)
        let book = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write("books.yaml", book.replacing("title: string", with: "title: int"))
        func other(_ name: String, _ sql: String) throws -> PostgresConnection {
            let connection = try PostgresConnection(PostgresAddress(place.server))
            try connection.execute("SET application_name = '\(name)'; BEGIN; \(sql)")
            return connection
        }
        let reader = try other("reader", "SELECT 1 FROM \(table)")
        let writer = besideAWriter ? try other("writer", "SELECT 1 FROM \(table) FOR SHARE") : reader
        let result = try run(["run", "books.yaml", "--wait", "1s"])
        let told = result.output + result.errors
        let (name, process) = besideAWriter ? ("writer", writer.processID) : ("reader", reader.processID)
        #expect(
            result.code == 6 && told.contains("`\(name)` of the role `postgres` (process \(process) of"), "\(result)")
        for connection in [reader, writer] where connection.transactionState != .none { try connection.rollback() }
        #expect(try run(["run", "books.yaml"]).code == 0)
    }

    /// A limit of the role is named with what to do, and settings that change how types are written make no difference.
    @Test func settingsOfTheRole() throws {
        let role = "limited_of_\(place.schema)"
        try connection.execute(
            """
            CREATE ROLE \(role) LOGIN; CREATE SCHEMA \(place.schema) AUTHORIZATION \(role);
            ALTER ROLE \(role) SET quote_all_identifiers = on
            """)
        defer {
            clean()
            try? connection.execute("DROP ROLE \(role)")
        }
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            source: {base_url: "file:."}
            entities:
              Book: {table: books, primary_key: id, fields: {id: int, title: string, day: date, price: decimal}}
            streams: [{name: books, entity: Book, path: books.json}]
            """)
        let url = place.store.replacing("postgres://postgres@", with: "postgres://\(role)@")
        for _ in 1...2 {
            let result = try run(["run", "books.yaml"], store: url)
            #expect(result.code == 0, "\(result)")
        }
        try connection.execute("ALTER ROLE \(role) SET statement_timeout = '200ms'")
        try put(#"[{"id": 1, "title": "new"}]"#)
        let editor = try PostgresConnection(PostgresAddress(place.server))
        try editor.execute("BEGIN; UPDATE \(table) SET title = 'mine' WHERE id = 1")
        let result = try run(["run", "books.yaml", "--wait", "1m"], store: url)
        try editor.rollback()
        #expect(result.code == 1 && (result.output + result.errors).contains("`statement_timeout`"), "\(result)")
    }

    /// A database that cannot hold all texts is refused before anything is made in it.
    @Test(arguments: ["LATIN1", "SQL_ASCII"]) func aDatabaseOfAnotherEncoding(_ encoding: String) throws {
        let name = "\(encoding.lowercased())_\(place.schema)"
        try connection.execute(
            "CREATE DATABASE \(name) ENCODING '\(encoding)' LOCALE 'C' TEMPLATE template0")
        defer { try? connection.execute("DROP DATABASE \(name) WITH (FORCE)") }
        let url = place.store.replacing("/postgres?", with: "/\(name)?")
        try #require(url != place.store)
        for command in ["run", "plan"] {
            let result = try run([command, "books.yaml"], store: url)
            #expect(
                (result.output + result.errors).contains("`createdb --encoding=UTF8 --template=template0 NAME`"),
                "\(result)")
            #expect(result.code == 1, "\(command): \(result)")
        }
        let made = try PostgresConnection(PostgresAddress(place.server.replacing("/postgres?", with: "/\(name)?")))
        #expect(
            try made.integer(
                "SELECT count(*) FROM pg_namespace WHERE nspname NOT LIKE 'pg\\_%' AND nspname <> 'information_schema'"
            ) == 1, "the schema `public` alone")
    }

    /// A unique constraint that waits for the end of the transaction lets wait the record that it does not like, and no other.
    @Test func aUniqueConstraintThatWaits() throws {
        defer { clean() }
        try connection.execute(
            """
            CREATE SCHEMA \(place.schema);
            CREATE TABLE \(table) (id bigint PRIMARY KEY, title text UNIQUE DEFERRABLE INITIALLY DEFERRED)
            """)
        try start()
        // Values may pass from one record to the other.
        try start(#"[{"id": 1, "title": "Two"}, {"id": 2, "title": "One"}]"#)
        #expect(try rows() == ["1 Two", "2 One"])
        try connection.execute("UPDATE \(table) SET title = 'kept' WHERE id = 2")
        try put(#"[{"id": 1, "title": "kept"}, {"id": 2, "title": "One"}, {"id": 3, "title": "Three"}]"#)
        let result = try run(["run", "books.yaml"])
        #expect(result.code == 0, "\(result)")
        #expect(try rows() == ["1 Two", "2 kept", "3 Three"])
        #expect(try conflicts() == [#"unique_collision {"id":1} open"#])
    }

    /// A change of a type has all rules checked in between. One that could wait, and does not, goes on refusing single records.
    @Test func aUniqueConstraintThatCouldWait() throws {
        defer { clean() }
        func write(_ type: String) throws {
            try scene.write(
                "books.yaml",
                """
                version: 1
                name: books
                source: {base_url: "file:."}
                entities: {Book: {table: books, primary_key: id, fields: {id: int, title: string, v: \(type)}}}
                streams: [{name: books, entity: Book, path: books.json}]
                """)
        }
        try write("int")
        try start(#"[{"id": 1, "title": "One", "v": 1}, {"id": 2, "title": "Two", "v": 2}]"#)
        try connection.execute(
            """
            ALTER TABLE \(table) ADD UNIQUE (title) DEFERRABLE;
            UPDATE \(table) SET title = 'kept' WHERE id = 2
            """)
        try write("decimal")
        try start(
            #"[{"id": 1, "title": "kept", "v": 1}, {"id": 2, "title": "Two", "v": 2}, {"id": 3, "title": "3", "v": 3}]"#
        )
        #expect(try texts("SELECT pg_typeof(v)::text FROM \(table) LIMIT 1") == ["numeric"])
        #expect(try rows() == ["1 One", "2 kept", "3 3"])
        #expect(try conflicts() == [#"unique_collision {"id":1} open"#])
    }

    /// To PostgreSQL a name means all rules of the schema that have it. The unique constraint is kept at the end of the run
    /// then, which is refused as a whole.
    @Test(arguments: [
        "CREATE TABLE SCHEMA.notes (id bigint CONSTRAINT twice CHECK (id > 0))",
        "CREATE TABLE SCHEMA.notes (id bigint CONSTRAINT twice REFERENCES SCHEMA.books (id))",
        "CREATE DOMAIN SCHEMA.number AS bigint CONSTRAINT twice CHECK (VALUE > 0)",
    ])
    func aConstraintWhoseNameIsThereTwice(_ other: String) throws {
        defer { clean() }
        try connection.execute(
            """
            CREATE SCHEMA \(place.schema);
            CREATE TABLE \(table) (id bigint PRIMARY KEY, title text,
                CONSTRAINT twice UNIQUE (title) DEFERRABLE INITIALLY DEFERRED);
            \(other.replacing("SCHEMA", with: place.schema))
            """)
        try start()
        try start(#"[{"id": 1, "title": "Two"}, {"id": 2, "title": "One"}]"#)
        #expect(try rows() == ["1 Two", "2 One"])
        try connection.execute("UPDATE \(table) SET title = 'kept' WHERE id = 2")
        try put(#"[{"id": 1, "title": "kept"}, {"id": 2, "title": "One"}]"#)
        let result = try run(["run", "books.yaml"])
        #expect(result.code == 1 && (result.output + result.errors).contains("twice"), "\(result)")
        #expect(try rows() == ["1 Two", "2 kept"])
    }

    /// What came from a double goes back to it, however the database writes it.
    @Test(arguments: ["decimal", "json"]) func aTypeThatIsTakenBack(_ type: String) throws {
        defer { clean() }
        func write(_ type: String) throws {
            try scene.write(
                "books.yaml",
                """
                version: 1
                name: books
                source: {base_url: "file:."}
                entities: {Book: {table: books, primary_key: id, fields: {id: int, v: \(type)}}}
                streams: [{name: books, entity: Book, path: books.json}]
                """)
        }
        try write("double")
        try start(#"[{"id": 1, "v": 0.5}, {"id": 2, "v": 1e300}, {"id": 3, "v": -2.5e-300}, {"id": 4, "v": null}]"#)
        let doubles = try texts("SELECT v::text FROM \(table) ORDER BY id")
        #expect(doubles.prefix(3) == ["0.5", "1e+300", "-2.5e-300"])
        try write(type)
        try start()
        #expect(try texts("SELECT pg_typeof(v)::text FROM \(table) LIMIT 1") != ["double precision"])
        let result = try run(["undo", "2"])
        #expect(result.code == 0, "\(result)")
        #expect(try texts("SELECT v::text FROM \(table) ORDER BY id") == doubles)
    }
}
