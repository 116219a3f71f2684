import SluicePostgres
import TestSupport
import Testing

/// Columns that get other types on PostgreSQL, where a table with checks to come cannot change.
@Suite struct PostgresTypeTests {
    private let scene: Scene
    private let place: PostgresSchemaURL
    private let connection: PostgresConnection

    init() throws {
        scene = try Scene()
        place = try PostgresSchemaURL()
        connection = try PostgresConnection(PostgresAddress(place.server))
        try connection.execute("SET client_min_messages = warning")
    }

    private func write(pages: String, stock: String, author: String = "int") throws {
        try scene.write(
            "shop.yaml",
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              Author: {table: authors, primary_key: id, fields: {id: \(author), name: string}}
              Book:
                table: books
                primary_key: id
                fields: {id: int, title: string, pages: \(pages), author: {ref: Author, from: author}, stock: \(stock)}
            streams:
              - {name: authors, entity: Author, path: authors.json}
              - {name: books, entity: Book, path: books.json}
            """)
    }

    private func run(_ command: String) throws -> Program.Result {
        try Program.run(command, "shop.yaml", "--store", place.store, in: scene.path)
    }

    /// The reference is checked at the end of the transaction, for each row that is written twice in it.
    @Test(arguments: [("decimal", "int", "int"), ("int", "int", "string"), ("decimal", "int", "string")])
    func severalColumnsChangeBesideAReferenceAndATrigger(_ pages: String, _ stock: String, _ author: String) throws {
        defer { try? connection.execute("DROP SCHEMA IF EXISTS \(place.schema) CASCADE") }
        try write(pages: "int", stock: "string")
        try scene.write("authors.json", #"[{"id": 1, "name": "A"}]"#)
        try scene.write("books.json", #"[{"id": 1, "title": "t", "author": 1, "pages": 3, "stock": "5"}]"#)
        let first = try run("run")
        #expect(first.code == 0, "\(first)")
        try connection.execute(
            """
            CREATE FUNCTION \(place.schema).told() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN new; END';
            CREATE TRIGGER mine AFTER UPDATE OF title ON \(place.schema).books
                FOR EACH ROW EXECUTE FUNCTION \(place.schema).told()
            """)
        try write(pages: pages, stock: stock, author: author)
        for command in ["plan", "run"] {
            let result = try run(command)
            #expect(result.code == 0 && result.output.contains("~ column of books"), "\(command): \(result)")
        }
        let undo = try Program.run("undo", "2", "--store", place.store, in: scene.path)
        #expect(undo.code == 0, "\(undo)")
        let enabled = try connection.run(
            "SELECT count(*) FROM pg_trigger WHERE tgname = 'mine' AND tgenabled = 'O' AND tgrelid = '\(place.schema).books'::regclass"
        ).values
        #expect(enabled.count == 1 && "\(enabled)".contains("1"), "\(enabled)")
    }

    /// Rows are read once more for each column, which has another type than when the statement was prepared.
    @Test func valuesOfSeveralColumnsGoToTheQuarantineAtOnce() throws {
        defer { try? connection.execute("DROP SCHEMA IF EXISTS \(place.schema) CASCADE") }
        try write(pages: "string", stock: "string")
        try scene.write("authors.json", #"[{"id": 1, "name": "A"}]"#)
        try scene.write("books.json", #"[{"id": 1, "title": "t", "author": 1, "pages": "3", "stock": "2026-01-01"}]"#)
        let first = try run("run")
        #expect(first.code == 0, "\(first)")
        try connection.execute("UPDATE \(place.schema).books SET pages = 'x', stock = '24.12.2026'")
        try write(pages: "int", stock: "date")
        for command in ["plan", "run"] {
            let result = try Program.run(
                command, "shop.yaml", "--store", place.store, "--allow-schema", "quarantine", in: scene.path)
            #expect(result.code == 0 && result.output.contains("! values of books"), "\(command): \(result)")
        }
        let kept = try connection.run(
            "SELECT string_agg(value, ' ' ORDER BY id) FROM \(place.schema)._sluice_quarantine WHERE status = 'open'")
        #expect(kept.values == [[PostgresValue(#""x" "24.12.2026""#)]])
    }
}
