internal import SluicePipeline

/// The headers that `--header` gives, their values secret unless their names are known for holding none.
enum RequestHeaders {
    private static let open: Set<String> = ["cache-control", "content-type", "prefer", "user-agent"]

    /// The headers of a command line.
    static func of(_ arguments: ParsedArguments) -> [NamedText] {
        arguments.texts(.header).compactMap { OptionSpec.header($0) }.map { name, value in
            NamedText(name: name, value: isOpen(name) ? ConfigurationText(value) : secret(value))
        }
    }

    private static func isOpen(_ name: String) -> Bool {
        let name = name.lowercased()
        return open.contains(name) || name == "accept" || name.hasPrefix("accept-") || name.hasSuffix("-version")
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
