import Glibc

/// A connection to a server on this machine, for what no client of HTTP would send.
public struct RawConnection: Sendable {
    private let descriptor: Int32

    /// The socket under it.
    var socket: Socket { Socket(descriptor: descriptor) }

    /// Connects to a port of 127.0.0.1.
    ///
    /// - Throws: Where nobody listens.
    public init(port: UInt16) throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        try self.init(AF_INET, &address)
    }

    /// Connects to a socket in the file system.
    ///
    /// - Throws: Where nobody listens.
    public init(path: String) throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: Array(path.utf8)) }
        try self.init(AF_UNIX, &address)
    }

    private init<Address>(_ family: Int32, _ address: inout Address) throws {
        descriptor = Glibc.socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let number = descriptor
        let connected = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe connect(
                number, UnsafeRawPointer(pointer).assumingMemoryBound(to: sockaddr.self),
                socklen_t(MemoryLayout<Address>.size))
        }
        if connected != 0 {
            Glibc.close(descriptor)
            throw Socket.Failure(call: "connect", number: errno)
        }
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        unsafe setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Sends text; false where the other side is gone.
    @discardableResult
    public func send(_ text: String) -> Bool { socket.send(Array(text.utf8)) }

    /// What comes next; nil at the end.
    public func receive() -> String? {
        socket.receive().map { String(decoding: $0, as: UTF8.self) }
    }

    /// All that comes until the other side closes.
    public func receiveAll() -> String {
        var bytes: [UInt8] = []
        while let more = socket.receive() { bytes += more }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// What comes until it has a text in it, or ends.
    public func receive(until text: String) -> String {
        var received = ""
        while !received.contains(text), let more = receive() { received += more }
        return received
    }

    /// Says that nothing more is sent.
    public func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Closes it.
    public func close() { Glibc.close(descriptor) }
}
