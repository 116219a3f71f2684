internal import SluiceHTTP
internal import SluiceStore
internal import SluiceSystem

/// What an error means for the report of a run.
struct RunFailure {
    let status: RunReport.Status
    let code: String
    let message: String

    init(_ error: any Error, isCancelled: Bool) {
        switch error {
        case is CancelledError:
            (status, code, message) = (.interrupted, "interrupted", "The run was stopped; nothing of it was kept.")
        case _ where isCancelled:
            (status, code, message) = (.interrupted, "interrupted", "The run was stopped; nothing of it was kept.")
        case let error as SyncError:
            (status, code, message) = (error.code == .locked ? .locked : .failed, error.code.name, error.message)
        case let error as StoreError:
            (status, code, message) = (error.code == .locked ? .locked : .failed, error.name, error.message)
        case let error as HTTPError:
            (status, code, message) = (.failed, error.code.rawValue, error.message)
        case let error as SystemError:
            (status, code, message) = (.failed, "system_error", "The program \(error.description).")
        default:
            (status, code, message) = (.failed, "internal", "\(error). This is a bug in sluice.")
        }
    }

    func describe(in report: inout RunReport) {
        report.status = status
        report.run = nil
        report.problems.append(RunProblem(code: code, severity: .error, message: message))
    }
}
