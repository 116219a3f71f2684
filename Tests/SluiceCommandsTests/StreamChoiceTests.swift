import SluiceStore
import Testing

/// `--stream`, which may be given several times: each one counts.
@Suite struct StreamChoiceTests {
    private func shop(_ books: String = #"[{"id":1}]"#) throws -> Workshop {
        let shop = try Workshop()
        let streams = ["as", "bs", "cs"].map { name in
            "  - {name: \(name), entity: \(name.prefix(1).uppercased()), path: \(name).json}"
        }
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              A: {table: a, primary_key: id, fields: {id: int}}
              B: {table: b, primary_key: id, fields: {id: int}}
              C: {table: c, primary_key: id, fields: {id: int}}
            streams:
            \(streams.joined(separator: "\n"))
            """, to: "shop.yaml")
        for name in ["as", "bs", "cs"] { try shop.write(books, to: "\(name).json") }
        return shop
    }

    private func counts(_ shop: Workshop) throws -> [String] {
        try ["a", "b", "c"].map { table in
            try shop.hasTable(table) ? try shop.rows("SELECT count(*) FROM \(table)")[0][0] : "none"
        }
    }

    @Test func aRunReadsEach() throws {
        let shop = try shop()
        let plan = shop.sluice("plan", shop.pipeline, "--stream", "bs", "--stream", "as", "--format", "json")
        #expect(plan.code == 0 && plan.output.contains(#""stream":"as""#), "\(plan.output)\(plan.errors)")
        #expect(plan.output.contains(#""stream":"bs""#) && !plan.output.contains(#""stream":"cs""#), "\(plan.output)")
        #expect(shop.sluice("run", shop.pipeline, "--stream", "bs", "--stream", "as").code == 0)
        let found = try counts(shop)
        #expect(found[0].contains("1") && found[1].contains("1") && !found[2].contains("1"), "\(found)")
        #expect(shop.sluice("history", "1", "--format", "json").output.contains(#""scope":"streams as, bs""#))
    }

    @Test func aSavedPlanKeepsEach() throws {
        let shop = try shop()
        let file = "\(shop.folder)/p.plan"
        #expect(shop.sluice("plan", shop.pipeline, "--stream", "bs", "--stream", "as", "--save", file).code == 0)
        let apply = shop.run(["apply", file])
        #expect(apply.code == 0, "\(apply.output)\(apply.errors)")
        let found = try counts(shop)
        #expect(found[0].contains("1") && found[1].contains("1") && !found[2].contains("1"), "\(found)")
    }

    @Test func eachUnknownNameIsRefused() throws {
        let shop = try shop()
        let run = shop.sluice("run", shop.pipeline, "--stream", "az", "--stream", "bs", "--stream", "nosuch")
        #expect(run.code == 64)
        let words = [
            "No pipeline has a stream `az`. Did you mean `as`?", "No pipeline has a stream `nosuch`.",
            "The streams are `as`, `bs`, `cs`.",
        ]
        for word in words { #expect(run.errors.contains(word), "\(run.errors)") }
        #expect(try !shop.hasTable("b"))
    }

    @Test func theQuarantineListsEach() throws {
        let shop = try shop(#"[{"id":"x"}]"#)
        #expect(shop.sluice("run", shop.pipeline).code == 0)
        let list = shop.sluice("quarantine", "list", "--stream", "as", "--stream", "cs", "--format", "json").output
        #expect(list.contains(#""stream":"as""#) && list.contains(#""stream":"cs""#), "\(list)")
        #expect(!list.contains(#""stream":"bs""#), "\(list)")
        let wrong = shop.sluice("quarantine", "list", "--stream", "as", "--stream", "cz")
        #expect(wrong.code == 1 && wrong.errors.contains("no stream `cz`"), "\(wrong.errors)")
    }

    /// A run of several streams makes up for one of each of them.
    @Test(arguments: [("as bs", "as", true), ("as", "as bs", false), ("as bs", "as bs", true)])
    func aRunMakesUpForEach(last: String, first: String, isMadeUp: Bool) throws {
        let shop = try shop()
        func run(_ streams: String) {
            let options = streams.split(separator: " ").flatMap { ["--stream", String($0)] }
            #expect(shop.sluice(["run", shop.pipeline] + options).code == 0)
        }
        run(first)
        try shop.sql("UPDATE _sluice_runs SET status = 'partial'")
        run(last)
        let status = shop.sluice("status", "--format", "json").output
        #expect(status.contains(#""unfinished_run""#) != isMadeUp, "\(status)")
    }

    @Test(
        arguments: [
            ([], nil, false, nil, [nil]), ([], nil, true, "recording", ["recording"]),
            ([], "Book", false, "entity Book", ["entity Book"]), (["b"], nil, false, "stream b", ["stream b"]),
            (["b"], nil, true, "stream b of a recording", ["stream b of a recording"]),
            (["b", "a", "b"], nil, false, "streams a, b", ["stream a", "stream b"]),
            (
                ["b", "a"], nil, true, "streams a, b of a recording",
                ["stream a of a recording", "stream b of a recording"]
            ),
        ] as [([String], String?, Bool, String?, [String?])])
    func itIsKeptInWords(streams: [String], entity: String?, isRecording: Bool, text: String?, parts: [String?]) {
        #expect(RunScope.text(streams: streams, entity: entity, isRecording: isRecording) == text)
        #expect(RunScope.parts(of: text) == parts)
    }
}
