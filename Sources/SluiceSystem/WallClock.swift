#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The time of day and the time that passes.
package enum WallClock {
    /// Now, in whole seconds since the epoch.
    package static func seconds() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec)
    }

    /// Now, in seconds since the epoch.
    package static func exactSeconds() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Now, RFC 3339 in UTC with whole seconds.
    package static func now() -> String { text(secondsSinceEpoch: seconds()) }

    /// A moment in the past, RFC 3339 in UTC with whole seconds; the first one of the era where it would lie before.
    package static func now(minus duration: Duration) -> String {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return text(secondsSinceEpoch: max(0, Int64(time.tv_sec) - duration.components.seconds))
    }

    /// A moment to come, RFC 3339 in UTC with whole seconds.
    package static func now(plus duration: Duration) -> String {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        // The last year that four digits can write.
        return text(
            secondsSinceEpoch: min(253_402_300_799, Int64(time.tv_sec) + min(duration.components.seconds, 1 << 40)))
    }

    /// Seconds since some fixed moment, never going back.
    package static func monotonicSeconds() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// A moment as RFC 3339 in UTC.
    static func text(secondsSinceEpoch: Int64) -> String {
        var seconds = time_t(secondsSinceEpoch)
        var parts = unsafe tm()
        _ = unsafe gmtime_r(&seconds, &parts)
        func padded(_ value: Int32, _ width: Int) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
        }
        let date = unsafe [(parts.tm_year + 1900, 4), (parts.tm_mon + 1, 2), (parts.tm_mday, 2)].map(padded)
        let time = unsafe [(parts.tm_hour, 2), (parts.tm_min, 2), (parts.tm_sec, 2)].map(padded)
        return "\(date.joined(separator: "-"))T\(time.joined(separator: ":"))Z"
    }
}
