extension Diagnostic {
    /// Another place that a problem is about.
    package struct Note: Sendable, Hashable, CustomStringConvertible {
        /// What is there, as the beginning of a sentence: "it is merged in at".
        package var text: String
        /// The place, which ends the sentence.
        package var location: SourceLocation

        /// Makes a note.
        package init(text: String, location: SourceLocation) {
            self.text = text
            self.location = location
        }

        /// Text and place as one line.
        package var description: String { "\(text) \(location)" }
    }
}
