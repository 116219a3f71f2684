internal import Synchronization

/// Slows down who tries tokens: after some that were wrong, nobody logs in for a while.
final class LoginBrake: Sendable {
    private static let most = 10
    private static let seconds = 60.0
    private let failures = Mutex<[Double]>([])

    /// Whether a token may be tried.
    func isOpen(now: Double) -> Bool {
        failures.withLock { failures in
            failures.removeAll { now - $0 > Self.seconds }
            return failures.count < Self.most
        }
    }

    /// Counts one that was wrong.
    func fail(now: Double) { failures.withLock { $0.append(now) } }
}
