import Dispatch
package import SluiceSystem
import Synchronization

/// What is known of how fast hosts may be asked, shared by all clients of a process.
package final class HTTPRates: Sendable {
    /// The hosts of this process.
    package static let shared = HTTPRates()

    /// Whether a request begins now, or why it has to wait.
    package enum Turn: Equatable {
        /// It begins; the ticket goes to ``end(_:_:left:)``.
        case now(Ticket)
        /// The limit of the configuration is reached.
        case limit(Duration)
        /// The host asked to be left alone.
        case held(Duration)
        /// The host takes few further requests, and what is under way may use them up.
        case busy
    }

    /// What was under way when a request began.
    package struct Ticket: Equatable {
        fileprivate var others = 0
        fileprivate var begun = 0
    }

    private struct Host {
        /// When the latest requests began.
        var starts: [Duration] = []
        /// How many of them matter to anybody.
        var kept = 0
        var heldUntil: Duration?
        /// How many requests are under way, and how many ever began.
        var underWay = 0
        var begun = 0
        /// How many may begin until the host says again how many it takes; nil where it says nothing of it.
        var left: Int?
        /// Told when one of them has ended.
        var waiting: [DispatchSemaphore] = []
    }

    private let hosts = Mutex<[HTTPOrigin: Host]>([:])

    /// Makes a world in which no host was asked yet.
    package init() {}

    /// Begins a request, or says how long it has to wait.
    ///
    /// - Parameters:
    ///   - origin: The host.
    ///   - rule: What it is asked at most.
    ///   - now: The clock that never goes back.
    /// - Returns: Whether the request begins now.
    package func begin(_ origin: HTTPOrigin, _ rule: HTTPRateLimit, now: Duration) -> Turn {
        hosts.withLock { hosts in
            var host = hosts[origin] ?? Host()
            defer { hosts[origin] = host }
            if let until = host.heldUntil {
                if until > now { return .held(until - now) }
                host.heldUntil = nil
            }
            if let limit = rule.limit, limit > 0, host.starts.count >= limit {
                // Any interval, wherever it begins, has no more requests than the limit.
                let due = host.starts[host.starts.count - limit] + rule.interval
                if due > now { return .limit(due - now) }
            }
            if let left = host.left {
                if left <= 0 && host.underWay > 0 { return .busy }
                host.left = left - 1
            }
            host.begun += 1
            let ticket = Ticket(others: host.underWay, begun: host.begun)
            host.underWay += 1
            host.kept = max(host.kept, rule.limit ?? 0)
            if host.kept > 0 { host.starts.append(now) }
            if host.starts.count > host.kept { host.starts.removeFirst(host.starts.count - host.kept) }
            return .now(ticket)
        }
    }

    /// Ends a request.
    ///
    /// - Parameters:
    ///   - origin: The host.
    ///   - ticket: What ``begin(_:_:now:)`` gave.
    ///   - left: How many further ones the host takes, as it said; nil where it said nothing.
    package func end(_ origin: HTTPOrigin, _ ticket: Ticket, left: Int?) {
        let waiting = hosts.withLock { hosts in
            var host = hosts[origin] ?? Host()
            defer { hosts[origin] = host }
            host.underWay = max(0, host.underWay - 1)
            // The host may not have counted those that were under way at the same time.
            if let left { host.left = left - ticket.others - (host.begun - ticket.begun) }
            defer { host.waiting = [] }
            return host.waiting
        }
        for one in waiting { one.signal() }
    }

    /// Waits until a request ends that is under way.
    package func waitForEnd(_ origin: HTTPOrigin, _ cancellation: Cancellation) {
        let ended = DispatchSemaphore(value: 0)
        let waits = hosts.withLock { hosts in
            guard hosts[origin, default: Host()].underWay > 0 else { return false }
            hosts[origin]?.waiting.append(ended)
            return true
        }
        guard waits else { return }
        let registration = cancellation.onCancel { ended.signal() }
        ended.wait()
        cancellation.remove(registration)
    }

    /// Leaves a host alone until a moment of the clock that never goes back.
    package func hold(_ origin: HTTPOrigin, until moment: Duration) {
        hosts.withLock { hosts in
            let known = hosts[origin]?.heldUntil ?? .zero
            hosts[origin, default: Host()].heldUntil = max(known, moment)
        }
    }
}
