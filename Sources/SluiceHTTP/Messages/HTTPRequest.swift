/// One request to a source.
///
/// ```swift
/// var request = HTTPRequest(url: "https://api.example.com/items")
/// request.credentialHeaders = [HTTPField("Authorization", "Bearer \(token)")]
/// ```
package struct HTTPRequest: Sendable, CustomStringConvertible {
    /// The method, upper-case.
    package var method: String
    /// The absolute URL; it may hold secrets, but no user name or password before the host.
    package var url: String
    /// Custom headers, sent to the source's own origin and to hosts that get credentials.
    package var headers: [HTTPField] = []
    /// Headers that prove who is asking, sent where ``headers`` are; their values never appear in a message.
    package var credentialHeaders: [HTTPField] = []
    /// Query parameters that prove who is asking, added to every URL that gets credentials; never shown.
    package var credentialParameters: [HTTPField] = []
    /// The body; it is sent only where credentials may go.
    package var body: [UInt8]?
    /// Whether the server may compress the body.
    ///
    /// libcurl does not notice where compressed data ends too early in a response that is otherwise complete. A parser does,
    /// unless the format has no end of its own, as lines of JSON have none: then false is the way to be sure.
    package var acceptsCompression = true
    /// Whether it is answered with tokens, which no recording keeps.
    package var isLogin = false
    /// What is narrower for it than for the other requests of its client.
    package var terms = HTTPRequestTerms()
    /// Further texts that must never appear in a message.
    package var secrets: [String] = []
    /// The source that credentials belong to; nil for the origin of ``url``.
    ///
    /// A page link may lead to another host: such a request keeps the origin of the source it came from.
    package var origin: HTTPOrigin?
    /// The URL as messages show it; nil for ``url`` with what is known to be secret replaced by `***`.
    package var displayURL: String?

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - method: The method, upper-case.
    ///   - url: The absolute URL.
    ///   - headers: Custom headers.
    ///   - body: What to send.
    package init(method: String = "GET", url: String, headers: [HTTPField] = [], body: [UInt8]? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// The URL as messages show it, without secrets.
    package var shownURL: String {
        let parameters = Set(credentialParameters.map(\.name))
        return Redactor(self).plain(displayURL ?? HTTPURL.redacting(url, parameters: parameters))
    }

    /// Method and URL as messages show them.
    package var description: String { "\(Redactor(self).plain(method)) \(shownURL)" }
}

extension HTTPRequest: CustomDebugStringConvertible, CustomReflectable {
    /// The same as the description: the debugger, too, shows no secrets.
    package var debugDescription: String { description }
    /// Empty, so that a dump shows no secrets.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
