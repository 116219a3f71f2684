import Foundation
import SluiceSQLite
import TestSupport
import Testing

/// A pipeline that `sluice generate pipeline` makes of a table adopts it as it is: what the table holds is what the
/// source says, and nothing drifts.
@Suite struct GeneratedPipelineTests {
    /// A database with rows, and the source that says the same.
    struct Database: CustomTestStringConvertible {
        let name: String
        let sql: String
        /// The tables to adopt, and what the source has of each.
        let records: [(table: String, json: String)]
        /// What a run is expected to add besides its own tables.
        var added: [String] = []
        /// What is said of the table after that run.
        var drift = "Nothing drifts."
        var testDescription: String { name }
    }

    private static let record = """
        {"id": 1, "code": "9b2f1f6e-8c1e-4a3f-9f53-0a4f4e1f6c11", "name": "a", "price": "12.50",
         "made": "2024-01-02T04:04:05.25+01:00", "seen": "2024-01-02T03:04:05Z", "day": "2024-01-02", "active": true,
         "data": {"a": [1, null]}}
        """

    static let databases =
        FrameworkTableTests.frameworks.map { framework in
            let row = framework.row(1, "a", "12.5").joined(separator: ", ")
            return Database(
                name: framework.testDescription, sql: "\(framework.sql); INSERT INTO items VALUES (1, \(row))",
                records: [("items", "[\(record)]")])
        }
        + FrameworkTableTests.schemas.map { name, sql, time in
            Database(
                name: "all of \(name)",
                sql: "\(sql); INSERT INTO items VALUES (1, 'n', 9.5, 0, \(time), \(time))",
                records: [
                    (
                        "items",
                        #"[{"id":1,"name":"n","price":"9.50","active":false,"made":"2024-01-02T03:04:05Z","updated":"2024-01-02T03:04:05Z"}]"#
                    )
                ])
        } + [
            Database(
                name: "odd names",
                sql: #"""
                    CREATE TABLE "order ""items""" ("the id" TEXT PRIMARY KEY, "select" INT, "größe" REAL, "a.b" TEXT,
                    "double" INT AS ("select" * 2), "$x" TEXT, "${y}" BOOL) WITHOUT ROWID;
                    INSERT INTO "order ""items""" VALUES ('a', 1, 1.5, 'x', 'y', 1)
                    """#,
                records: [
                    (
                        #"order "items""#,
                        #"[{"the id":"a","select":1,"größe":1.5,"a.b":"x","$x":"y","${y}":true}]"#
                    )
                ], drift: #"order "items".double  INT"#),
            Database(
                name: "references",
                sql: """
                    CREATE TABLE authors (id INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE, rank INT NOT NULL DEFAULT 3);
                    CREATE TABLE books (id INTEGER PRIMARY KEY, author_id INT NOT NULL REFERENCES authors (id),
                        follows INT REFERENCES books);
                    CREATE TABLE tags (name TEXT PRIMARY KEY);
                    CREATE TABLE book_tags (book INT REFERENCES books, tag TEXT REFERENCES tags, PRIMARY KEY (book, tag));
                    INSERT INTO authors VALUES (1, 'a', 2); INSERT INTO books VALUES (1, 1, NULL), (2, 1, 1);
                    INSERT INTO tags VALUES ('x'); INSERT INTO book_tags VALUES (1, 'x')
                    """,
                records: [
                    ("book_tags", #"[{"book":1,"tag":"x"}]"#),
                    ("books", #"[{"id":1,"author_id":1,"follows":null},{"id":2,"author_id":1,"follows":1}]"#),
                    ("tags", #"[{"name":"x"}]"#), ("authors", #"[{"id":1,"code":"a","rank":2}]"#),
                ], added: ["book_tags_tag", "books_author_id", "books_follows"]),
        ]

    @Test(arguments: databases)
    func adoptsItsTableAsItIs(_ database: Database) throws {
        let scene = try Scene(document: "[]")
        try Connection(path: scene.store, mode: .create).execute(database.sql)
        let before = try contents(scene, besides: [])
        let names = database.records.flatMap { ["--from-table", $0.table] }
        let generated = try Program.start(
            ["generate", "pipeline", "--url", "file:.", "--store", "sqlite:shop.db", "-o", "shop.yaml"] + names,
            in: scene.path
        ).wait()
        #expect(generated.code == 0 && generated.errors == "", "\(generated.errors)")
        let yaml = try String(contentsOfFile: scene.folder.file("shop.yaml"), encoding: .utf8)
        // Streams are in an order of their own.
        for (table, json) in database.records {
            let file = try #require(path(of: table, in: yaml), "\(yaml)")
            try scene.write(file, json)
        }
        for command in [
            ["validate", "shop.yaml", "--strict", "--store", "sqlite:shop.db"], ["inspect", "drift", "shop.yaml"],
            ["plan", "shop.yaml", "--detailed-exitcode", "--strict"],
        ] {
            let outcome = try Program.start(command, in: scene.path).wait()
            let expected: Int32 = command[0] == "plan" ? 2 : 0
            #expect(outcome.code == expected, "\(command) \(outcome.output)\(outcome.errors)\n\(yaml)")
            #expect(command[0] != "inspect" || outcome.output.contains("Nothing drifts."), "\(outcome.output)")
            #expect(try contents(scene, besides: []) == before, "\(command) changes nothing")
        }
        let run = try Program.run("run", "shop.yaml", "--strict", in: scene.path)
        #expect(run.code == 0 && !run.output.contains("updated") && !run.output.contains("inserted"), "\(run.output)")
        #expect(try contents(scene, besides: database.added) == before)
        let edits = try Program.run("edits", "shop.yaml", in: scene.path)
        #expect(edits.output.hasPrefix("Nothing was changed here"), "\(edits.output)")
        let again = try Program.run("run", "shop.yaml", in: scene.path)
        #expect(again.code == 0 && again.output.contains("nothing changed"), "\(again.output)")
        let drift = try Program.run("inspect", "drift", "shop.yaml", in: scene.path)
        #expect(drift.code == 0 && drift.output.contains(database.drift), "\(drift.output)")
    }

    /// The file that the stream of a table reads.
    private func path(of table: String, in yaml: String) -> String? {
        let words = table.filter { $0.isLetter || $0 == "_" }.prefix(5)
        let lines = yaml.split(separator: "\n").map { $0.drop { $0 == " " } }
        let place = lines.firstIndex { $0.hasPrefix("- name: \(table)") || $0.hasPrefix("- name: \(words)_") }
        return place.flatMap { lines[$0...].first { $0.hasPrefix("path: ") } }.map {
            $0.dropFirst("path: ".count).filter { $0 != "\"" }
        }
    }

    /// What others see of the database: its definitions and rows, without the program's own tables and views.
    private func contents(_ scene: Scene, besides added: [String]) throws -> [String] {
        let own = "name NOT LIKE '\\_sluice%' ESCAPE '\\' AND tbl_name NOT LIKE '\\_sluice%' ESCAPE '\\'"
        let names = added.map { "'\($0)'" }.joined(separator: ", ")
        let definitions = try scene.query(
            "SELECT name, sql FROM sqlite_schema WHERE \(own) AND type <> 'view' AND name NOT IN (\(names)) ORDER BY 1")
        let tables = try scene.query("SELECT name FROM sqlite_schema WHERE \(own) AND type = 'table' ORDER BY 1")
        return try definitions + tables.flatMap { try scene.query("SELECT * FROM \(SQLName.quoted($0))") }
    }
}
