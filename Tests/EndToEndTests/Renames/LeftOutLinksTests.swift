import TestSupport
import Testing

/// Links of a field that a pipeline leaves out: their table stays, and what people do to it is to be seen.
@Suite struct LeftOutLinksTests {
    private static let tags = #", tags: {refs: G, from: "tags[*]"}"#

    private func write(_ fields: String, key: String = "id", in scene: TableScene) throws {
        try scene.writePipeline(", a: string" + fields, key: key)
    }

    private static let records =
        #"[{"id":1,"a":"a1","tags":[1,2]},{"id":2,"a":"a2","tags":[]},{"id":3,"a":"a3","tags":[1,9]}]"#

    /// A store in which the field was left out, after its links were filled.
    private func scene(_ kind: TableScene.Kind) throws -> TableScene {
        let scene = try TableScene(kind)
        try scene.write("g.json", #"[{"id":1},{"id":2}]"#)
        try scene.write("t.json", Self.records)
        try write(Self.tags, in: scene)
        #expect(try scene.sluice("run", "p.yaml").code == 0)
        try write("", in: scene)
        #expect(try scene.sluice("run", "p.yaml").code == 0)
        return scene
    }

    private func run(_ scene: TableScene, dropping: Bool = false) throws -> String {
        let run = try dropping ? scene.sluice("run", "p.yaml", "--allow-schema", "drop") : scene.sluice("run", "p.yaml")
        return run.output + run.errors
    }

    private func edits(_ scene: TableScene) throws -> String {
        let edits = try scene.sluice("edits")
        #expect(edits.code == 0, "\(edits.output)\(edits.errors)")
        return edits.output
    }

    private func checkIsClean(_ scene: TableScene) throws {
        let check = try scene.sluice("store", "check")
        #expect(check.code == 0 && check.output.contains("Nothing is wrong"), "\(check.output)")
    }

    @Test(arguments: TableScene.Kind.allCases) func anEditOfThemHoldsTheirRow(_ kind: TableScene.Kind) throws {
        let scene = try scene(kind)
        #expect(try edits(scene).contains("Nothing was changed here"))
        try scene.execute("DELETE FROM t_tags WHERE t_id = 1 AND g_id = 1")
        try scene.execute("INSERT INTO t_tags VALUES (2, 1)")
        let told = try edits(scene)
        #expect(told.contains("base [1,2]   local [2]") && told.contains("base []   local [1]"), "\(told)")
        try scene.write("t.json", "[]")
        #expect(try scene.sluice("plan", "p.yaml").output.contains("2 in conflict"))
        let gone = try run(scene)
        #expect(gone.contains("1 deleted") && gone.contains("`tags` was edited here"), "\(gone)")
        #expect(try scene.query("SELECT a FROM t ORDER BY id") == ["a1", "a2"])
        #expect(try scene.sluice("conflicts", "resolve", "--all", "--take", "remote").code == 0)
        #expect(try scene.query("SELECT a FROM t") == [])
        try checkIsClean(scene)
    }

    /// The field comes back, and its links are as people left them.
    @Test(arguments: Seeds.some(of: TableScene.Kind.allCases, oneOf: 2)) func theyComeBackAsTheyAre(
        _ kind: TableScene.Kind
    ) throws {
        let scene = try scene(kind)
        try scene.execute("DELETE FROM t_tags WHERE t_id = 1")
        // Where nothing is left, nothing is to be lost.
        #expect(try edits(scene).contains("Nothing was changed here"))
        try write(Self.tags, in: scene)
        #expect(try run(scene).contains("5 unchanged"))
        #expect(try scene.query("SELECT CAST(count(*) AS text) FROM t_tags WHERE t_id = 1") == ["0"])
        #expect(try edits(scene).contains("base [1,2]   local []"))
    }

    /// Under another name, with the table that this gives them or with one that is named.
    @Test(arguments: Seeds.pairs(in: TableScene.Kind.allCases, ["", ", via: labelled"]))
    func theyComeBackUnderAnotherName(_ kind: TableScene.Kind, _ via: String) throws {
        let scene = try scene(kind)
        try scene.execute("INSERT INTO t_tags VALUES (2, 1)")
        try write(", labels: {refs: G, from: \"tags[*]\", renamed_from: tags\(via)}", in: scene)
        #expect(try run(scene).contains("5 unchanged"))
        #expect(try edits(scene).contains("base []   local [1]"))
        try scene.write("t.json", "[]")
        #expect(try run(scene).contains("1 in conflict"))
        #expect(try scene.query("SELECT a FROM t") == ["a2"])
        try checkIsClean(scene)
    }

    /// Under their own name, with another table.
    @Test(arguments: Seeds.some(of: TableScene.Kind.allCases, oneOf: 2)) func theyComeBackInAnotherTable(
        _ kind: TableScene.Kind
    ) throws {
        let scene = try scene(kind)
        try scene.execute("INSERT INTO t_tags VALUES (2, 1)")
        try write(#", tags: {refs: G, from: "tags[*]", via: labelled}"#, in: scene)
        #expect(try run(scene).contains("5 unchanged"))
        #expect(try scene.query("SELECT CAST(count(*) AS text) FROM labelled") == ["4"])
        #expect(try edits(scene).contains("base []   local [1]"))
    }

    /// Where that is there already, the links of before would stay behind.
    @Test(arguments: TableScene.Kind.allCases) func theirTableDoesNotBecomeAnother(_ kind: TableScene.Kind) throws {
        let scene = try scene(kind)
        try scene.execute("CREATE TABLE labelled (t_id bigint, g_id bigint, PRIMARY KEY (t_id, g_id))")
        try write(#", tags: {refs: G, from: "tags[*]", via: labelled}"#, in: scene)
        let refused = try run(scene)
        #expect(refused.contains("the links in its table `t_tags` would stay behind"), "\(refused)")
        #expect(try run(scene, dropping: true).contains("Run 4 of p"))
        try checkIsClean(scene)
    }

    /// People change the table itself: what they do to it is out of sight, and nothing fails by it.
    @Test(arguments: Seeds.pairs(in: TableScene.Kind.allCases, ["t_id", "g_id", "the table"]))
    func theirTableIsRenamed(_ kind: TableScene.Kind, _ what: String) throws {
        let scene = try scene(kind)
        try scene.execute(
            what == "the table"
                ? "ALTER TABLE t_tags RENAME TO pairs" : "ALTER TABLE t_tags RENAME COLUMN \(what) TO other")
        #expect(try edits(scene).contains("Nothing was changed here"))
        #expect(try scene.sluice("plan", "p.yaml").code == 0)
        try scene.write("t.json", "[]")
        #expect(try run(scene).contains("3 deleted"))
    }

    /// Links that go along with a row are not told from others by `undo`: the source gives them once the field is back.
    @Test(arguments: Seeds.some(of: TableScene.Kind.allCases, oneOf: 2)) func undoBringsTheirRowsBack(
        _ kind: TableScene.Kind
    ) throws {
        let scene = try scene(kind)
        try scene.write("t.json", "[]")
        #expect(try run(scene).contains("3 deleted"))
        #expect(try scene.sluice("undo", "3").code == 0)
        try scene.write("t.json", Self.records)
        #expect(try run(scene).contains("5 unchanged"))
        try write(Self.tags, in: scene)
        _ = try run(scene)
        #expect(try scene.query("SELECT CAST(count(*) AS text) FROM t_tags") == ["3"])
        #expect(try edits(scene).contains("Nothing was changed here"))
        try scene.write("t.json", "[]")
        #expect(try run(scene).contains("3 deleted"))
    }

    /// They are known by the identifier of before, and would lose their rows.
    @Test(arguments: Seeds.some(of: TableScene.Kind.allCases, oneOf: 2)) func theIdentifierChanges(
        _ kind: TableScene.Kind
    ) throws {
        let scene = try scene(kind)
        try write("", key: "a", in: scene)
        let refused = try scene.sluice("run", "p.yaml")
        #expect(
            refused.code == 4 && refused.output.contains("links in `t_tags` of the field `tags`"), "\(refused.output)")
        #expect(
            refused.output.contains("give the entity that field back, run, and change `primary_key` then"),
            "\(refused.output)")
    }

    /// As plain values they are a field like others, from the first run on; what people did to them is asked about.
    @Test(arguments: Seeds.pairs(in: TableScene.Kind.allCases, [false, true]))
    func theyComeBackAsValues(_ kind: TableScene.Kind, isEdited: Bool) throws {
        let scene = try scene(kind)
        if isEdited { try scene.execute("INSERT INTO t_tags VALUES (2, 1)") }
        try write(", tags: json", in: scene)
        if isEdited {
            #expect(try run(scene).contains("links in the table `t_tags`"))
            #expect(try run(scene, dropping: true).contains("3 updated"))
        } else {
            #expect(try run(scene).contains("3 updated"))
        }
        let again = try run(scene)
        #expect(again.contains("nothing changed, 5 unchanged"), "\(again)")
        #expect(try edits(scene).contains("Nothing was changed here"))
        try checkIsClean(scene)
    }

    /// Given up for good, nothing of them waits any more.
    @Test(arguments: TableScene.Kind.allCases) func givenUpTheyWaitNoLonger(_ kind: TableScene.Kind) throws {
        let scene = try scene(kind)
        try write(Self.tags, in: scene)
        _ = try run(scene)
        try scene.execute("INSERT INTO t_tags VALUES (2, 1)")
        try write("", in: scene)
        #expect(try run(scene).contains("links in the table `t_tags`"))
        #expect(try run(scene, dropping: true).contains("the links of tags are filled by no field any more"))
        try checkIsClean(scene)
    }
}
