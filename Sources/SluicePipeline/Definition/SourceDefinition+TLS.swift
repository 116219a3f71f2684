extension SourceDefinition {
    /// Which certificates are trusted, and which one is shown; paths are absolute.
    package struct TLS: Sendable, Hashable {
        /// The certificates that are trusted instead of the system's.
        package var trustedCertificates: String?
        /// The certificate that says who is asking.
        package var clientCertificate: String?
        /// The private key of the client certificate, if it is in a separate file.
        package var clientKey: String?

        /// Makes the defaults.
        package init() {}
    }
}
