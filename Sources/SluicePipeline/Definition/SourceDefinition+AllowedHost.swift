extension SourceDefinition {
    /// Another host that redirects and page links may lead to.
    public struct AllowedHost: Sendable, Hashable {
        /// The host's name, lower-case.
        public var host: String
        /// The port, or nil for the scheme's own.
        public var port: Int?
        /// `true` sends credentials and custom headers to this host too.
        public var sendsCredentials: Bool

        /// Makes an allowed host.
        public init(host: String, port: Int? = nil, sendsCredentials: Bool = false) {
            self.host = host
            self.port = port
            self.sendsCredentials = sendsCredentials
        }
    }
}
