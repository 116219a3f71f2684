internal import SluiceReport
internal import SluiceStore

extension RunReport {
    /// Whether it shows a change of a type that puts values into the quarantine, and is carried out later if at all.
    var quarantinesLater: Bool { command == .plan && schemaChanges.contains { $0.kind == .quarantineValues } }
}

extension OpenCounts {
    /// That values wait which did not fit their column's new type, as a clause.
    var typeChangedWords: String {
        let verb = CountText.word(typeChanged, "is", "are")
        return "\(CountText.of(typeChanged, "value")) that a change of type left \(verb) in quarantine"
    }
}
