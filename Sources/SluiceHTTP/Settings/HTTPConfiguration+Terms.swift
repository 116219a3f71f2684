extension HTTPConfiguration {
    /// The configuration as it holds for a request.
    ///
    /// - Parameter terms: What is narrower for it.
    /// - Returns: The configuration; what the terms have wider stays as it is.
    func narrowed(by terms: HTTPRequestTerms) -> HTTPConfiguration {
        var configuration = self
        configuration.timeout.idle = min(timeout.idle, terms.idleTimeout ?? timeout.idle)
        configuration.timeout.total = min(timeout.total, terms.totalTimeout ?? timeout.total)
        configuration.maximumResponseBytes = min(
            maximumResponseBytes, terms.maximumResponseBytes ?? maximumResponseBytes)
        if terms.staysAtItsHost {
            configuration.allowedHosts = []
            configuration.maximumRedirects = 0
        }
        return configuration
    }
}
