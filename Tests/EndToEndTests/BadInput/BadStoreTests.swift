import Foundation
import SluiceSQLite
import TestSupport
import Testing

/// Stores that cannot be used as they are: what is wrong has a name, and nothing of it changes.
@Suite struct BadStoreTests {
    /// One store, and what is said of it.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        /// The store, relative to the folder.
        var store = "shop.db"
        let words: [String]
        /// What a plan says; empty where it succeeds.
        var planWords: [String]?
        /// Whether the permissions of the scene matter.
        var isAboutPermissions = false
        let prepare: @Sendable (Scene) throws -> Void
        var testDescription: String { name }
    }

    private static func overwrite(_ scene: Scene, _ range: Range<Int>, with byte: UInt8 = 0xA5) throws {
        var bytes = [UInt8](try Data(contentsOf: URL(filePath: scene.store)))
        for index in range where bytes.indices.contains(index) { bytes[index] = byte }
        try scene.write("shop.db", bytes: bytes)
    }

    static let rows: [Row] = [
        Row(name: "a folder", store: "stores", words: ["`stores` is a folder", "--store sqlite:stores/shop.db"]) {
            try FileManager.default.createDirectory(
                atPath: $0.folder.file("stores"), withIntermediateDirectories: false)
        },
        Row(
            name: "in a folder that is not there", store: "no/such/a b.db",
            words: ["`no/such/a b.db`", "mkdir -p no/such"]
        ) { _ in },
        Row(name: "a device", store: "/dev/null", words: ["`/dev/null` is no regular file", "--store"]) { _ in },
        Row(name: "a letter", store: "letter.txt", words: ["`letter.txt` is not an SQLite database", "--store"]) {
            try $0.write("letter.txt", String(repeating: "This is a letter, not a database.\n", count: 50))
        },
        Row(name: "of a newer format", words: ["`shop.db` has format 9", "formats up to 1", "the newer sluice"]) {
            try $0.execute("UPDATE _sluice_schema SET value = '9' WHERE kind = 'format'")
        },
        Row(
            name: "of a format that is no number",
            words: ["format of the store `shop.db` cannot be read", "Restore a copy"]
        ) {
            try $0.execute("UPDATE _sluice_schema SET value = 'new' WHERE kind = 'format'")
        },
        Row(name: "without its format", words: ["format of the store `shop.db` cannot be read", "Restore a copy"]) {
            try $0.execute("DELETE FROM _sluice_schema WHERE kind = 'format'")
        },
        Row(
            name: "with a format of another shape",
            words: ["format of the store `shop.db` cannot be read", "Restore a copy"]
        ) {
            try $0.execute("DROP TABLE _sluice_schema; CREATE TABLE _sluice_schema (a)")
        },
        Row(name: "with a header that was overwritten", words: ["`shop.db` is not an SQLite database", "--store"]) {
            try overwrite($0, 0..<100)
        },
        Row(name: "with a schema that was overwritten", words: ["`shop.db` is damaged", "sqlite3 shop.db .recover"]) {
            try overwrite($0, 100..<2000)
        },
        Row(
            name: "overwritten in the middle",
            words: ["`shop.db` is damaged", "Restore a copy", "sqlite3 shop.db .recover"]
        ) {
            try overwrite($0, 4096..<(1 << 20))
        },
        Row(name: "cut off", words: ["`shop.db` is damaged", "Restore a copy", "sqlite3 shop.db .recover"]) {
            try $0.write("shop.db", bytes: Array(Data(contentsOf: URL(filePath: $0.store)).prefix(10_000)))
        },
        Row(
            name: "that may only be read", words: ["`shop.db` may only be read by this user", "ls -l shop.db"],
            planWords: [],
            isAboutPermissions: true
        ) { try $0.permit(0o444, "shop.db") },
        Row(
            name: "in a folder that may only be read",
            words: ["`shop.db` cannot be written", "takes no new file", "ls -ld ."],
            planWords: [], isAboutPermissions: true
        ) { try $0.permit(0o555) },
        Row(
            name: "that may only be read, in such a folder", words: ["`shop.db` may only be read", "ls -l shop.db"],
            planWords: [], isAboutPermissions: true
        ) {
            try $0.permit(0o444, "shop.db")
            try $0.permit(0o555)
        },
        Row(
            name: "that may not be read", words: ["`shop.db` may not be read by this user", "ls -l shop.db"],
            isAboutPermissions: true
        ) { try $0.permit(0, "shop.db") },
        Row(
            name: "that is new, in a folder that may only be read", store: "new.db",
            words: ["`new.db` cannot be made", "takes no new file", "ls -ld .", "--store"], planWords: [],
            isAboutPermissions: true
        ) { try $0.permit(0o555) },
    ]

    @Test(arguments: rows)
    func aStoreThatCannotBeUsedSaysWhy(row: Row) throws {
        if row.isAboutPermissions && !Privileges.canBeDropped { return }
        let scene = try Scene(records: 3)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        try scene.writeBooks(400, edition: 2)
        try row.prepare(scene)
        defer {
            try? scene.permit(0o755)
            try? scene.permit(0o644, "shop.db")
        }
        let before = try content(of: scene)
        func program(_ command: String) throws -> Program.Result {
            let store = "sqlite:\(row.store)"
            return row.isAboutPermissions
                ? try Privileges.run(command, "books.yaml", "--store", store, "--changes", "0", in: scene.path)
                : try Program.run(command, "books.yaml", "--store", store, "--changes", "0", in: scene.path)
        }
        expectOneError(try program("run"), code: 1, row.words)
        let plan = try program("plan")
        if row.planWords == [] {
            #expect(plan.code == 0, "\(plan.output)\(plan.errors)")
            #expect(plan.output.contains(row.store == "new.db" ? "400 to insert" : "397 to insert, 3 to update"))
        } else {
            expectOneError(plan, code: 1, row.planWords ?? row.words)
        }
        #expect(try content(of: scene) == before, "byte for byte, without a file beside it")
    }

    /// Every file of the scene with its bytes; nil for what is no file or may not be read.
    private func content(of scene: Scene) throws -> [String: Data?] {
        let names = try FileManager.default.contentsOfDirectory(atPath: scene.path)
        return Dictionary(
            uniqueKeysWithValues: names.map { ($0, try? Data(contentsOf: URL(filePath: scene.folder.file($0)))) })
    }

    /// Tables that do not take what the pipeline has for them.
    static let tables: [Row] = [
        Row(
            name: "columns of other types",
            words: [
                "`books` does not fit", "`id` is TEXT", "needs INTEGER", "`title` is BLOB", "needs TEXT",
                "`shelf` is NOT NULL",
                "`table:`",
            ]
        ) { try make($0, "CREATE TABLE books (id TEXT PRIMARY KEY, title BLOB, shelf TEXT NOT NULL)") },
        Row(
            name: "no key",
            words: ["`books` does not fit", "no primary key or unique index covers exactly id", "`table:`"]
        ) {
            try make($0, "CREATE TABLE books (id INTEGER, title TEXT)")
        },
        Row(name: "a column of the key that is not there", words: ["the key column `id` is missing", "`table:`"]) {
            try make($0, "CREATE TABLE books (number INTEGER PRIMARY KEY, title TEXT)")
        },
        Row(name: "a column that is generated", words: ["`title` is generated", "`table:`"]) {
            try make($0, "CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT AS (upper(price)), price TEXT)")
        },
        Row(name: "a view", words: ["`books` is a view", "`table:`"]) {
            try make($0, "CREATE VIEW books AS SELECT 1 AS id")
        },
        Row(
            name: "a check that fails",
            words: [
                "table `books`", "record with `id` 2", "CHECK constraint failed: id <> 2", "Nothing was written",
                "`filter`",
            ]
        ) { try make($0, "CREATE TABLE books (id INTEGER PRIMARY KEY CHECK (id <> 2), title TEXT, price TEXT)") },
        Row(
            name: "a column that takes no null",
            words: [
                "table `books`", "record with `id` 4", "NOT NULL constraint failed: books.title", "`required: true`",
            ]
        ) {
            try make($0, "CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT NOT NULL, price TEXT)")
            try $0.write("books.json", #"[{"id": 3, "title": "c"}, {"id": 4, "title": null}]"#)
        },
        Row(
            name: "a foreign key to nothing",
            words: ["table `books`", "record with `id` 1", "FOREIGN KEY constraint failed", "Fill the table"]
        ) {
            try make(
                $0,
                "CREATE TABLE t (n TEXT PRIMARY KEY); CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT REFERENCES t (n), price TEXT)"
            )
        },
        Row(
            name: "a foreign key to nothing, checked at the end",
            words: ["row of the table `books`", "refers to a row of `t`", "Nothing was written", "Fill that table"]
        ) {
            try make(
                $0,
                "CREATE TABLE t (n TEXT PRIMARY KEY); CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT REFERENCES t (n) DEFERRABLE INITIALLY DEFERRED, price TEXT)"
            )
        },
        Row(
            name: "rows that `unique` forbids",
            words: ["Rows of the table `books` have the same price", "`unique`", "HAVING count(*) > 1"]
        ) {
            try make(
                $0,
                "CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT, price TEXT); INSERT INTO books VALUES (8, 'a', '1'), (9, 'b', '1')"
            )
            let pipeline = try String(contentsOfFile: $0.folder.file("books.yaml"), encoding: .utf8)
            try $0.write(
                "books.yaml", pipeline.replacing("primary_key: [id]", with: "primary_key: [id]\n    unique: [[price]]"))
        },
        Row(
            name: "a trigger against inserts",
            words: ["table `books`", "record with `id` 4", "no more books, says a trigger", "`filter`"]
        ) { try $0.execute("CREATE TRIGGER t BEFORE INSERT ON books BEGIN SELECT raise(ABORT, 'no more books'); END") },
        Row(
            name: "a trigger against updates",
            words: ["table `books`", "record with `id` 1", "titles are final, says a trigger"]
        ) {
            try $0.execute(
                "CREATE TRIGGER t BEFORE UPDATE OF title ON books BEGIN SELECT raise(FAIL, 'titles are final'); END")
        },
        Row(
            name: "a trigger against deletes",
            words: ["table `books`", "record with `id` 3", "keep all, says a trigger"]
        ) {
            try $0.execute("CREATE TRIGGER t AFTER DELETE ON books BEGIN SELECT raise(ROLLBACK, 'keep all'); END")
            try $0.writeBooks(2)
        },
        Row(
            name: "a trigger that swallows inserts",
            words: ["table `books`", "record with `id` 4", "the write is ignored, says a trigger"]
        ) {
            try $0.execute("CREATE TRIGGER t BEFORE INSERT ON books BEGIN SELECT raise(IGNORE); END")
        },
        Row(
            name: "a trigger that swallows updates",
            words: ["table `books`", "record with `id` 1", "the write is ignored, says a trigger"]
        ) {
            try $0.execute("CREATE TRIGGER t BEFORE UPDATE ON books BEGIN SELECT raise(IGNORE); END")
        },
        Row(
            name: "a trigger that swallows deletes",
            words: ["table `books`", "record with `id` 3", "the write is ignored, says a trigger"]
        ) {
            try $0.execute("CREATE TRIGGER t BEFORE DELETE ON books BEGIN SELECT raise(IGNORE); END")
            try $0.writeBooks(2)
        },
    ]

    /// Begins anew with a database that somebody else made.
    private static func make(_ scene: Scene, _ sql: String) throws {
        try FileManager.default.removeItem(atPath: scene.store)
        try Connection(path: scene.store, mode: .create).execute(sql)
    }

    @Test(arguments: tables)
    func aTableThatRefusesSaysWhichRecord(row: Row) throws {
        let scene = try Scene(records: 3)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        try scene.writeBooks(5, edition: 2)
        try row.prepare(scene)
        let before = try StoreDump(scene.store)
        for command in ["plan", "run"] {
            let result = try Program.run(command, "books.yaml", in: scene.path)
            // A plan never comes to the end of its transaction.
            if command == "plan" && row.name.contains("checked at the end") {
                #expect(result.code == 0)
                continue
            }
            expectOneError(result, code: 1, row.words)
        }
        let after = try StoreDump(scene.store)
        #expect(after.differences(from: before) == [])
        if before.runs.isEmpty { return }
        #expect(after.runs.count == before.runs.count + 1)
        let counts = "SELECT inserted, updated, deleted FROM _sluice_runs WHERE status = 'failed'"
        #expect(try scene.query(counts) == ["0|0|0"], "what was not kept is not counted")
    }

    /// What an adopted table says itself must be unique is settled as if the pipeline said it.
    @Test(arguments: [
        ("title TEXT UNIQUE, price TEXT", "`title`, which must be unique, are taken by {\"id\":1}"),
        (
            "title TEXT, price TEXT, UNIQUE (title, price)",
            "`title`, `price`, which must be unique, are taken by {\"id\":1}"
        ),
        (
            "title TEXT, price TEXT); CREATE UNIQUE INDEX i ON books (lower(title)",
            "refuses it: UNIQUE constraint failed: index 'i'"
        ),
        (
            "title TEXT, price TEXT); CREATE UNIQUE INDEX i ON books (title) WHERE id > 0; --",
            "refuses it: UNIQUE constraint failed: books.title"
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

    /// Another program that holds the store: a run says so, and waits where it is asked to.
    @Test(arguments: ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"])
    func aStoreThatIsLockedSaysSoOrIsWaitedFor(statement: String) throws {
        let scene = try Scene(records: 3)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        try scene.writeBooks(3, edition: 2)
        let before = try StoreDump(scene.store)
        let other = try Connection(path: scene.store, mode: .existing)
        try other.execute(statement)
        for command in ["plan", "run"] {
            let result = try Program.run(command, "books.yaml", "--wait", "0s", in: scene.path)
            expectOneError(result, code: 6, ["`shop.db` is locked by another program", "--wait 10m"])
            #expect(result.output.contains("not done, the store is in use"))
        }
        let waiting = try Program.start(["run", "books.yaml", "--wait", "1m"], in: scene.path)
        try other.execute("ROLLBACK")
        let result = try waiting.wait()
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        #expect(try scene.query("SELECT DISTINCT substr(title, -1) FROM books") == ["2"])
        #expect(before.runs.count == 1)
    }
}
