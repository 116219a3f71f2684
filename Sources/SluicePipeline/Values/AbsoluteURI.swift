/// Whether a text is an absolute URI.
///
/// The profile is the generic syntax of RFC 3986, a fragment included, with two differences: characters beyond ASCII
/// stand for themselves as in RFC 3987, and `http`, `https`, `ws`, `wss` and `ftp` need a host, as their own standards
/// demand. Nothing is normalised or looked up.
package enum AbsoluteURI {
    private static let schemesWithHost = ["http", "https", "ws", "wss", "ftp"]

    /// Whether UTF-8 text is one.
    package static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let text = unsafe URIText(bytes)
        guard let colon = text.first(":", in: 0..<text.count), isScheme(text, 0..<colon) else { return false }
        let end = text.count
        let fragment = text.first("#", in: colon..<end) ?? end
        let query = text.first("?", in: colon..<fragment) ?? fragment
        var path = (colon + 1)..<query
        var hasHost = false
        if text.begins(path, with: "/"), text.begins(path.dropFirst(), with: "/") {
            let start = path.lowerBound + 2
            let slash = text.first("/", in: start..<query) ?? query
            guard let authority = URIAuthority(text, start..<slash) else { return false }
            hasHost = authority.hasHost
            path = slash..<query
        }
        if !hasHost, schemesWithHost.contains(where: { text.isWord($0, 0..<colon) }) { return false }
        return text.isMade(path, of: .path)
            && text.isMade(min(query + 1, fragment)..<fragment, of: .query)
            && text.isMade(min(fragment + 1, end)..<end, of: .query)
    }

    /// Whether a text is one.
    package static func isValid(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { unsafe isValid(UnsafeRawBufferPointer($0)) }
    }

    private static func isScheme(_ text: URIText, _ range: Range<Int>) -> Bool {
        guard let first = range.first, URIText.isLetter(text[first]) else { return false }
        return text.all(range) {
            URIText.isLetter($0) || URIText.isDigit($0) || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E
        }
    }
}
