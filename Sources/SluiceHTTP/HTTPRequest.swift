/// One request to a source.
///
/// ```swift
/// var request = HTTPRequest(url: "https://api.example.com/items")
/// request.credentialHeaders = [HTTPField("Authorization", "Bearer \(token)")]
/// ```
public struct HTTPRequest: Sendable, CustomStringConvertible {
    /// The method, upper-case.
    public var method: String
    /// The absolute URL; it may hold secrets, but no user name or password before the host.
    public var url: String
    /// Custom headers, sent to the source's own origin and to hosts that get credentials.
    public var headers: [HTTPField] = []
    /// Headers that prove who is asking, sent where ``headers`` are; their values never appear in a message.
    public var credentialHeaders: [HTTPField] = []
    /// Query parameters that prove who is asking, added to every URL that gets credentials; never shown.
    public var credentialParameters: [HTTPField] = []
    /// The body; it is sent only where credentials may go.
    public var body: [UInt8]?
    /// Whether the server may compress the body.
    ///
    /// libcurl does not notice where compressed data ends too early in a response that is otherwise complete. A parser does,
    /// unless the format has no end of its own, as lines of JSON have none: then false is the way to be sure.
    public var acceptsCompression = true
    /// Whether it is answered with tokens, which no recording keeps.
    public var isLogin = false
    /// Further texts that must never appear in a message.
    public var secrets: [String] = []
    /// The source that credentials belong to; nil for the origin of ``url``.
    ///
    /// A page link may lead to another host: such a request keeps the origin of the source it came from.
    public var origin: HTTPOrigin?
    /// The URL as messages show it; nil for ``url`` with what is known to be secret replaced by `***`.
    public var displayURL: String?

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - method: The method, upper-case.
    ///   - url: The absolute URL.
    ///   - headers: Custom headers.
    ///   - body: What to send.
    public init(method: String = "GET", url: String, headers: [HTTPField] = [], body: [UInt8]? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// The URL as messages show it, without secrets.
    public var shownURL: String {
        let parameters = Set(credentialParameters.map(\.name))
        return Redactor(self).plain(displayURL ?? HTTPURL.redacting(url, parameters: parameters))
    }

    /// Method and URL as messages show them.
    public var description: String { "\(Redactor(self).plain(method)) \(shownURL)" }
}

extension HTTPRequest: CustomDebugStringConvertible, CustomReflectable {
    /// The same as the description: the debugger, too, shows no secrets.
    public var debugDescription: String { description }
    /// Empty, so that a dump shows no secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
