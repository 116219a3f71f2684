/// Where a client's requests go.
package enum HTTPTraffic: Sendable {
    /// To the servers that they name.
    case live
    /// To the servers that they name, and what they answer is kept.
    case recorded(HTTPRecorder)
    /// To a recording: no connection is made, and nothing is waited for.
    case replayed(HTTPReplayer)

    /// Whether no server is asked.
    var isReplayed: Bool {
        if case .replayed = self { true } else { false }
    }
}

/// A request without its secrets.
package struct RecordedRequest: Sendable, Hashable {
    /// The method, upper-case.
    package var method: String
    /// The URL with `***` for what is secret.
    package var url: String
    /// The headers that were set, with `***` for what is secret.
    package var headers: [HTTPField]
    /// The body with `***` for what is secret; nil for none.
    package var body: [UInt8]?

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - method: The method, upper-case.
    ///   - url: The URL without secrets.
    ///   - headers: The headers without secrets.
    ///   - body: The body without secrets.
    package init(method: String, url: String, headers: [HTTPField] = [], body: [UInt8]? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// The URL as requests are compared by it: parameters that commonly hold secrets have no value of their own.
    package var comparedURL: String {
        HTTPURL.redacting(String(url.prefix { $0 != "#" }), parameters: [])
    }
}

/// A response without its secrets.
package struct RecordedResponse: Sendable, Hashable {
    /// The status code.
    package var status: Int
    /// The protocol version, such as `1.1` or `2`.
    package var httpVersion: String
    /// The header fields, with `***` for what is secret.
    package var headers: [HTTPField]
    /// The body, decoded, with `***` for what is secret.
    package var body: [UInt8]
    /// Whether something of the source's data is hidden in ``body``, so that it is not what the source said. Of the answer
    /// to a login nothing is data.
    package var hidesData = false

    /// Makes a response.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - httpVersion: The protocol version.
    ///   - headers: The header fields without secrets.
    ///   - body: The body, decoded and without secrets.
    package init(status: Int, httpVersion: String = "2", headers: [HTTPField] = [], body: [UInt8] = []) {
        self.status = status
        self.httpVersion = httpVersion
        self.headers = headers
        self.body = body
    }
}
