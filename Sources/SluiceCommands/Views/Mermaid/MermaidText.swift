internal import SluiceDiagnostics

/// Text from outside within a Mermaid diagram: it ends no quotes, begins no comment or directive and holds no HTML.
enum MermaidText {
    /// Text in double quotes, on one line; what Mermaid would act upon is replaced.
    static func quoted(_ text: String) -> String {
        let shown = PrintableText.escape(text).map { character in replacements[character] ?? String(character) }
        return "\"\(shown.isEmpty ? " " : shown.joined())\""
    }

    private static let replacements: [Character: String] = [
        "\"": "'", "\\": "/", "%": "_", "<": "‹", ">": "›", "#": "_", ";": ",", "`": "'", "~": "-",
    ]

    /// The name or type of a column as a single word, other characters replaced by `_`.
    static func word(_ text: String) -> String {
        if isWord(text) { return text }
        let word = String(text.map { isInner($0) ? $0 : "_" })
        return isWord(word) ? word : "_" + word
    }

    /// Whether a text can stand as it is. What begins like the mark of a key cannot, in upper or lower case.
    static func isWord(_ text: String) -> Bool {
        guard let first = text.first, first == "_" || first.isASCII && first.isLetter else { return false }
        return text.allSatisfy(isInner) && !["PK", "FK", "UK"].contains(text.prefix(2).uppercased())
    }

    private static func isInner(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber) || "_-()[]".contains(character)
    }
}
