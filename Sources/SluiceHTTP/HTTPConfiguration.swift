/// How a client talks to one source.
public struct HTTPConfiguration: Sendable {
    /// What the client calls itself, such as `sluice/1.0`.
    public var userAgent: String
    /// How long to wait.
    public var timeout = HTTPTimeout()
    /// When and how often a failed request is tried again.
    public var retry = HTTPRetry()
    /// How fast the source is asked.
    public var rateLimit = HTTPRateLimit()
    /// Other hosts that redirects and page links may lead to.
    public var allowedHosts: [HTTPAllowedHost] = []
    /// The largest body in bytes, after decoding.
    public var maximumResponseBytes = 64 << 20
    /// The most bytes of one body that wait for its sink; above it the server is made to wait.
    public var bufferBytes = 256 << 10
    /// The most redirects of one request.
    public var maximumRedirects = 10
    /// Certificates other than the system's.
    public var tls = HTTPTLS()
    /// Which proxy to use.
    public var proxy = HTTPProxy.environment

    /// Makes a configuration with the defaults.
    ///
    /// - Parameter userAgent: What the client calls itself.
    public init(userAgent: String) {
        self.userAgent = userAgent
    }
}

/// How long a client waits.
public struct HTTPTimeout: Sendable, Hashable {
    /// The longest time to look the host up, connect to it and agree on TLS.
    public var connect: Duration
    /// The longest time without a byte in either direction.
    public var idle: Duration
    /// The longest time for one response, not counting the time in which its sink made the server wait.
    public var total: Duration

    /// Makes timeouts.
    public init(connect: Duration = .seconds(10), idle: Duration = .seconds(30), total: Duration = .seconds(300)) {
        self.connect = connect
        self.idle = idle
        self.total = total
    }
}

/// When and how often a failed request is tried again.
public struct HTTPRetry: Sendable, Hashable {
    /// Tries in all, the first one included.
    public var maximumAttempts: Int
    /// The upper bound of the first delay, doubled after each try.
    public var base: Duration
    /// The longest delay that is not asked for by the server.
    public var maximumDelay: Duration
    /// The longest time that one request may spend waiting.
    public var maximumWait: Duration

    /// Makes rules for retries.
    public init(
        maximumAttempts: Int = 5, base: Duration = .seconds(1), maximumDelay: Duration = .seconds(300),
        maximumWait: Duration = .seconds(900)
    ) {
        self.maximumAttempts = maximumAttempts
        self.base = base
        self.maximumDelay = maximumDelay
        self.maximumWait = maximumWait
    }
}

/// Another host that redirects and page links may lead to.
public struct HTTPAllowedHost: Sendable, Hashable {
    /// The host's name, in any case.
    public var host: String
    /// The port, or nil for the scheme's own.
    public var port: Int?
    /// Whether credentials and custom headers go there too.
    public var sendsCredentials: Bool

    /// Makes an allowed host.
    public init(host: String, port: Int? = nil, sendsCredentials: Bool = false) {
        self.host = host
        self.port = port
        self.sendsCredentials = sendsCredentials
    }
}

/// Certificates other than the system's; each is the path of a PEM file.
public struct HTTPTLS: Sendable, Hashable {
    /// The authorities to trust, in place of the system's.
    public var authorityFile: String?
    /// The certificate that says who is asking.
    public var clientCertificateFile: String?
    /// The key of ``clientCertificateFile``.
    public var clientKeyFile: String?

    /// Makes the system's settings.
    public init() {}
}

/// Which proxy a client uses.
public enum HTTPProxy: Sendable, Hashable {
    /// What `http_proxy`, `https_proxy` and `no_proxy` say.
    case environment
    /// No proxy, whatever the environment says.
    case none
    /// A proxy's URL.
    case url(String)
}
