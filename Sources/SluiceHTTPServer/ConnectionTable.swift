internal import Synchronization

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The connections of a server, and until when each may do what it is at.
///
/// libmicrohttpd knows a limit of silence alone, which a client that sends a byte now and then never reaches.
final class ConnectionTable: Sendable {
    private struct Entry {
        let descriptor: Int32
        var deadline: Double?
    }

    private struct State {
        var entries: [Int: Entry] = [:]
        var last = 0
    }

    private let state = Mutex(State())

    /// Adds a connection, and gives what names it: never 0.
    func add(_ descriptor: Int32, until deadline: Double) -> Int {
        state.withLock { state in
            state.last &+= 1
            state.entries[state.last] = Entry(descriptor: descriptor, deadline: deadline)
            return state.last
        }
    }

    /// Says until when it may go on, nil for ever.
    func set(_ id: Int, until deadline: Double?) { state.withLock { $0.entries[id]?.deadline = deadline } }

    /// Forgets a connection that is about to be closed.
    func remove(_ id: Int) { state.withLock { _ = $0.entries.removeValue(forKey: id) } }

    /// Ends what has taken too long. A descriptor in the table is open, since it is removed before it is closed.
    func expire(now: Double) {
        state.withLock { state in
            for entry in state.entries.values where entry.deadline.map({ $0 < now }) ?? false {
                shutdown(entry.descriptor, Int32(SHUT_RDWR))
            }
        }
    }

    var count: Int { state.withLock { $0.entries.count } }
}
