package import Dispatch

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A counting semaphore whose waits take as long as they are told to, also where somebody sets the clock meanwhile.
///
/// On Linux, `DispatchSemaphore` waits until a time of day: where the clock is put back, it waits for that much longer.
@safe
package final class MonotonicSemaphore: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var count = 0

    /// Makes one without a signal.
    package init() {
        unsafe pthread_mutex_init(mutex, nil)
        #if canImport(Darwin)
            unsafe pthread_cond_init(condition, nil)
        #else
            var attributes = pthread_condattr_t()
            unsafe pthread_condattr_init(&attributes)
            unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
            unsafe pthread_cond_init(condition, &attributes)
            unsafe pthread_condattr_destroy(&attributes)
        #endif
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    /// Ends one wait, or has the next one end at once.
    package func signal() {
        unsafe pthread_mutex_lock(mutex)
        count += 1
        unsafe pthread_cond_signal(condition)
        unsafe pthread_mutex_unlock(mutex)
    }

    /// Waits for a signal, and takes it.
    package func wait() {
        unsafe pthread_mutex_lock(mutex)
        while count == 0 { unsafe pthread_cond_wait(condition, mutex) }
        count -= 1
        unsafe pthread_mutex_unlock(mutex)
    }

    /// Waits for a signal, and takes it.
    ///
    /// - Parameter seconds: How long at most; what is no positive number is no time.
    /// - Returns: Whether there was one.
    package func wait(seconds: Double) -> Bool {
        let end = ContinuousWait(seconds: seconds)
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while count == 0 {
            if unsafe !end.wait(condition, mutex) && count == 0 { return false }
        }
        count -= 1
        return true
    }
}

/// A wait that ends at a time of the monotonic clock.
private struct ContinuousWait {
    private static let most = 1e9
    private let end: Double

    init(seconds: Double) { end = WallClock.monotonicSeconds() + (seconds > 0 ? min(seconds, Self.most) : 0) }

    private static func time(_ seconds: Double) -> timespec {
        let whole = seconds.rounded(.down)
        return timespec(tv_sec: Int(whole), tv_nsec: min(Int((seconds - whole) * 1e9), 999_999_999))
    }

    /// Waits for a condition.
    ///
    /// - Returns: Whether there is time left.
    func wait(_ condition: UnsafeMutablePointer<pthread_cond_t>, _ mutex: UnsafeMutablePointer<pthread_mutex_t>) -> Bool
    {
        #if canImport(Darwin)
            var rest = Self.time(max(0, end - WallClock.monotonicSeconds()))
            return unsafe pthread_cond_timedwait_relative_np(condition, mutex, &rest) != ETIMEDOUT
        #else
            var end = Self.time(end)
            return unsafe pthread_cond_timedwait(condition, mutex, &end) != ETIMEDOUT
        #endif
    }
}

extension DispatchGroup {
    /// Waits until nothing of the group is left to do, by the clock that nobody sets.
    ///
    /// - Parameter seconds: How long at most.
    /// - Returns: Whether nothing is left.
    package func wait(seconds: Double) -> Bool {
        let isDone = MonotonicSemaphore()
        notify(queue: .global()) { isDone.signal() }
        return isDone.wait(seconds: seconds)
    }
}

extension Duration {
    /// The duration in seconds.
    package var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
