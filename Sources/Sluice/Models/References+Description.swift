internal import SluiceDiagnostics

extension Ref: CustomStringConvertible {
    /// The model and the key, as `Ref<Branch>(2)`.
    public var description: String { "Ref<\(Target.self)>(\(key))" }
}

extension Refs: CustomStringConvertible {
    /// The model, how many records were brought along, and the keys that come and go with the next save, as
    /// `Refs<Loan>(3 values, + 7, - 5)`.
    public var description: String {
        let there = values.map { [Plural.of($0.count, "value")] } ?? []
        let changes = added.map { "+ \($0)" }.sorted() + removed.map { "- \($0)" }.sorted()
        return "Refs<\(Target.self)>(\((there + changes).joined(separator: ", ")))"
    }
}

extension OrderedRefs: CustomStringConvertible {
    /// The model, how many records were brought along, and how many changes are done by the next save, as
    /// `OrderedRefs<Song>(3 values, 1 change)`.
    public var description: String {
        let there = values.map { [Plural.of($0.count, "value")] } ?? []
        let changed = changes.isEmpty ? [] : [Plural.of(changes.count, "change")]
        return "OrderedRefs<\(Target.self)>(\((there + changed).joined(separator: ", ")))"
    }
}

extension Origin: CustomStringConvertible {
    /// Nothing of the value that was read.
    public var description: String { "Origin()" }
}
