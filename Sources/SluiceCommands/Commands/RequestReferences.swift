internal import SluicePipeline

/// The `${env:NAME}` of texts that requests of a command line are made of: nothing of the kind is sent as it stands.
enum RequestReferences {
    private static let start = "${env:"

    /// A text with the values of the variables that it names, which are secret.
    ///
    /// - Parameters:
    ///   - text: The value of `--header`.
    ///   - environment: The variables, also those of `--env-file`.
    /// - Returns: The text as it is sent, each value with the name of its variable.
    /// - Throws: ``Failure`` where a variable is not set, or a name does not end.
    static func resolved(_ text: String, _ environment: [String: String]) throws -> ConfigurationText {
        let parts = text.split(separator: start, omittingEmptySubsequences: false)
        var result: [ConfigurationText.Part] = []
        func add(_ text: Substring) { if !text.isEmpty { result.append(ConfigurationText.Part(String(text))) } }
        add(parts[0])
        for part in parts.dropFirst() {
            guard let end = part.firstIndex(of: "}") else {
                throw Failure(.usage, "`\(start)` in `--header` is not closed by `}`.")
            }
            let name = String(part[..<end])
            guard let value = environment[name] else {
                throw Failure(
                    .usage,
                    "`--header` names the environment variable `\(name)`, which is not set. Set it, or name a file that has it with `--env-file`. No request was made."
                )
            }
            result.append(ConfigurationText.Part(value, isSecret: true, environmentVariable: name))
            add(part[part.index(after: end)...])
        }
        return ConfigurationText(parts: result)
    }

    /// Refuses a text in which a variable would not be filled in.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - place: What it is, as in `the URL`.
    /// - Throws: ``Failure``.
    static func refuse(in text: String, _ place: String) throws {
        guard text.contains(start) else { return }
        throw Failure(
            .usage,
            "`${env:…}` is not filled in within \(place). Give a secret with `--header 'NAME: ${env:NAME}'`, or write a pipeline, which may have it anywhere. No request was made."
        )
    }
}
