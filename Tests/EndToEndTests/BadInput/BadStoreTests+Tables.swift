import Foundation
import SluiceSQLite
import TestSupport

/// Tables that are in the way.
extension BadStoreTests {
    /// Tables that do not take what the pipeline has for them.
    static let tables: [Row] = [
        Row(
            name: "columns of other types",
            words: [
                "`books` does not fit", "`id` is TEXT", "needs INTEGER", "`title` is BLOB", "needs TEXT",
                "`shelf` is NOT NULL",
                "`table:`",
            ], code: 4
        ) { try make($0, "CREATE TABLE books (id TEXT PRIMARY KEY, title BLOB, shelf TEXT NOT NULL)") },
        Row(
            name: "no key",
            words: ["`books` does not fit", "no primary key or unique index covers exactly id", "`table:`"], code: 4
        ) {
            try make($0, "CREATE TABLE books (id INTEGER, title TEXT)")
        },
        Row(
            name: "a column of the key that is not there", words: ["the key column `id` is missing", "`table:`"],
            code: 4
        ) {
            try make($0, "CREATE TABLE books (number INTEGER PRIMARY KEY, title TEXT)")
        },
        Row(name: "a column that is generated", words: ["`title` is generated", "`table:`"], code: 4) {
            try make($0, "CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT AS (upper(price)), price TEXT)")
        },
        Row(name: "a view", words: ["`books` is a view", "`table:`"], code: 4) {
            try make($0, "CREATE VIEW books AS SELECT 1 AS id")
        },
        Row(
            name: "rows that `unique` forbids",
            words: ["Rows of the table `books` have the same price", "`unique`", #""1" in {"id":8}, {"id":9}"#], code: 4
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
            name: "a trigger against deletes",
            words: ["A trigger of `books` refused the record with `id` 3: keep all."]
        ) {
            try $0.execute("CREATE TRIGGER t AFTER DELETE ON books BEGIN SELECT raise(ROLLBACK, 'keep all'); END")
            try $0.writeBooks(2)
        },
    ]

    /// Begins anew with a database that somebody else made.
    static func make(_ scene: Scene, _ sql: String) throws {
        try FileManager.default.removeItem(atPath: scene.store)
        try Connection(path: scene.store, mode: .create).execute(sql)
    }
}
