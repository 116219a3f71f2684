extension SectionSpec {
    /// The keys of `tls`.
    public static let tls = SectionSpec(
        title: "`tls`",
        keys: [
            KeySpec(
                "ca_file", .string(.name), secrets: .accepted, example: "certs/ca.pem",
                "The certificates that are trusted instead of the system's, relative to this file."),
            KeySpec(
                "client_cert", .string(.name), secrets: .accepted, example: "certs/client.pem",
                "The certificate that says who is asking, relative to this file."),
            KeySpec(
                "client_key", .string(.name), secrets: .accepted, example: "certs/client.key",
                "Its private key, where it is in a file of its own."),
        ])
}
