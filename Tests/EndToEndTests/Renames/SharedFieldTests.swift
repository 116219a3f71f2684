import TestSupport
import Testing

/// A pipeline that no longer has a field which another one fills.
@Suite struct SharedFieldTests {
    private func write(_ name: String, _ stream: String, _ fields: String, in scene: TableScene) throws {
        try scene.write(
            "\(name).yaml",
            """
            version: 1
            name: \(name)
            source: {base_url: "file:."}
            entities:
              T: {table: t, primary_key: [id], fields: {id: int, \(fields)}}
            streams: [{name: \(stream), entity: T, path: \(stream).json, schema_contract: {fields: ignore}}]
            merge: {precedence: [p/a, q/b]}
            """)
    }

    /// Has p no longer fill `n`, which q goes on to fill.
    private func drop(_ kind: TableScene.Kind, a: String, b: String) throws -> TableScene {
        let scene = try TableScene(kind)
        try scene.write("a.json", a)
        try scene.write("b.json", b)
        try write("p", "a", "n: string, m: string", in: scene)
        try write("q", "b", "n: string", in: scene)
        for name in ["p", "q"] { #expect(try scene.sluice("run", "\(name).yaml").code == 0) }
        try write("p", "a", "m: string", in: scene)
        #expect(try scene.sluice("run", "p.yaml").code == 0)
        return scene
    }

    private static let a = #"[{"id":1,"n":"x","m":"m"},{"id":2,"n":"y","m":"m"}]"#

    @Test(arguments: TableScene.Kind.allCases) func itsValuesAreNoEdits(_ kind: TableScene.Kind) throws {
        let scene = try drop(kind, a: Self.a, b: #"[{"id":1,"n":"x"}]"#)
        #expect(try scene.sluice("edits").output.contains("Nothing was changed here"))
        try scene.write("b.json", #"[{"id":1,"n":"x"},{"id":2,"n":"new"}]"#)
        let run = try scene.sluice("run", "q.yaml")
        #expect(run.output.contains("1 updated, 1 unchanged"), "\(run.output)\(run.errors)")
        #expect(try scene.query("SELECT n FROM t ORDER BY id") == ["x", "new"])
        #expect(try scene.sluice("edits").output.contains("Nothing was changed here"))
    }

    /// What people changed of them before the other source came is asked about.
    @Test(arguments: Seeds.some(of: TableScene.Kind.allCases, oneOf: 2)) func editsStay(_ kind: TableScene.Kind) throws
    {
        let scene = try drop(kind, a: Self.a, b: #"[{"id":1,"n":"x"}]"#)
        try scene.execute("UPDATE t SET n = 'mine' WHERE id = 2")
        #expect(try scene.sluice("edits").output.contains(#"base "y"   local "mine""#))
        try scene.write("b.json", #"[{"id":1,"n":"x"},{"id":2,"n":"new"}]"#)
        #expect(try scene.sluice("run", "q.yaml").output.contains("1 in conflict"))
        #expect(try scene.query("SELECT n FROM t ORDER BY id") == ["x", "mine"])
    }

    /// The value of the source that went first passes to the other one; who writes it again later edits.
    @Test(arguments: Seeds.some(of: TableScene.Kind.allCases, oneOf: 2))
    func anOldValueIsAnEditOnceTheOtherSourceWasMerged(
        _ kind: TableScene.Kind
    ) throws {
        let scene = try drop(kind, a: Self.a, b: #"[{"id":1,"n":"other"}]"#)
        #expect(try scene.sluice("edits").output.contains("Nothing was changed here"))
        try scene.write("b.json", #"[{"id":1,"n":"newer"}]"#)
        let run = try scene.sluice("run", "q.yaml")
        #expect(run.output.contains("1 updated"), "\(run.output)\(run.errors)")
        try scene.execute("UPDATE t SET n = 'x' WHERE id = 1")
        #expect(try scene.sluice("edits").output.contains(#"base "newer"   local "x""#))
        try scene.write("b.json", #"[{"id":1,"n":"newest"}]"#)
        #expect(try scene.sluice("run", "q.yaml").output.contains("1 in conflict"))
        #expect(try scene.query("SELECT n FROM t WHERE id = 1") == ["x"])
    }

    /// A field that comes back has its base of before, and takes its place again.
    @Test(arguments: TableScene.Kind.allCases) func itComesBack(_ kind: TableScene.Kind) throws {
        let scene = try drop(kind, a: Self.a, b: #"[{"id":1,"n":"x"}]"#)
        try scene.execute("UPDATE t SET n = 'mine' WHERE id = 2")
        try write("p", "a", "n: string, m: string", in: scene)
        let run = try scene.sluice("run", "p.yaml")
        #expect(run.code == 0 && !run.output.contains("conflict"), "\(run.output)\(run.errors)")
        #expect(try scene.query("SELECT n FROM t ORDER BY id") == ["x", "mine"])
        #expect(try scene.sluice("edits").output.contains(#"base "y"   local "mine""#))
    }

    // MARK: Values of the source that went first

    /// A field that both give, each something else, and its column.
    struct Kind: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let field: String
        let values: (a: String, b: String, next: String)
        /// What tells the value in the store.
        let query: String
        let told: (a: String, b: String, next: String)
    }

    static let kinds = [
        Kind(
            testDescription: "a text", field: "n: string", values: (#""x""#, #""z""#, #""z2""#),
            query: "SELECT n FROM t", told: ("x", "z", "z2")),
        Kind(
            testDescription: "a text with a default", field: "n: {type: string, default: dd}",
            values: (#""x""#, #""z""#, #""z2""#), query: "SELECT n FROM t", told: ("x", "z", "z2")),
        Kind(
            testDescription: "a reference", field: "n: {ref: G, from: n}", values: ("1", "2", "3"),
            query: "SELECT CAST(n_id AS text) FROM t", told: ("1", "2", "3")),
        Kind(
            testDescription: "links", field: "n: {refs: G, from: \"n[*]\"}", values: ("[1]", "[2]", "[2, 3]"),
            query: "SELECT CAST(sum(g_id) AS text) FROM t_n", told: ("1", "2", "5")),
        Kind(
            testDescription: "a reference that waits", field: "n: {ref: G, from: n}", values: ("7", "8", "3"),
            query: "SELECT coalesce(CAST(n_id AS text), 'null') FROM t", told: ("null", "null", "3")),
    ]

    /// All kinds on SQLite, and those that differ most on PostgreSQL.
    static let cases = kinds.map { ($0, TableScene.Kind.sqlite) } + [kinds[0], kinds[3]].map { ($0, .postgres) }
    /// Those whose values stand in the row from the first run on.
    static let standing = cases.filter { $0.0.told.a != "null" }

    func pair(_ kind: Kind, _ place: TableScene.Kind) throws -> TableScene {
        let scene = try TableScene(place)
        try scene.write("g.json", #"[{"id":1},{"id":2},{"id":3}]"#)
        try say(kind.values.a, "a", in: scene)
        try say(kind.values.b, "b", in: scene)
        for name in ["p", "q"] {
            try give(name, kind.field, in: scene)
            #expect(try scene.sluice("run", "\(name).yaml").code == 0)
        }
        #expect(try scene.query(kind.query) == [kind.told.a])
        return scene
    }

    func say(_ value: String, _ stream: String, in scene: TableScene) throws {
        try scene.write("\(stream).json", "[{\"id\":1,\"m\":\"m\",\"n\":\(value)}]")
    }

    func give(_ name: String, _ field: String?, in scene: TableScene) throws {
        let stream = name == "p" ? "a" : "b"
        let fields = ["id: int", "m: string"] + (field.map { [$0] } ?? [])
        try scene.write(
            "\(name).yaml",
            """
            version: 1
            name: \(name)
            source: {base_url: "file:."}
            entities:
              G: {table: g, primary_key: [id], fields: {id: int}}
              T: {table: t, primary_key: [id], fields: {\(fields.joined(separator: ", "))}}
            streams:
              - {name: g, entity: G, path: g.json}
              - name: \(stream)
                entity: T
                path: \(stream).json
                schema_contract: {fields: ignore}
                delete_missing: {mode: hard, max_delete: 100%, min_records: 0}
            merge: {precedence: [p/g, p/a, q/g, q/b]}
            """)
    }

    func runs(_ name: String, in scene: TableScene, _ place: SourceLocation = #_sourceLocation) throws {
        let run = try scene.sluice("run", "\(name).yaml")
        let text = run.output + run.errors
        #expect(
            run.code == 0 && !text.contains("conflict") && !text.contains("edited"), "\(text)", sourceLocation: place)
        #expect(!text.contains("filled by no field") || name == "q", "\(text)", sourceLocation: place)
        let edits = try scene.sluice("edits").output
        #expect(edits.contains("Nothing was changed here"), "\(edits)", sourceLocation: place)
    }

    /// It gives way to the other source, whose next change is taken; and then the field may go there as well.
    @Test(arguments: cases) func theOtherSourceGoesOn(_ kind: Kind, _ place: TableScene.Kind) throws {
        let scene = try pair(kind, place)
        try give("p", nil, in: scene)
        try runs("p", in: scene)
        #expect(try scene.query(kind.query) == [kind.told.a])
        try runs("q", in: scene)
        try say(kind.values.next, "b", in: scene)
        try runs("q", in: scene)
        #expect(try scene.query(kind.query) == [kind.told.next])
        try give("q", nil, in: scene)
        try runs("q", in: scene)
    }

    /// Both give it up, one after the other: nobody changed a value.
    @Test(arguments: cases) func bothGiveItUp(_ kind: Kind, _ place: TableScene.Kind) throws {
        let scene = try pair(kind, place)
        for name in ["p", "q"] {
            try give(name, nil, in: scene)
            try runs(name, in: scene)
        }
    }

    /// It comes back after the other source changed the value, and goes first again; a record that both lose goes.
    @Test(arguments: standing)
    func itTakesItsPlaceAgain(_ kind: Kind, _ place: TableScene.Kind) throws {
        let scene = try pair(kind, place)
        try give("p", nil, in: scene)
        try runs("p", in: scene)
        try say(kind.values.next, "b", in: scene)
        try runs("q", in: scene)
        try give("p", kind.field, in: scene)
        try runs("p", in: scene)
        #expect(try scene.query(kind.query) == [kind.told.a])
        for (name, stream) in [("p", "a"), ("q", "b")] {
            try scene.write("\(stream).json", "[]")
            let run = try scene.sluice("run", "\(name).yaml")
            #expect(run.code == 0 && !run.output.contains("conflict"), "\(run.output)\(run.errors)")
        }
        #expect(try scene.query("SELECT m FROM t") == [])
    }

    /// A record that the other source lost before goes with the one that gave the field up.
    @Test(arguments: standing)
    func aRecordThatBothLoseGoes(_ kind: Kind, _ place: TableScene.Kind) throws {
        let scene = try pair(kind, place)
        try scene.write("b.json", "[]")
        #expect(try scene.sluice("run", "q.yaml").code == 0)
        try give("p", nil, in: scene)
        try runs("p", in: scene)
        try scene.write("a.json", "[]")
        let run = try scene.sluice("run", "p.yaml")
        #expect(run.output.contains("1 deleted") && !run.output.contains("conflict"), "\(run.output)\(run.errors)")
    }

    /// What the other pipeline called the column meanwhile, the field that comes back has to say.
    @Test func aColumnThatWasRenamedMeanwhileIsNamed() throws {
        let scene = try pair(Self.kinds[0], .sqlite)
        try give("p", nil, in: scene)
        try runs("p", in: scene)
        try give("q", "n2: {type: string, from: n, renamed_from: n}", in: scene)
        #expect(try scene.sluice("run", "q.yaml").code == 0)
        try give("p", "n: string", in: scene)
        let refused = try scene.sluice("run", "p.yaml")
        #expect(refused.code == 4 && refused.errors.contains("Give the field `column: n2`"), "\(refused.errors)")
        try give("p", "n: {type: string, column: n2}", in: scene)
        #expect(try scene.sluice("run", "p.yaml").code == 0)
        #expect(try scene.sluice("run", "q.yaml").code == 0)
    }

    /// Another field may take the column of one that was given up.
    @Test(arguments: Seeds.some(of: TableScene.Kind.allCases, oneOf: 2)) func aNewFieldTakesTheColumn(
        _ kind: TableScene.Kind
    ) throws {
        let scene = try TableScene(kind)
        try scene.write("a.json", #"[{"id":1,"b":"b1","c":"c1"},{"id":2,"b":"b2","c":"c2"}]"#)
        for fields in [
            "b: string, c: string", "c: string", "c: string, n: {type: string, from: b, column: b}", "c: string",
        ] {
            try write("p", "a", fields, in: scene)
            let run = try scene.sluice("run", "p.yaml")
            #expect(run.code == 0, "\(fields): \(run.output)\(run.errors)")
            #expect(try scene.sluice("edits").output.contains("Nothing was changed here"), "\(fields)")
        }
        #expect(try scene.query("SELECT b FROM t ORDER BY id") == ["b1", "b2"])
    }
}
