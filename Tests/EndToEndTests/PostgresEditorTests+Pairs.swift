import SluicePostgres
import TestSupport
import Testing

/// Pairs of records, and values that are redacted from now on, while somebody else has a transaction open.
extension PostgresEditorTests {
    /// Where pairs are added or taken away, and what comes of it.
    struct PairMeeting: CustomTestStringConvertible {
        let testDescription: String
        /// What the source says of record 3 before and after; nil where it does not list it.
        var before: [Int]? = [1]
        let after: [Int]?
        /// What somebody does; `PAIRS` stands for the table of pairs.
        let edit: String
        var pairs: [String] = []
        var conflicts: [String] = []
    }

    private static let added = "INSERT INTO PAIRS VALUES (3, 2)"

    private func prepare(_ meeting: PairMeeting) throws {
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            source: {base_url: "file:."}
            entities:
              Book: {table: books, primary_key: id, fields: {id: int, title: string, tags: {refs: Tag, from: "tags[*]"}}}
              Tag: {table: tags, primary_key: id, fields: {id: int}}
            streams:
            - {name: tags, entity: Tag, path: tags.json}
            - {name: books, entity: Book, path: books.json, delete_missing: {mode: hard, max_delete: 100%, min_records: 0}}
            """)
        try scene.write("tags.json", #"[{"id": 1}, {"id": 2}, {"id": 5}]"#)
        try start(books(meeting.before))
        try put(books(meeting.after))
    }

    private func books(_ tags: [Int]?) -> String {
        let last = tags.map { #", {"id": 3, "title": "Three", "tags": \#($0)}"# } ?? ""
        return #"[{"id": 1, "title": "One", "tags": [1]}\#(last)]"#
    }

    private func pairs() throws -> [String] {
        try texts("SELECT book_id::text, tag_id::text FROM \(place.schema).books_tags WHERE book_id = 3 ORDER BY 2")
            .map { $0.replacing("3 ", with: "") }
    }

    private func run(_ arguments: [String], whilePairs statement: String) throws -> Program.Result {
        // As a foreign key that is checked at once.
        let pairs = "\(place.schema).books_tags"
        return try run(
            arguments, while: statement.replacing("PAIRS", with: pairs) + "; SET CONSTRAINTS ALL IMMEDIATE")
    }

    @Test(arguments: [
        PairMeeting(
            testDescription: "a pair is added to a record that goes", after: nil, edit: added, pairs: ["1", "2"],
            conflicts: [#"edit_delete {"id":3} open"#]),
        PairMeeting(
            testDescription: "a pair is added to a record whose pairs change", after: [1, 5], edit: added,
            pairs: ["1", "2", "5"]),
        PairMeeting(
            testDescription: "a pair of a record whose pairs change is taken away", before: [1, 2], after: [1, 2, 5],
            edit: "DELETE FROM PAIRS WHERE book_id = 3 AND tag_id = 1", pairs: ["2", "5"]),
    ])
    func aRunMeetsPairs(_ meeting: PairMeeting) throws {
        defer { clean() }
        try prepare(meeting)
        let result = try run(["run", "books.yaml"], whilePairs: meeting.edit)
        #expect(result.code == 0, "\(result)")
        #expect(try pairs() == meeting.pairs, "\(result)")
        #expect(try conflicts() == meeting.conflicts)
    }

    @Test func anUndoMeetsAPair() throws {
        defer { clean() }
        try prepare(PairMeeting(testDescription: "", before: nil, after: [1], edit: ""))
        try start()
        let result = try run(["undo", "2"], whilePairs: Self.added)
        #expect(result.output.contains("! Book 3  was edited or changed since: it stays"), "\(result)")
        #expect(try pairs() == ["1", "2"], "\(result)")
    }

    @Test func aDecisionMeetsAPair() throws {
        defer { clean() }
        try prepare(PairMeeting(testDescription: "", after: nil, edit: ""))
        try connection.execute("UPDATE \(table) SET title = 'mine' WHERE id = 3")
        try start()
        #expect(try conflicts() == [#"edit_delete {"id":3} open"#])
        let result = try run(["conflicts", "resolve", "1", "--take", "remote"], whilePairs: Self.added)
        #expect(try pairs() == ["1", "2"], "\(result)")
        #expect(try conflicts().map { $0.hasSuffix(" open") } == [true])
    }

    // MARK: Redaction

    private func redact() throws {
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            source: {base_url: "file:."}
            entities: {Book: {table: books, primary_key: id, fields: {id: int, title: {type: string, redact: hash}}}}
            streams: [{name: books, entity: Book, path: books.json}]
            """)
    }

    /// Has a body work in a database of its own, where no other transaction is open.
    private func alone(
        _ body: (_ connection: PostgresConnection, _ store: String) throws -> Void
    ) throws {
        let name = "alone_\(place.schema)"
        try connection.execute("CREATE DATABASE \(name) TEMPLATE template0")
        defer { try? connection.execute("DROP DATABASE \(name) WITH (FORCE)") }
        func own(_ url: String) -> String { url.replacing("/postgres?", with: "/\(name)?") }
        try body(PostgresConnection(PostgresAddress(own(place.server))), own(place.store))
    }

    /// Values that are replaced are in no statistics of the server either.
    @Test func aRedactionRenewsStatistics() throws {
        let records = (0..<40).map { #"{"id": \#($0), "title": "clear \#($0 % 4)"}"# }
        try put("[\(records.joined(separator: ","))]")
        try alone { connection, store in
            func run() throws -> Program.Result { try self.run(["run", "books.yaml"], store: store) }
            let kept =
                "SELECT count(*) FROM pg_stats WHERE schemaname = '\(place.schema)' AND most_common_vals::text LIKE '%clear%'"
            #expect(try run().code == 0)
            try connection.execute("ANALYZE \(table)")
            #expect(try connection.integer(kept) == 1)
            try redact()
            #expect(try run().code == 0)
            #expect(try connection.integer(kept) == 0)
        }
    }

    /// The server keeps rows that were replaced as long as an older transaction may see them.
    @Test func aRedactionBesideAnOlderTransaction() throws {
        try alone { older, store in
            func run() throws -> Program.Result { try self.run(["run", "books.yaml"], store: store) }
            #expect(try run().code == 0)
            try redact()
            try older.execute("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1")
            let beside = try run()
            #expect(beside.errors.contains("A transaction of somebody else"), "\(beside)")
            try older.execute("COMMIT")
            let last = try run()
            #expect(last.code == 0 && !last.errors.contains("Unused pages"), "\(last)")
            let kept = try older.integer(
                "SELECT count(*) FROM \(place.schema)._sluice_schema WHERE kind = 'redaction'")
            #expect(kept == 0)
        }
    }

    /// What another run replaced in a table that is rewritten already has it rewritten once more.
    @Test func aRedactionBesideAnother() throws {
        try alone { reader, store in
            #expect(try run(["run", "books.yaml"], store: store).code == 0)
            try reader.execute("CREATE TABLE \(place.schema).zz (id int)")
            try redact()
            try reader.execute("BEGIN; LOCK TABLE \(place.schema).zz IN ACCESS SHARE MODE")
            let program = try Program.start(["run", "books.yaml", "--wait", "1m", "--store", store], in: scene.path)
            try awaitBlocking(by: reader)
            let file = try reader.integer("SELECT pg_relation_filenode('\(table)')")
            try reader.execute(
                """
                UPDATE \(place.schema)._sluice_schema SET value = pg_current_xact_id()::xid::text WHERE kind = 'redaction';
                COMMIT
                """)
            let result = try program.wait()
            #expect(result.code == 0 && !result.errors.contains("Unused pages"), "\(result)")
            #expect(try reader.integer("SELECT pg_relation_filenode('\(table)')") != file)
            #expect(
                try reader.integer("SELECT count(*) FROM \(place.schema)._sluice_schema WHERE kind = 'redaction'") == 0)
        }
    }

    /// What people write while values are redacted is not the source's.
    @Test func aRedactionMeetsAnEdit() throws {
        defer { clean() }
        try start()
        try redact()
        let result = try run(["run", "books.yaml"], while: "UPDATE \(table) SET title = 'mine' WHERE id = 1")
        #expect(result.code == 0, "\(result)")
        #expect(try rows().first == "1 mine", "\(result)")
        #expect(try !rows().contains("2 Two"), "\(result)")
    }
}
