/// The place of the JSON, and how to request it.
public struct SourceDefinition: Sendable {
    /// The place that paths are resolved against.
    public enum Base: Sendable {
        /// An absolute `http:` or `https:` URL.
        case http(ConfigurationText)
        /// An absolute path of a folder or file on this machine.
        case file(String)
    }

    /// The place that paths are resolved against.
    public var base: Base
    /// How a request proves who is asking.
    public var authentication: Authentication
    /// How long to wait.
    public var timeout: Timeout
    /// How failed requests are retried.
    public var retry: Retry
    /// Other hosts that redirects and page links may lead to.
    public var allowedHosts: [AllowedHost]
    /// The largest response in bytes, after decoding.
    public var maximumResponseBytes: Int
    /// The largest record in bytes.
    public var maximumRecordBytes: Int

    /// The trusted certificates, and the client certificate.
    public var tls = TLS()
    /// How fast it is asked.
    public var rateLimit = RateLimit()
    /// Rules for responses. The first rule that matches applies. If none does, the built-in rules apply.
    public var responseRules: [ResponseRule] = []
    /// By what a run asks whether pages changed since the last one.
    public var conditional = ConditionalRule.both
    /// The URL of the proxy that requests go through.
    public var proxy: ConfigurationText?

    /// Makes a source with the defaults of the pipeline file.
    public init(
        base: Base, authentication: Authentication = .none, timeout: Timeout = Timeout(), retry: Retry = Retry(),
        allowedHosts: [AllowedHost] = [], maximumResponseBytes: Int = 64 << 20, maximumRecordBytes: Int = 16 << 20
    ) {
        self.base = base
        self.authentication = authentication
        self.timeout = timeout
        self.retry = retry
        self.allowedHosts = allowedHosts
        self.maximumResponseBytes = maximumResponseBytes
        self.maximumRecordBytes = maximumRecordBytes
    }
}
