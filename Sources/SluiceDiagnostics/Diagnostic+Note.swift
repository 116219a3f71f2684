extension Diagnostic {
    /// Another place that a problem is about.
    public struct Note: Sendable, Hashable, CustomStringConvertible {
        /// What is there, as the beginning of a sentence: "it is merged in at".
        public var text: String
        /// The place, which ends the sentence.
        public var location: SourceLocation

        /// Makes a note.
        public init(text: String, location: SourceLocation) {
            self.text = text
            self.location = location
        }

        /// Text and place as one line.
        public var description: String { "\(text) \(location)" }
    }
}
