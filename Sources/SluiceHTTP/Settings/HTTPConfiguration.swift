/// How a client talks to one source.
package struct HTTPConfiguration: Sendable {
    /// What the client calls itself, such as `sluice/1.0`.
    package var userAgent: String
    /// How long to wait.
    package var timeout = HTTPTimeout()
    /// When and how often a failed request is tried again.
    package var retry = HTTPRetry()
    /// How fast the source is asked.
    package var rateLimit = HTTPRateLimit()
    /// Other hosts that redirects and page links may lead to.
    package var allowedHosts: [HTTPAllowedHost] = []
    /// The largest body in bytes, after decoding.
    package var maximumResponseBytes = 64 << 20
    /// The most bytes of one body that wait for its sink; above it the server is made to wait.
    package var bufferBytes = 256 << 10
    /// The most redirects of one request.
    package var maximumRedirects = 10
    /// Certificates other than the system's.
    package var tls = HTTPTLS()
    /// Which proxy to use.
    package var proxy = HTTPProxy.environment

    /// Makes a configuration with the defaults.
    ///
    /// - Parameter userAgent: What the client calls itself.
    package init(userAgent: String) {
        self.userAgent = userAgent
    }
}

/// How long a client waits.
package struct HTTPTimeout: Sendable, Hashable {
    /// The longest time to look the host up, connect to it and agree on TLS.
    package var connect: Duration
    /// The longest time without a byte in either direction.
    package var idle: Duration
    /// The longest time for one response, not counting the time in which its sink made the server wait.
    package var total: Duration

    /// Makes timeouts.
    package init(connect: Duration = .seconds(10), idle: Duration = .seconds(30), total: Duration = .seconds(300)) {
        self.connect = connect
        self.idle = idle
        self.total = total
    }
}

/// Certificates other than the system's; each is the path of a PEM file.
package struct HTTPTLS: Sendable, Hashable {
    /// The authorities to trust, in place of the system's.
    package var authorityFile: String?
    /// The certificate that says who is asking.
    package var clientCertificateFile: String?
    /// The key of ``clientCertificateFile``.
    package var clientKeyFile: String?

    /// Makes the system's settings.
    package init() {}
}

/// Which proxy a client uses.
package enum HTTPProxy: Sendable, Hashable {
    /// What `http_proxy`, `https_proxy` and `no_proxy` say.
    case environment
    /// No proxy, whatever the environment says.
    case none
    /// A proxy's URL.
    case url(String)
}
