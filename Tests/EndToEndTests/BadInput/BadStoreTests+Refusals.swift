import Foundation
import SluiceSQLite
import TestSupport
import Testing

/// Tables that refuse single records.
extension BadStoreTests {
    /// What a table may refuse, and what is said of it.
    static let refusals: [Row] = [
        Row(
            name: "a check that fails",
            words: [
                "! Book 2", "The table `books` refused it: CHECK constraint failed: id <> 2.", "`filter`",
                "Every run tries again.",
            ]
        ) { try make($0, "CREATE TABLE books (id INTEGER PRIMARY KEY CHECK (id <> 2), title TEXT, price TEXT)") },
        Row(
            name: "a column that takes no null",
            words: ["! Book 4", "refused it: NOT NULL constraint failed: books.title.", "`expr`", "allow null"]
        ) {
            try make($0, "CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT NOT NULL, price TEXT)")
            try $0.write("books.json", #"[{"id": 3, "title": "c"}, {"id": 4, "title": null}]"#)
        },
        Row(
            name: "a foreign key to nothing",
            words: ["! Book 1", "refused it: FOREIGN KEY constraint failed.", "Put the stream of the table"]
        ) {
            try make(
                $0,
                "CREATE TABLE t (n TEXT PRIMARY KEY); CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT REFERENCES t (n), price TEXT)"
            )
        },
        Row(
            name: "a trigger against inserts",
            words: ["! Book 4", "A trigger of `books` refused it: no more books.", "`filter`"]
        ) { try $0.execute("CREATE TRIGGER t BEFORE INSERT ON books BEGIN SELECT raise(ABORT, 'no more books'); END") },
        Row(
            name: "a trigger against updates",
            words: ["! Book 1", "A trigger of `books` refused it: titles are final."]
        ) {
            try $0.execute(
                "CREATE TRIGGER t BEFORE UPDATE OF title ON books BEGIN SELECT raise(FAIL, 'titles are final'); END")
        },
        Row(
            name: "a trigger that swallows inserts",
            words: ["! Book 4", "A trigger of `books` refused it: RAISE(IGNORE)."]
        ) {
            try $0.execute("CREATE TRIGGER t BEFORE INSERT ON books BEGIN SELECT raise(IGNORE); END")
        },
        Row(
            name: "a trigger that swallows updates",
            words: ["! Book 1", "A trigger of `books` refused it: RAISE(IGNORE)."]
        ) {
            try $0.execute("CREATE TRIGGER t BEFORE UPDATE ON books BEGIN SELECT raise(IGNORE); END")
        },
        Row(
            name: "a trigger that swallows deletes",
            words: [
                "1 row of `books` is gone from the source but could not be deleted",
                #"{"id":3}. A trigger of `books` refused it: RAISE(IGNORE)."#,
            ]
        ) {
            try $0.execute("CREATE TRIGGER t BEFORE DELETE ON books BEGIN SELECT raise(IGNORE); END")
            try $0.writeBooks(2)
        },
    ]

    @Test(arguments: refusals)
    func aRecordThatTheTableRefusesIsLeftOutAlone(row: Row) throws {
        let scene = try Scene(records: 3)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        try scene.writeBooks(5, edition: 2)
        try row.prepare(scene)
        for command in ["plan", "run"] {
            let result = try Program.run(command, "books.yaml", in: scene.path)
            #expect(result.code == 0, "\(result.output)\(result.errors)")
            for word in row.words { #expect(result.output.contains(word), "`\(word)` in \(result.output)") }
        }
        let before = try StoreDump(scene.store)
        let again = try Program.run("run", "books.yaml", in: scene.path)
        #expect(again.code == 0)
        for word in row.words { #expect(again.output.contains(word), "`\(word)` in \(again.output)") }
        #expect(try StoreDump(scene.store).differences(from: before) == [])
    }

    /// What an adopted table says itself must be unique is settled as if the pipeline said it.
    @Test(arguments: [
        (
            "title TEXT NOT NULL UNIQUE, price TEXT",
            "The values of `title`, which must be unique, are taken by {\"id\":1}. The record cannot be written without"
        ),
        (
            "title TEXT, price TEXT NOT NULL, UNIQUE (title, price)",
            "`title`, `price`, which must be unique, are taken by {\"id\":1}"
        ),
        (
            "title TEXT, price TEXT); CREATE UNIQUE INDEX i ON books (lower(title)",
            "refused it: UNIQUE constraint failed: index 'i'"
        ),
        (
            "title TEXT, price TEXT); CREATE UNIQUE INDEX i ON books (title) WHERE id > 0; --",
            "refused it: UNIQUE constraint failed: books.title"
        ),
    ])
    func aTableOfUniqueValuesKeepsThem(columns: String, words: String) throws {
        let scene = try Scene(records: 1)
        try Connection(path: scene.store, mode: .create).execute(
            "CREATE TABLE books (id INTEGER PRIMARY KEY, \(columns))")
        try scene.write("books.json", #"[{"id": 1, "title": "a", "price": 1}, {"id": 2, "title": "a", "price": 1}]"#)
        let run = try Program.run("run", "books.yaml", in: scene.path)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(run.output.contains(words), "\(run.output)")
        #expect(!run.output.contains("+ Book 2"), "what was not written is not listed")
        #expect(try scene.query("SELECT id FROM books") == ["1"])
        #expect(try scene.query("SELECT count(*) FROM _sluice_base_books_books_Book") == ["1"])
    }
}
