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

    /// What a run finds: `--full` looks at all references, another run where it meets a record whose row is gone.
    @Test(
        arguments: [
            ("a full run", nil, ["--full"]),
            ("the source changes the record", #"[{"id":1,"n":"c"},{"id":2,"n":"b"}]"#, []),
        ] as [(String, String?, [String])])
    func theyWait(name: String, records: String?, options: [String]) throws {
        let shop = try Self.shop()
        if let records { try shop.write(records, to: "d.json") }
        let check = shop.sluice("store", "check")
        #expect(check.code == 1 && check.output.contains("a run with `--full` has them wait"), "\(check.output)")
        let plan = shop.sluice(["plan", shop.pipeline] + options).output
        #expect(plan.contains("1 reference of `v.d` leads to"), "\(name): \(plan)")
        let run = shop.sluice(["run", shop.pipeline] + options).output
        #expect(run.contains("1 reference of `v.d` leads to"), "\(name): \(run)")
        #expect(try shop.rows("SELECT id FROM v WHERE d_id IS NULL") == [["integer(1)"]])
        #expect(!shop.sluice("store", "check").output.contains("bad"))
        #expect(!shop.sluice("edits").output.contains("V "), "what waits is no edit")
        try shop.sql("INSERT INTO d (id, n) VALUES (1, 'a')")
        _ = shop.sluice("run", shop.pipeline)
        #expect(try shop.rows("SELECT id FROM v WHERE d_id = 1") == [["integer(1)"]])
    }

    /// A rule that ends the run does so here as well.
    @Test func aRuleHolds() throws {
        let shop = try Self.shop(", on_dangling: fail")
        let run = shop.sluice("run", shop.pipeline, "--full")
        #expect(run.code == 1 && run.errors.contains("its `on_dangling` is `fail`"), "\(run.output)\(run.errors)")
    }
}
