internal import SluiceSystem

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A socket that takes connections. It is closed by whoever it is given to.
package struct ListeningSocket: Sendable {
    /// The descriptor.
    let descriptor: Int32
    /// How people reach it: `127.0.0.1:7788`, `[::1]:7788` or `unix:PATH`.
    package let name: String
    /// The port, nil of a socket in the file system.
    package let port: UInt16?
    /// Whether it can be reached from this machine alone.
    package let isLocal: Bool
    /// The path to remove at the end.
    let path: String?

    /// How many connections wait to be taken.
    private static let backlog: Int32 = 511

    /// Opens a socket.
    ///
    /// - Throws: ``ServerError``.
    package init(_ address: ServerAddress) throws(ServerError) {
        switch address {
        case .port(let host, let port): try self.init(host: host, port: port)
        case .file(let path): try self.init(path: path)
        case .descriptor(let number): try self.init(inherited: number, path: nil)
        }
    }

    private init(host: String, port: UInt16) throws(ServerError) {
        let text = "\(host.contains(":") ? "[\(host)]" : host):\(port)"
        var v4 = sockaddr_in()
        var v6 = sockaddr_in6()
        let number: Int32
        let bound: Int32
        if unsafe inet_pton(AF_INET, host, &v4.sin_addr) == 1 {
            (v4.sin_family, v4.sin_port) = (sa_family_t(AF_INET), port.bigEndian)
            number = Self.open(AF_INET)
            bound = unsafe withUnsafePointer(to: &v4) { unsafe Self.attach(number, to: $0) }
        } else if unsafe inet_pton(AF_INET6, host, &v6.sin6_addr) == 1 {
            (v6.sin6_family, v6.sin6_port) = (sa_family_t(AF_INET6), port.bigEndian)
            number = Self.open(AF_INET6)
            bound = unsafe withUnsafePointer(to: &v6) { unsafe Self.attach(number, to: $0) }
        } else {
            throw ServerError("`\(host)` is no IP address of this machine, such as 127.0.0.1. Names are not looked up.")
        }
        guard number >= 0, bound == 0, listen(number, Self.backlog) == 0 else {
            let reason = unsafe String(cString: strerror(errno))
            if number >= 0 { close(number) }
            throw ServerError("The address `\(text)` cannot be listened at: \(reason). Choose another port.")
        }
        try self.init(inherited: number, path: nil)
    }

    private init(path: String) throws(ServerError) {
        // A socket that a process left behind takes no connection; any other file is somebody's.
        var status = stat()
        if unsafe lstat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFSOCK else {
                throw ServerError("`\(path)` is there and no socket. Choose another path, or remove it.")
            }
            if Self.isAnswered(path) {
                throw ServerError("Another process listens at `\(path)`. Choose another path, or end it.")
            }
            _ = unsafe unlink(path)
        }
        guard var address = Self.address(path) else { throw ServerError("The path `\(path)` is too long.") }
        let number = Self.open(AF_UNIX)
        // The owner and the group, to which a proxy in front may belong.
        let mask = umask(0o117)
        let bound = unsafe withUnsafePointer(to: &address) { unsafe Self.attach(number, to: $0) }
        let reason = errno
        umask(mask)
        guard number >= 0, bound == 0, listen(number, Self.backlog) == 0 else {
            if number >= 0 { close(number) }
            let text = unsafe String(cString: strerror(bound == 0 ? errno : reason))
            throw ServerError("No socket can be made at `\(path)`: \(text). Choose another path.")
        }
        try self.init(inherited: number, path: path)
    }

    private init(inherited number: Int32, path: String?) throws(ServerError) {
        var listens: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(number, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0, listens != 0 else {
            throw ServerError("The descriptor \(number) is no socket that listens.")
        }
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        descriptor = number
        self.path = path
        (name, port, isLocal) = Self.described(number)
    }

    /// Closes it, and removes it from the file system where it was made there.
    package func end() {
        close(descriptor)
        if let path { _ = unsafe unlink(path) }
    }

    // MARK: Calls of the system

    private static func open(_ family: Int32) -> Int32 {
        let number = systemStreamSocket(family)
        var isReused: Int32 = 1
        _ = unsafe setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
        return number
    }

    @unsafe
    private static func attach<Address>(_ number: Int32, to address: UnsafePointer<Address>) -> Int32 {
        unsafe bind(
            number, UnsafeRawPointer(address).assumingMemoryBound(to: sockaddr.self),
            socklen_t(MemoryLayout<Address>.size))
    }

    private static func address(_ path: String) -> sockaddr_un? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let isTaken = unsafe withUnsafeMutableBytes(of: &address.sun_path) { place in
            if bytes.count >= place.count { return false }
            unsafe place.copyBytes(from: bytes)
            return true
        }
        return isTaken ? address : nil
    }

    private static func isAnswered(_ path: String) -> Bool {
        guard var address = address(path) else { return false }
        let number = open(AF_UNIX)
        defer { close(number) }
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe connect(
                number, UnsafeRawPointer(pointer).assumingMemoryBound(to: sockaddr.self),
                socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
        }
    }

    private static func described(_ number: Int32) -> (String, UInt16?, Bool) {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            let raw = UnsafeMutableRawPointer(pointer)
            guard unsafe getsockname(number, raw.assumingMemoryBound(to: sockaddr.self), &size) == 0 else {
                return ("", nil, false)
            }
            switch unsafe Int32(pointer.pointee.ss_family) {
            case AF_INET:
                let address = unsafe raw.assumingMemoryBound(to: sockaddr_in.self).pointee
                let port = UInt16(bigEndian: address.sin_port)
                let bits = UInt32(bigEndian: address.sin_addr.s_addr)
                let host = [24, 16, 8, 0].map { String(bits >> $0 & 255) }.joined(separator: ".")
                return ("\(host):\(port)", port, bits >> 24 == 127)
            case AF_INET6:
                var address = unsafe raw.assumingMemoryBound(to: sockaddr_in6.self).pointee
                var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
                _ = unsafe inet_ntop(AF_INET6, &address.sin6_addr, &text, socklen_t(text.count))
                let host = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                let port = UInt16(bigEndian: address.sin6_port)
                return ("[\(host)]:\(port)", port, host == "::1")
            default:
                let address = unsafe raw.assumingMemoryBound(to: sockaddr_un.self).pointee
                let path = unsafe withUnsafeBytes(of: address.sun_path) { bytes in
                    unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
                return ("unix:\(path)", nil, true)
            }
        }
    }
}
