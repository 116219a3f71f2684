import Testing

/// `history` over a year of runs: some of them, and what they were like.
@Suite struct HistoryChoiceTests {
    /// Six runs of a pipeline, a month apart, of which the second and the fifth failed, and one of another pipeline.
    private func shop() throws -> Workshop {
        let shop = try Workshop()
        try shop.writePipeline()
        for run in 1...6 {
            let books = (0..<run).map { #"{"id":\#($0),"title":"t"}"# }
            try shop.write(run == 2 || run == 5 ? "[" : "[\(books.joined(separator: ","))]", to: "books.json")
            _ = shop.sluice("run", shop.pipeline, "-q")
            try shop.sql(
                """
                UPDATE _sluice_runs SET started_at = '2026-0\(run)-01T00:00:00Z',
                finished_at = '2026-0\(run)-01T00:0\(run):00Z' WHERE id = \(run)
                """)
        }
        let other = try shop.read("shop.yaml").replacing("name: shop", with: "name: other")
        try shop.write(other.replacing("table: books", with: "table: others"), to: "other.yaml")
        #expect(shop.sluice("run", "\(shop.folder)/other.yaml", "-q").code == 0)
        try shop.sql("UPDATE _sluice_runs SET finished_at = started_at WHERE id = 7")
        return shop
    }

    private func numbers(_ output: String) -> [String] {
        output.split(separator: "\n").map { String($0.drop { $0 == " " }.prefix { $0 != " " }) }
    }

    @Test(
        arguments: [
            (["--since", "2026-03-01"], ["7", "6", "5", "4", "3"]), (["--failed"], ["5", "2"]),
            (["--since", "2026-03-01T00:00:01Z", "--failed"], ["5"]),
            (["--since", "2026-03-01T01:00:00+01:00", "--pipeline", "shop"], ["6", "5", "4", "3"]),
            (["--since", "1h"], ["7"]), (["--pipeline", "other"], ["7"]),
        ] as [([String], [String])])
    func runsAreChosen(_ options: [String], _ expected: [String]) throws {
        let shop = try shop()
        let outcome = shop.sluice(["history"] + options)
        #expect(numbers(outcome.output) == expected, "\(outcome)")
        let none = shop.sluice("history", "--failed", "--pipeline", "other")
        #expect(none.code == 0 && none.output == "There is no such run.\n")
    }

    @Test func theLimitCountsWhatWasChosen() throws {
        let outcome = try shop().sluice("history", "--failed", "--limit", "1")
        #expect(outcome.output.hasPrefix("5  shop") && outcome.output.contains("… and earlier ones"), "\(outcome)")
    }

    @Test func trendsAreALineForEachPipeline() throws {
        let shop = try shop()
        // Undo and decisions are no runs over the source.
        #expect(shop.sluice("undo", "7").code == 0)
        #expect(
            shop.sluice("history", "--trends").output == """
                pipeline  runs  failed  median time  median records
                other     1     0       under 1 s    6
                shop      6     2       3 min 30 s   3

                """)
        let json = shop.sluice("history", "--trends", "--since", "2026-04-30", "--pipeline", "shop", "--format", "json")
        #expect(json.output.contains(#""since":"2026-04-30T00:00:00Z","trends":["#), "\(json)")
        #expect(
            json.output.contains(
                #"{"pipeline":"shop","runs":2,"failures":1,"median_duration_seconds":360,"median_records_read":6}"#),
            "\(json)")
    }

    @Test(
        arguments: [
            (["--since", "yesterday"], "needs a time such as 2026-03-28T12:00:00Z or 2026-03-28, or how long ago"),
            (["1", "--failed"], "`--failed` chooses among the runs"),
            (["--trends", "--failed"], "`--failed` says nothing"),
            (["--trends", "--limit", "3"], "`--limit` says nothing"),
        ] as [([String], String)])
    func whatSaysNothingIsRefused(_ options: [String], _ message: String) throws {
        let outcome = try shop().sluice(["history"] + options)
        #expect(outcome.code == 64 && outcome.errors.contains(message), "\(outcome)")
    }
}
