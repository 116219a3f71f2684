import Sluice
import Testing

@PersistentModel(identifier: .none) private struct WordsTestNote {
    var text: String
}

/// What the expansion of a model hands on with each property is one word: the compiler of each model takes longer for each further one.
struct ModelWordsTests {
    @Test(
        arguments: [
            ("what a read throws", MemoryLayout<UnboxError>.size), ("what a write throws", MemoryLayout<BoxError>.size),
            ("where a path begins", MemoryLayout<PathScope>.size),
            ("the paths", MemoryLayout<WordsTestNote.Paths>.size),
            ("the declaration", MemoryLayout<Model<WordsTestNote>>.size),
        ])
    func areOneWord(_ what: String, _ size: Int) { #expect(size == MemoryLayout<Int>.size, "\(what)") }

    /// Scopes and errors are compared by what they say.
    @Test func areComparedByWhatTheySay() {
        let (one, other) = (PathScope(WordsTestNote.self), PathScope(WordsTestNote.self))
        #expect(one == other && one.hashValue == other.hashValue)
        #expect(BoxError("is too long") == BoxError("is too long"))
        #expect(BoxError("is too long") != BoxError("is too short"))
        #expect(UnboxError("no colour").reason == "no colour" && UnboxError("no colour").property == nil)
    }
}
