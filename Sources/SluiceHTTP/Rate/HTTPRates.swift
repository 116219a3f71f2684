import Synchronization

/// What is known of how fast hosts may be asked, shared by all clients of a process.
public final class HTTPRates: Sendable {
    /// The hosts of this process.
    public static let shared = HTTPRates()

    /// Why a request has to wait.
    package enum Wait: Equatable {
        /// The limit of the configuration is reached.
        case limit(Duration)
        /// The host asked to be left alone.
        case held(Duration)
    }

    private struct Host {
        /// When the latest requests began.
        var starts: [Duration] = []
        /// How many of them matter to anybody.
        var kept = 0
        var heldUntil: Duration?
    }

    private let hosts = Mutex<[HTTPOrigin: Host]>([:])

    /// Makes a world in which no host was asked yet.
    public init() {}

    /// Begins a request, or says how long it has to wait.
    ///
    /// - Parameters:
    ///   - origin: The host.
    ///   - rule: What it is asked at most.
    ///   - now: The clock that never goes back.
    /// - Returns: Nil where the request begins now.
    package func begin(_ origin: HTTPOrigin, _ rule: HTTPRateLimit, now: Duration) -> Wait? {
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
            host.kept = max(host.kept, rule.limit ?? 0)
            if host.kept > 0 { host.starts.append(now) }
            if host.starts.count > host.kept { host.starts.removeFirst(host.starts.count - host.kept) }
            return nil
        }
    }

    /// Leaves a host alone until a moment of the clock that never goes back.
    package func hold(_ origin: HTTPOrigin, until moment: Duration) {
        hosts.withLock { hosts in
            let known = hosts[origin]?.heldUntil ?? .zero
            hosts[origin, default: Host()].heldUntil = max(known, moment)
        }
    }
}
