import TestSupport
import Testing

/// A column, or a table of links, that somebody renamed in the database while the file takes it under another field without saying so.
@Suite struct UnsaidColumnTests {
    private func write(_ fields: String, in scene: TableScene) throws { try scene.writePipeline(fields) }

    private func scene(_ kind: TableScene.Kind, _ fields: String) throws -> TableScene {
        let scene = try TableScene(kind)
        try scene.write("g.json", #"[{"id":7},{"id":8}]"#)
        try scene.write(
            "t.json", #"[{"id":1,"a":"a1","c":"c1","tags":[7]},{"id":2,"a":"a2","c":"c2","tags":[7,8]}]"#)
        try write(fields, in: scene)
        #expect(try scene.sluice("run", "p.yaml").code == 0)
        return scene
    }

    private func refusal(_ scene: TableScene) throws -> String {
        let (plan, run) = try (scene.sluice("plan", "p.yaml"), scene.sluice("run", "p.yaml"))
        #expect(plan.code == 4 && run.code == 4, "\(plan.output)\(run.output)\(run.errors)")
        return run.output + run.errors
    }

    @Test(arguments: TableScene.Kind.allCases) func aColumnIsAskedAbout(_ kind: TableScene.Kind) throws {
        let scene = try scene(kind, ", a: string, c: string")
        try scene.execute("UPDATE t SET a = 'mine' WHERE id = 1")
        try scene.execute("ALTER TABLE t RENAME COLUMN a TO b")
        try write(", b: {type: string, from: a}, c: string", in: scene)
        let refused = try refusal(scene)
        for words in ["column `a` of `t`", "give `b` `renamed_from: a`", "`--allow-schema drop`"] {
            #expect(refused.contains(words), "\(refused)")
        }
        #expect(try scene.query("SELECT b FROM t ORDER BY id") == ["mine", "a2"])
        // Either way leads on.
        try write(", b: {type: string, from: a, renamed_from: a}, c: string", in: scene)
        let said = try scene.sluice("run", "p.yaml")
        #expect(said.code == 0 && said.output.contains("4 unchanged"), "\(said.output)\(said.errors)")
        #expect(try scene.sluice("edits").output.contains(#"base "a1"   local "mine""#))
    }

    @Test(arguments: Seeds.some(of: TableScene.Kind.allCases, oneOf: 2)) func itMayBeMeant(_ kind: TableScene.Kind)
        throws
    {
        let scene = try scene(kind, ", a: string, c: string")
        try scene.execute("ALTER TABLE t RENAME COLUMN a TO b")
        try write(", b: {type: string, from: a}, c: string", in: scene)
        _ = try refusal(scene)
        let meant = try scene.sluice("run", "p.yaml", "--allow-schema", "drop")
        #expect(meant.code == 0, "\(meant.output)\(meant.errors)")
        let again = try scene.sluice("run", "p.yaml")
        #expect(again.code == 0 && again.output.contains("4 unchanged"), "\(again.output)\(again.errors)")
        let check = try scene.sluice("store", "check")
        #expect(check.code == 0 && check.output.contains("Nothing is wrong"), "\(check.output)")
    }

    /// Of several new fields the one whose column holds what the source said is meant.
    @Test func theFieldWithTheValuesIsNamed() throws {
        let scene = try scene(.sqlite, ", a: string, c: string")
        try scene.execute("ALTER TABLE t ADD COLUMN note text; UPDATE t SET note = 'x'")
        try scene.execute("ALTER TABLE t RENAME COLUMN c TO d; ALTER TABLE t RENAME COLUMN a TO b")
        try write(
            ", b: {type: string, from: a}, d: {type: string, from: c}, note: {type: string, from: n}", in: scene)
        let refused = try refusal(scene)
        for words in ["give `b` `renamed_from: a`", "give `d` `renamed_from: c`"] {
            #expect(refused.contains(words), "\(refused)")
        }
    }

    /// What is new beside a column that went, or empty, is no such column.
    @Test(arguments: [
        "an empty column", "no column", "a column of another field", "a column of another type",
        "a column of other values",
    ])
    func whatIsNewIsNotAskedAbout(_ what: String) throws {
        let scene = try scene(.sqlite, ", a: string, c: string")
        let column = what == "a column of another type" ? "b integer DEFAULT 1" : "b text DEFAULT 'x'"
        switch what {
        case "an empty column": try scene.execute("ALTER TABLE t ADD COLUMN b text")
        case "a column of another type", "a column of other values":
            try scene.execute("ALTER TABLE t ADD COLUMN \(column)")
        default: break
        }
        try scene.execute("ALTER TABLE t DROP COLUMN a")
        let type = what == "a column of another type" ? "int" : "string"
        let fields =
            what == "a column of another field"
            ? ", e: {type: string, column: c, from: c}" : ", b: \(type), c: string"
        try write(fields, in: scene)
        let run = try scene.sluice("run", "p.yaml")
        #expect(run.code == 0, "\(run.output)\(run.errors)")
    }

    /// What another pipeline fills is its own, whatever it holds.
    @Test(arguments: Seeds.some(of: TableScene.Kind.allCases, oneOf: 2)) func aColumnOfOthersIsNotAskedAbout(
        _ kind: TableScene.Kind
    ) throws {
        let scene = try scene(kind, ", a: string, c: string")
        try scene.write(
            "q.yaml",
            """
            version: 1
            name: q
            source: {base_url: "file:."}
            entities: {T: {table: t, primary_key: [id], fields: {id: int, b: {type: string, from: a}}}}
            streams: [{name: q, entity: T, path: t.json, schema_contract: {fields: ignore}}]
            """)
        #expect(try scene.sluice("run", "q.yaml").code == 0)
        try scene.execute("ALTER TABLE t DROP COLUMN a")
        try write(", b: {type: string, from: a}, c: string", in: scene)
        let run = try scene.sluice("run", "p.yaml")
        #expect(run.code == 0, "\(run.output)\(run.errors)")
    }

    /// Links that become plain values, or the other way round, are not what they were.
    @Test(arguments: Seeds.pairs(in: TableScene.Kind.allCases, [true, false]))
    func linksThatBecomeValues(_ kind: TableScene.Kind, isEdited: Bool) throws {
        let scene = try scene(kind, #", tags: {refs: G, from: "tags[*]"}"#)
        if isEdited { try scene.execute("DELETE FROM t_tags WHERE t_id = 2 AND g_id = 8") }
        try write(", tags: json", in: scene)
        let run = try scene.sluice("run", "p.yaml")
        #expect(run.code == (isEdited ? 4 : 0), "\(run.output)\(run.errors)")
        if isEdited { #expect(run.output.contains("links in the table `t_tags`"), "\(run.output)") }
        #expect(try scene.query("SELECT CAST(count(*) AS text) FROM t_tags") == [isEdited ? "2" : "3"])
    }

    @Test(arguments: TableScene.Kind.allCases) func aTableOfLinksIsAskedAbout(_ kind: TableScene.Kind) throws {
        let scene = try scene(kind, #", tags: {refs: G, from: "tags[*]"}"#)
        try scene.execute("DELETE FROM t_tags WHERE t_id = 2 AND g_id = 8")
        try scene.execute("ALTER TABLE t_tags RENAME TO labels")
        let field = #", labels: {refs: G, from: "tags[*]", via: labels"#
        try write(field + "}", in: scene)
        let refused = try refusal(scene)
        for words in ["table of links `t_tags`", "give `labels` `renamed_from: tags`", "`--allow-schema drop`"] {
            #expect(refused.contains(words), "\(refused)")
        }
        try write(field + ", renamed_from: tags}", in: scene)
        let said = try scene.sluice("run", "p.yaml")
        #expect(said.code == 0 && said.output.contains("4 unchanged"), "\(said.output)\(said.errors)")
        #expect(try scene.sluice("edits").output.contains("base [7,8]   local [7]"))
    }
}
