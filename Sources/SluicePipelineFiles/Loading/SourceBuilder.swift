internal import SluicePipeline

/// Makes the definition of `source`.
struct SourceBuilder {
    let node: ConfigNode
    let file: String
    let reporter: Reporter

    /// The definition, or nil where there is no base URL.
    func build() -> SourceDefinition? {
        guard let base = buildBase() else { return nil }
        var source = SourceDefinition(base: base)
        source.authentication = AuthenticationBuilder(
            source: node, isFile: source.base.isFile, reporter: reporter
        ).build()
        source.timeout = buildTimeout()
        source.retry = buildRetry()
        source.tls = buildTLS()
        source.proxy = node.member("proxy")?.text
        source.rateLimit = buildRateLimit()
        source.conditional = node.member("conditional")?.choice(SourceDefinition.ConditionalRule.self) ?? .both
        source.responseRules = buildResponseRules(source.authentication)
        checkConnection(source)
        source.allowedHosts = (node.member("allow_hosts")?.elements ?? []).compactMap(allowedHost)
        if let bytes = node.member("max_response")?.byteCount { source.maximumResponseBytes = bytes }
        if let bytes = node.member("max_record")?.byteCount { source.maximumRecordBytes = bytes }
        return source
    }

    private func buildBase() -> SourceDefinition.Base? {
        guard let text = node.member("base_url")?.text else { return nil }
        if let url = try? BaseURLText(text.revealed), case .file(let path) = url {
            return .file(FilePath.absolute(FilePath.join(FilePath.folder(of: file), path)))
        }
        return .http(text)
    }

    private func buildTLS() -> SourceDefinition.TLS {
        var tls = SourceDefinition.TLS()
        guard let node = node.member("tls") else { return tls }
        func path(_ key: String) -> String? {
            node.member(key)?.string.map { FilePath.absolute(FilePath.join(FilePath.folder(of: file), $0)) }
        }
        tls.trustedCertificates = path("ca_file")
        tls.clientCertificate = path("client_cert")
        tls.clientKey = path("client_key")
        if let key = node.member("client_key"), node.member("client_cert") == nil {
            let detail = "`client_key` is the key of a certificate, which `client_cert` must name."
            reporter.report(.conflictingKeys, detail, at: key.start)
        }
        return tls
    }

    private func checkConnection(_ source: SourceDefinition) {
        guard source.base.isFile else { return }
        for key in ["tls", "proxy", "rate_limit", "on_response", "conditional"] {
            guard let value = node.member(key) else { continue }
            let detail = "A `file:` source has no connection, so it takes no `\(key)`."
            reporter.report(.conflictingKeys, detail, at: value.start, help: "Leave `\(key)` out.")
        }
    }

    private func buildTimeout() -> SourceDefinition.Timeout {
        var timeout = SourceDefinition.Timeout()
        guard let node = node.member("timeout") else { return timeout }
        if let connect = node.member("connect")?.duration { timeout.connect = connect }
        if let idle = node.member("idle")?.duration { timeout.idle = idle }
        if let total = node.member("total")?.duration { timeout.total = total }
        timeout.run = node.member("run")?.duration
        return timeout
    }

    private func buildRetry() -> SourceDefinition.Retry {
        var retry = SourceDefinition.Retry()
        guard let node = node.member("retry") else { return retry }
        if let attempts = node.member("max_attempts")?.int { retry.maximumAttempts = attempts }
        if let base = node.member("base")?.duration { retry.base = base }
        if let delay = node.member("max_delay")?.duration { retry.maximumDelay = delay }
        if let wait = node.member("max_wait")?.duration { retry.maximumWait = wait }
        return retry
    }

    private func allowedHost(_ node: ConfigNode) -> SourceDefinition.AllowedHost? {
        guard let text = node.string ?? node.member("host")?.string, let host = HostText.parse(text) else { return nil }
        let sendsCredentials = node.member("credentials")?.bool ?? false
        return SourceDefinition.AllowedHost(host: host.host, port: host.port, sendsCredentials: sendsCredentials)
    }
}
