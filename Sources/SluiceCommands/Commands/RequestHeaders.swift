internal import SluicePipeline

/// The headers that `--header` gives, their values secret unless their names are known for holding none.
enum RequestHeaders {
    /// The headers of a command line, with the values of the variables that they name.
    ///
    /// - Throws: ``Failure`` where a variable is not set.
    static func of(_ invocation: Invocation) throws -> [NamedText] {
        try invocation.arguments.texts(.header).compactMap { OptionSpec.header($0) }.map { name, value in
            let resolved = try RequestReferences.resolved(value, invocation.context.environment)
            guard let value = OptionSpec.header("\(name): \(resolved.revealed)")?.value else {
                throw Failure(
                    .usage, "The value of a variable that `--header` names has a character that a header cannot have.")
            }
            // What is sent has no blanks at its ends.
            let text = value == resolved.revealed ? resolved : ConfigurationText(value)
            return NamedText(
                name: name,
                value: CredentialNames.isOpenHeader(name) ? ConfigurationText(value) : text.withoutCredential)
        }
    }
}
