/// Where a client's requests go.
public enum HTTPTraffic: Sendable {
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
public struct RecordedRequest: Sendable, Hashable {
    /// The method, upper-case.
    public var method: String
    /// The URL with `***` for what is secret.
    public var url: String
    /// The headers that were set, with `***` for what is secret.
    public var headers: [HTTPField]
    /// The body with `***` for what is secret; nil for none.
    public var body: [UInt8]?

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - method: The method, upper-case.
    ///   - url: The URL without secrets.
    ///   - headers: The headers without secrets.
    ///   - body: The body without secrets.
    public init(method: String, url: String, headers: [HTTPField] = [], body: [UInt8]? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// The URL as requests are compared by it: parameters that commonly hold secrets have no value of their own.
    public var comparedURL: String {
        HTTPURL.redacting(String(url.prefix { $0 != "#" }), parameters: [])
    }
}

/// A response without its secrets.
public struct RecordedResponse: Sendable, Hashable {
    /// The status code.
    public var status: Int
    /// The protocol version, such as `1.1` or `2`.
    public var httpVersion: String
    /// The header fields, with `***` for what is secret.
    public var headers: [HTTPField]
    /// The body, decoded, with `***` for what is secret.
    public var body: [UInt8]

    /// Makes a response.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - httpVersion: The protocol version.
    ///   - headers: The header fields without secrets.
    ///   - body: The body, decoded and without secrets.
    public init(status: Int, httpVersion: String = "2", headers: [HTTPField] = [], body: [UInt8] = []) {
        self.status = status
        self.httpVersion = httpVersion
        self.headers = headers
        self.body = body
    }
}

/// Why an exchange could not be kept, or is in no recording.
public struct HTTPTrafficError: Error, Sendable {
    /// What kind of failure it is.
    public var code: HTTPError.Code
    /// Full sentences for the reader, without secrets.
    public var message: String

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: What kind of failure it is.
    ///   - message: Full sentences for the reader, without secrets.
    public init(_ code: HTTPError.Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension HTTPError.Code {
    /// What was received cannot be kept.
    public static let notKept = Self(rawValue: "recording_failed")
    /// The recording has no answer to the request.
    public static let notRecorded = Self(rawValue: "not_recorded")
}
