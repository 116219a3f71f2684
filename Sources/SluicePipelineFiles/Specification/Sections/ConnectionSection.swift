extension SectionSpec {
    /// The keys of `tls`.
    package static let tls = SectionSpec(
        title: "`tls`",
        keys: [
            KeySpec(
                "ca_file", .string(.name), secrets: .accepted, example: "certs/ca.pem",
                "The file of trusted certificates, instead of the system's. Its path is relative to this file."),
            KeySpec(
                "client_cert", .string(.name), secrets: .accepted, example: "certs/client.pem",
                "The file of the client certificate. Its path is relative to this file."),
            KeySpec(
                "client_key", .string(.name), secrets: .accepted, example: "certs/client.key",
                "The private key of the client certificate, if it is in a separate file."),
        ])
}
