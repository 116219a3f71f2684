import SluiceNotices
import SluicePipeline
import SluiceReport
import SluiceSchedule
import SluiceStore
import Testing

/// What a run gives reason to tell of.
@Suite struct NoticeEventTests {
    typealias Event = NotificationDefinition.Event

    /// A report, and what it gives reason to tell of where the run before had not succeeded.
    struct Case: CustomTestStringConvertible {
        let name: String
        var status = RunReport.Status.succeeded
        var change: @Sendable (inout RunReport) -> Void = { _ in }
        let events: [Event]
        var testDescription: String { name }
    }

    @Test(arguments: [
        Case(name: "succeeded", events: [.recovered]),
        Case(name: "failed", status: .failed, events: [.failed]),
        Case(name: "partial", status: .partial, events: [.failed]),
        Case(name: "refused", status: .refused, events: [.refused]),
        Case(name: "interrupted", status: .interrupted, events: []),
        Case(name: "locked", status: .locked, events: []),
        Case(
            name: "partial, with refused deletes and a conflict", status: .partial,
            change: {
                $0.refusedDeletes = RefusedDeletes(count: 7, needsFull: false)
                $0.streams = [stream(newConflicts: 1)]
            }, events: [.failed, .refused, .conflict]),
        Case(
            name: "new conflicts of nested records",
            change: {
                var stream = stream(newConflicts: 0)
                stream.parts = [.init(entity: "Line", summary: RunSummary(), newConflicts: 2)]
                $0.streams = [stream]
            }, events: [.recovered, .conflict]),
        Case(
            name: "an older conflict", change: { $0.openBesides.conflicts = 1 }, events: [.recovered, .attention]),
        Case(
            name: "a value that a change of type left", change: { $0.openBesides.typeChanged = 1 },
            events: [.recovered, .attention]),
        Case(
            name: "a warning that --strict does not mind",
            change: { $0.problems = [RunProblem(code: "hook_failed", severity: .warning, message: "")] },
            events: [.recovered]),
        Case(
            name: "a warning that --strict minds",
            change: { $0.problems = [RunProblem(code: "differing_duplicates", severity: .warning, message: "")] },
            events: [.recovered, .attention]),
    ])
    func eventsOfAReport(_ expected: Case) {
        var report = RunReport(pipeline: "shop", command: .run, startedAt: "2026-01-02T03:04:05Z")
        report.status = expected.status
        expected.change(&report)
        #expect(report.events { true } == expected.events)
        #expect(report.events { false } == expected.events.filter { $0 != .recovered })
    }

    private static func stream(newConflicts: Int) -> StreamReport {
        var stream = StreamReport(stream: "books", entity: "Book")
        stream.newConflicts = newConflicts
        return stream
    }

    /// Earlier runs, newest first, as `status` or `status scope`; the run itself has the number 9.
    @Test(
        arguments: [
            (nil, [], false), (nil, ["succeeded"], false), (nil, ["failed"], true), (nil, ["partial"], true),
            (nil, ["refused"], true), (nil, ["succeeded", "failed"], false),
            // Who was stopped says nothing.
            (nil, ["interrupted"], false), (nil, ["interrupted", "failed"], true),
            (nil, ["interrupted", "succeeded"], false),
            // A stream alone says nothing of the others.
            (nil, ["succeeded stream books", "failed"], true), (nil, ["failed stream books", "succeeded"], false),
            ("stream books", ["failed"], false), ("stream books", ["failed stream books"], true),
            ("stream books", ["succeeded", "failed stream books"], true),
        ] as [(String?, [String], Bool)])
    func itRecoversFromTheRunBefore(scope: String?, runs: [String], expected: Bool) {
        var report = RunReport(pipeline: "shop", command: .run, startedAt: "2026-01-02T03:04:05Z")
        (report.run, report.scope) = (9, scope)
        let earlier = runs.enumerated().map { index, words in
            let parts = words.split(separator: " ", maxSplits: 1).map(String.init)
            var entry = RunEntry(
                id: Int64(8 - index), pipeline: "shop", command: "run", status: parts[0], startedAt: report.startedAt)
            entry.scope = parts.count > 1 ? parts[1] : nil
            return entry
        }
        #expect(report.recovers(from: earlier) == expected)
        var own = RunEntry(
            id: 9, pipeline: "shop", command: "run", status: "succeeded", startedAt: report.startedAt)
        own.scope = scope
        #expect(report.recovers(from: [own] + earlier) == expected, "the run itself is not the one before")
    }

    @Test("What notifies nobody is nothing to recover from", arguments: ["apply", "undo", "resolve", "retry"])
    func othersThanRunsDoNotCount(_ command: String) {
        func entry(_ id: Int64, _ command: String, _ status: String) -> RunEntry {
            RunEntry(id: id, pipeline: "shop", command: command, status: status, startedAt: "2026-01-02T03:04:05Z")
        }
        var report = RunReport(pipeline: "shop", command: .run, startedAt: "2026-01-02T03:04:05Z")
        report.run = 9
        #expect(!report.recovers(from: [entry(8, command, "partial"), entry(7, "run", "succeeded")]))
        #expect(report.recovers(from: [entry(8, command, "succeeded"), entry(7, "run", "failed")]))
    }

    /// What a service did before the last run of the store that counts, at 10 o'clock, or after it.
    struct Served: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var last = "succeeded"
        /// The start of a run that a service started, in seconds after 10 o'clock; nil for none.
        var start: Int64?
        var signals: [StopSignal: Int64] = [:]
        /// What it came to; nil while it is going.
        var outcome: RunOutcome?
        /// The start of a run of which the service told that it failed.
        var told: Int64?
        var scope: String?
        let recovers: Bool
    }

    @Test(arguments: [
        Served(
            testDescription: "one that took too long", start: 60, signals: [.terminate: 5], outcome: .interrupted,
            recovers: true),
        Served(
            testDescription: "one that took too long, before another one succeeded", start: -60,
            signals: [.terminate: 5], outcome: .interrupted, recovers: false),
        Served(
            testDescription: "one that took too long, and a run of a stream alone", start: 60,
            signals: [.terminate: 5], outcome: .interrupted, scope: "stream books", recovers: false),
        Served(testDescription: "one that somebody stopped", start: 60, outcome: .interrupted, recovers: false),
        Served(
            testDescription: "one that found the store in use", start: 60, outcome: .failedForNow, recovers: false),
        Served(testDescription: "one that is going", start: 60, recovers: false),
        Served(testDescription: "a crash that the service told", told: 60, recovers: true),
        Served(testDescription: "a crash before another run succeeded", told: -60, recovers: false),
        Served(testDescription: "none, after one that failed", last: "failed", recovers: true),
    ])
    func itRecoversFromWhatAServiceTold(_ test: Served) throws {
        let ten: Int64 = 1_767_261_600
        var report = RunReport(pipeline: "shop", command: .run, startedAt: "2026-01-01T10:05:00Z")
        (report.run, report.scope) = (9, test.scope)
        var entry = RunEntry(
            id: 8, pipeline: "shop", command: "run", status: test.last, startedAt: "2026-01-01T10:00:00Z")
        entry.scope = test.scope
        var attempts: [DueTime.Attempt] = []
        if let start = test.start {
            var attempt = DueTime.Attempt(start: ten + start)
            attempt.signals = test.signals
            attempt.end = test.outcome.map { DueTime.End(moment: ten + start + 6, outcome: $0) }
            attempts = [attempt]
        }
        let due = DueTime(
            id: DueTimeID(pipeline: "shop", moment: ten), attempts: attempts, retryAt: nil, isLate: false,
            settlement: nil)
        // The run itself is going.
        let own = DueTime(
            id: DueTimeID(pipeline: "shop", moment: ten + 300), attempts: [DueTime.Attempt(start: ten + 300)],
            retryAt: nil, isLate: false, settlement: nil)
        #expect(
            report.recovers(from: [entry], dueTimes: [due, own], told: test.told.map { ten + $0 }) == test.recovers)
    }
}
