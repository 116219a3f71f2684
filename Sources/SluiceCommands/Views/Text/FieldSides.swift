internal import SluiceMerge
internal import SluiceModel
internal import SluiceStore

/// What base, local and remote say of a field, as JSON text; nil where there is no such side.
struct FieldSides {
    /// One side.
    struct Side {
        let label: String
        /// What the side says.
        let value: String
        /// Whether the value is one, and no words in its place.
        var isValue = true

        /// How wide the label is on a line of its own: the values of a conflict stand below each other.
        var labelWidth: Int { isValue ? "remote".count : label.count }
        /// What stands behind the label there.
        var gap: String { isValue ? "  " : " " }
    }

    private(set) var sides: [Side]

    /// - Parameters:
    ///   - base: What the source said before, nil where that is not known.
    ///   - absence: Why it is not known; nil where nobody can tell.
    ///   - local: What the table holds, nil where it has no row.
    ///   - remote: What the source says, nil where it has no record.
    init(base: String?, absence: BaseAbsence?, local: String?, remote: String?) {
        sides = [base.map { Side(label: "base", value: $0) } ?? Self.missing(absence)]
        if let local { sides.append(Side(label: "local", value: local)) }
        if let remote { sides.append(Side(label: "remote", value: remote)) }
    }

    /// What is said in the place of a base.
    private static func missing(_ absence: BaseAbsence?) -> Side {
        if absence == .never { return Side(label: "no base", value: "yet", isValue: false) }
        return Side(label: "base", value: words(absence) ?? "not known", isValue: false)
    }

    /// Why a base is not stored; nil where there never was one, and where nobody can tell.
    static func words(_ absence: BaseAbsence?) -> String? {
        switch absence {
        case .tooLong: "not stored (over 1 KiB; keep_base: full)"
        case .longOrDigest: "not stored (over 1 KiB, or read under keep_base: digest)"
        case .digest: "not stored (keep_base: digest)"
        case .earlier: "not stored yet (keep_base: full since then)"
        case .never, nil: nil
        }
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

extension FieldSides {
    /// The sides of a conflict.
    init(_ entry: ConflictEntry) {
        // Only where the source had given nothing can both sides give the first value.
        let isFirst = entry.kind == FieldClass.addAdd.rawValue
        self.init(
            base: entry.base, absence: entry.baseAbsence ?? (isFirst ? .never : nil), local: entry.local,
            remote: entry.remote)
    }
}
