import TestSupport
import Testing

/// What people write and delete beside a field that one of two pipelines gives up.
extension SharedFieldTests {
    private static var text: Kind { kinds[0] }

    /// Who writes over the value of the source that goes first what the other one says edits, whatever becomes of the field.
    @Test(arguments: TableScene.Kind.allCases) func theOtherValueMayBeAnEdit(_ place: TableScene.Kind) throws {
        let scene = try pair(Self.text, place)
        try scene.execute("UPDATE t SET n = 'z'")
        let edits = try scene.sluice("edits").output
        #expect(edits.contains(#"base "x"   local "z""#), "\(edits)")
        for field in [nil, Self.text.field] {
            try give("p", field, in: scene)
            let run = try scene.sluice("run", "p.yaml")
            #expect(run.output.contains("nothing changed"), "\(run.output)\(run.errors)")
        }
        #expect(try scene.query("SELECT n FROM t") == ["z"])
        #expect(try scene.sluice("edits").output.contains(#"base "x"   local "z""#))
    }

    /// Nothing is news of the other source that says what it said.
    @Test(arguments: Seeds.pairs(["UPDATE t SET n = 'mine'", "DELETE FROM t"], in: TableScene.Kind.allCases))
    func whatIsDoneBeforeTheOtherRunsStays(_ statement: String, _ place: TableScene.Kind) throws {
        let scene = try pair(Self.text, place)
        try give("p", nil, in: scene)
        try runs("p", in: scene)
        try scene.execute(statement)
        for name in ["q", "p"] {
            let run = try scene.sluice("run", "\(name).yaml")
            #expect(run.output.contains("nothing changed") && !run.output.contains("conflict"), "\(run.output)")
        }
        #expect(try scene.query("SELECT n FROM t") == (statement.hasPrefix("UPDATE") ? ["mine"] : []))
    }

    /// Both give it up, the second once it took the place of the first; which takes it back.
    @Test(arguments: standing)
    func itComesBackBehindOneThatGaveItUpToo(_ kind: Kind, _ place: TableScene.Kind) throws {
        let scene = try pair(kind, place)
        try give("p", nil, in: scene)
        try runs("p", in: scene)
        try say(kind.values.next, "b", in: scene)
        try runs("q", in: scene)
        try give("q", nil, in: scene)
        try runs("q", in: scene)
        try give("p", kind.field, in: scene)
        try runs("p", in: scene)
        #expect(try scene.query(kind.query) == [kind.told.a])
    }

    /// The source that goes first lost the record before.
    @Test(arguments: Seeds.some(of: TableScene.Kind.allCases, oneOf: 2)) func ofARecordThatWasLost(
        _ place: TableScene.Kind
    ) throws {
        let scene = try pair(Self.text, place)
        try scene.write("a.json", "[]")
        #expect(try scene.sluice("run", "p.yaml").code == 0)
        try give("p", nil, in: scene)
        try runs("p", in: scene)
        try runs("q", in: scene)
        #expect(try scene.query("SELECT n FROM t") == ["z"])
        try say(#""z2""#, "b", in: scene)
        try runs("q", in: scene)
        try scene.write("b.json", "[]")
        #expect(try scene.sluice("run", "q.yaml").output.contains("1 deleted"))
    }
}
