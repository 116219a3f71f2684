internal import SluicePipeline

/// The headers that `--header` gives, their values secret unless their names are known for holding none.
enum RequestHeaders {
    /// The headers of a command line.
    static func of(_ arguments: ParsedArguments) -> [NamedText] {
        arguments.texts(.header).compactMap { OptionSpec.header($0) }.map { name, value in
            NamedText(name: name, value: CredentialNames.isOpenHeader(name) ? ConfigurationText(value) : secret(value))
        }
    }

    /// The scheme before a credential is none: `Bearer` may be shown.
    private static func secret(_ value: String) -> ConfigurationText {
        guard let blank = value.firstIndex(of: " "), schemes.contains(value[..<blank].lowercased()) else {
            return ConfigurationText(parts: [ConfigurationText.Part(value, isSecret: true)])
        }
        let rest = value[value.index(after: blank)...]
        return ConfigurationText(parts: [
            ConfigurationText.Part(String(value[...blank])), ConfigurationText.Part(String(rest), isSecret: true),
        ])
    }

    private static let schemes: Set<String> = [
        "apikey", "api-key", "basic", "bearer", "digest", "genie", "key", "negotiate", "token",
    ]
}
