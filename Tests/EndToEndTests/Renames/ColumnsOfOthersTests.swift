import TestSupport
import Testing

/// What people put into a row where another pipeline fills the columns, which never had the record.
@Suite struct ColumnsOfOthersTests {
    /// A field that crm alone fills, and what a person puts there of a record that bill alone has.
    struct Kind: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let field: String
        let value: String
        let put: String
        let told: String
    }

    static let kinds = [
        Kind(
            testDescription: "a text", field: "phone: string", value: #""phone":"p1""#,
            put: "UPDATE t SET phone = '030' WHERE id = 2", told: #"phone  no base yet   local "030""#),
        Kind(
            testDescription: "a reference", field: "phone: {ref: G, from: phone}", value: #""phone":1"#,
            put: "UPDATE t SET phone_id = 2 WHERE id = 2", told: "phone  no base yet   local 2"),
        Kind(
            testDescription: "links", field: #"phone: {refs: G, from: "phone[*]"}"#, value: #""phone":[1]"#,
            put: "INSERT INTO t_phone VALUES (2, 1)", told: "phone  no base yet   local [1]"),
    ]

    static let cases = kinds.map { ($0, TableScene.Kind.sqlite) } + kinds.map { ($0, .postgres) }

    private func give(_ name: String, _ fields: String, in scene: TableScene) throws {
        try scene.write(
            "\(name).yaml",
            """
            version: 1
            name: \(name)
            source: {base_url: "file:."}
            entities:
              G: {table: g, primary_key: [id], fields: {id: int}}
              T: {table: t, primary_key: [id], fields: {id: int, \(fields)}}
            streams:
              - {name: g, entity: G, path: g.json}
              - name: \(name)
                entity: T
                path: \(name).json
                schema_contract: {fields: ignore}
                delete_missing: {mode: hard, max_delete: 100%, min_records: 0}
            """)
    }

    private func run(_ name: String, in scene: TableScene) throws -> String {
        let run = try scene.sluice("run", "\(name).yaml")
        return run.output + run.errors
    }

    /// crm fills the field of record 1, and bill has records 1 and 2.
    private func scene(_ kind: Kind, _ place: TableScene.Kind) throws -> TableScene {
        let scene = try TableScene(place)
        try scene.write("g.json", #"[{"id":1},{"id":2}]"#)
        try scene.write("crm.json", "[{\"id\":1,\(kind.value)}]")
        try scene.write("bill.json", #"[{"id":1,"iban":"i1"},{"id":2,"iban":"i2"}]"#)
        try give("crm", kind.field, in: scene)
        try give("bill", "iban: string", in: scene)
        for name in ["crm", "bill"] { _ = try run(name, in: scene) }
        #expect(try scene.sluice("edits").output.contains("Nothing was changed here"))
        try scene.execute(kind.put)
        return scene
    }

    @Test(arguments: cases) func itHoldsTheRow(_ kind: Kind, _ place: TableScene.Kind) throws {
        let scene = try scene(kind, place)
        let edits = try scene.sluice("edits").output
        #expect(edits.contains(kind.told), "\(edits)")
        try scene.write("bill.json", #"[{"id":1,"iban":"i1"}]"#)
        let run = try run("bill", in: scene)
        #expect(run.contains("1 in conflict") && run.contains("`phone"), "\(run)")
        #expect(try scene.query("SELECT iban FROM t ORDER BY id") == ["i1", "i2"])
    }

    /// Who takes back the run that made the row loses it neither.
    @Test(arguments: cases) func itStaysWithUndo(_ kind: Kind, _ place: TableScene.Kind) throws {
        let scene = try scene(kind, place)
        let undo = try scene.sluice("undo", "2", "bill.yaml").output
        #expect(undo.contains("it stays"), "\(undo)")
        #expect(try scene.query("SELECT CAST(id AS text) FROM t ORDER BY id") == ["1", "2"])
    }

    /// A table whose column `phone` has a default: record 1 is that of crm, record 2 that of bill.
    private func scene(_ place: TableScene.Kind, default value: String) throws -> TableScene {
        let scene = try TableScene(place)
        try scene.execute("CREATE TABLE t (id INT PRIMARY KEY, iban TEXT, phone TEXT DEFAULT \(value))")
        try scene.write("g.json", "[]")
        try scene.write("crm.json", #"[{"id":1,"phone":"p1"}]"#)
        try scene.write("bill.json", #"[{"id":2,"iban":"i2"}]"#)
        try give("crm", "phone: string", in: scene)
        try give("bill", "iban: string", in: scene)
        for name in ["crm", "bill"] { _ = try run(name, in: scene) }
        return scene
    }

    /// What the table itself gives such a row nobody put there.
    @Test(arguments: TableScene.Kind.allCases) func aDefaultOfTheColumnIsNoEdit(_ place: TableScene.Kind) throws {
        let scene = try scene(place, default: "'none'")
        #expect(try scene.query("SELECT phone FROM t WHERE id = 2") == ["none"])
        #expect(try scene.sluice("edits").output.contains("Nothing was changed here"))
        try scene.write("bill.json", "[]")
        #expect(try run("bill", in: scene).contains("1 deleted"))
    }

    /// A default that gives nothing is none.
    @Test(arguments: Seeds.some(of: TableScene.Kind.allCases, oneOf: 2)) func aDefaultOfNullIsNone(
        _ place: TableScene.Kind
    ) throws {
        let scene = try scene(place, default: "NULL")
        try scene.execute("UPDATE t SET phone = '030' WHERE id = 2")
        #expect(try scene.sluice("edits").output.contains(#"local "030""#))
    }

    /// It is one also once the only pipeline that fills the column leaves the field out.
    @Test(arguments: cases.prefix(1)) func itIsOneWithoutTheField(_ kind: Kind, _ place: TableScene.Kind) throws {
        let scene = try scene(kind, place)
        try give("crm", "name: string", in: scene)
        #expect(!(try run("crm", in: scene).contains("refused")))
        #expect(try scene.sluice("edits").output.contains(kind.told))
        try scene.write("bill.json", #"[{"id":1,"iban":"i1"}]"#)
        #expect(try run("bill", in: scene).contains("1 in conflict"))
    }

    /// Who decides decides about what the conflict shows: what was put there since has the conflict opened once more.
    @Test(arguments: cases) func whatIsPutThereLaterIsAskedAbout(_ kind: Kind, _ place: TableScene.Kind) throws {
        let scene = try scene(kind, place)
        try scene.execute("UPDATE t SET iban = 'mine' WHERE id = 2")
        try scene.write("bill.json", #"[{"id":1,"iban":"i1"}]"#)
        #expect(try run("bill", in: scene).contains("1 in conflict"))
        let later = kind.put.replacing("'030'", with: "'040'").replacing("phone_id = 2", with: "phone_id = 1")
            .replacing("(2, 1)", with: "(2, 2)")
        try scene.execute(later)
        let decision = try scene.sluice("conflicts", "resolve", "1", "--take", "remote").output
        #expect(decision.contains("reopened"), "\(decision)")
        #expect(try scene.query("SELECT CAST(id AS text) FROM t ORDER BY id") == ["1", "2"])
        let again = try scene.sluice("conflicts", "resolve", "1", "--take", "remote").output
        #expect(again.contains("resolved"), "\(again)")
        #expect(try scene.query("SELECT CAST(id AS text) FROM t ORDER BY id") == ["1"])
    }

    // MARK: A field that passes to another pipeline

    /// A correction in a record that only the pipeline has which gave the field up.
    @Test(arguments: Seeds.some(of: TableScene.Kind.allCases, oneOf: 2))
    func aCorrectionOfAFieldThatWasGivenUpHoldsTheRow(
        _ place: TableScene.Kind
    ) throws {
        let scene = try passed(place) { scene in try scene.execute("UPDATE t SET phone = 'mine' WHERE id = 4") }
        #expect(try scene.sluice("edits").output.contains(#"base "p4"   local "mine""#))
        try scene.write("crm.json", #"[{"id":1,"name":"n1","phone":"p1"}]"#)
        let run = try run("crm", in: scene)
        #expect(run.contains("1 in conflict") && run.contains("`phone`"), "\(run)")
        #expect(try scene.query("SELECT phone FROM t ORDER BY id") == ["p1", "mine"])
    }

    /// The conflicts over the field end, which plan and run say.
    @Test(arguments: TableScene.Kind.allCases) func itsConflictsEndAndThatIsTold(_ place: TableScene.Kind) throws {
        var plan = ""
        let scene = try passed(place) { scene in
            try give("crm", "name: string, phone: string", in: scene)
            try scene.execute("UPDATE t SET phone = 'mine' WHERE id = 4")
            try scene.write(
                "crm.json", #"[{"id":1,"name":"n1","phone":"p1"},{"id":4,"name":"n4","phone":"p5"}]"#)
            #expect(try run("crm", in: scene).contains("1 in conflict"))
            try give("crm", "name: string", in: scene)
            plan = try scene.sluice("plan", "crm.yaml").output
        }
        let told = "! 1 conflict of t over phone  closed: crm/crm no longer fills it"
        #expect(plan.contains(told), "\(plan)")
        #expect(try scene.sluice("history", "4").output.contains("conflict 1 closed"))
        #expect(try scene.sluice("conflicts", "list").output.contains("No open conflicts"))
    }

    /// crm, which alone has record 4, gives `phone` to bill.
    private func passed(_ place: TableScene.Kind, _ before: (TableScene) throws -> Void) throws -> TableScene {
        let scene = try TableScene(place)
        try scene.write("g.json", "[]")
        try scene.write("crm.json", #"[{"id":1,"name":"n1","phone":"p1"},{"id":4,"name":"n4","phone":"p4"}]"#)
        try scene.write("bill.json", #"[{"id":1,"iban":"i1","phone":"p1"}]"#)
        try give("crm", "name: string, phone: string", in: scene)
        try give("bill", "iban: string, phone: string", in: scene)
        for name in ["crm", "bill"] { _ = try run(name, in: scene) }
        try before(scene)
        try give("crm", "name: string", in: scene)
        let given = try scene.sluice("run", "crm.yaml")
        #expect(given.code == 0, "\(given.output)\(given.errors)")
        return scene
    }

    /// A type that would write the values of the other pipeline in another form is refused, and one that does not is taken.
    @Test(arguments: Seeds.some(of: TableScene.Kind.allCases, oneOf: 2)) func theTypeOfASharedColumnStays(
        _ place: TableScene.Kind
    ) throws {
        let scene = try passed(place) { _ in }
        try give("bill", "iban: json, phone: string", in: scene)
        #expect(try scene.sluice("run", "bill.yaml").code == 0)
        try give("crm", "name: string, phone: string", in: scene)
        #expect(try scene.sluice("run", "crm.yaml").code == 0)
        for type in ["json", "decimal", "datetime"] {
            try give("crm", "name: string, phone: \(type)", in: scene)
            let refused = try scene.sluice("run", "crm.yaml")
            #expect(refused.code == 4 && refused.errors.contains("`bill/bill` fills `phone` too"), "\(refused.errors)")
        }
        try give("crm", "name: string, phone: {type: enum, values: [p1, p4]}", in: scene)
        let taken = try scene.sluice("run", "crm.yaml")
        #expect(taken.code == 0, "\(taken.output)\(taken.errors)")
    }
}
