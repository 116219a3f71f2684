internal import SluiceDiscovery
internal import SluiceStore
internal import SluiceSystem

/// Why a command could not be done: one or more sentences and the exit code.
struct Failure: Error {
    let code: ExitCode
    let message: String

    init(_ code: ExitCode, _ message: String) {
        self.code = code
        self.message = message
    }

    /// What an error from below means for the command line.
    init(_ error: any Error) {
        switch error {
        case let error as Failure: self = error
        case let error as ImportError: self.init(error.kind == .usage ? .usage : .failed, error.message)
        case let error as StoreError: self.init(error.code == .locked ? .locked : .failed, error.message)
        case let error as SystemError: self.init(.failed, "The program \(error.description).")
        default: self.init(.failed, "\(error). This is a bug in sluice.")
        }
    }
}
