import Glibc

/// A TCP socket on the loopback interface that never waits longer than its limit.
struct Socket: Sendable {
    /// A failed system call.
    struct Failure: Error {
        let call: String
        let number: Int32
    }

    private let descriptor: Int32

    /// No test waits longer than this for the other side.
    private static let limitSeconds = 30

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Makes a socket that listens on 127.0.0.1; port 0 lets the system choose.
    static func listening(port: UInt16) throws -> Socket {
        let socket = try bound(port: port)
        do {
            try check("listen", listen(socket.descriptor, 128))
            return socket
        } catch {
            socket.close()
            throw error
        }
    }

    /// Makes a socket that has a port on 127.0.0.1, at which connections are refused.
    static func bound(port: UInt16) throws -> Socket {
        let descriptor = try check("socket", socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
        let result = Socket(descriptor: descriptor)
        do {
            try result.set(SO_REUSEADDR, to: Int32(1))
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            let size = socklen_t(MemoryLayout<sockaddr_in>.size)
            try check(
                "bind",
                unsafe withUnsafePointer(to: &address) { pointer in
                    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        unsafe bind(descriptor, $0, size)
                    }
                })
            return result
        } catch {
            result.close()
            throw error
        }
    }

    /// The port that the socket is bound to.
    func port() throws -> UInt16 {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        try Self.check(
            "getsockname",
            unsafe withUnsafeMutablePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe getsockname(descriptor, $0, &size)
                }
            })
        return UInt16(bigEndian: address.sin_port)
    }

    /// Waits for a connection; nil where the socket no longer listens.
    func accept() -> Socket? {
        while true {
            let accepted = Glibc.accept(descriptor, nil, nil)
            if accepted >= 0 {
                // A process that a test starts must not keep the connection open.
                _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
                let socket = Socket(descriptor: accepted)
                socket.limitWaiting()
                // Else the body would wait until the client has confirmed the head.
                try? socket.set(TCP_NODELAY, level: Int32(IPPROTO_TCP), to: Int32(1))
                return socket
            }
            // A connection that was gone before it was accepted is no reason to stop.
            if errno != EINTR && errno != ECONNABORTED { return nil }
        }
    }

    /// Waits for bytes; nil at the end of the connection, and where it fails or takes too long.
    func receive() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe recv(descriptor, bytes.baseAddress, bytes.count, 0)
        }
        if count <= 0 { return nil }
        buffer.removeLast(buffer.count - count)
        return buffer
    }

    /// Sends bytes; false where the other side no longer takes them.
    func send(_ bytes: [UInt8], sent: (Int) -> Void = { _ in }) -> Bool {
        var position = 0
        while position < bytes.count {
            let count = unsafe bytes[position...].withUnsafeBytes { rest in
                unsafe Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return false }
            sent(count)
            position += count
        }
        return true
    }

    /// Keeps little in the system's buffer, so that the other side's pace shows.
    func limitSendBuffer(to bytes: Int) {
        try? set(SO_SNDBUF, to: Int32(clamping: bytes))
    }

    /// Ends both directions and wakes whoever waits on the socket.
    func shutDown() {
        _ = Glibc.shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Closes the socket.
    func close() {
        _ = Glibc.close(descriptor)
    }

    /// Makes the close that follows tear the connection down.
    func resetOnClose() {
        try? set(SO_LINGER, to: linger(l_onoff: 1, l_linger: 0))
    }

    private func limitWaiting() {
        let limit = timeval(tv_sec: Self.limitSeconds, tv_usec: 0)
        try? set(SO_RCVTIMEO, to: limit)
        try? set(SO_SNDTIMEO, to: limit)
    }

    private func set<Value: BitwiseCopyable>(_ option: Int32, level: Int32 = SOL_SOCKET, to value: Value) throws {
        var value = value
        let size = socklen_t(MemoryLayout<Value>.size)
        try Self.check("setsockopt", unsafe setsockopt(descriptor, level, option, &value, size))
    }

    @discardableResult
    private static func check(_ call: String, _ result: Int32) throws -> Int32 {
        if result < 0 { throw Failure(call: call, number: errno) }
        return result
    }
}
