#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// How many files and connections this process may have open.
package enum FileLimit {
    /// Raises the limit where the system allows it.
    ///
    /// - Parameter count: How many there should be at least.
    /// - Returns: The limit that is in force.
    package static func raise(to count: Int) -> Int {
        var limit = rlimit()
        guard unsafe getrlimit(systemOpenFiles, &limit) == 0 else { return 1_024 }
        let wanted = rlim_t(clamping: count)
        if limit.rlim_cur < wanted {
            limit.rlim_cur = min(wanted, limit.rlim_max)
            _ = unsafe setrlimit(systemOpenFiles, &limit)
            _ = unsafe getrlimit(systemOpenFiles, &limit)
        }
        return Int(clamping: limit.rlim_cur)
    }
}
