import TestSupport
import Testing

/// Fields that a pipeline leaves out: their columns stay, and what people put there is an edit.
@Suite struct LeftOutFieldTests {
    private func write(_ fields: String, child: String? = nil, in scene: TableScene) throws {
        try scene.writePipeline(", a: string" + fields, child: child)
    }

    private func scene(
        _ kind: TableScene.Kind, _ fields: String, child: String? = nil, _ records: String
    ) throws -> TableScene {
        let scene = try TableScene(kind)
        try scene.write("g.json", #"[{"id":1}]"#)
        try scene.write("t.json", records)
        try write(fields, child: child, in: scene)
        #expect(try scene.sluice("run", "p.yaml").code == 0)
        return scene
    }

    private func run(_ scene: TableScene) throws -> String {
        let run = try scene.sluice("run", "p.yaml")
        return run.output + run.errors
    }

    private static let two = #"[{"id":1,"a":"a1","n":10},{"id":2,"a":"a2","n":20}]"#

    @Test(arguments: TableScene.Kind.allCases) func anEditOfOneHoldsItsRow(_ kind: TableScene.Kind) throws {
        let scene = try scene(kind, ", n: int", Self.two)
        try write("", in: scene)
        #expect(try run(scene).contains("n is filled by no field any more"))
        try scene.execute("UPDATE t SET n = 999 WHERE id = 1")
        #expect(try scene.sluice("edits").output.contains("base 10   local 999"))
        try scene.write("t.json", "[]")
        let gone = try run(scene)
        #expect(gone.contains("1 deleted") && gone.contains("`n` was edited here"), "\(gone)")
        #expect(try scene.query("SELECT CAST(n AS text) FROM t") == ["999"])
        #expect(try scene.sluice("conflicts", "resolve", "1", "--take", "remote").code == 0)
        #expect(try scene.query("SELECT CAST(n AS text) FROM t") == [])
    }

    /// Within an element of a list.
    @Test(arguments: Seeds.pairs(in: TableScene.Kind.allCases, ["key: [k]", "ordered: true"]))
    func anEditOfOneHoldsItsElement(_ kind: TableScene.Kind, _ list: String) throws {
        let lists = "}, children: {ls: {entity: L, from: \"ls[*]\", \(list)}"
        let scene = try scene(
            kind, lists, child: "k: int, note: string",
            #"[{"id":1,"a":"a1","ls":[{"k":1,"note":"x"},{"k":2,"note":"y"}]}]"#)
        try write(lists, child: "k: int", in: scene)
        #expect(!(try run(scene).contains("conflict")))
        try scene.execute("UPDATE l SET note = 'mine' WHERE k = 2")
        #expect(try scene.sluice("edits").output.contains(#"base "y"   local "mine""#))
        try scene.write("t.json", #"[{"id":1,"a":"a1","ls":[{"k":1}]}]"#)
        let gone = try run(scene)
        #expect(gone.contains("in conflict"), "\(gone)")
        #expect(try scene.query("SELECT note FROM l ORDER BY k") == ["x", "mine"])
    }

    /// A record that goes with it is decided about at once.
    @Test(arguments: Seeds.some(of: TableScene.Kind.allCases, oneOf: 2)) func aRecordWithSuchAnElementIsDecided(
        _ kind: TableScene.Kind
    ) throws {
        let lists = "}, children: {ls: {entity: L, from: \"ls[*]\", key: [k]}"
        let scene = try scene(
            kind, lists, child: "k: int, note: string", #"[{"id":1,"a":"a1","ls":[{"k":1,"note":"x"}]}]"#)
        try write(lists, child: "k: int", in: scene)
        _ = try run(scene)
        try scene.execute("UPDATE l SET note = 'mine'")
        try scene.write("t.json", "[]")
        #expect(try run(scene).contains("1 in conflict"))
        let decision = try scene.sluice("conflicts", "resolve", "1", "--take", "remote").output
        #expect(decision.contains("1 resolved"), "\(decision)")
        #expect(try scene.query("SELECT a FROM t") == [])
    }

    /// It comes back under another name, with its values.
    @Test(arguments: Seeds.some(of: TableScene.Kind.allCases, oneOf: 2)) func oneComesBackUnderAnotherName(
        _ kind: TableScene.Kind
    ) throws {
        let scene = try scene(kind, ", n: int", Self.two)
        try write("", in: scene)
        _ = try run(scene)
        try scene.execute("UPDATE t SET n = 999 WHERE id = 1")
        try write(", num: {type: int, from: n, renamed_from: n}", in: scene)
        #expect(try run(scene).contains("3 unchanged"))
        #expect(try scene.query("SELECT CAST(num AS text) FROM t ORDER BY id") == ["999", "20"])
        #expect(try scene.sluice("edits").output.contains("num  base 10   local 999"))
        try scene.write("t.json", #"[{"id":1,"a":"a1","n":10},{"id":2,"a":"a2","n":21}]"#)
        #expect(try run(scene).contains("1 updated"))
        #expect(try scene.query("SELECT CAST(num AS text) FROM t ORDER BY id") == ["999", "21"])
    }

    /// Where another column has that name already, what was left out stays behind, as what it is.
    @Test(arguments: TableScene.Kind.allCases) func oneDoesNotComeBackToAnotherColumn(_ kind: TableScene.Kind) throws {
        let scene = try scene(kind, ", n: int", Self.two)
        try write("", in: scene)
        _ = try run(scene)
        try scene.execute("ALTER TABLE t ADD COLUMN num INT ")
        try scene.execute("UPDATE t SET num = 5")
        try scene.execute("UPDATE t SET n = 999 WHERE id = 1")
        try write(", num: {type: int, from: n, renamed_from: n}", in: scene)
        #expect(try run(scene).contains("2 in conflict"))
        let edits = try scene.sluice("edits").output
        #expect(edits.contains("local 999") && edits.contains("local 5"), "\(edits)")
    }

    /// What is null in a column that nobody fills any more holds nothing.
    @Test(arguments: Seeds.some(of: TableScene.Kind.allCases, oneOf: 2)) func aColumnThatWasClearedHoldsNoRow(
        _ kind: TableScene.Kind
    ) throws {
        let scene = try scene(kind, ", n: int", Self.two)
        try write("", in: scene)
        _ = try run(scene)
        try scene.execute("UPDATE t SET n = NULL")
        #expect(try scene.sluice("edits").output.contains("Nothing was changed here"))
        try scene.write("t.json", "[]")
        #expect(try run(scene).contains("2 deleted"))
    }

    /// What somebody drops together with the field leaves nothing behind.
    @Test(arguments: Seeds.some(of: TableScene.Kind.allCases, oneOf: 2)) func aColumnGoesTogetherWithItsField(
        _ kind: TableScene.Kind
    ) throws {
        let scene = try scene(kind, ", n: int", Self.two)
        try scene.execute("ALTER TABLE t DROP COLUMN n")
        try write("", in: scene)
        #expect(try run(scene).contains("3 unchanged"))
        #expect(try scene.sluice("edits").output.contains("Nothing was changed here"))
        let check = try scene.sluice("store", "check")
        #expect(check.code == 0 && check.output.contains("Nothing is wrong"), "\(check.output)")
    }

    /// Links of one that wait for their records.
    @Test(arguments: TableScene.Kind.allCases) func itsLinksMayWait(_ kind: TableScene.Kind) throws {
        let field = #", tags: {refs: G, from: "tags[*]"}"#
        let scene = try scene(kind, field, #"[{"id":1,"a":"a1","tags":[1,7]}]"#)
        try write("", in: scene)
        _ = try run(scene)
        let check = try scene.sluice("store", "check")
        #expect(check.code == 0 && check.output.contains("Nothing is wrong"), "\(check.output)")
        try write(field, in: scene)
        try scene.write("g.json", #"[{"id":1},{"id":7}]"#)
        _ = try run(scene)
        #expect(try scene.query("SELECT CAST(count(*) AS text) FROM t_tags") == ["2"])
        #expect(try scene.sluice("edits").output.contains("Nothing was changed here"))
    }

    /// Its column was renamed meanwhile, as the field that comes back says.
    @Test(arguments: Seeds.some(of: TableScene.Kind.allCases, oneOf: 2)) func itsColumnIsRenamedMeanwhile(
        _ kind: TableScene.Kind
    ) throws {
        let scene = try scene(kind, ", n: int", Self.two)
        try write("", in: scene)
        _ = try run(scene)
        try scene.execute("UPDATE t SET n = 999 WHERE id = 1")
        try scene.execute("ALTER TABLE t RENAME COLUMN n TO num")
        // Under its own name it would begin anew beside that.
        try write(", n: int", in: scene)
        let refused = try run(scene)
        #expect(refused.contains("`column: num`") && refused.contains("refused"), "\(refused)")
        try write(", num: {type: int, from: n, renamed_from: n}", in: scene)
        #expect(try run(scene).contains("3 unchanged"))
        #expect(try scene.sluice("edits").output.contains("num  base 10   local 999"))
    }

    /// A conflict over a record is not news because the pipeline asks for less.
    @Test func aConflictIsNoNews() throws {
        let scene = try scene(.sqlite, ", n: int", Self.two)
        try scene.execute("DELETE FROM t WHERE id = 1")
        try scene.write("t.json", Self.two.replacing("a1", with: "b1"))
        #expect(try run(scene).contains("1 in conflict"))
        try write("", in: scene)
        let again = try run(scene)
        #expect(!again.contains("changed it again"), "\(again)")
        #expect(!(try scene.sluice("conflicts", "list").output.contains("remote values")))
    }
}
