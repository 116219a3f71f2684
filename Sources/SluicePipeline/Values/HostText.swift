/// A host with an optional port.
package enum HostText {
    /// Reads `host`, `host:port`, `[::1]` or `[::1]:port`; the host comes back in lower case.
    package static func parse(_ text: String) -> (host: String, port: Int?)? {
        var host = text[...]
        var port: Int?
        if let colon = text.lastIndex(of: ":"), !text.hasSuffix("]") {
            let digits = text[text.index(after: colon)...]
            guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = Int(digits), (1...65_535).contains(number)
            else { return nil }
            port = number
            host = text[..<colon]
        }
        return isHost(host) ? (host.lowercased(), port) : nil
    }

    private static func isHost(_ host: Substring) -> Bool {
        if host.hasPrefix("["), host.hasSuffix("]") {
            let address = host.dropFirst().dropLast().utf8
            return address.contains(UInt8(ascii: ":"))
                && address.allSatisfy {
                    isDigit($0) || (0x61...0x66).contains($0 | 0x20) || $0 == UInt8(ascii: ":")
                        || $0 == UInt8(ascii: ".")
                }
        }
        let isWord = host.utf8.allSatisfy {
            isDigit($0) || (0x61...0x7A).contains($0 | 0x20) || "-._".utf8.contains($0)
        }
        return isWord && !host.isEmpty && !host.hasPrefix(".") && !host.hasPrefix("-") && !host.contains("..")
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
