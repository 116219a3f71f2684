internal import SluiceDiagnostics

/// A request that was received whole.
package struct IncomingRequest: Sendable {
    /// The method, in upper case as it is sent.
    package let method: String
    /// The target as it is sent.
    package let target: String
    /// The segments of its path, decoded; `/` has none, and a slash at the end adds an empty one.
    package let path: [String]
    /// The fields of its query, decoded.
    package let query: [FormField]
    /// The fields of its head, in their order.
    package let headers: [HeaderField]
    /// The body.
    package let body: [UInt8]

    /// Makes a request.
    ///
    /// - Returns: Nil where the target is no path, or no UTF-8 once it is decoded.
    package init?(method: String, target: String, headers: [HeaderField] = [], body: [UInt8] = []) {
        let parts = target.utf8.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let path = parts.first, path.first == UInt8(ascii: "/") else { return nil }
        var segments: [String] = []
        for part in path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard let segment = PercentText.text(part) else { return nil }
            segments.append(segment)
        }
        guard let query = FormField.fields(of: parts.count > 1 ? Array(parts[1]) : []) else { return nil }
        self.path = segments == [""] ? [] : segments
        (self.method, self.target, self.query, self.headers, self.body) = (method, target, query, headers, body)
    }

    /// The value of a field of the head, nil where it is not there.
    package func header(_ name: String) -> String? { headers.first { $0.isNamed(name) }?.value }

    /// Whether a change of state may be asked for by it, which `GET` and `HEAD` never do.
    package var isSafe: Bool { method == "GET" || method == "HEAD" }

    /// The type of the body without parameters, in lower case; nil where none is told.
    package var contentType: String? {
        let type = header("Content-Type")?.split(separator: ";").first
        return type.map { String($0.filter { $0 != " " }).lowercased() }
    }

    /// The fields of a form that was sent; nil where the body is none.
    package var form: [FormField]? {
        contentType == "application/x-www-form-urlencoded" ? FormField.fields(of: body) : nil
    }

    /// The value of a cookie.
    package func cookie(_ name: String) -> String? {
        for field in headers where field.isNamed("Cookie") {
            for pair in field.value.split(separator: ";") {
                let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                if sides.count == 2, sides[0].drop(while: { $0 == " " }) == name[...] { return String(sides[1]) }
            }
        }
        return nil
    }
}
