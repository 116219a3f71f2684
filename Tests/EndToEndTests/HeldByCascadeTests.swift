import SluicePostgres
import TestSupport
import Testing

/// Foreign keys of people's own that would take rows along, or empty their references, where a record goes: what may not lose its
/// record holds it, as it does where the foreign key says nothing of the kind.
@Suite struct HeldByCascadeTests {
    struct Case: CustomTestStringConvertible {
        /// What the reference's field says.
        let field: String
        /// What the column says.
        let column: String
        var testDescription: String { "\(field), \(column)" }
    }

    static let cases = [
        Case(field: "required: true", column: "NOT NULL REFERENCES b ON DELETE CASCADE"),
        Case(field: "required: true, on_dangling: stub", column: "NOT NULL REFERENCES b ON DELETE CASCADE"),
        Case(field: "required: true, on_dangling: fail", column: "NOT NULL REFERENCES b ON DELETE CASCADE"),
        Case(field: "on_dangling: stub", column: "REFERENCES b ON DELETE CASCADE"),
        Case(field: "on_dangling: stub", column: "REFERENCES b ON DELETE SET NULL"),
        Case(field: "on_dangling: fail", column: "REFERENCES b ON DELETE SET NULL"),
    ]

    @Test(arguments: cases) func onSQLite(_ test: Case) throws {
        let scene = try Scene()
        try scene.execute(
            "CREATE TABLE b (id INTEGER PRIMARY KEY, t TEXT); CREATE TABLE a (id INTEGER PRIMARY KEY, s TEXT, r_id INTEGER \(test.column))"
        )
        try play(scene, test, store: "sqlite:shop.db", { try scene.execute($0) }) { try scene.query($0) }
    }

    @Test(arguments: cases) func onPostgres(_ test: Case) throws {
        let (scene, place) = (try Scene(), try PostgresSchemaURL())
        let connection = try PostgresConnection(PostgresAddress(place.server))
        try connection.execute(
            """
            SET client_min_messages = warning; CREATE SCHEMA \(place.schema); SET search_path = \(place.schema);
            CREATE TABLE b (id bigint PRIMARY KEY, t text);
            CREATE TABLE a (id bigint PRIMARY KEY, s text, r_id bigint \(test.column))
            """)
        defer { try? connection.execute("DROP SCHEMA IF EXISTS \(place.schema) CASCADE") }
        try play(scene, test, store: place.store, { try connection.execute($0) }) { sql in
            try connection.run(sql).values.map { row in
                row.map { if case .text(let text) = $0 { String(decoding: text, as: UTF8.self) } else { "" } }
                    .joined(separator: "|")
            }
        }
    }

    private func play(
        _ scene: Scene, _ test: Case, store: String, _ execute: (String) throws -> Void,
        _ query: (String) throws -> [String]
    ) throws {
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              A: {table: a, primary_key: id, fields: {id: int, s: string, r: {ref: B, from: r, \(test.field)}}}
              B: {table: b, primary_key: id, fields: {id: int, t: string}}
            streams:
            - {name: b, entity: B, path: b.json, delete_missing: {mode: hard, max_delete: 100%, min_records: 0}}
            - {name: a, entity: A, path: a.json}
            """)
        try scene.write("b.json", #"[{"id": 1, "t": "x"}, {"id": 2, "t": "y"}]"#)
        try scene.write(
            "a.json", #"[{"id": 5, "s": "p", "r": 1}, {"id": 6, "s": "q", "r": 1}, {"id": 7, "s": "r", "r": 2}]"#)
        func run() throws -> Program.Result { try Program.run("run", "books.yaml", "--store", store, in: scene.path) }
        #expect(try run().code == 0)
        try execute("UPDATE a SET s = 'hand' WHERE id = 6")
        try scene.write("b.json", #"[{"id": 2, "t": "y"}]"#)
        let rows = ["5|p|1", "6|hand|1", "7|r|2"]
        let all = "SELECT CAST(id AS text), s, CAST(r_id AS text) FROM a ORDER BY id"
        let held = try run()
        #expect(try query(all) == rows, "\(held)")
        #expect(try query("SELECT CAST(id AS text) FROM b ORDER BY id") == ["1", "2"], "\(held)")
        #expect((held.output + held.errors).contains("rows of `a` refer to it by `r`"), "\(held)")
        // It goes once nothing leads to it.
        try scene.write(
            "a.json", #"[{"id": 5, "s": "p", "r": 2}, {"id": 6, "s": "q", "r": 2}, {"id": 7, "s": "r", "r": 2}]"#)
        _ = try run()
        let last = try run()
        #expect(try query("SELECT CAST(id AS text) FROM b ORDER BY id") == ["2"], "\(last)")
        #expect(try query(all) == ["5|p|2", "6|hand|2", "7|r|2"], "\(last)")
    }
}
