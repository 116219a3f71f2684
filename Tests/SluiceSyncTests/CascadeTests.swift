import SluicePipeline
import SluiceReport
import SluiceReview
import SluiceStore
import TestSupport
import Testing

/// Rows of people's own tables that the database deletes along with rows of records.
@Suite("Rows that go along")
struct CascadeTests {
    static let notes =
        "CREATE TABLE notes (id INTEGER PRIMARY KEY, item INTEGER REFERENCES items (id) ON DELETE CASCADE);"
    static let log = """
        CREATE TABLE log (item INTEGER); CREATE TRIGGER tidy AFTER DELETE ON items
        BEGIN DELETE FROM log WHERE item = old.id; END;
        """
    static let one = #"[{"id":1,"a":"x","b":"y"},{"id":2,"a":"p","b":"q"}]"#

    private func shop() throws -> Workshop {
        try Workshop(rule: DeleteRule(mode: .hard, maximum: .percent(100), minimumRecords: 0))
    }

    private func told(_ report: RunReport) -> [String] {
        report.problems.filter { $0.code == "deleted_along" }.map { String($0.message.prefix { $0 != "," }) }
    }

    @Test("A run, and the plan before it, tell them")
    func run() throws {
        let shop = try shop()
        _ = try shop.syncPlanned(Self.one)
        try shop.sql(
            Self.notes + Self.log + "INSERT INTO notes VALUES (1, 1), (2, 1), (3, 2); INSERT INTO log VALUES (1)")
        let (report, _) = try shop.syncPlanned(#"[{"id":2,"a":"p","b":"q"}]"#)
        #expect(report.summary.text == "delete 1, unchanged 1")
        #expect(
            told(report) == [
                "1 row of `log` goes along with rows that are deleted",
                "2 rows of `notes` go along with rows that are deleted",
            ])
        #expect(try shop.rows("SELECT id FROM notes") == ["3"])
        #expect(told(try shop.quietRun().0) == [])
    }

    /// A trigger on the table, or on one whose rows go along, and what of other tables goes by it.
    struct Rule: CustomTestStringConvertible, Sendable {
        let name: String
        let tables: String
        let body: String
        let told: [String]
        var testDescription: String { name }
    }

    private static func row(_ count: Int, of table: String) -> String {
        "\(count) \(count == 1 ? "row" : "rows") of `\(table)` \(count == 1 ? "goes" : "go") along with rows that are deleted"
    }

    static let rules = [
        Rule(
            name: "all rows of a table", tables: "CREATE TABLE log (n); INSERT INTO log VALUES (1), (2);",
            body: "DELETE FROM log", told: [row(2, of: "log")]),
        Rule(
            name: "all rows of a table without rowids",
            tables: "CREATE TABLE log (n PRIMARY KEY) WITHOUT ROWID; INSERT INTO log VALUES (1), (2);",
            body: "DELETE FROM log", told: [row(2, of: "log")]),
        Rule(
            name: "some rows of a table without rowids",
            tables: "CREATE TABLE log (n PRIMARY KEY) WITHOUT ROWID; INSERT INTO log VALUES (1), (2);",
            body: "DELETE FROM log WHERE n = old.id", told: [row(1, of: "log")]),
        Rule(
            name: "by a cascade",
            tables: """
                CREATE TABLE log (item INTEGER REFERENCES items (id) ON DELETE CASCADE, n INTEGER, PRIMARY KEY (n)) WITHOUT ROWID;
                INSERT INTO log VALUES (1, 1), (1, 2), (2, 3);
                """, body: "SELECT 1", told: [row(2, of: "log")]),
        Rule(
            name: "by a trigger of a table whose rows go along",
            tables: """
                CREATE TABLE log (n); INSERT INTO log VALUES (1), (2);
                CREATE TABLE mid (item INTEGER REFERENCES items (id) ON DELETE CASCADE); INSERT INTO mid VALUES (1);
                CREATE TRIGGER further AFTER DELETE ON mid BEGIN DELETE FROM log; END;
                """, body: "SELECT 1", told: [row(2, of: "log"), row(1, of: "mid")]),
        Rule(
            name: "rows of an index for full-text search, which are none",
            tables: """
                CREATE VIRTUAL TABLE found USING fts5 (a, content = 'items', content_rowid = 'id');
                INSERT INTO found (found) VALUES ('rebuild');
                """,
            body: "INSERT INTO found (found, rowid, a) VALUES ('delete', old.id, old.a)", told: []),
        Rule(
            name: "rows of a table for full-text search",
            tables:
                "CREATE VIRTUAL TABLE found USING fts5 (a); INSERT INTO found (rowid, a) VALUES (1, 'x'), (2, 'y');",
            body: "DELETE FROM found WHERE rowid = old.id", told: [row(1, of: "found")]),
        Rule(
            name: "replaced and updated rows stay",
            tables: """
                CREATE TABLE log (n PRIMARY KEY, at) WITHOUT ROWID; INSERT INTO log VALUES (1, 1);
                CREATE TABLE kept (n PRIMARY KEY, at); INSERT INTO kept VALUES (1, 1);
                """,
            body: """
                INSERT OR REPLACE INTO log VALUES (1, 2); INSERT OR REPLACE INTO kept VALUES (1, 2);
                UPDATE log SET at = 3
                """, told: []),
    ]

    @Test("Whatever trigger or cascade deletes them, they are told", arguments: rules)
    func rule(_ rule: Rule) throws {
        let shop = try shop()
        _ = try shop.syncPlanned(Self.one)
        try shop.sql(rule.tables + "CREATE TRIGGER tidy AFTER DELETE ON items BEGIN \(rule.body); END;")
        let (report, _) = try shop.syncPlanned(#"[{"id":2,"a":"p","b":"q"}]"#)
        #expect(report.total.delete == 1 && told(report) == rule.told)
    }

    @Test("So does undo")
    func undo() throws {
        let shop = try shop()
        _ = try shop.syncPlanned("[]")
        let (report, _) = try shop.syncPlanned(Self.one)
        try shop.sql(Self.notes + "INSERT INTO notes VALUES (1, 1)")
        let undone = try shop.undoPlanned(#require(report.run)).report
        #expect(told(undone) == ["1 row of `notes` goes along with rows that are deleted"])
        #expect(try shop.rows("SELECT id FROM notes") == [])
    }

    @Test("Rows of records come back with an undo, with columns of people", arguments: [StoreKind.file, .schema])
    func undoOfRecords(_ kind: StoreKind) throws {
        let shop = try Workshop()
        if kind == .schema {
            let schema = try WorkshopSchema()
            try schema.execute("CREATE SCHEMA \(schema.place.schema)")
            shop.database = schema
        }
        try shop.sql(
            """
            CREATE TABLE books (id bigint NOT NULL PRIMARY KEY, title text);
            CREATE TABLE lines (book_id bigint NOT NULL REFERENCES books (id) ON DELETE CASCADE, n bigint NOT NULL, note text,
                mine text, PRIMARY KEY (book_id, n));
            CREATE TABLE pages (book_id bigint NOT NULL REFERENCES books (id) ON DELETE CASCADE, position bigint NOT NULL,
                text text, mine text, PRIMARY KEY (book_id, position));
            CREATE TABLE loans (id bigint NOT NULL PRIMARY KEY, book bigint REFERENCES books (id) ON DELETE CASCADE, mine text);
            CREATE TABLE fines (id bigint NOT NULL PRIMARY KEY, loan bigint REFERENCES loans (id) ON DELETE CASCADE, mine text);
            CREATE TABLE marks (id bigint NOT NULL PRIMARY KEY, book bigint REFERENCES books (id) ON DELETE SET NULL, mine text,
                own bigint REFERENCES loans (id) ON DELETE SET NULL);
            """)
        try shop.define(
            "shop",
            """
            entities:
              Book:
                {table: books, primary_key: id, fields: {id: int, title: string},
                 children: {lines: {entity: Line, from: "lines[*]", key: [n]}, pages: {entity: Page, from: "pages[*]", ordered: true}}}
              Line: {table: lines, fields: {n: int, note: string}}
              Page: {table: pages, fields: {text: string}}
              Loan: {table: loans, primary_key: id, fields: {id: int, book: int}}
              Fine: {table: fines, primary_key: id, fields: {id: int, loan: int}}
              Mark: {table: marks, primary_key: id, fields: {id: int, book: int}}
            streams:
              - {name: books, entity: Book, path: remote.json, delete_missing: {mode: hard, max_delete: 100%, min_records: 0}}
              - {name: loans, entity: Loan, path: loans.json}
              - {name: fines, entity: Fine, path: fines.json}
              - {name: marks, entity: Mark, path: marks.json}
            """)
        try shop.put(#"[{"id":1,"book":1},{"id":2,"book":2}]"#, as: "marks.json")
        try shop.put(#"[{"id":7,"book":1},{"id":8,"book":2}]"#, as: "loans.json")
        try shop.put(#"[{"id":70,"loan":7},{"id":80,"loan":8}]"#, as: "fines.json")
        let books =
            #"[{"id":1,"title":"a","lines":[{"n":1,"note":"x"},{"n":2,"note":"y"}],"pages":[{"text":"p"},{"text":"q"}]},"#
            + #"{"id":2,"title":"b","lines":[{"n":1,"note":"z"}],"pages":[]}]"#
        _ = try shop.syncPlanned(books)
        for table in ["lines", "pages", "loans", "fines", "marks"] { try shop.sql("UPDATE \(table) SET mine = 'm'") }
        try shop.sql("UPDATE marks SET own = 7 WHERE id = 2")
        func rows() throws -> [[String]] {
            try ["books", "lines", "pages", "loans", "fines", "marks"].map {
                try shop.rows("SELECT * FROM \($0) ORDER BY 1, 2")
            }
        }
        let before = try rows()
        let (report, _) = try shop.syncPlanned(#"[{"id":2,"title":"b","lines":[{"n":1,"note":"z"}],"pages":[]}]"#)
        #expect(
            told(report).sorted() == [
                Self.row(1, of: "fines"), Self.row(1, of: "loans"), Self.row(2, of: "lines"), Self.row(2, of: "pages"),
            ])
        let along = report.problems.filter { $0.code == "deleted_along" }
        #expect(along.allSatisfy { $0.message.contains("`sluice undo` brings") }, "\(along)")
        #expect(
            report.problems.filter { $0.code == "emptied_along" }.map { String($0.message.prefix { $0 != "," }) } == [
                "1 value of `marks.book` becomes null with rows that are deleted",
                "1 value of `marks.own` becomes null with rows that are deleted",
            ])
        #expect(try rows().map(\.count) == [1, 1, 0, 1, 1, 2])
        #expect(try shop.rows("SELECT id, book, own FROM marks ORDER BY id") == ["1|NULL|NULL", "2|2|NULL"])
        let undone = try shop.undoPlanned(#require(report.run)).report
        #expect(undone.status == .succeeded)
        #expect(try rows() == before)
        // So the source says nothing new, and nobody made an edit.
        #expect(try shop.syncPlanned(books).0.summary.hasWrites == false)
        #expect(try shop.quietRun(renewing: true).written == [])
        #expect(try rows() == before)
        var edits = 0
        try EditReader(store: shop.open(.reading)).edits(pipelines: nil, entity: nil) { _ in edits += 1 }
        #expect(edits == 0)
        // And once more, forwards and back.
        #expect(try shop.undo(#require(undone.run)).report.status == .succeeded)
        #expect(try rows().map(\.count) == [1, 1, 0, 1, 1, 2])
    }

    @Test("What the table refuses to let go takes nothing along")
    func refused() throws {
        let shop = try shop()
        _ = try shop.syncPlanned(Self.one)
        try shop.sql(
            Self.notes + """
                CREATE TABLE firm (item INTEGER REFERENCES items (id) ON DELETE RESTRICT);
                INSERT INTO notes VALUES (1, 1); INSERT INTO firm VALUES (1);
                """)
        let (report, _) = try shop.syncPlanned(#"[{"id":2,"a":"p","b":"q"}]"#)
        #expect(report.problems.map(\.code) == ["delete_rejected"])
        #expect(try shop.rows("SELECT id FROM notes") == ["1"])
    }

    @Test("The tables of what belongs to a record are named where they may not let it go")
    func refusedByChildren() throws {
        let shop = try Workshop()
        try shop.sql(
            """
            CREATE TABLE books (id INTEGER PRIMARY KEY);
            CREATE TABLE lines (book_id INTEGER NOT NULL REFERENCES books (id), n INTEGER NOT NULL, PRIMARY KEY (book_id, n));
            """)
        try shop.define(
            "shop",
            """
            entities:
              Book: {table: books, primary_key: id, fields: {id: int}, children: {lines: {entity: Line, from: "lines[*]", key: [n]}}}
              Line: {table: lines, fields: {n: int}}
            streams:
              - {name: books, entity: Book, path: remote.json, delete_missing: {mode: hard, max_delete: 100%, min_records: 0}}
            """)
        _ = try shop.syncPlanned(#"[{"id":1,"lines":[{"n":1}]}]"#)
        let (report, _) = try shop.syncPlanned("[]")
        let told = report.problems.first { $0.code == "delete_rejected" }?.message ?? ""
        #expect(told.contains("The table `books` or `lines` refused it: FOREIGN KEY constraint failed."), "\(told)")
        #expect(told.contains("A record goes before its children"), "\(told)")
        #expect(try shop.rows("SELECT * FROM lines") == ["1|1"])
    }

    @Test("Rows of the table itself")
    func ownTable() throws {
        let shop = try shop()
        try shop.sql(
            "CREATE TABLE items (id INTEGER PRIMARY KEY, a TEXT, b TEXT, above INTEGER REFERENCES items (id) ON DELETE CASCADE)"
        )
        _ = try shop.syncPlanned(Self.one)
        try shop.sql("INSERT INTO items VALUES (10, 'mine', NULL, 1)")
        let (report, _) = try shop.syncPlanned(#"[{"id":2,"a":"p","b":"q"}]"#)
        #expect(told(report) == ["1 row of `items` goes along with rows that are deleted"])
    }

    /// What a row holds is read after the rows before it are written, where one may change the other.
    @Test("What a trigger writes into a later row of the same batch is an edit")
    func triggerWithinABatch() throws {
        let shop = try shop()
        _ = try shop.syncPlanned(Self.one)
        try shop.sql(
            """
            CREATE TRIGGER follow AFTER UPDATE OF a ON items WHEN new.id = 1
            BEGIN UPDATE items SET b = 'by trigger' WHERE id = 2; END;
            """)
        let (report, _) = try shop.syncPlanned(#"[{"id":1,"a":"new","b":"y"},{"id":2,"a":"p","b":"new"}]"#)
        #expect(report.summary.text == "update 1, conflict 1")
        #expect(try shop.rows("SELECT id, a, b FROM items") == ["1|'new'|'y'", "2|'p'|'by trigger'"])
        #expect(try shop.openConflicts.count == 1)
    }
}
