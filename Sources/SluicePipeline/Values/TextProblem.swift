/// Why a text does not fit its rule.
package struct TextProblem: Error, Equatable {
    /// What is wrong, as a sentence; it never repeats the text, which may be secret.
    package var message: String
    /// The byte offset of the character that does not fit, where there is one.
    package var offset: Int?
    /// What to do, as a sentence.
    package var help: String?

    package init(_ message: String, offset: Int? = nil, help: String? = nil) {
        self.message = message
        self.offset = offset
        self.help = help
    }
}
