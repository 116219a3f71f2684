import SluiceSQLite

/// A shop whose store and source have changed the same records: every kind of conflict at once.
///
///     1  title, seen  edit_edit, edit_clear      4  title  clear_edit
///     2  title (long) edit_edit                  5  title  add_add
///     3  gone at the source, edited here         6  deleted here, changed at the source
struct Dispute {
    static let long = "A long text about nothing in particular, which goes on for more than sixty characters."
    static let longHere = "A long text about something in particular, which goes on for more than sixty characters."
    static let longThere = "A long text about nothing at all, which goes on for more than seventy characters."
    static let before = """
        [{"id":1,"title":"One","seen":true,"price":"1.50"},{"id":2,"title":"\(long)"},{"id":3,"title":"Three"},
         {"id":4,"title":"Four","tags":{"a":1}},{"id":5},{"id":6,"title":"Six"},{"id":7,"title":"Seven"}]
        """
    static let after = """
        [{"id":1,"title":"Uno","seen":null,"price":"1.50"},{"id":2,"title":"\(longThere)"},
         {"id":4,"title":"Quattro","tags":{"a":1}},{"id":5,"title":"Cinque"},{"id":6,"title":"Sei","price":"6"},
         {"id":7,"title":"Seven"}]
        """
    static let edits = """
        UPDATE books SET title = 'Eins', seen = 0 WHERE id = 1; UPDATE books SET title = '\(longHere)' WHERE id = 2;
        UPDATE books SET title = 'Drei' WHERE id = 3; UPDATE books SET title = NULL WHERE id = 4;
        UPDATE books SET title = 'Fünf' WHERE id = 5; DELETE FROM books WHERE id = 6
        """
    let shop: Workshop

    init() throws {
        shop = try Workshop()
        shop.environment["USER"] = "ada"
        try writePipeline()
        try shop.write(Self.before, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        try shop.sql(Self.edits)
        try shop.write(Self.after, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
    }

    func writePipeline(fields: String = "seen: bool, price: decimal, tags: json", unique: String = "") throws {
        try shop.write(
            """
            version: 1
            name: shop
            merge: {keep_base: digest}
            source: {base_url: "file:."}
            entities:
              Book:
                table: books
                primary_key: [id]
                \(unique)
                fields: {id: int, title: string, \(fields)}
            streams:
              - {name: books, entity: Book, path: books.json, delete_missing: {mode: hard, max_delete: 100%}}
            """, to: "shop.yaml")
    }

    /// The number of the open conflict of a record.
    func id(_ record: Int, _ field: String? = nil) throws -> String {
        let condition = field.map { "field = '\($0)'" } ?? "field IS NULL"
        let query = "SELECT id FROM _sluice_conflicts WHERE status = 'open' AND key = '{\"id\":\(record)}' AND "
        guard case .integer(let id) = try shop.value(query + condition) else { return "?" }
        return String(id)
    }

    /// Everything that the store holds, but for its runs.
    func contents() throws -> [String: [String]] {
        let connection = try Connection(path: shop.store, mode: .existing)
        func texts(_ query: String) throws -> [String] { try connection.rows(query).map { "\($0)" } }
        func names(_ query: String) throws -> [String] {
            try connection.rows(query).compactMap { row in
                if case .text(let bytes) = row[0] { return String(decoding: bytes, as: UTF8.self) }
                return nil
            }
        }
        var contents: [String: [String]] = [:]
        for table in try names("SELECT name FROM sqlite_schema WHERE type = 'table'") where table != "_sluice_runs" {
            // How records are known by their texts is found out anew, which nobody sees.
            let columns = try names(
                "SELECT 'quote(\"' || name || '\")' FROM pragma_table_info('\(table)') WHERE name NOT LIKE 'text_%'")
            let rows = [
                "_sluice_state": " WHERE name <> 'record_texts' AND part NOT LIKE 'run %'",
                // No two stores have one identity.
                "_sluice_schema": " WHERE kind <> 'store'",
            ]
            contents[table] = try texts(
                "SELECT \(columns.joined(separator: ", ")) FROM \"\(table)\"\(rows[table] ?? "")"
            ).sorted()
        }
        return contents
    }
}
