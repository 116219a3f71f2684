extension HTTPError {
    /// The error for a status that is no success.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - body: The beginning of the body.
    ///   - refusal: What it says of too many requests.
    ///   - context: What is known about the request.
    init(status: Int, body: [UInt8], _ refusal: RateRefusal?, _ context: FailureContext) {
        var message = "\(context.prefix)the server answered \(status)\(Self.meaning(of: status))."
        let excerpt = context.redactor.excerpt(of: body)
        if !excerpt.isEmpty { message += " It said: \"\(excerpt)\"." }
        self.init(
            .status, message, remedy: Self.remedy(for: status, refusal), status: status,
            isTransient: Self.isTransient(status) || refusal == .passes)
        isRateLimit = status == 429 || refusal == .passes
    }

    /// Whether a status means that the same request may succeed later.
    static func isTransient(_ status: Int) -> Bool {
        switch status {
        case 408, 429: true
        case 501, 505: false
        default: 500...599 ~= status
        }
    }

    private static func remedy(for status: Int, _ refusal: RateRefusal?) -> StaticString {
        switch refusal {
        case .passes: return remedy(for: 429, nil)
        case .isUnnamed:
            return
                "The server counts requests, and none is left: name its headers in `rate_limit` (`remaining_header`, `reset_header`), and runs wait for more."
        case nil: break
        }
        return switch status {
        case 300...399:
            "It names no address to redirect to; check the URL, which `base_url` and `path` make in a pipeline."
        case 401: "Check `auth`, or the header that has the credentials: they are missing, wrong or expired."
        case 403:
            "Check `auth`, or the header that has the credentials: they do not allow this, or the server refuses the client."
        case 404: "Check the URL, which `base_url` and `path` make in a pipeline."
        case 407: "Check `proxy`: it asks for credentials."
        case 410: "The resource is gone for good; check the stream's `path`."
        case 429: "The server asks for fewer requests: run again later, or raise `retry.max_wait`."
        case 500...599: "The fault is the server's: run again later, or tell the operator of the server."
        default: "Check the stream's `path`, `method`, `params` and `headers`."
        }
    }

    private static func meaning(of status: Int) -> String {
        let words: [Int: String] = [
            400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
            406: "Not Acceptable", 407: "Proxy Authentication Required", 408: "Request Timeout", 409: "Conflict",
            410: "Gone", 413: "Content Too Large", 415: "Unsupported Media Type", 422: "Unprocessable Content",
            429: "Too Many Requests", 500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway",
            503: "Service Unavailable", 504: "Gateway Timeout", 505: "HTTP Version Not Supported",
        ]
        return words[status].map { " (\($0))" } ?? ""
    }
}
