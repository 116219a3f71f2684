internal import SluiceReport

extension OpenCounts {
    /// That values wait which did not fit their column's new type, as a clause.
    var typeChangedWords: String {
        let verb = CountText.word(typeChanged, "is", "are")
        return "\(CountText.of(typeChanged, "value")) that a change of type left \(verb) in quarantine"
    }
}
