/// Text from a pipeline file in which some parts may be secret.
///
/// A part that came from `${env:}` or `${file:}` is secret and prints as `***`.
package struct ConfigurationText: Sendable, Hashable, CustomStringConvertible {
    /// A run of text from one origin.
    package struct Part: Sendable, Hashable {
        /// The characters.
        package var text: String
        /// Whether they must never be printed.
        package var isSecret: Bool
        /// What stands here once the text is used; the characters are its name then.
        package var variable: TemplateVariable?
        /// The environment variable whose value it is, where a command line named one; else nil.
        package var environmentVariable: String?
        /// What a file calls a value that comes from elsewhere, such as `env:TOKEN`; nil for a text of its own.
        package var reference: String?

        /// Makes a part.
        package init(
            _ text: String, isSecret: Bool = false, variable: TemplateVariable? = nil,
            environmentVariable: String? = nil, reference: String? = nil
        ) {
            self.text = text
            self.isSecret = isSecret
            self.variable = variable
            self.environmentVariable = environmentVariable
            self.reference = reference
        }
    }

    /// The parts in order.
    package var parts: [Part]

    /// Makes a text of parts.
    package init(parts: [Part]) { self.parts = parts }

    /// Makes a text without secrets.
    package init(_ text: String) { parts = [Part(text)] }

    /// The text itself: for requests, never for output.
    package var revealed: String { parts.reduce(into: "") { $0 += $1.text } }

    /// The text with `***` for each secret part.
    package var description: String { parts.reduce(into: "") { $0 += $1.isSecret ? "***" : $1.text } }

    /// The text with the name of each value that comes from elsewhere in its place, whatever it is.
    package var named: String {
        parts.reduce(into: "") { $0 += $1.isSecret ? $1.reference.map { "${\($0)}" } ?? "***" : $1.text }
    }

    /// What of the text must never be printed: its secret parts, and of very short ones the word that they stand in.
    package var secrets: [String] {
        parts.indices.flatMap { index -> [String] in
            let part = parts[index]
            if !part.isSecret || part.text.isEmpty { return [] }
            let before = parts[..<index].reversed().prefix { $0.variable == nil }.reversed().map(\.text).joined()
            let after = parts[(index + 1)...].prefix { $0.variable == nil }.map(\.text).joined()
            let start = String(before.reversed().prefix(while: Self.isWordPart).reversed())
            let word = start + part.text + after.prefix(while: Self.isWordPart)
            return part.text.unicodeScalars.count < Self.shortest && word != part.text
                ? [part.text, word] : [part.text]
        }
    }

    /// The least characters of a secret that is one within words too.
    private static let shortest = 4

    private static func isWordPart(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }

    /// Whether any part is secret.
    package var isSecret: Bool { parts.contains { $0.isSecret } }

    /// The text with each variable in its parts replaced.
    ///
    /// - Parameter value: Gives the text of a variable, and whether it is secret.
    /// - Returns: A text without variables.
    package func filled(_ value: (TemplateVariable) -> Part) -> ConfigurationText {
        ConfigurationText(parts: parts.map { part in part.variable.map(value) ?? part })
    }
}
