import SluiceCommands
import SluiceReport
import Testing

@Suite struct ExitCodeTests {
    @Test(
        arguments: [
            ([], 0), ([.done, .done], 0), ([.changes, .attention], 3), ([.attention, .refused], 4),
            ([.refused, .locked], 6),
            ([.locked, .partial], 5), ([.partial, .failed], 1), ([.failed, .invalidPipeline], 78),
            ([.done, .changes, .done], 2), ([.failed, .interrupted], 130), ([.terminated, .invalidPipeline], 143),
        ] as [([ExitCode], Int32)])
    func theFirstThatOccurredSpeaksForAll(codes: [ExitCode], expected: Int32) {
        #expect(ExitCode.first(of: codes).rawValue == expected)
        #expect(ExitCode.first(of: codes.reversed()).rawValue == expected)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let status: RunReport.Status
        var summary = RunSummary()
        var newlyQuarantined: Int?
        var problem: String?
        var isStrict = false
        var isDetailed = false
        var signal: Int32 = 0
        let expected: Int32
        var testDescription: String { name }
    }

    private static func summary(update: Int = 0, conflict: Int = 0, quarantined: Int = 0) -> RunSummary {
        var summary = RunSummary()
        (summary.update, summary.conflict, summary.quarantined) = (update, conflict, quarantined)
        return summary
    }

    @Test(arguments: [
        Case(name: "done", status: .succeeded, expected: 0),
        Case(name: "changes, not asked for", status: .succeeded, summary: summary(update: 1), expected: 0),
        Case(name: "changes", status: .succeeded, summary: summary(update: 1), isDetailed: true, expected: 2),
        Case(name: "no changes", status: .succeeded, isDetailed: true, expected: 0),
        Case(name: "conflict, not strict", status: .succeeded, summary: summary(conflict: 1), expected: 0),
        Case(name: "conflict", status: .succeeded, summary: summary(conflict: 1), isStrict: true, expected: 3),
        Case(name: "quarantine", status: .succeeded, summary: summary(quarantined: 1), isStrict: true, expected: 3),
        Case(
            name: "quarantine of an earlier run", status: .succeeded, summary: summary(quarantined: 1),
            isDetailed: true, expected: 0),
        Case(
            name: "new in quarantine", status: .succeeded, summary: summary(quarantined: 2), newlyQuarantined: 1,
            isDetailed: true, expected: 2),
        Case(
            name: "new in quarantine, strict", status: .succeeded, summary: summary(quarantined: 2),
            newlyQuarantined: 1, isStrict: true, isDetailed: true, expected: 3),
        Case(
            name: "conflict and changes", status: .succeeded, summary: summary(update: 1, conflict: 1), isStrict: true,
            isDetailed: true, expected: 3),
        Case(name: "refused", status: .refused, summary: summary(update: 1), isDetailed: true, expected: 4),
        Case(name: "partial", status: .partial, expected: 5),
        Case(name: "locked", status: .locked, expected: 6),
        Case(name: "failed", status: .failed, problem: "fetch_failed", expected: 1),
        Case(name: "invalid", status: .failed, problem: "invalid_pipeline", expected: 78),
        Case(name: "Ctrl-C", status: .interrupted, signal: 2, expected: 130),
        Case(name: "SIGTERM", status: .interrupted, signal: 15, expected: 143),
        Case(name: "cancelled", status: .interrupted, expected: 130),
    ])
    func ofAReport(_ test: Case) {
        var report = RunReport(pipeline: "shop", command: .plan, startedAt: "")
        report.status = test.status
        var stream = StreamReport(stream: "books", entity: "Book")
        stream.summary = test.summary
        stream.newlyQuarantined = test.newlyQuarantined
        report.streams = [stream]
        report.problems = test.problem.map { [RunProblem(code: $0, severity: .error, message: "")] } ?? []
        let strictness = ExitCode.Strictness(reportsOpenConflicts: test.isStrict, reportsChanges: test.isDetailed)
        #expect(ExitCode(report, strictness: strictness, signal: test.signal).rawValue == test.expected)
    }

    /// Of records in quarantine and conflicts those count that a run would add, also within records.
    @Test func aPlanTellsWhatIsNewInQuarantine() throws {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              Line: {table: lines, primary_key: [no], fields: {no: int, amount: int}}
              Book:
                table: books
                primary_key: [id]
                fields: {id: int, price: decimal}
                children: {lines: {entity: Line, from: "lines[*]", key: [no]}}
            streams: [{name: books, entity: Book, path: books.json}]
            """, to: "shop.yaml")
        func plan(_ books: String) throws -> Workshop.Outcome {
            try shop.write(books, to: "books.json")
            return shop.sluice("plan", shop.pipeline, "--detailed-exitcode")
        }
        let good = #"[{"id":1,"price":"1","lines":[{"no":1,"amount":2}]},{"id":2,"price":"2"}]"#
        for (name, bad) in [
            ("record", #"[{"id":1,"price":"1","lines":[{"no":1,"amount":2}]},{"id":2,"price":"x"}]"#),
            ("within", #"[{"id":1,"price":"1","lines":[{"no":1,"amount":"x"}]},{"id":2,"price":"2"}]"#),
        ] {
            #expect(try plan(good).code == (name == "record" ? 2 : 0), "\(name)")
            #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
            let new = try plan(bad)
            #expect(new.code == 2 && !new.output.contains("nothing to change"), "\(name): \(new)")
            #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
            let known = try plan(bad)
            #expect(known.code == 0 && known.output.contains("nothing to change, 1 not written"), "\(name): \(known)")
            #expect(try plan(good).code == 0)
            #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
        }
    }
}
