/// What base, local and remote say of a field, as JSON text; nil where there is no such side.
struct FieldSides {
    /// One side.
    struct Side {
        let label: String
        /// What the side says.
        let value: String
        /// Whether the value is one, and no words in its place.
        var isValue = true
    }

    private(set) var sides: [Side]

    /// - Parameters:
    ///   - kind: The kind of conflict, such as `add_add`.
    ///   - base: What the source said before, nil where the store does not hold the value.
    ///   - local: What the table holds, nil where it has no row.
    ///   - remote: What the source says, nil where it has no record.
    init(kind: String, base: String?, local: String?, remote: String?) {
        // A new record whose value another row holds has nothing there.
        let isFirst = kind == "add_add" || (kind == "unique_collision" && (local ?? "null") == "null")
        let missing =
            isFirst
            ? Side(label: "no base", value: "yet", isValue: false)
            : Side(label: "base", value: "not stored (over 1 KiB; keep_base: full)", isValue: false)
        sides = [base.map { Side(label: "base", value: $0) } ?? missing]
        if let local { sides.append(Side(label: "local", value: local)) }
        if let remote { sides.append(Side(label: "remote", value: remote)) }
    }

    /// The sides to compare word by word, where they are long: each with the base where that is long and known, else
    /// local with remote.
    var longPairs: [(old: Side, new: Side)] {
        let values = sides.filter(\.isValue)
        if let base = values.first, base.label == "base", ValueText.isLong(base.value) {
            let pairs = values.dropFirst().map { (old: base, new: $0) }
            if pairs.allSatisfy({ ValueText.areLong($0.old.value, $0.new.value) }) { return pairs }
        }
        let pair = values.suffix(2)
        guard let local = pair.first, let remote = pair.last, local.label == "local", remote.label == "remote",
            ValueText.areLong(local.value, remote.value)
        else { return [] }
        return [(old: local, new: remote)]
    }
}
