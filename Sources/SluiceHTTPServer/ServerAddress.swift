/// Where a server listens.
package enum ServerAddress: Sendable, Hashable {
    /// An IPv4 or IPv6 address of this machine and a port; port 0 lets the system choose.
    case port(host: String, port: UInt16)
    /// A socket in the file system.
    case file(String)
    /// A socket that listens already.
    case descriptor(Int32)

    /// Reads `HOST:PORT` or `unix:PATH`.
    ///
    /// - Throws: ``ServerError`` where it is neither.
    package init(_ text: String) throws(ServerError) {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst(5))
            // The system's own limit, the NUL at the end included.
            if path.isEmpty || path.utf8.count > 107 {
                throw ServerError("`\(text)` names no socket: after `unix:` there is a path of 1 to 107 bytes.")
            }
            self = .file(path)
            return
        }
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            throw ServerError(
                "`\(text)` is no address. Write `127.0.0.1:7788`, `[::1]:7788` or `unix:/run/sluice.sock`.")
        }
        var host = String(text[..<colon])
        if host == "localhost" { host = "127.0.0.1" }
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        if host.isEmpty {
            throw ServerError("`\(text)` names no host. Write `127.0.0.1\(text)` for this machine alone.")
        }
        self = .port(host: host, port: port)
    }
}
