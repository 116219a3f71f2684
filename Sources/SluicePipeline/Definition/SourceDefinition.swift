/// The place of the JSON, and how to request it.
package struct SourceDefinition: Sendable {
    /// The place that paths are resolved against.
    package enum Base: Sendable {
        /// An absolute `http:` or `https:` URL.
        case http(ConfigurationText)
        /// An absolute path of a folder or file on this machine.
        case file(String)
    }

    /// The place that paths are resolved against.
    package var base: Base
    /// How a request proves who is asking.
    package var authentication: Authentication
    /// How long to wait.
    package var timeout: Timeout
    /// How failed requests are retried.
    package var retry: Retry
    /// Other hosts that redirects and page links may lead to.
    package var allowedHosts: [AllowedHost]
    /// The largest response in bytes, after decoding.
    package var maximumResponseBytes: Int
    /// The largest record in bytes.
    package var maximumRecordBytes: Int

    /// The trusted certificates, and the client certificate.
    package var tls = TLS()
    /// How fast it is asked.
    package var rateLimit = RateLimit()
    /// Rules for responses. The first rule that matches applies. If none does, the built-in rules apply.
    package var responseRules: [ResponseRule] = []
    /// By what a run asks whether pages changed since the last one.
    package var conditional = ConditionalRule.both
    /// The URL of the proxy that requests go through.
    package var proxy: ConfigurationText?

    /// Makes a source with the defaults of the pipeline file.
    package init(
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
