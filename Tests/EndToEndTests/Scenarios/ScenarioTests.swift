import Foundation
import Testing

/// What the engine makes of every case, with a real store that somebody edits between runs.
@Suite struct ScenarioTests {
    @Test(arguments: Scenario.names.map { Scenario(name: $0) })
    func theStoreHoldsWhatItShould(scenario: Scenario) throws {
        let stage = try ScenarioStage(scenario)
        #expect(scenario.steps.count > 1 || scenario.checkedSteps == ["first"], "there is nothing to check")
        for step in scenario.steps {
            try stage.prepare(step)
            if scenario.checkedSteps.contains(step) {
                try check(step, stage)
            } else {
                let outcome = stage.sync("run", step)
                try #require(outcome.code == 0, "\(outcome)")
            }
            let checked = stage.checkStore()
            #expect(checked.code == 0, "what a run leaves behind is sound: \(checked)")
        }
    }

    private func check(_ step: String, _ stage: ScenarioStage) throws {
        let scenario = stage.scenario
        func expect(_ text: String, _ name: String) throws {
            try ExpectedText(file: scenario.folder.appending(path: "\(step).\(name)")).check(text)
        }
        let before = try stage.contents(withRuns: true)
        let cases = try scenario.cases.filter { $0.step == step }.map { try CaseCheck($0, on: stage) }

        let plan = stage.sync("plan", step)
        try expect("$ sluice plan pipeline.yaml\n\(plan.text)exit \(plan.code)\n", "plan.txt")
        for (form, name) in [("markdown", "plan.md"), ("html", "plan.html"), ("csv", "plan.csv")] {
            let told = stage.sync("plan", step, "--format", form)
            try expect(form == "html" ? Self.withoutFrame(told.text) : told.text, name)
            #expect(told.code == plan.code)
        }
        let planned = stage.sync("plan", step, "--format", "json")
        #expect(try stage.contents(withRuns: true) == before, "a plan writes nothing")

        let applied = try stage.applied(step)
        #expect(try stage.contents(withRuns: true) == before)
        let run = stage.sync("run", step, "--format", "json")
        try expect(run.text, "run.json")
        #expect(run.code == plan.code && planned.code == plan.code)
        #expect(Self.withoutNumbers(run.text) == Self.withoutNumbers(planned.text), "a plan shows what the run does")
        try expect(stage.storeText(), "store.txt")
        let hasRedactions = scenario.text("pipeline.yaml")?.contains("redact:") ?? false
        #expect((applied == nil) == (run.code != 0 || hasRedactions), "such plans are saved")
        if let applied {
            #expect(applied.outcome.code == run.code, "\(applied.outcome)")
            #expect(try applied.text == stage.storeText(), "a saved plan does what the run does: \(applied.outcome)")
        }
        for check in cases { try check.verify(on: stage) }
        try checkQuiet(step, stage, run)
    }

    /// A second run with the same source writes nothing but its own row.
    private func checkQuiet(_ step: String, _ stage: ScenarioStage, _ run: ScenarioStage.Outcome) throws {
        let before = try stage.contents()
        let runs = try stage.rows("SELECT count(*) FROM _sluice_runs")
        let again = stage.sync("run", step, "--format", "json")
        #expect(try stage.contents() == before, "the second run writes nothing")
        #expect(try stage.rows("SELECT count(*) - 1 FROM _sluice_runs") == runs)
        let report = try ScenarioReport(again.text)
        // What is refused or only reported is said again, and a run that fails fails again.
        let first = try ScenarioReport(run.text)
        #expect(report.status == first.status)
        if report.status != "failed" {
            #expect(report.counts(["insert", "update", "delete", "kept_local"]) == 0, "\(again.text)")
            #expect(report.kept == 0 && report.newConflicts == 0, "\(again.text)")
            #expect(report.changes == first.goneChanges)
        }
    }

    /// The reports of a page, without what is the same on all pages and the time.
    private static func withoutFrame(_ page: String) -> String {
        let start = page.range(of: "<main>\n")?.upperBound ?? page.startIndex
        let end = page.range(of: "<section id=\"changes\"")?.lowerBound ?? page.endIndex
        return String(page[start..<end]).replacing(#/<time>[^<]*/#, with: "<time>…")
    }

    /// A report without what only a run knows: its number and those of conflicts and records in quarantine.
    static func withoutNumbers(_ report: String) -> String {
        report.replacing("\"command\":\"plan\"", with: "\"command\":\"run\"")
            .replacing(#/"(run|id)":\d+,"(started_at|kind|stream)"/#) { "\"\($0.1)\":null,\"\($0.2)\"" }
            // What was changed here a plan alone tells.
            .replacing(/"edits":\{[^}]*\},/, with: "")
    }

    @Test func everyCaseOfTheTruthTablesIsShown() throws {
        var shown: Set<String> = []
        for scenario in Scenario.names.map({ Scenario(name: $0) }) {
            #expect(scenario.text("about.txt") != nil, "\(scenario.name)/about.txt")
            for shownCase in scenario.cases {
                let place = "\(scenario.name)/about.txt:\(shownCase.line)"
                #expect(TruthTable.numbers.contains(shownCase.number), "\(place): no case has this number")
                #expect(scenario.checkedSteps.contains(shownCase.step), "\(place): no such step")
                shown.insert(shownCase.number)
            }
        }
        for number in TruthTable.numbers { #expect(shown.contains(number), "no scenario shows case \(number)") }
    }
}
