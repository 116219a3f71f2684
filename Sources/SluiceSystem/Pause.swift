#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Waiting that nothing wakes.
package enum Pause {
    /// Lets a short time pass.
    package static func seconds(_ seconds: Double) {
        let whole = seconds.rounded(.down)
        var time = timespec(tv_sec: Int(whole), tv_nsec: Int((seconds - whole) * 1e9))
        unsafe nanosleep(&time, nil)
    }
}
