internal import SluiceHTTP
internal import SluiceStore
internal import SluiceSystem

/// What an error means for the report of a run.
struct RunFailure {
    let status: RunReport.Status
    let code: String
    let message: String

    /// - Parameters:
    ///   - error: What ended the run.
    ///   - isCancelled: Whether it was asked to stop.
    ///   - secrets: Texts that must not be told.
    init(_ error: any Error, isCancelled: Bool, hiding secrets: [String]) {
        let (status, code, message) = Self.words(for: error, isCancelled: isCancelled)
        self.status = status
        self.code = code
        // A line break belongs to whoever lays the message out.
        // The longest secret first, so that none is left in part because another one is its beginning.
        self.message = secrets.sorted { $0.utf8.count > $1.utf8.count }.reduce(message.replacing("\n", with: " ")) {
            $0.replacing($1, with: "***")
        }
    }

    private static func words(
        for error: any Error, isCancelled: Bool
    ) -> (RunReport.Status, code: String, message: String) {
        switch error {
        case is CancelledError:
            return (.interrupted, "interrupted", "The run was stopped; nothing of it was kept.")
        case _ where isCancelled:
            return (.interrupted, "interrupted", "The run was stopped; nothing of it was kept.")
        case let error as SyncError:
            let status: RunReport.Status =
                error.code == .locked ? .locked : error.code == .orphaned ? .refused : .failed
            return (status, error.code.name, error.message)
        case let error as StoreError where error.code == .rejected:
            return (.failed, error.name, error.message + " Nothing was written.")
        case let error as StoreError:
            return (error.code == .locked ? .locked : .failed, error.name, error.message)
        case let error as HTTPError:
            return (.failed, error.code.rawValue, error.message)
        case let error as SystemError:
            return (.failed, "system_error", "The program \(error.description).")
        default:
            return (.failed, "internal", "\(error). This is a bug in sluice.")
        }
    }

    func describe(in report: inout RunReport) {
        report.status = status
        report.run = nil
        // What was done up to then is not kept, so it is not told either.
        report.streams = []
        report.schemaChanges = []
        report.problems.append(RunProblem(code: code, severity: .error, message: message))
    }
}
