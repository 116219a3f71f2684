internal import Dispatch

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// What ties a program to the one that started it: its standard input, which stays open while that one lives.
package enum Lifeline {
    /// The variable by which a program is told that its standard input is one.
    package static let variable = "SLUICE_LIFELINE"

    /// From here on, asks this process to stop, as SIGTERM does, once the other end of standard input is closed.
    ///
    /// To be called once signals are awaited.
    package static func hold() {
        DispatchQueue(label: "sluice.lifeline").async {
            Niceness.hold()
            var byte: UInt8 = 0
            while true {
                let count = unsafe read(STDIN_FILENO, &byte, 1)
                if count > 0 || count < 0 && errno == EINTR { continue }
                break
            }
            kill(getpid(), SIGTERM)
        }
    }
}
