internal import SluicePipeline

/// The headers that `--header` gives, their values secret unless their names are known for holding none.
enum RequestHeaders {
    /// The headers of a command line.
    static func of(_ arguments: ParsedArguments) -> [NamedText] {
        arguments.texts(.header).compactMap { OptionSpec.header($0) }.map { name, value in
            let text = ConfigurationText(value)
            return NamedText(name: name, value: CredentialNames.isOpenHeader(name) ? text : text.withoutCredential)
        }
    }
}
