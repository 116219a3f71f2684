extension SourceDefinition {
    /// Which certificates are trusted, and which one is shown; paths are absolute.
    public struct TLS: Sendable, Hashable {
        /// The certificates that are trusted instead of the system's.
        public var trustedCertificates: String?
        /// The certificate that says who is asking.
        public var clientCertificate: String?
        /// The private key of the client certificate, if it is in a separate file.
        public var clientKey: String?

        /// Makes the defaults.
        public init() {}
    }
}
