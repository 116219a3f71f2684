internal import Synchronization

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Sends signals to a program and to its children, while it runs.
package final class ChildSignals: Sendable {
    private struct State {
        var group: pid_t = 0
        var hasEnded = false
        var waiting: [Int32] = []
    }

    private let state = Mutex(State())

    /// Makes the sender for one program.
    package init() {}

    /// Asks the program to stop.
    package func terminate() { send(SIGTERM) }

    /// Ends the program.
    package func kill() { send(SIGKILL) }

    /// The number of its process, nil before and after.
    package var processID: Int32? { state.withLock { $0.group > 1 ? $0.group : nil } }

    private func send(_ signal: Int32) {
        state.withLock { state in
            if state.hasEnded { return }
            // One that is about to start gets it then.
            if state.group > 1 { systemKill(-state.group, signal) } else { state.waiting.append(signal) }
        }
    }

    func begin(_ group: pid_t) {
        state.withLock { state in
            state.group = group
            for signal in state.waiting { systemKill(-group, signal) }
            state.waiting = []
        }
    }

    /// To be called before the process is reaped: its number may be another's then.
    func end() {
        state.withLock { state in
            state.group = 0
            state.hasEnded = true
        }
    }
}
