import SluiceReport
import Testing

@testable import SluiceCommands

@Suite("What is said of a command that was stopped")
struct StopTextTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let reports: [RunReport]
        var left: [String] = []
        let line: String
    }

    private static func report(
        _ pipeline: String, _ status: RunReport.Status, _ command: RunReport.Command = .run, keepsPages: Bool = false,
        isUnknown: Bool = false
    ) -> RunReport {
        var report = RunReport(pipeline: pipeline, command: command, startedAt: "2026-01-01T00:00:00Z")
        (report.status, report.run) = (status, command == .run ? 1 : nil)
        report.keepsPages = keepsPages
        if isUnknown { report.problems.append(RunProblem(code: "outcome_unknown", severity: .error, message: "")) }
        return report
    }

    static let cases = [
        Case(testDescription: "before the only one", reports: [], left: ["a"], line: "the store is as before"),
        Case(testDescription: "before the first one", reports: [], left: ["a", "b"], line: "the store is as before"),
        Case(testDescription: "within it", reports: [report("a", .interrupted)], line: "the store is as before"),
        Case(
            testDescription: "behind a page", reports: [report("a", .interrupted, keepsPages: true)],
            line: "the pages before are kept"),
        Case(
            testDescription: "at the commit", reports: [report("a", .interrupted, isUnknown: true)],
            line: "it is not known whether the store has it"),
        Case(
            testDescription: "behind the first one", reports: [report("a", .succeeded)], left: ["b"],
            line: "the run of `a` is kept; `b` was not begun"),
        Case(
            testDescription: "within the second one", reports: [report("a", .partial), report("b", .interrupted)],
            left: ["c", "d"], line: "nothing of `b` was kept; the run of `a` is kept; `c`, `d` were not begun"),
        Case(
            testDescription: "behind a page of the third one",
            reports: [report("a", .refused), report("b", .succeeded), report("c", .interrupted, keepsPages: true)],
            line: "the pages before are kept; the runs of `a`, `b` are kept"),
        Case(
            testDescription: "within the second one, the first one failed",
            reports: [report("a", .failed), report("b", .interrupted)], line: "the store is as before"),
        Case(
            testDescription: "behind a plan", reports: [report("a", .succeeded, .plan)], left: ["b"],
            line: "the store is as before"),
    ]

    @Test("It says what is kept and what was not begun", arguments: cases)
    func line(_ known: Case) {
        var text = StopText()
        for report in known.reports { text.add(report) }
        #expect(text.line(left: known.left) == "Stopped; \(known.line).\n")
    }
}
