import Synchronization

/// A clock that stands still until it is moved.
public final class ManualClock: Sendable {
    private let time: Mutex<Duration>

    /// Makes a clock.
    ///
    /// - Parameter now: The time it shows.
    public init(now: Duration = .zero) {
        time = Mutex(now)
    }

    /// The time it shows.
    public var now: Duration { time.withLock { $0 } }

    /// Moves it on.
    ///
    /// - Parameter duration: By how much.
    public func advance(by duration: Duration) {
        time.withLock { $0 += duration }
    }
}
