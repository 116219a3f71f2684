import TestSupport
import Testing

/// References that wait, and whose rule is another one then, or that are none any more.
@Suite struct WaitingRuleTests {
    private func write(
        _ field: String, named name: String = "r", and further: String = "", in scene: TableScene
    ) throws {
        try scene.write(
            "p.yaml",
            """
            version: 1
            name: p
            source: {base_url: "file:."}
            entities:
              U: {table: u, primary_key: [id], fields: {id: int}}
              T: {table: t, primary_key: [id], fields: {id: int, \(name): {\(field)}}}
            streams: [{name: a, entity: T, path: a.json}\(further)]
            """)
    }

    private func waiting(_ kind: TableScene.Kind, rule: String = "defer") throws -> TableScene {
        let scene = try TableScene(kind)
        try scene.write("a.json", #"[{"id":1,"r":7},{"id":2,"r":8}]"#)
        try write("ref: U, from: r, column: r, on_dangling: \(rule)", in: scene)
        #expect(try scene.sluice("run", "p.yaml").code == 0)
        #expect(try scene.query("SELECT CAST(count(*) AS text) FROM t WHERE r IS NULL") == ["2"])
        return scene
    }

    @Test(arguments: TableScene.Kind.allCases) func stubsAreMade(_ kind: TableScene.Kind) throws {
        let scene = try waiting(kind)
        try write("ref: U, from: r, column: r, on_dangling: stub", in: scene)
        let run = try scene.sluice("run", "p.yaml")
        #expect(run.output.contains("2 rows of `u` were made"), "\(run.output)\(run.errors)")
        #expect(try scene.query("SELECT CAST(r AS text) FROM t ORDER BY id") == ["7", "8"])
        #expect(try scene.sluice("edits").output.contains("Nothing was changed here"))
        let again = try scene.sluice("run", "p.yaml", "--full").output
        #expect(again.contains("nothing changed") && !again.contains("linked"), "\(again)")
        #expect(try scene.sluice("undo", "2").code == 0)
        #expect(try scene.query("SELECT CAST(count(*) AS text) FROM u") == ["0"])
    }

    @Test(arguments: Seeds.some(of: TableScene.Kind.allCases, oneOf: 2)) func theRunFails(_ kind: TableScene.Kind)
        throws
    {
        let scene = try waiting(kind)
        try write("ref: U, from: r, column: r, on_dangling: fail", in: scene)
        for _ in 0..<2 {
            let run = try scene.sluice("run", "p.yaml")
            #expect(run.code == 1 && run.errors.contains("refers to `7` of `u`, which is not there"), "\(run.errors)")
        }
        try scene.execute("INSERT INTO u VALUES (7), (8)")
        #expect(try scene.sluice("run", "p.yaml").code == 0)
        #expect(try scene.query("SELECT CAST(r AS text) FROM t ORDER BY id") == ["7", "8"])
    }

    /// What was null for good waits, and the other way round.
    @Test(arguments: Seeds.pairs(["defer", "set_null"], in: TableScene.Kind.allCases))
    func waitsAsTheRuleSays(_ rule: String, _ kind: TableScene.Kind) throws {
        let scene = try waiting(kind, rule: rule == "defer" ? "set_null" : "defer")
        try write("ref: U, from: r, column: r, on_dangling: \(rule)", in: scene)
        #expect(try scene.sluice("run", "p.yaml").code == 0)
        try scene.execute("INSERT INTO u VALUES (7)")
        #expect(try scene.sluice("run", "p.yaml").code == 0)
        #expect(try scene.query("SELECT CAST(count(r) AS text) FROM t") == [rule == "defer" ? "1" : "0"])
    }

    /// Nobody cleared the columns; the foreign key that stays is told as what refuses the values.
    @Test(arguments: Seeds.some(of: TableScene.Kind.allCases, oneOf: 2)) func aPlainFieldHoldsWhatItsSourceSays(
        _ kind: TableScene.Kind
    ) throws {
        let scene = try waiting(kind)
        try scene.execute("INSERT INTO u VALUES (3)")
        try scene.execute("UPDATE t SET r = 3 WHERE id = 2")
        try write("type: int, from: r", in: scene)
        let run = try scene.sluice("run", "p.yaml")
        #expect(
            run.output.contains("T 1 is not written") && run.output.contains("take the foreign key off"),
            "\(run.output)")
        let edits = try scene.sluice("edits").output
        #expect(edits.contains("1 value edited in 1 row") && edits.contains("base 8   local 3"), "\(edits)")
        try scene.execute("INSERT INTO u VALUES (7)")
        #expect(try scene.sluice("run", "p.yaml").output.contains("1 updated"))
        #expect(try scene.query("SELECT CAST(r AS text) FROM t ORDER BY id") == ["7", "3"])
    }

    /// A reference that people set and that waits stays an edit.
    @Test(arguments: TableScene.Kind.allCases) func aPlainFieldOverwritesNoEditThatWaits(_ kind: TableScene.Kind) throws
    {
        let scene = try TableScene(kind)
        func write(_ field: String) throws {
            try self.write(
                field, and: ", {name: u, entity: U, path: u.json, delete_missing: {mode: hard, max_delete: 100%}}",
                in: scene)
        }
        let reference = "ref: U, from: r, column: r"
        try scene.write("u.json", #"[{"id":1},{"id":2}]"#)
        try scene.write("a.json", #"[{"id":3,"r":1}]"#)
        try write(reference)
        #expect(try scene.sluice("run", "p.yaml").code == 0)
        try scene.execute("UPDATE t SET r = 2 WHERE id = 3")
        try scene.write("u.json", #"[{"id":1}]"#)
        #expect(try scene.sluice("run", "p.yaml").code == 0)
        try write("type: int, from: r")
        let run = try scene.sluice("run", "p.yaml")
        #expect(run.output.contains("nothing changed"), "\(run.output)\(run.errors)")
        #expect(try scene.sluice("edits").output.contains("1 value edited in 1 row"))
        try write(reference)
        #expect(try scene.sluice("run", "p.yaml").code == 0)
        #expect(try scene.sluice("edits").output.contains("base 1   local 2"))
    }

    /// A column that a foreign key holds gets no other type, and the refusal says why.
    @Test(arguments: Seeds.some(of: TableScene.Kind.allCases, oneOf: 2)) func aReferenceIsNoText(
        _ kind: TableScene.Kind
    ) throws {
        let scene = try waiting(kind)
        try write("type: string, from: r", in: scene)
        let refused = try scene.sluice("run", "p.yaml")
        #expect(refused.code == 4 && refused.errors.contains("A foreign key leads from `r`"), "\(refused.errors)")
        try write("type: string, from: r", named: "words", in: scene)
        #expect(try scene.sluice("run", "p.yaml").code == 0)
        #expect(try scene.query("SELECT words FROM t ORDER BY id") == ["7", "8"])
    }
}
