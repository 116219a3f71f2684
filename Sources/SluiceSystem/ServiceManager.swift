#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// What systemd, or another service manager, gave this process and wants to be told. See: `man 3 sd_notify`
package struct ServiceManager: Sendable {
    private let socketPath: String?
    /// How many seconds may pass between two signs of life; nil where nobody waits for them.
    package let watchdogSeconds: Double?
    /// The sockets that listen already.
    package let descriptors: [Int32]

    /// The variables of a service manager, which no child is to have.
    package static let variables = [
        "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES",
    ]

    /// Reads what the environment says of it. What is meant for another process is left alone.
    package init(environment: [String: String], processID: Int32 = Environment.processID) {
        let own = String(processID)
        socketPath = environment["NOTIFY_SOCKET"].flatMap { $0.hasPrefix("/") || $0.hasPrefix("@") ? $0 : nil }
        let isWatched = environment["WATCHDOG_PID"].map { $0 == own } ?? true
        let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
        watchdogSeconds = isWatched && microseconds > 0 ? Double(microseconds) / 1e6 : nil
        let count = environment["LISTEN_PID"] == own ? environment["LISTEN_FDS"].flatMap { Int32($0) } ?? 0 : 0
        descriptors = count > 0 && count < 1024 ? Array(3..<(3 + count)) : []
        for descriptor in descriptors { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    }

    /// Whether somebody is told.
    package var isThere: Bool { socketPath != nil }

    /// Tells lines such as `READY=1`; what cannot be told is lost.
    package func notify(_ lines: String...) {
        // There is no systemd elsewhere.
        #if canImport(Glibc)
            guard let socketPath else { return }
            var bytes = Array(socketPath.utf8)
            // A name that is no file begins with a zero.
            if bytes.first == UInt8(ascii: "@") { bytes[0] = 0 }
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            let offset = MemoryLayout<sockaddr_un>.offset(of: \sockaddr_un.sun_path) ?? 2
            guard bytes.count < MemoryLayout<sockaddr_un>.size - offset else { return }
            unsafe withUnsafeMutableBytes(of: &address) { all in
                unsafe all[offset...].copyBytes(from: bytes)
            }
            let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            if descriptor < 0 { return }
            defer { close(descriptor) }
            let message = Array(lines.joined(separator: "\n").utf8)
            let length = socklen_t(offset + bytes.count)
            unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    _ = unsafe sendto(descriptor, message, message.count, Int32(MSG_NOSIGNAL), pointer, length)
                }
            }
        #endif
    }
}
