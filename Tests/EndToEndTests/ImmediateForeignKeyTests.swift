import TestSupport
import Testing

/// Foreign keys of people's own that are checked at once: a run does all that they allow once all of its streams are written, so
/// that the next one finds nothing to do.
@Suite struct ImmediateForeignKeyTests {
    struct Case: CustomTestStringConvertible {
        let name: String
        /// What the field of `a` is that leads to `b`.
        let field: String
        /// How its column is declared.
        var column = "REFERENCES b (id)"
        /// Which stream is first.
        var order = ["b", "a"]
        /// What the sources say of each stream, run by run.
        let a: [String]
        let b: [String]
        /// The rows after each run: of `b`, and of `a` with what they lead to.
        let rows: [[String]]
        /// What a person does before the last run.
        var edit = ""
        var testDescription: String { name }
    }

    static let two = #"[{"id": 1}, {"id": 2}]"#
    static let one = #"[{"id": 1}]"#
    static let cases = [
        Case(
            name: "a record goes with the row that leads to it", field: "r_id: int",
            a: [#"[{"id": 5, "r_id": 2}, {"id": 6, "r_id": 1}]"#, #"[{"id": 6, "r_id": 1}]"#], b: [two, one],
            rows: [["1", "2", "5 2", "6 1"], ["1", "6 1"]]),
        Case(
            name: "a record goes once the row leads elsewhere", field: "r_id: int",
            a: [#"[{"id": 5, "r_id": 2}]"#, #"[{"id": 5, "r_id": 1}]"#], b: [two, one],
            rows: [["1", "2", "5 2"], ["1", "5 1"]]),
        Case(
            name: "a record stays as long as a row leads to it", field: "r_id: int",
            a: [#"[{"id": 5, "r_id": 2}]"#, #"[{"id": 5, "r_id": 2}]"#], b: [two, one],
            rows: [["1", "2", "5 2"], ["1", "2", "5 2"]]),
        Case(
            name: "a row goes in whose record comes behind it", field: "r: {ref: B, from: r_id}", order: ["a", "b"],
            a: [#"[{"id": 5, "r_id": 2}]"#], b: [two], rows: [["1", "2", "5 2"]]),
        Case(
            name: "a reference waits for a record that goes and comes back", field: "r: {ref: B, from: r_id}",
            a: [#"[{"id": 5, "r_id": 2}]"#, #"[{"id": 5, "r_id": 2}]"#, #"[{"id": 5, "r_id": 2}]"#],
            b: [two, one, two],
            rows: [["1", "2", "5 2"], ["1", "5 null"], ["1", "2", "5 2"]]),
        Case(
            name: "a reference is null for good", field: "r: {ref: B, from: r_id, on_dangling: set_null}",
            column: "REFERENCES b (id) ON DELETE RESTRICT",
            a: [#"[{"id": 5, "r_id": 2}]"#, #"[{"id": 5, "r_id": 2}]"#, #"[{"id": 5, "r_id": 2}]"#],
            b: [two, one, two],
            rows: [["1", "2", "5 2"], ["1", "5 null"], ["1", "2", "5 null"]]),
        Case(
            name: "a reference that may not be null holds its record", field: "r: {ref: B, from: r_id, required: true}",
            column: "NOT NULL REFERENCES b (id)",
            a: [#"[{"id": 5, "r_id": 2}]"#, #"[{"id": 5, "r_id": 2}]"#], b: [two, one],
            rows: [["1", "2", "5 2"], ["1", "2", "5 2"]]),
        Case(
            name: "a reference that somebody edited", field: "r: {ref: B, from: r_id}",
            a: [#"[{"id": 5, "r_id": 1}]"#, #"[{"id": 5, "r_id": 1}]"#], b: [two, one],
            rows: [["1", "2", "5 1"], ["1", "5 null"]], edit: "UPDATE a SET r_id = 2"),
    ]

    @Test(arguments: Seeds.pairs(cases, in: TableScene.Kind.allCases))
    func settles(_ test: Case, _ kind: TableScene.Kind) throws {
        let scene = try TableScene(kind)
        try scene.execute(
            "CREATE TABLE b (id INT PRIMARY KEY); CREATE TABLE a (id INT PRIMARY KEY, r_id INT \(test.column))")
        let streams = test.order.map { name in
            "- {name: \(name), entity: \(name.uppercased()), path: \(name).json, delete_missing: {mode: hard, max_delete: 100%}}"
        }
        try scene.write(
            "shop.yaml",
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              A: {table: a, primary_key: id, fields: {id: int, \(test.field)}}
              B: {table: b, primary_key: id, fields: {id: int}}
            streams:
            \(streams.joined(separator: "\n"))
            """)
        for run in test.rows.indices {
            if run == test.rows.count - 1, !test.edit.isEmpty { try scene.execute(test.edit) }
            try scene.write("a.json", test.a[run])
            try scene.write("b.json", test.b[run])
            let result = try scene.sluice("run", "shop.yaml")
            #expect(result.code == 0, "\(result)")
            #expect(try rows(scene) == test.rows[run], "run \(run + 1): \(result)")
            let again = try scene.sluice("plan", "shop.yaml", "--detailed-exitcode")
            #expect(again.code == 0, "after run \(run + 1): \(again)")
            let check = try scene.sluice("store", "check")
            #expect(check.code == 0, "\(check)")
        }
    }

    private func rows(_ scene: TableScene) throws -> [String] {
        try scene.query("SELECT CAST(id AS text) FROM b ORDER BY id")
            + scene.query(
                "SELECT CAST(id AS text) || ' ' || coalesce(CAST(r_id AS text), 'null') FROM a ORDER BY id")
    }

    @Test("What an earlier stream refused is counted and told as it is in the end", arguments: TableScene.Kind.allCases)
    func counts(_ kind: TableScene.Kind) throws {
        let scene = try TableScene(kind)
        try scene.execute(
            """
            CREATE TABLE b (id INT PRIMARY KEY); CREATE TABLE a (id INT PRIMARY KEY, r_id INT REFERENCES b (id));
            CREATE TABLE own (id INT PRIMARY KEY, b_id INT REFERENCES b (id))
            """)
        try scene.write(
            "shop.yaml",
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              A: {table: a, primary_key: id, fields: {id: int, r_id: int}}
              B: {table: b, primary_key: id, fields: {id: int}}
            streams:
            - {name: b, entity: B, path: b.json, delete_missing: {mode: hard, max_delete: 100%}}
            - {name: a, entity: A, path: a.json, delete_missing: {mode: hard, max_delete: 100%}}
            """)
        try scene.write("b.json", #"[{"id": 1}, {"id": 2}, {"id": 3}]"#)
        try scene.write("a.json", #"[{"id": 5, "r_id": 2}, {"id": 6, "r_id": 1}]"#)
        #expect(try scene.sluice("run", "shop.yaml").code == 0)
        try scene.execute("INSERT INTO own VALUES (1, 3)")
        try scene.write("b.json", #"[{"id": 1}]"#)
        try scene.write("a.json", #"[{"id": 6, "r_id": 1}]"#)
        let run = try scene.sluice("run", "shop.yaml")
        #expect(run.output.contains("2 deleted, 1 delete refused, 2 unchanged"), "\(run)")
        #expect(run.output.contains("1 row of `b` is gone from the source but could not be deleted"), "\(run)")
        #expect(run.output.contains(#"for example {"id":3}"#), "\(run)")
        let next = try scene.sluice("run", "shop.yaml")
        #expect(next.output.contains("nothing changed, 1 delete refused, 2 unchanged"), "\(next)")
        let undo = try scene.sluice("undo", "2")
        #expect(undo.code == 0, "\(undo)")
        #expect(try rows(scene) == ["1", "2", "3", "5 2", "6 1"])
    }
}
