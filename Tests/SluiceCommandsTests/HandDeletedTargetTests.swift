import Testing

/// References to rows that a program deleted which does not check foreign keys, as the shell of SQLite.
@Suite struct HandDeletedTargetTests {
    private static func shop(_ rule: String = "") throws -> Workshop {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              D: {table: d, primary_key: id, fields: {id: int, n: string}}
              V: {table: v, primary_key: id, fields: {id: int, d: {ref: D, from: d\(rule)}, t: string}}
            streams: [{name: d, entity: D, path: d.json}, {name: v, entity: V, path: v.json}]
            """, to: "shop.yaml")
        try shop.write(#"[{"id":1,"n":"a"},{"id":2,"n":"b"}]"#, to: "d.json")
        try shop.write(#"[{"id":1,"d":1},{"id":2,"d":2}]"#, to: "v.json")
        let first = shop.sluice("run", shop.pipeline)
        #expect(first.code == 0, "\(first.output)\(first.errors)")
        try shop.sql("PRAGMA foreign_keys = OFF; DELETE FROM d WHERE id = 1")
        return shop
    }

    private static let waits = "1 reference of `v.d` loses its record: it led to `1`"
    private static let changed = #"[{"id":1,"n":"c"},{"id":2,"n":"b"}]"#

    /// What a run finds: every reference where it is asked to, and where it meets a changed record whose row is gone.
    @Test(
        arguments: [
            ("a run that looks at every reference", nil, ["--check-references"]),
            ("the source changes the record", changed, []),
            ("the source changes the record, and all is read", changed, ["--full"]),
        ] as [(String, String?, [String])])
    func theyWait(name: String, records: String?, options: [String]) throws {
        let shop = try Self.shop()
        if let records { try shop.write(records, to: "d.json") }
        let check = shop.sluice("store", "check")
        let remedy = "Else `sluice run --check-references` of `shop` has them wait for the rows."
        #expect(check.code == 1 && check.output.contains(remedy), "\(check.output)")
        let plan = shop.sluice(["plan", shop.pipeline] + options).output
        #expect(plan.contains(Self.waits), "\(name): \(plan)")
        if options == ["--check-references"] {
            #expect(plan.contains(" --check-references"), "the command to copy does the same: \(plan)")
        }
        let run = shop.sluice(["run", shop.pipeline] + options).output
        #expect(run.contains(Self.waits), "\(name): \(run)")
        #expect(try shop.rows("SELECT id FROM v WHERE d_id IS NULL") == [["integer(1)"]])
        #expect(!shop.sluice("store", "check").output.contains("bad"))
        #expect(!shop.sluice("edits").output.contains("V "), "what waits is no edit")
        try shop.sql("INSERT INTO d (id, n) VALUES (1, 'a')")
        _ = shop.sluice("run", shop.pipeline)
        #expect(try shop.rows("SELECT id FROM v WHERE d_id = 1") == [["integer(1)"]])
    }

    /// Where nothing shows that a row went, a run leaves what refers to it, however much of the source it reads.
    @Test(arguments: [[], ["--full"]])
    func withoutEvidenceTheyStay(options: [String]) throws {
        let shop = try Self.shop()
        let run = shop.sluice(["run", shop.pipeline] + options)
        #expect(run.code == 0 && !run.output.contains(Self.waits), "\(run.output)")
        #expect(try shop.rows("SELECT id FROM v WHERE d_id = 1") == [["integer(1)"]])
    }

    /// A saved plan looks at every reference as it did when it was made.
    @Test func aSavedPlanLooksAtThem() throws {
        let shop = try Self.shop()
        let plan = shop.sluice("plan", shop.pipeline, "--check-references", "--save", "\(shop.folder)/shop.plan")
        #expect(plan.output.contains(Self.waits), "\(plan.output)\(plan.errors)")
        let apply = shop.sluice("apply", "\(shop.folder)/shop.plan")
        #expect(apply.code == 0 && apply.output.contains(Self.waits), "\(apply.output)\(apply.errors)")
        #expect(try shop.rows("SELECT id FROM v WHERE d_id IS NULL") == [["integer(1)"]])
    }

    /// A rule that ends the run does so here as well.
    @Test func aRuleHolds() throws {
        let shop = try Self.shop(", on_dangling: fail")
        let run = shop.sluice("run", shop.pipeline, "--check-references")
        #expect(run.code == 1 && run.errors.contains("its `on_dangling` is `fail`"), "\(run.output)\(run.errors)")
    }
}
