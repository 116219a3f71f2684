internal import Dispatch
internal import Synchronization

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// How often SIGHUP arrived; not a part of a type, since a handler of signals has no context.
private let hangups = Atomic<Int>(0)

/// The signals that ask a program to stop.
package enum Signals {
    private static let received = Atomic<Int32>(0)
    private static let group = Atomic<Int32>(0)

    /// The number of the signal that arrived first, or 0.
    package static var first: Int32 { received.load(ordering: .relaxed) }

    /// Records the process group of a program that must not outlive this process; 0 for none.
    static func record(group number: Int32) { group.store(number, ordering: .relaxed) }

    /// Turns SIGINT and SIGTERM into a cancellation, and a closed pipe or a size limit into an error of the write.
    ///
    /// To be called before the first thread is made: the signals are blocked everywhere and waited for by a thread of
    /// their own. A second signal ends the process at once; the store is safe then too, since nothing was committed.
    package static func install(_ cancellation: Cancellation) {
        signal(SIGPIPE, SIG_IGN)
        // A file that may not grow is an error of the write too.
        signal(SIGXFSZ, SIG_IGN)
        var awaited = sigset_t()
        unsafe sigemptyset(&awaited)
        unsafe sigaddset(&awaited, SIGINT)
        unsafe sigaddset(&awaited, SIGTERM)
        unsafe pthread_sigmask(SIG_BLOCK, &awaited, nil)
        let signals = awaited
        DispatchQueue(label: "sluice.signals").async {
            Niceness.hold()
            while true {
                var signals = signals
                var number: Int32 = 0
                guard unsafe sigwait(&signals, &number) == 0 else { continue }
                if received.compareExchange(expected: 0, desired: number, ordering: .relaxed).exchanged {
                    cancellation.cancel()
                } else {
                    let child = group.load(ordering: .relaxed)
                    if child > 1 { kill(-child, SIGKILL) }
                    _exit(128 + number)
                }
            }
        }
    }

    /// How often SIGHUP arrived since ``awaitHangups()``.
    package static var hangupCount: Int { hangups.load(ordering: .relaxed) }

    /// From here on, SIGHUP is counted and does not end this process.
    package static func awaitHangups() {
        signal(SIGHUP) { _ in _ = hangups.add(1, ordering: .relaxed) }
        // Whoever started this process may have kept it from seeing the signal.
        var awaited = sigset_t()
        unsafe sigemptyset(&awaited)
        unsafe sigaddset(&awaited, SIGHUP)
        unsafe pthread_sigmask(SIG_UNBLOCK, &awaited, nil)
    }
}
