internal import SluiceDiscovery
internal import SluiceStore
internal import SluiceSystem

/// Why a command could not be done: one or more sentences and the exit code.
struct Failure: Error {
    let code: ExitCode
    let message: String
    /// Whether the store is busy, see `StoreError.isBusy`.
    private let isBusy: Bool

    init(_ code: ExitCode, _ message: String, isBusy: Bool = false) {
        self.code = code
        self.message = message
        self.isBusy = isBusy
    }

    /// The message as a command tells it: one that can wait for a busy store names its option.
    func message(canWait: Bool) -> String { isBusy && canWait ? StoreError.addingWait(to: message) : message }

    /// The same with a message that hides something of it.
    func hiding(_ hidden: (String) -> String) -> Failure { Failure(code, hidden(message), isBusy: isBusy) }

    /// What an error from below means for the command line.
    init(_ error: any Error) {
        switch error {
        case let error as Failure: self = error
        case let error as ImportError: self.init(error.kind == .usage ? .usage : .failed, error.message)
        case let error as StoreError:
            self.init(error.code == .locked ? .locked : .failed, error.message, isBusy: error.isBusy)
        case let error as SystemError: self.init(.failed, "The program \(error.description).")
        default: self.init(.failed, "\(error). This is a bug in sluice.")
        }
    }

    /// Whether an error has no words for people.
    static func isUnforeseen(_ error: any Error) -> Bool {
        switch error {
        case is Failure, is ImportError, is StoreError, is SystemError: false
        default: true
        }
    }
}
