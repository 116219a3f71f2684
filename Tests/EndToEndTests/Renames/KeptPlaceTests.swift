import TestSupport
import Testing

/// A field that takes a name of before takes nothing of what the source said of other fields.
@Suite struct KeptPlaceTests {
    private static func pipeline(_ fields: String) -> String {
        """
        version: 1
        name: p
        source: {base_url: "file:."}
        entities:
          G: {table: g, primary_key: [id], fields: {id: int}}
          T: {table: t, primary_key: [id], fields: {id: int, \(fields)}}
        streams:
          - {name: g, entity: G, path: g.json, schema_contract: {fields: ignore}}
          - {name: a, entity: T, path: a.json, schema_contract: {fields: ignore}}
        merge: {on_conflict: remote_wins}
        """
    }

    static let cases: [(name: String, fields: [String])] = [
        ("a name that was given up", ["m: string, n: string", "n: string", "m: {type: string, from: n, column: n}"]),
        (
            "the same with a name of before",
            ["m: string, n: string", "n: string", "m: {type: string, from: n, column: n, renamed_from: n}"]
        ),
        (
            "a name that links had",
            [
                "n: string, m: {refs: G, from: \"g[*]\"}, q: string",
                "m: {type: string, from: n, column: n, renamed_from: n}, q: string",
            ]
        ),
    ]

    @Test(arguments: Seeds.pairs(Array(cases.indices), in: TableScene.Kind.allCases))
    func editsStay(_ index: Int, _ kind: TableScene.Kind) throws {
        let scene = try TableScene(kind)
        try scene.write("g.json", #"[{"id":1},{"id":2}]"#)
        try scene.write(
            "a.json", #"[{"id":1,"m":"m1","n":"n1","q":"q1","g":[1]},{"id":2,"m":"m2","n":"n2","q":"q2","g":[2]}]"#)
        for (step, fields) in Self.cases[index].fields.enumerated() {
            try scene.write("p.yaml", Self.pipeline(fields))
            let run = try scene.sluice("run", "p.yaml")
            #expect(run.code == 0 && !run.output.contains("conflict"), "\(fields): \(run.output)\(run.errors)")
            if step == 0 { try scene.execute("UPDATE t SET n = 'mine' WHERE id = 1") }
        }
        #expect(try scene.query("SELECT n FROM t ORDER BY id") == ["mine", "n2"])
        let edits = try scene.sluice("edits", "p.yaml").output
        #expect(edits.contains("1 value edited in 1 row") && edits.contains(#"base "n1""#), "\(edits)")
        #expect(try scene.sluice("store", "check").code == 0)
    }
}
