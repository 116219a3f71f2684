import TestSupport
import Testing

/// Streams that exchange their names, and those that other files order by a name of before.
@Suite struct RenamedStreamTests {
    private func write(_ streams: String, _ order: String, in scene: TableScene) throws {
        try scene.write(
            "p.yaml",
            """
            version: 1
            name: p
            source: {base_url: "file:."}
            entities:
              T: {table: t, primary_key: [id], fields: {id: int, n: string}}
            streams: [\(streams)]
            merge: {precedence: [\(order)]}
            """)
    }

    private func scene(_ kind: TableScene.Kind, isEdited: Bool = true) throws -> TableScene {
        let scene = try TableScene(kind)
        try scene.write("a.json", #"[{"id":1,"n":"a1"},{"id":2,"n":"a2"}]"#)
        try scene.write("b.json", #"[{"id":1,"n":"b1"},{"id":3,"n":"b3"}]"#)
        try write("{name: a, entity: T, path: a.json}, {name: b, entity: T, path: b.json}", "a, b", in: scene)
        #expect(try scene.sluice("run", "p.yaml").code == 0)
        if isEdited { try scene.execute("UPDATE t SET n = 'mine' WHERE id IN (1, 3)") }
        return scene
    }

    private static let exchanged = "{name: b, entity: T, path: a.json}, {name: a, entity: T, path: b.json}"

    /// It is refused where people changed something, and goes in two runs.
    @Test(arguments: TableScene.Kind.allCases) func anExchangeOfNamesIsRefused(_ kind: TableScene.Kind) throws {
        let scene = try scene(kind)
        try write(Self.exchanged, "b, a", in: scene)
        for (command, code) in [("validate", Int32(78)), ("plan", 4), ("run", 4)] {
            let result = try scene.sluice(command, "p.yaml")
            let text = result.output + result.errors
            #expect(result.code == code, "\(command): \(text)")
            #expect(text.contains("The stream `b` asks for what `a` asked for before"), "\(command): \(text)")
        }
        let steps = [
            (
                "{name: x, entity: T, path: a.json, renamed_from: a}, {name: y, entity: T, path: b.json, renamed_from: b}",
                "x, y"
            ),
            (
                "{name: b, entity: T, path: a.json, renamed_from: x}, {name: a, entity: T, path: b.json, renamed_from: y}",
                "b, a"
            ),
            (Self.exchanged, "b, a"),
        ]
        for (streams, order) in steps {
            try write(streams, order, in: scene)
            let run = try scene.sluice("run", "p.yaml")
            #expect(
                run.code == 0 && !run.output.contains("conflict") && !run.output.contains("warning"), "\(run.output)")
        }
        #expect(try scene.sluice("edits", "p.yaml").output.contains("2 values edited in 2 rows"))
    }

    /// Where nobody changed anything, another path is what the file says it is.
    @Test(arguments: Seeds.some(of: TableScene.Kind.allCases, oneOf: 2)) func isTakenWithoutEdits(
        _ kind: TableScene.Kind
    ) throws {
        let scene = try scene(kind, isEdited: false)
        try write(Self.exchanged, "b, a", in: scene)
        #expect(try scene.sluice("run", "p.yaml").code == 0)
        #expect(try scene.query("SELECT n FROM t ORDER BY id") == ["a1", "a2", "b3"])
        #expect(try scene.sluice("edits", "p.yaml").output.contains("Nothing was changed here"))
    }

    /// A stream that takes the name of one that goes is told how.
    @Test func aNameThatWasAnothersNeedsARunBetween() throws {
        let scene = try scene(.sqlite)
        try write("{name: b, entity: T, path: a.json, renamed_from: a}", "b", in: scene)
        let refused = try scene.sluice("run", "p.yaml")
        #expect(refused.code == 4)
        #expect(refused.errors.contains("`renamed_from: a` of `b` cannot hold"), "\(refused.errors)")
        try write("{name: x, entity: T, path: a.json, renamed_from: a}", "x", in: scene)
        #expect(try scene.sluice("run", "p.yaml", "--allow-schema", "drop").code == 0)
        try write("{name: b, entity: T, path: a.json, renamed_from: x}", "b", in: scene)
        let run = try scene.sluice("run", "p.yaml")
        #expect(run.code == 0 && !run.output.contains("conflict"), "\(run.output)\(run.errors)")
        #expect(try scene.query("SELECT n FROM t ORDER BY id") == ["mine", "a2", "mine"])
    }

    /// Another file's order still holds for what it names as it was called.
    @Test(arguments: Seeds.some(of: TableScene.Kind.allCases, oneOf: 2)) func ordersFollowNames(_ kind: TableScene.Kind)
        throws
    {
        let scene = try TableScene(kind)
        func write(_ file: String, _ head: String, _ stream: String) throws {
            try scene.write(
                file,
                """
                version: 1
                \(head)
                source: {base_url: "file:."}
                entities:
                  T: {table: t, primary_key: [id], fields: {id: int, n: string}}
                streams: [\(stream)]
                merge: {precedence: [p/a, q/b]}
                """)
        }
        try scene.write("a.json", #"[{"id":1,"n":"x"}]"#)
        try scene.write("b.json", #"[{"id":1,"n":"z"}]"#)
        try write("p.yaml", "name: p", "{name: a, entity: T, path: a.json}")
        try write("q.yaml", "name: q", "{name: b, entity: T, path: b.json}")
        for name in ["p", "q"] { #expect(try scene.sluice("run", "\(name).yaml").code == 0) }
        try write("p.yaml", "name: pp\nrenamed_from: p", "{name: c, renamed_from: a, entity: T, path: a.json}")
        #expect(try scene.sluice("run", "p.yaml").code == 0)
        #expect(try scene.sluice("edits").output.contains("Nothing was changed here"))
        let warning = "names `p/a`, which is called `pp/c` in this store now"
        let checked = try scene.sluice("validate", "q.yaml")
        #expect((checked.output + checked.errors).contains(warning), "\(checked.output)\(checked.errors)")
        try scene.write("b.json", #"[{"id":1,"n":"z2"}]"#)
        let run = try scene.sluice("run", "q.yaml")
        #expect(run.output.contains("pp/c goes first") && run.output.contains(warning), "\(run.output)\(run.errors)")
        #expect(try scene.query("SELECT n FROM t") == ["x"])
    }

    /// What people changed within the records counts, and so does a pipeline that gets another name in the same file.
    @Test(arguments: ["", "renamed_from: p"]) func changesWithinCount(_ head: String) throws {
        let scene = try TableScene(.sqlite)
        func write(_ name: String, _ first: String, _ second: String, _ head: String) throws {
            try scene.write(
                "p.yaml",
                """
                version: 1
                name: \(name)
                \(head)
                source: {base_url: "file:."}
                entities:
                  T: {table: t, primary_key: [id], fields: {id: int}, children: {xs: {entity: X, from: "xs[*]", key: [k]}}}
                  X: {table: x, fields: {k: int, v: string}}
                streams: [{name: \(first), entity: T, path: a.json}, {name: \(second), entity: T, path: b.json}]
                merge: {precedence: [\(first), \(second)]}
                """)
        }
        try scene.write("a.json", #"[{"id":1,"xs":[{"k":1,"v":"a"}]}]"#)
        try scene.write("b.json", #"[{"id":1,"xs":[{"k":1,"v":"b"}]}]"#)
        try write("p", "a", "b", "")
        #expect(try scene.sluice("run", "p.yaml").code == 0)
        try scene.execute("UPDATE x SET v = 'mine'")
        try write(head.isEmpty ? "p" : "pp", "b", "a", head)
        let refused = try scene.sluice("run", "p.yaml")
        #expect(refused.code == 4 && refused.errors.contains("asks for what `a` asked for before"), "\(refused.errors)")
    }

    /// Two pipelines that exchange their names are refused as two streams are, and go the same way.
    @Test(arguments: TableScene.Kind.allCases) func pipelinesThatExchangeTheirNames(_ kind: TableScene.Kind) throws {
        let scene = try TableScene(kind)
        func write(_ file: String, _ head: String) throws {
            try scene.write(
                "\(file).yaml",
                """
                version: 1
                \(head)
                source: {base_url: "file:."}
                entities:
                  T: {table: t, primary_key: [id], fields: {id: int, n: string}}
                streams: [{name: a, entity: T, path: \(file).json}]
                """)
        }
        func name(_ one: String, _ other: String) throws {
            try write("one", "name: \(one)")
            try write("other", "name: \(other)")
        }
        try scene.write("one.json", #"[{"id":1,"n":"a1"}]"#)
        try scene.write("other.json", #"[{"id":2,"n":"b2"}]"#)
        try name("p", "q")
        for file in ["one", "other"] { #expect(try scene.sluice("run", "\(file).yaml").code == 0) }
        try scene.execute("UPDATE t SET n = 'mine'")
        try name("q", "p")
        for file in ["one", "other"] {
            let refused = try scene.sluice("run", "\(file).yaml")
            #expect(refused.code == 4 && refused.errors.contains("names of two pipelines"), "\(refused.errors)")
        }
        for (one, other) in [
            ("x\nrenamed_from: p", "y\nrenamed_from: q"), ("q\nrenamed_from: x", "p\nrenamed_from: y"),
        ] {
            try name(one, other)
            for file in ["one", "other"] {
                let run = try scene.sluice("run", "\(file).yaml")
                #expect(run.code == 0 && !run.output.contains("conflict"), "\(run.output)\(run.errors)")
            }
        }
        #expect(try scene.sluice("edits").output.contains("2 values edited in 2 rows"))
    }
}
