/// Why a request was not answered as hoped.
///
/// The message is made of full sentences: what was asked, what went wrong, and what to do. No part of it holds a secret.
package struct HTTPError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is.
    package struct Code: RawRepresentable, Sendable, Hashable {
        /// The name, in snake_case.
        package let rawValue: String

        /// Makes a code.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// What kind of failure it is.
    package let code: Code
    /// What was asked and what went wrong, as full sentences. They may quote what came from outside.
    package internal(set) var statement: String
    /// What to do: words of the program itself, in which nothing is ever secret.
    package let remedy: StaticString?
    /// The status, where the server gave one that is no success.
    package let status: Int?
    /// Whether the same request may succeed later.
    package internal(set) var isTransient: Bool
    /// Whether the server refused the request since it takes no more of them for now.
    package internal(set) var isRateLimit = false

    init(
        _ code: Code, _ statement: String, remedy: StaticString? = nil, status: Int? = nil, isTransient: Bool = false
    ) {
        self.code = code
        self.statement = statement
        self.remedy = remedy
        self.status = status
        self.isTransient = isTransient
    }

    /// Full sentences for the reader.
    package var message: String { statement + (remedy.map { "\n\($0)" } ?? "") }

    /// The message.
    package var description: String { message }
}

extension HTTPError.Code {
    /// The URL is not an absolute http or https URL, or cannot be read.
    package static let invalidURL = Self(rawValue: "invalid_url")
    /// The method or a header cannot be sent.
    package static let invalidRequest = Self(rawValue: "invalid_request")
    /// Nobody knows the host's name.
    package static let hostNotFound = Self(rawValue: "host_not_found")
    /// The host answers, but nothing listens on the port.
    package static let connectionRefused = Self(rawValue: "connection_refused")
    /// No connection came about for another reason.
    package static let connectionFailed = Self(rawValue: "connection_failed")
    /// The connection ended before the response did.
    package static let connectionLost = Self(rawValue: "connection_lost")
    /// No connection came about in time.
    package static let connectTimeout = Self(rawValue: "connect_timeout")
    /// Nothing was received for too long.
    package static let idleTimeout = Self(rawValue: "idle_timeout")
    /// The response took too long as a whole.
    package static let totalTimeout = Self(rawValue: "total_timeout")
    /// TLS could not be agreed on.
    package static let tlsFailed = Self(rawValue: "tls_failed")
    /// The server's certificate does not prove who it is.
    package static let certificateInvalid = Self(rawValue: "certificate_invalid")
    /// The configured certificates cannot be used.
    package static let tlsConfiguration = Self(rawValue: "tls_configuration")
    /// The body is shorter than announced.
    package static let truncatedBody = Self(rawValue: "truncated_body")
    /// The body cannot be decompressed.
    package static let badContentEncoding = Self(rawValue: "bad_content_encoding")
    /// The body or the headers are larger than allowed.
    package static let responseTooLarge = Self(rawValue: "response_too_large")
    /// The server does not follow the protocol.
    package static let protocolViolation = Self(rawValue: "protocol_violation")
    /// The status says that the request failed.
    package static let status = Self(rawValue: "status")
    /// The server takes no further request for too long.
    package static let rateLimited = Self(rawValue: "rate_limited")
    /// The request was sent on too often.
    package static let tooManyRedirects = Self(rawValue: "too_many_redirects")
    /// A redirect or link leads to a host that is not allowed.
    package static let hostNotAllowed = Self(rawValue: "host_not_allowed")
    /// The client was shut down.
    package static let shutDown = Self(rawValue: "shut_down")
    /// libcurl failed in a way that no other code describes.
    package static let transferFailed = Self(rawValue: "transfer_failed")
}
