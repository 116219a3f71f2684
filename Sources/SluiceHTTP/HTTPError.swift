/// Why a request was not answered as hoped.
///
/// The message is made of full sentences: what was asked, what went wrong, and what to do. No part of it holds a secret.
public struct HTTPError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name, in snake_case.
        public let rawValue: String

        /// Makes a code.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// What kind of failure it is.
    public let code: Code
    /// Full sentences for the reader.
    public internal(set) var message: String
    /// The status, where the server gave one that is no success.
    public let status: Int?
    /// Whether the same request may succeed later.
    public internal(set) var isTransient: Bool

    init(_ code: Code, _ message: String, status: Int? = nil, isTransient: Bool = false) {
        self.code = code
        self.message = message
        self.status = status
        self.isTransient = isTransient
    }

    /// The message.
    public var description: String { message }
}

extension HTTPError.Code {
    /// The URL is not an absolute http or https URL, or cannot be read.
    public static let invalidURL = Self(rawValue: "invalid_url")
    /// The method or a header cannot be sent.
    public static let invalidRequest = Self(rawValue: "invalid_request")
    /// Nobody knows the host's name.
    public static let hostNotFound = Self(rawValue: "host_not_found")
    /// The host answers, but nothing listens on the port.
    public static let connectionRefused = Self(rawValue: "connection_refused")
    /// No connection came about for another reason.
    public static let connectionFailed = Self(rawValue: "connection_failed")
    /// The connection ended before the response did.
    public static let connectionLost = Self(rawValue: "connection_lost")
    /// No connection came about in time.
    public static let connectTimeout = Self(rawValue: "connect_timeout")
    /// Nothing was received for too long.
    public static let idleTimeout = Self(rawValue: "idle_timeout")
    /// The response took too long as a whole.
    public static let totalTimeout = Self(rawValue: "total_timeout")
    /// TLS could not be agreed on.
    public static let tlsFailed = Self(rawValue: "tls_failed")
    /// The server's certificate does not prove who it is.
    public static let certificateInvalid = Self(rawValue: "certificate_invalid")
    /// The configured certificates cannot be used.
    public static let tlsConfiguration = Self(rawValue: "tls_configuration")
    /// The body is shorter than announced.
    public static let truncatedBody = Self(rawValue: "truncated_body")
    /// The body cannot be decompressed.
    public static let badContentEncoding = Self(rawValue: "bad_content_encoding")
    /// The body or the headers are larger than allowed.
    public static let responseTooLarge = Self(rawValue: "response_too_large")
    /// The server does not follow the protocol.
    public static let protocolViolation = Self(rawValue: "protocol_violation")
    /// The status says that the request failed.
    public static let status = Self(rawValue: "status")
    /// The server takes no further request for too long.
    public static let rateLimited = Self(rawValue: "rate_limited")
    /// The request was sent on too often.
    public static let tooManyRedirects = Self(rawValue: "too_many_redirects")
    /// A redirect or link leads to a host that is not allowed.
    public static let hostNotAllowed = Self(rawValue: "host_not_allowed")
    /// The client was shut down.
    public static let shutDown = Self(rawValue: "shut_down")
    /// libcurl failed in a way that no other code describes.
    public static let transferFailed = Self(rawValue: "transfer_failed")
}
