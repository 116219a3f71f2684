internal import CSluiceCurl

/// An absolute http or https URL, read by libcurl.
///
/// ```swift
/// let page = try HTTPURL("https://api.example.com/v1/items?page=1")
/// try page.resolving("?page=2").text   // https://api.example.com/v1/items?page=2
/// ```
package struct HTTPURL: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible {
    /// The whole URL, secrets included: for requests, not for messages.
    package let text: String
    /// Scheme, host and port.
    package let origin: HTTPOrigin

    /// Reads an absolute URL.
    ///
    /// A user name or password before the host is refused: curl would send it wherever the URL leads.
    ///
    /// - Parameter text: The URL.
    /// - Throws: ``HTTPError`` with ``HTTPError/Code/invalidURL``.
    package init(_ text: String) throws(HTTPError) {
        do throws(CurlURL.Failure) {
            var url = CurlURL()
            try url.set(text)
            let user = try url.part(CURLUPART_USER)
            let password = try url.part(CURLUPART_PASSWORD)
            if user != nil || password != nil {
                throw CurlURL.Failure(code: CURLUE_USER_NOT_ALLOWED)
            }
            try self.init(reading: url)
        } catch {
            throw Self.error(text, error)
        }
    }

    /// What a reference means that was found in the document at this URL.
    ///
    /// A user name or password in the reference is dropped: who asks is not for a server to say.
    ///
    /// - Parameter reference: An absolute or a relative URL.
    /// - Returns: An absolute URL, which may be of another origin.
    /// - Throws: ``HTTPError`` with ``HTTPError/Code/invalidURL`` where the result is no http or https URL.
    package func resolving(_ reference: String) throws(HTTPError) -> HTTPURL {
        do throws(CurlURL.Failure) {
            var url = CurlURL()
            if reference.isEmpty || reference.hasPrefix("#") {
                // libcurl would take no empty reference, and drop the last path segment for a fragment.
                try url.set(text.prefix { $0 != "#" } + reference)
            } else {
                try url.set(text)
                try url.set(reference)
            }
            try url.clear(CURLUPART_USER)
            try url.clear(CURLUPART_PASSWORD)
            return try HTTPURL(reading: url)
        } catch {
            throw Self.error(reference, error)
        }
    }

    /// Makes a URL from parts that are known to fit.
    init(text: String, origin: HTTPOrigin) {
        self.text = text
        self.origin = origin
    }

    private init(reading url: borrowing CurlURL) throws(CurlURL.Failure) {
        guard let text = try url.part(CURLUPART_URL), let scheme = try url.part(CURLUPART_SCHEME),
            let host = try url.part(CURLUPART_HOST), !host.isEmpty,
            let port = try url.part(CURLUPART_PORT, flags: CURLU_DEFAULT_PORT).flatMap({ Int($0) }),
            let origin = HTTPOrigin(scheme: scheme, host: host, port: port)
        else { throw CurlURL.Failure(code: CURLUE_UNSUPPORTED_SCHEME) }
        // libcurl converts such names by the process's locale, which a program that runs unattended may not have set.
        guard host.utf8.allSatisfy({ $0 < 0x80 }) else { throw CurlURL.Failure(code: CURLUE_BAD_HOSTNAME) }
        self.text = text
        self.origin = origin
    }

    private static func error(_ text: String, _ failure: CurlURL.Failure) -> HTTPError {
        let shown = Redactor(secrets: []).excerpt(of: Array(redacting(text, parameters: []).utf8))
        if failure.code == CURLUE_USER_NOT_ALLOWED {
            return HTTPError(
                .invalidURL,
                "The URL \(shown) holds a user name or password. Give them under `auth` with type `basic` instead.")
        }
        if failure.code == CURLUE_BAD_HOSTNAME {
            return HTTPError(
                .invalidURL,
                "The URL \(shown) cannot be used: its host is not a valid name. "
                    + "Write a name with non-ASCII characters in its `xn--` form.")
        }
        return HTTPError(
            .invalidURL,
            "The URL \(shown) cannot be used: \(failure.text). It must be an absolute http or https URL.")
    }

    /// The URL as messages show it: see ``redacted(parameters:)``.
    package var description: String { redacted() }
    /// The same as the description: a dump of a response shows no secrets either.
    package var debugDescription: String { redacted() }
}
