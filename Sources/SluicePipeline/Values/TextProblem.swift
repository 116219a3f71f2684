/// Why a text does not fit its rule.
struct TextProblem: Error, Equatable {
    /// What is wrong, as a sentence; it never repeats the text, which may be secret.
    var message: String
    /// The byte offset of the character that does not fit, where there is one.
    var offset: Int?
    /// What to do, as a sentence.
    var help: String?

    init(_ message: String, offset: Int? = nil, help: String? = nil) {
        self.message = message
        self.offset = offset
        self.help = help
    }
}
