#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// How far this process stands back behind others.
package enum Niceness {
    /// Gives the current thread, and what it starts, the niceness that the process was started with. Each thread calls it
    /// first: those of Dispatch begin with a niceness of their own where the system lets them, as it lets those of root.
    ///
    /// Where it may not be changed, the thread stays as it is. See: `man 2 setpriority`
    package static func hold() {
        // The main thread has the number of the process, and keeps what it was given.
        let wanted = systemNiceness(of: getpid())
        if systemNiceness(of: 0) != wanted { systemSetNiceness(wanted) }
    }
}
