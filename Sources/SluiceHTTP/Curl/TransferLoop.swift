internal import CSluiceCurl
import Dispatch
internal import SluiceSystem
import Synchronization

/// The thread that all transfers of a client run on.
///
/// Other threads put commands into a mailbox and wake it; only this thread calls libcurl.
final class TransferLoop: Sendable {
    private enum Command {
        case start(Transfer)
        case resume(Transfer)
        case abandon(Transfer)
    }

    private struct Mailbox {
        var commands: [Command] = []
        var isStopped = false
    }

    let configuration: HTTPConfiguration
    private let now: @Sendable () -> Duration
    private let clockInterval: Duration
    private let multi: MultiHandle
    private let mailbox = Mutex(Mailbox())
    private let running = DispatchGroup()

    /// Starts the thread; nil where libcurl cannot be set up.
    ///
    /// - Parameters:
    ///   - configuration: How to talk to the source.
    ///   - now: A clock that never goes back.
    ///   - clockInterval: The longest time until it is looked at again.
    init?(_ configuration: HTTPConfiguration, now: @escaping @Sendable () -> Duration, clockInterval: Duration) {
        guard let multi = MultiHandle() else { return nil }
        self.multi = multi
        self.configuration = configuration
        self.now = now
        self.clockInterval = clockInterval
        DispatchQueue(label: "sluice.http").async(group: running) { self.run() }
    }

    /// Begins a transfer; its outcome says so where that is not possible.
    func start(_ transfer: Transfer) { send(.start(transfer)) }

    /// Lets a transfer go on that was paused.
    func resume(_ transfer: Transfer) { send(.resume(transfer)) }

    /// Ends a transfer that nobody waits for any longer.
    func abandon(_ transfer: Transfer) { send(.abandon(transfer)) }

    /// Ends all transfers and the thread. Later transfers end at once.
    func stop() {
        mailbox.withLock { $0.isStopped = true }
        multi.wake()
    }

    /// Waits until the thread has ended.
    func waitUntilStopped() { running.wait() }

    private func send(_ command: Command) {
        let isStopped = mailbox.withLock { mailbox in
            if !mailbox.isStopped { mailbox.commands.append(command) }
            return mailbox.isStopped
        }
        if !isStopped {
            multi.wake()
        } else if case .start(let transfer) = command {
            transfer.end(.shutDown)
        }
    }

    private func run() {
        Niceness.hold()
        var active = ActiveTransfers(multi: multi)
        while true {
            let mail = mailbox.withLock { mailbox in
                defer { mailbox.commands = [] }
                return mailbox
            }
            for command in mail.commands {
                switch command {
                case .start(let transfer): active.start(transfer, now: now())
                case .resume(let transfer): active.resume(transfer, now: now())
                case .abandon(let transfer): active.abandon(transfer)
                }
            }
            if mail.isStopped {
                active.endAll(.shutDown)
                return multi.close()
            }
            multi.perform()
            active.collectEnded()
            let longest = active.expire(now: now())
            let wait = min(longest ?? .seconds(60), clockInterval)
            multi.wait(milliseconds: wait.roundedUpMilliseconds)
        }
    }
}
