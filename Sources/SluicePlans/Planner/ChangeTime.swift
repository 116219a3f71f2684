internal import SluiceModel

/// When a record was changed last, as its `newest_by` field says: a moment or a count.
enum ChangeTime: Comparable {
    case count(Int64)
    case moment(Timestamp)

    /// The time that a stored value stands for; nil where it is none.
    init?(_ value: FieldValue) {
        switch value {
        case .integer(let value): self = .count(value)
        case .text(let bytes):
            guard let moment = Timestamp(stored: bytes) else { return nil }
            self = .moment(moment)
        case .null, .real, .blob: return nil
        }
    }
}
