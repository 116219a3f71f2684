internal import CSluicePostgres
internal import Dispatch
internal import SluiceSystem
internal import Synchronization

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// What ends a connection's waits for its server: libpq waits for as long as the server takes.
///
/// An interruption has the server cancel the statement that runs. Where no answer comes within a moment, and at a deadline,
/// the socket is shut down: for libpq that is a server that has closed the connection.
final class ServerWaits: Sendable {
    /// How long an answer is waited for after an interruption.
    static let grace = Duration.seconds(3)
    /// How long a wait may take that begins after an interruption: what is left to do is little.
    static let leastWait = Duration.seconds(2)

    private struct State {
        /// A descriptor of our own for the socket: libpq closes its own once the connection is gone. Nil after the end.
        var socket: Int32?
        /// The number of the wait that was begun last.
        var number = 0
        /// When it was begun; nil where nothing waits.
        var startedAt: ContinuousClock.Instant?
        var interruptedAt: ContinuousClock.Instant?
        var deadline: ContinuousClock.Instant?
        /// Whether a request to cancel is on its way.
        var isCancelling = false
        var isShut = false

        /// When the present wait is ended; nil for never.
        var end: ContinuousClock.Instant? {
            guard let startedAt else { return nil }
            let stop = interruptedAt.map { max($0 + ServerWaits.grace, startedAt + ServerWaits.leastWait) }
            return [stop, deadline].compactMap(\.self).min()
        }

        mutating func shut() {
            guard let socket else { return }
            shutdown(socket, Int32(SHUT_RDWR))
            isShut = true
        }
    }

    private let state: Mutex<State>
    private let request: CancelRequest
    private let cancelling = DispatchGroup()
    private static let queue = DispatchQueue(label: "sluice.postgres.waits")

    /// Watches over a connection; nil where the process can have no other descriptor.
    ///
    /// - Parameters:
    ///   - socket: Its socket.
    ///   - request: What cancels its statements.
    init?(socket: Int32, _ request: CancelRequest) {
        let own = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        if own < 0 { return nil }
        state = Mutex(State(socket: own))
        self.request = request
    }

    deinit { end() }

    /// Whether the connection was interrupted at any time.
    var wasInterrupted: Bool { state.withLock { $0.interruptedAt != nil } }

    /// Whether the server was not waited for any longer.
    var isGivenUp: Bool { state.withLock { $0.isShut } }

    /// Until when answers are waited for, besides what interruptions end; nil for as long as it takes.
    var deadline: ContinuousClock.Instant? {
        get { state.withLock { $0.deadline } }
        set { state.withLock { $0.deadline = newValue } }
    }

    /// Does what waits for the server, on one thread at a time.
    func during<Result, Failure>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        // A request to cancel that is on its way is meant for what ran before.
        if state.withLock({ $0.isCancelling && !$0.isShut }) {
            _ = cancelling.wait(seconds: Self.leastWait.inSeconds)
        }
        let due = state.withLock { state in
            state.number += 1
            state.startedAt = .now
            return state.end.map { (state.number, $0) }
        }
        if let (number, end) = due { watch(number, until: end) }
        defer { state.withLock { $0.startedAt = nil } }
        return try body()
    }

    /// Cancels the running statement, and ends waits that the server does not end then. It waits for nothing itself.
    func interrupt() {
        let due = state.withLock { state -> (number: Int, end: ContinuousClock.Instant, isNew: Bool)? in
            state.interruptedAt = .now
            guard let end = state.end else { return nil }
            if !state.isCancelling { cancelling.enter() }
            defer { state.isCancelling = true }
            return (state.number, end, !state.isCancelling)
        }
        guard let due, due.isNew else { return }
        watch(due.number, until: due.end)
        // A server that is silent takes no request either: who interrupts is not to wait for that.
        DispatchQueue(label: "sluice.postgres.cancel").async { [self] in
            request.send()
            state.withLock { $0.isCancelling = false }
            cancelling.leave()
        }
    }

    /// Has waits from now on end as after an interruption. Nothing is cancelled.
    func hurry() { state.withLock { $0.interruptedAt = .now } }

    /// Ends the connection and what waits for it.
    func shut() { state.withLock { $0.shut() } }

    /// Lets the socket go, before libpq ends the connection: nothing is ended or cancelled any more.
    func end() {
        state.withLock { state in
            if let socket = state.socket { close(socket) }
            (state.socket, state.startedAt) = (nil, nil)
        }
    }

    private func watch(_ number: Int, until end: ContinuousClock.Instant) {
        Self.queue.asyncAfter(deadline: end.dispatched) { [weak self] in self?.expire(number) }
    }

    private func expire(_ number: Int) {
        let later = state.withLock { state -> ContinuousClock.Instant? in
            guard state.number == number, let end = state.end else { return nil }
            if end > .now { return end }
            state.shut()
            return nil
        }
        if let later { watch(number, until: later) }
    }
}

extension ContinuousClock.Instant {
    /// The same moment as Dispatch counts time; now where it is past.
    var dispatched: DispatchTime {
        let rest = ContinuousClock.now.duration(to: self).components
        let nanoseconds = max(0, Int(clamping: rest.seconds)).multipliedReportingOverflow(by: 1_000_000_000)
        let part = Int(clamping: rest.attoseconds / 1_000_000_000)
        return nanoseconds.overflow ? .distantFuture : .now() + .nanoseconds(max(0, nanoseconds.partialValue + part))
    }
}
