import Foundation
import SluiceSQLite
import TestSupport

/// A folder with a pipeline, its source and its store.
struct Scene {
    let folder: TemporaryDirectory
    var path: String { folder.path }
    var store: String { folder.file("shop.db") }

    /// A pipeline over a file in the folder.
    init(records: Int = 3, extra: String = "") throws {
        folder = try TemporaryDirectory()
        try write("books.yaml", Self.pipeline(source: "{base_url: \"file:.\"}", path: "books.json", extra: extra))
        try writeBooks(records)
    }

    /// A pipeline over a document, with fields and identifier of its own; `stream` is a further key of the stream.
    init(document: String, fields: String = "id: int, title: string", key: String = "id", stream: String = "") throws {
        folder = try TemporaryDirectory()
        try write("books.json", document)
        try write(
            "books.yaml",
            """
            version: 1
            name: books
            store: sqlite:shop.db
            source: {base_url: "file:."}
            entities:
              Book: {table: books, primary_key: [\(key)], fields: {\(fields)}}
            streams:
              - name: books
                entity: Book
                path: books.json
                delete_missing: {mode: hard, max_delete: 100%}
                \(stream)
            """)
    }

    /// A pipeline over a server.
    init(url: String, extra: String = "paginator: {type: header_link}") throws {
        folder = try TemporaryDirectory()
        let source = "{base_url: \"\(url)\", retry: {max_attempts: 1}}"
        try write("books.yaml", Self.pipeline(source: source, path: "/books", extra: extra))
    }

    private static func pipeline(source: String, path: String, extra: String) -> String {
        """
        version: 1
        name: books
        store: sqlite:shop.db
        source: \(source)
        entities:
          Book:
            table: books
            primary_key: [id]
            fields: {id: int, title: string, price: decimal}
        streams:
          - name: books
            entity: Book
            path: \(path)
            delete_missing: {mode: hard, max_delete: 100%}
            \(extra)
        """
    }

    func write(_ name: String, _ text: String) throws {
        try text.write(toFile: folder.file(name), atomically: true, encoding: .utf8)
    }

    func write(_ name: String, bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(filePath: folder.file(name)))
    }

    /// Changes the permissions of a file of the folder, or of the folder itself.
    func permit(_ mode: Int, _ name: String = ".") throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.file(name))
    }

    /// Writes records 1 to `count`, whose titles say which edition they belong to.
    func writeBooks(_ count: Int, edition: Int = 1) throws {
        let records = (1...count).map {
            "{\"id\": \($0), \"title\": \"Book \($0), edition \(edition)\", \"price\": \"9.50\"}"
        }
        try write("books.json", "[" + records.joined(separator: ",\n") + "]")
    }

    /// The rows of a query, as text.
    func query(_ sql: String) throws -> [String] {
        let connection = try Connection(path: store, mode: .existing)
        return try connection.rows(sql).map { row in
            row.map { value in
                switch value {
                case .null: "null"
                case .integer(let value): String(value)
                case .real(let value): String(value)
                case .text(let bytes), .blob(let bytes): String(decoding: bytes, as: UTF8.self)
                }
            }.joined(separator: "|")
        }
    }

    /// Changes the store by hand.
    func execute(_ sql: String) throws { try Connection(path: store, mode: .existing).execute(sql) }

    /// Everything that the store's tables hold, but for when it ran.
    func contents() throws -> [String: [String]] {
        var contents: [String: [String]] = [:]
        for table in try query("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        where table != "_sluice_runs" {
            let columns = try query("SELECT name FROM pragma_table_info('\(table)')")
                .filter { !["run", "first_run", "last_run"].contains($0) }
            // What is kept of a base or a conflict names runs too.
            let isHistory = table == "_sluice_changes"
            let list = columns.map { column in
                // The page has the server's port in it.
                if isHistory && column == "field" { return "CASE WHEN kind <> 'record' THEN quote(field) END" }
                return isHistory && ["old", "new"].contains(column)
                    ? "CASE WHEN kind IN ('field', 'column') THEN quote(\"\(column)\") END" : "quote(\"\(column)\")"
            }.joined(separator: ", ")
            // What is kept of a run besides its row, such as what it was asked for, is told apart by its number; no two stores have one
            // identity, nor one folder.
            let others = [
                "_sluice_state": " WHERE part NOT LIKE 'run %' AND name <> 'request'",
                "_sluice_schema": " WHERE kind <> 'store'",
            ]
            contents[table] = try query("SELECT \(list) FROM \"\(table)\"\(others[table] ?? "")").sorted()
        }
        return contents
    }
}
