internal import SluiceDiagnostics

extension HTTPURL {
    /// The URL with a path added below its own, and with the path's query, if it has one, added to its query.
    ///
    /// ```swift
    /// try HTTPURL("https://example.com/v1/").appending(path: "/items?state=all").text
    /// // https://example.com/v1/items?state=all
    /// ```
    ///
    /// - Parameter path: A path that is percent-encoded where it has to be.
    /// - Returns: A URL without a fragment.
    /// - Throws: ``HTTPError`` with ``HTTPError/Code/invalidURL`` where the result is no valid URL.
    package func appending(path: String) throws(HTTPError) -> HTTPURL {
        let base = Pieces(text)
        let addition = Pieces(path)
        var front = base.front
        if !addition.front.isEmpty {
            while front.hasSuffix("/") { front.removeLast() }
            front += addition.front.hasPrefix("/") ? addition.front : "/" + addition.front
        }
        return try HTTPURL(Pieces(front: front, items: base.items + addition.items, fragment: nil).text)
    }

    /// The URL with path segments added, each percent-encoded.
    ///
    /// - Parameter segments: Texts that are neither `.` nor `..`, which would lead out of the path.
    /// - Returns: A URL without a fragment.
    /// - Throws: ``HTTPError`` with ``HTTPError/Code/invalidURL`` where a segment is `.` or `..`, or the result is no
    ///   valid URL.
    package func appending(segments: [String]) throws(HTTPError) -> HTTPURL {
        if segments.contains(where: { $0 == "." || $0 == ".." }) {
            throw HTTPError(.invalidURL, "A path segment of \(self) is \".\" or \"..\", which would change the path.")
        }
        return try appending(path: segments.map(Self.percentEncoded).joined(separator: "/"))
    }

    /// The URL with query parameters added at the end, percent-encoded.
    ///
    /// - Parameter parameters: Names and values as they are meant.
    /// - Returns: A URL of the same origin; parameters of the same names stay.
    package func adding(parameters: [HTTPField]) -> HTTPURL {
        var pieces = Pieces(text)
        for parameter in parameters {
            pieces.items.append("\(Self.percentEncoded(parameter.name))=\(Self.percentEncoded(parameter.value))")
        }
        return HTTPURL(text: pieces.text, origin: origin)
    }

    /// The URL with query parameters added, in place of those that have the same names.
    ///
    /// - Parameter parameters: Names and values as they are meant.
    /// - Returns: A URL of the same origin, the added parameters at the end of its query.
    package func setting(parameters: [HTTPField]) -> HTTPURL {
        let names = Set(parameters.map(\.name))
        var pieces = Pieces(text)
        pieces.items.removeAll { names.contains(Pieces.name(of: $0)) }
        return HTTPURL(text: pieces.text, origin: origin).adding(parameters: parameters)
    }

    /// The parameters of the query, decoded.
    package var parameters: [HTTPField] {
        Pieces(text).items.map { item in HTTPField(Pieces.name(of: item), Pieces.value(of: item)) }
    }

    /// The URL without the query parameters of some names.
    ///
    /// - Parameter names: The names as they are meant.
    /// - Returns: A URL of the same origin.
    package func removing(parameters names: Set<String>) -> HTTPURL {
        var pieces = Pieces(text)
        pieces.items.removeAll { names.contains(Pieces.name(of: $0)) }
        return HTTPURL(text: pieces.text, origin: origin)
    }

    /// The text with every byte encoded that is not a letter, a digit or one of `-._~` (RFC 3986, section 2.3).
    ///
    /// - Parameter text: A path segment, or the name or value of a query parameter.
    /// - Returns: A text of ASCII characters only; its hexadecimal digits are in upper case.
    package static func percentEncoded(_ text: String) -> String {
        PercentText.encoded(text)
    }

    /// A URL cut at its first `?` and `#`, the query cut at `&`.
    struct Pieces {
        var front: String
        var items: [String]
        var fragment: String?

        init(front: String, items: [String], fragment: String?) {
            self.front = front
            self.items = items
            self.fragment = fragment
        }

        init(_ text: String) {
            let whole = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            let parts = whole[0].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            front = String(parts[0])
            items = parts.count > 1 ? parts[1].split(separator: "&").map(String.init) : []
            fragment = whole.count > 1 ? String(whole[1]) : nil
        }

        var text: String {
            let query = items.isEmpty ? "" : "?" + items.joined(separator: "&")
            return front + query + (fragment.map { "#" + $0 } ?? "")
        }

        /// The name of a query parameter, decoded.
        static func name(of item: String) -> String {
            decoded(item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).first ?? "")
        }

        /// The value of a query parameter, decoded.
        static func value(of item: String) -> String {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return parts.count > 1 ? decoded(parts[1]) : ""
        }

        private static func decoded(_ text: Substring) -> String {
            String(decoding: PercentText.lenientBytes(text.utf8, isForm: true), as: UTF8.self)
        }
    }
}
