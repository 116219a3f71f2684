/// The part of a URI between `//` and its path: `user@host:port`. See RFC 3986 section 3.2.
struct URIAuthority {
    /// Whether the host has a name or an address.
    let hasHost: Bool

    /// Reads a part of a text; nil where it is no authority.
    init?(_ text: URIText, _ range: Range<Int>) {
        var host = range
        if let at = text.first("@", in: range) {
            guard text.isMade(range.lowerBound..<at, of: .user) else { return nil }
            host = (at + 1)..<range.upperBound
        }
        let end: Int
        if text.begins(host, with: "[") {
            guard let close = text.first("]", in: host), Self.isAddress(text, (host.lowerBound + 1)..<close) else {
                return nil
            }
            end = close + 1
        } else {
            end = text.first(":", in: host) ?? host.upperBound
            guard text.isMade(host.lowerBound..<end, of: .plain) else { return nil }
        }
        hasHost = end > host.lowerBound
        if end == host.upperBound { return }
        guard text[end] == UInt8(ascii: ":"), text.all((end + 1)..<host.upperBound, are: URIText.isDigit) else {
            return nil
        }
    }

    /// What may stand in brackets: an address of IPv6, or of a version to come.
    private static func isAddress(_ text: URIText, _ range: Range<Int>) -> Bool {
        guard text.begins(range, with: "v") || text.begins(range, with: "V") else { return isIPv6(text, range) }
        guard let dot = text.first(".", in: range) else { return false }
        let version = (range.lowerBound + 1)..<dot
        let rest = (dot + 1)..<range.upperBound
        return !version.isEmpty && text.all(version, are: URIText.isHexadecimal) && !rest.isEmpty
            && text.all(rest, are: URIText.isASCII) && text.first("%", in: rest) == nil
            && text.isMade(rest, of: .user)
    }

    /// Eight groups of up to four hexadecimal digits, of which `::` stands for one or more, and the last two may be an
    /// address of IPv4.
    private static func isIPv6(_ text: URIText, _ range: Range<Int>) -> Bool {
        var groups = 0
        var isShortened = false
        var rest = range
        if text.begins(rest, with: ":") {
            guard text.begins(rest.dropFirst(), with: ":") else { return false }
            isShortened = true
            rest = rest.dropFirst(2)
        }
        while !rest.isEmpty {
            let end = rest.first { !URIText.isHexadecimal(text[$0]) } ?? rest.upperBound
            if text.begins(end..<rest.upperBound, with: ".") {
                groups += 2
                return isIPv4(text, rest) && (isShortened ? groups <= 7 : groups == 8)
            }
            guard (1...4).contains(end - rest.lowerBound) else { return false }
            groups += 1
            rest = end..<rest.upperBound
            if rest.isEmpty { break }
            guard text.begins(rest, with: ":") else { return false }
            rest = rest.dropFirst()
            // A colon at the end has no group behind it, unless it is the second of two.
            guard text.begins(rest, with: ":") else {
                if rest.isEmpty { return false }
                continue
            }
            if isShortened { return false }
            isShortened = true
            rest = rest.dropFirst()
        }
        return isShortened ? groups <= 7 : groups == 8
    }

    private static func isIPv4(_ text: URIText, _ range: Range<Int>) -> Bool {
        let parts = range.split(omittingEmptySubsequences: false) { text[$0] == UInt8(ascii: ".") }
        return parts.count == 4
            && parts.allSatisfy { part in
                (1...3).contains(part.count) && text.all(part, are: URIText.isDigit)
                    && (part.count == 1 || text[part.lowerBound] != UInt8(ascii: "0"))
                    && part.reduce(0) { $0 * 10 + Int(text[$1]) - 0x30 } <= 255
            }
    }
}
