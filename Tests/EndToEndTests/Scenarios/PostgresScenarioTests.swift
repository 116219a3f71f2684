import Testing

/// The scenarios with a store on PostgreSQL: what commands tell and what tables hold is the same.
@Suite struct PostgresScenarioTests {
    /// The scenarios that PostgreSQL cannot show, and why.
    private static let others = [
        "adopt": "its table is one that SQLite's programs make",
        "newest-wins": "an edit puts words into a time, which its column does not take",
        "representations": "an edit puts words into a number, which its column does not take",
    ]

    @Test(arguments: Scenario.names.filter { others[$0] == nil }.map { Scenario(name: $0) })
    func theStoreHoldsWhatItShould(scenario: Scenario) throws {
        let stage = try PostgresStage(scenario)
        for step in scenario.steps {
            try stage.prepare(step)
            if scenario.checkedSteps.contains(step) {
                try check(step, scenario, stage)
            } else {
                let outcome = stage.sync("run", step)
                try #require(outcome.code == 0, "\(outcome)")
            }
        }
    }

    private func check(_ step: String, _ scenario: Scenario, _ stage: PostgresStage) throws {
        let before = try stage.contents(withRuns: true)
        let planned = stage.sync("plan", step, "--format", "json")
        #expect(try stage.contents(withRuns: true) == before, "a plan writes nothing")
        let run = stage.sync("run", step, "--format", "json")
        #expect(run.code == planned.code)
        #expect(ScenarioTests.withoutNumbers(run.text) == ScenarioTests.withoutNumbers(planned.text))
        let expected = try #require(scenario.text("\(step).run.json"))
        #expect(run.text == expected, "\(scenario.name), \(step)")
        let text = try #require(scenario.text("\(step).store.txt"))
        #expect(try stage.rows() == stage.expectedRows(text), "\(scenario.name), \(step)")

        let settled = try stage.contents(withRuns: false)
        let again = stage.sync("run", step, "--format", "json")
        #expect(try stage.contents(withRuns: false) == settled, "the second run writes nothing")
        let (report, first) = (try ScenarioReport(again.text), try ScenarioReport(run.text))
        #expect(report.status == first.status)
        if report.status != "failed" {
            #expect(report.counts(["insert", "update", "delete", "kept_local"]) == 0, "\(again.text)")
        }
    }

    @Test func aPlanOnAnEmptyDatabaseMakesNothing() throws {
        let scenario = Scenario(name: try #require(Scenario.names.first { $0 == "delete-hard" }))
        let stage = try PostgresStage(scenario)
        try stage.prepare("first")
        let plan = stage.sync("plan", "first")
        #expect(plan.code == 2 || plan.code == 0, "\(plan)")
        #expect(try !stage.exists())
        #expect(stage.sync("run", "first").code == 0)
        #expect(try stage.exists())
    }
}
