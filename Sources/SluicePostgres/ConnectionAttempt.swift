internal import CSluicePostgres
internal import Dispatch
internal import SluiceSystem
internal import Synchronization

/// A connection that a thread of its own makes: libpq looks up names and tries one host after the other, each for as long as
/// `connect_timeout` says, and nothing else ends that.
final class ConnectionAttempt: Sendable {
    private enum State {
        case connecting
        /// The address of what libpq gave; 0 where it was out of memory.
        case done(UInt)
        /// Nobody waits for it any longer.
        case abandoned
    }

    private let state = Mutex(State.connecting)
    private let change = MonotonicSemaphore()

    /// Begins to connect.
    ///
    /// - Parameter options: The keywords of libpq with their values.
    init(_ options: [(keyword: String, value: String)]) {
        DispatchQueue(label: "sluice.postgres.connect").async { [self] in
            let opened = unsafe CStrings.with(options.map(\.keyword)) { keywords in
                unsafe CStrings.with(options.map(\.value)) { values in
                    unsafe PQconnectdbParams(keywords, values, 1)
                }
            }
            let address = UInt(bitPattern: opened)
            let isAbandoned = state.withLock { state in
                if case .abandoned = state { return true }
                state = .done(address)
                return false
            }
            if isAbandoned { unsafe PQfinish(opened) }
            change.signal()
        }
    }

    /// Waits for it.
    ///
    /// - Parameters:
    ///   - end: Until when; nil for as long as libpq takes.
    ///   - cancellation: What ends the wait; where it is raised already, a moment is left.
    /// - Returns: What libpq gave, which may be no open connection.
    /// - Throws: ``PostgresError`` where it was not waited for any longer, or memory has run out.
    func result(
        until end: ContinuousClock.Instant?, _ cancellation: Cancellation?
    ) throws(PostgresError) -> OpaquePointer {
        var end = end
        var registration: Int?
        if cancellation?.isCancelled == true {
            let moment = ContinuousClock.now + ServerWaits.leastWait
            end = end.map { min($0, moment) } ?? moment
        } else {
            registration = cancellation?.onCancel { [change] in change.signal() }
        }
        defer { if let registration { cancellation?.remove(registration) } }
        if let end {
            _ = change.wait(seconds: ContinuousClock.now.duration(to: end).inSeconds)
        } else {
            change.wait()
        }
        let address = state.withLock { state -> UInt? in
            if case .done(let address) = state { return address }
            state = .abandoned
            return nil
        }
        guard let address else { throw PostgresError(code: .cannotConnect, message: "the server gave no answer") }
        guard let opened = unsafe OpaquePointer(bitPattern: address) else {
            throw PostgresError(code: .cannotConnect, message: "out of memory")
        }
        return unsafe opened
    }
}
