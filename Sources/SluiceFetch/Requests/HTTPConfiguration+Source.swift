package import SluiceHTTP
package import SluicePipeline

extension HTTPConfiguration {
    /// The client's settings for a pipeline's source.
    package init(_ source: SourceDefinition, version: String) {
        self.init(userAgent: "sluice/\(version)")
        timeout = HTTPTimeout(
            connect: source.timeout.connect, idle: source.timeout.idle, total: source.timeout.total)
        retry = HTTPRetry(
            maximumAttempts: source.retry.maximumAttempts, base: source.retry.base,
            maximumDelay: source.retry.maximumDelay, maximumWait: source.retry.maximumWait)
        allowedHosts = source.allowedHosts.map {
            HTTPAllowedHost(host: $0.host, port: $0.port, sendsCredentials: $0.sendsCredentials)
        }
        maximumResponseBytes = source.maximumResponseBytes
        tls.authorityFile = source.tls.trustedCertificates
        tls.clientCertificateFile = source.tls.clientCertificate
        tls.clientKeyFile = source.tls.clientKey
        rateLimit.limit = source.rateLimit.limit
        rateLimit.interval = source.rateLimit.interval
        rateLimit.remainingHeader = source.rateLimit.remainingHeader
        rateLimit.resetHeader = source.rateLimit.resetHeader
        rateLimit.resetUnit = source.rateLimit.resetUnit == .epoch ? .epoch : .seconds
        rateLimit.reserve = source.rateLimit.reserve
        if let url = source.proxy { proxy = .url(url.revealed) }
    }
}
