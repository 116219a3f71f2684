import Dispatch
package import SluiceSystem

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What a client takes from the world around it, so that a test can give it another world.
package struct HTTPEnvironment: Sendable {
    /// The time since some fixed moment; it never goes back.
    package var monotonicNow: @Sendable () -> Duration
    /// The time since 1970-01-01T00:00:00Z.
    package var wallClockNow: @Sendable () -> Duration
    /// Waits for that long, or until the token is cancelled.
    package var sleep: @Sendable (Duration, Cancellation) -> Void
    /// A number from 0 up to, but not including, 1.
    package var random: @Sendable () -> Double
    /// How long a transfer may go on before the clock is looked at again.
    ///
    /// A clock that is moved by hand needs a short one, since nothing else says that it moved.
    package var clockInterval: Duration
    /// How fast hosts may be asked.
    package var rates: HTTPRates
    /// Where requests go.
    package var traffic = HTTPTraffic.live
    /// Who is told of requests that are tried again; nil for nobody.
    package var pendingRetries: PendingRetries?

    /// Makes an environment.
    package init(
        monotonicNow: @escaping @Sendable () -> Duration,
        wallClockNow: @escaping @Sendable () -> Duration,
        sleep: @escaping @Sendable (Duration, Cancellation) -> Void,
        random: @escaping @Sendable () -> Double,
        clockInterval: Duration = .seconds(60),
        rates: HTTPRates = .shared
    ) {
        self.monotonicNow = monotonicNow
        self.wallClockNow = wallClockNow
        self.sleep = sleep
        self.random = random
        self.clockInterval = clockInterval
        self.rates = rates
    }

    /// The real clocks, a real pause and real chance.
    package static let live = HTTPEnvironment(
        monotonicNow: { now(CLOCK_MONOTONIC) },
        wallClockNow: { now(CLOCK_REALTIME) },
        sleep: { duration, cancellation in
            let cancelled = MonotonicSemaphore()
            let registration = cancellation.onCancel { cancelled.signal() }
            defer { cancellation.remove(registration) }
            _ = cancelled.wait(seconds: Double(duration.roundedUpMilliseconds) / 1000)
        },
        random: { Double.random(in: 0..<1) }
    )

    private static func now(_ clock: clockid_t) -> Duration {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }
}
