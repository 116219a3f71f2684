/// What a server says before the body.
package struct HTTPResponseHead: Sendable, Hashable {
    /// The status code.
    package let status: Int
    /// The protocol version, such as `1.1` or `2`.
    package let httpVersion: String
    /// The header fields.
    package let headers: HTTPHeaders
    /// The URL that answered, after redirects: what relative links are resolved against.
    package let url: HTTPURL

    /// Makes a head.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - httpVersion: The protocol version.
    ///   - headers: The header fields.
    ///   - url: The URL that answered.
    package init(status: Int, httpVersion: String, headers: HTTPHeaders, url: HTTPURL) {
        self.status = status
        self.httpVersion = httpVersion
        self.headers = headers
        self.url = url
    }

    /// Whether the request did what it asked for: 2xx, or 304 to a conditional request.
    package var isSuccess: Bool { 200...299 ~= status || status == 304 }

    /// The links of all `Link` fields.
    package var links: LinkHeader { LinkHeader(headers.all("Link")) }

    /// Whether the end of the body is said by the protocol, rather than only by the connection's end.
    ///
    /// A body that merely stops may have been cut off, so it proves nothing about what is not in it.
    package var isBodyDelimited: Bool {
        if !httpVersion.hasPrefix("1") || status == 204 || status == 304 { return true }
        if headers.first("Content-Length") != nil { return true }
        return headers.all("Transfer-Encoding").contains { $0.lowercased().contains("chunked") }
    }

    /// The length of the body where it is known before it arrives, which it is not for a compressed one.
    var announcedBodyBytes: Int? {
        guard headers.first("Content-Encoding") == nil else { return nil }
        return headers.first("Content-Length").flatMap { Int($0) }
    }
}
