/// The names that a request's `Host` may have.
enum HostName {
    /// Whether a host is this machine by a name that no name server answers for. A page of a stranger whose name leads to
    /// 127.0.0.1 sends its own name (DNS rebinding).
    static func isLocal(_ host: String) -> Bool {
        let name = withoutPort(host)
        if name == "localhost" || name == "[::1]" { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// Whether it can be a host at all.
    static func isWellFormed(_ host: String) -> Bool {
        !host.isEmpty && host.utf8.count <= 255
            && host.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x3A, 0x5B, 0x5D, 0x5F: true
                default: false
                }
            }
    }

    private static func withoutPort(_ host: String) -> String {
        guard let colon = host.lastIndex(of: ":"), UInt16(host[host.index(after: colon)...]) != nil,
            host[..<colon].hasSuffix("]") || !host[..<colon].contains(":")
        else { return host }
        return String(host[..<colon])
    }
}
