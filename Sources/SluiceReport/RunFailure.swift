internal import SluiceStore
internal import SluiceSystem

/// A failure of a layer that reports do not know, which says itself what is told of it.
package protocol NamedFailure: Error {
    /// The code in reports, in snake_case.
    var name: String { get }
    /// What went wrong, as full sentences; they may quote what came from outside.
    var statement: String { get }
    /// What to do, in words of the program itself; nil where that is said already.
    var advice: String? { get }
}

/// What an error means for the report of a run.
package struct RunFailure {
    package let status: RunReport.Status
    package let code: String
    package let message: String
    /// The stream that failed, nil where it is the run as a whole.
    package var stream: String?

    /// - Parameters:
    ///   - error: What ended the run.
    ///   - isCancelled: Whether it was asked to stop.
    ///   - scrub: Takes out of a text from outside what must not be told.
    package init(_ error: any Error, isCancelled: Bool, scrubbing scrub: (String) -> String = { $0 }) {
        let failure = error as? StreamFailure
        stream = failure?.stream
        let cause = failure?.error ?? error
        // A secret such as `wrong` is replaced in what came from outside, and not in the program's own words.
        let advice = isCancelled ? nil : (cause as? any NamedFailure)?.advice
        let (status, code, message) = Self.words(for: cause, isCancelled: isCancelled)
        self.status = status
        self.code = code
        // A line break belongs to whoever lays the message out.
        let told = scrub(message.replacing("\n", with: " "))
        self.message = told + (advice.map { " \($0)" } ?? "")
    }

    private static func words(
        for error: any Error, isCancelled: Bool
    ) -> (RunReport.Status, code: String, message: String) {
        switch error {
        case is CancelledError:
            return (.interrupted, Self.interruption, "The run was stopped.")
        case let error as StoreError where isCancelled && error.code == .outcomeUnknown:
            return (.interrupted, error.name, error.message)
        case _ where isCancelled:
            return (.interrupted, Self.interruption, "The run was stopped.")
        case let error as SyncError:
            return (status(of: error.code.name), error.code.name, error.message)
        case let error as StoreError where error.code.isRefusal:
            return (.refused, error.name, error.message)
        case let error as StoreError where error.code == .rejected:
            return (.failed, error.name, error.message)
        case let error as StoreError:
            return (
                [.locked, .superseded].contains(error.code) ? .locked : .failed, error.name, error.messageWhereWaiting
            )
        case let error as any NamedFailure:
            return (status(of: error.name), error.name, error.statement)
        case let error as SystemError:
            return (.failed, "system_error", "The program \(error.description).")
        default:
            return (.failed, "internal", "\(error). This is a bug in sluice.")
        }
    }

    /// How a run ends that a code tells of.
    private static func status(of code: String) -> RunReport.Status {
        if code == SyncError.Code.locked.name { return .locked }
        let refusals: [SyncError.Code] = [.planRefused, .planOutdated, .notPlanned, .renamedMeanwhile]
        return refusals.contains { $0.name == code } ? .refused : .failed
    }

    /// Whether the history should get an entry of it: a write could harm what is damaged even more, a run that may have been kept has
    /// one already, where a saved plan knows another store none began, and a name that the store knows no more would never do well again.
    package var mayBeNoted: Bool {
        let unnoted =
            [StoreError.Code.damaged, .outcomeUnknown].map(\.name)
            + [SyncError.Code.planOutdated, .renamedMeanwhile].map(\.name)
        return !unnoted.contains(code)
    }

    package func describe(in report: inout RunReport) {
        report.status = status
        report.run = nil
        // What was done up to then is not kept, so it is not told either.
        report.streams = []
        report.schemaChanges = []
        report.problems.append(problem)
    }

    /// The code of a run that was asked to stop.
    fileprivate static let interruption = "interrupted"

    /// The failure as a report tells it.
    package var problem: RunProblem { problem(hasKept: false) }

    /// The failure as a report tells it.
    ///
    /// - Parameter hasKept: Whether something of the run is kept all the same.
    /// - Returns: The problem.
    package func problem(hasKept: Bool) -> RunProblem {
        // A statement that was interrupted, by the server for example, has the same code and stops nothing.
        let isStopped = status == .interrupted && code == Self.interruption
        let words = isStopped && !hasKept ? "The run was stopped; nothing was kept." : message
        var problem = RunProblem(code: code, severity: .error, message: words)
        problem.stream = stream
        return problem
    }
}

extension RunReport {
    /// The problems beside that the run was stopped, which its headline says.
    package var problemsBesideStop: [RunProblem] {
        status == .interrupted ? problems.filter { $0.code != RunFailure.interruption } : problems
    }

    /// Whether the connection to the store was lost at a commit, so that it is not known whether what it did was kept.
    package var isOutcomeUnknown: Bool { problems.contains { $0.code == StoreError.Code.outcomeUnknown.name } }

    /// Whether a run that was to change the store ended with an error and left it as it was.
    package var leavesStore: Bool {
        guard command == .run, !keepsPages, !isOutcomeUnknown else { return false }
        return status == .failed || status == .refused && streams.isEmpty
    }
}
