#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// How many files and connections this process may have open.
enum FileLimit {
    /// Raises the limit where the system allows it.
    ///
    /// - Returns: The limit that is in force.
    static func raise(to count: Int) -> Int {
        var limit = rlimit()
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard unsafe getrlimit(kind, &limit) == 0 else { return 1_024 }
        let wanted = rlim_t(clamping: count)
        if limit.rlim_cur < wanted {
            limit.rlim_cur = min(wanted, limit.rlim_max)
            _ = unsafe setrlimit(kind, &limit)
            _ = unsafe getrlimit(kind, &limit)
        }
        return Int(clamping: limit.rlim_cur)
    }
}
