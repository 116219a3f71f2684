extension SourceDefinition {
    /// Another host that redirects and page links may lead to.
    package struct AllowedHost: Sendable, Hashable {
        /// The host's name, lower-case.
        package var host: String
        /// The port, or nil for the scheme's own.
        package var port: Int?
        /// `true` sends credentials and custom headers to this host too.
        package var sendsCredentials: Bool

        /// Makes an allowed host.
        package init(host: String, port: Int? = nil, sendsCredentials: Bool = false) {
            self.host = host
            self.port = port
            self.sendsCredentials = sendsCredentials
        }
    }
}
