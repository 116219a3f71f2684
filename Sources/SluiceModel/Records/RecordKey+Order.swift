extension RecordKey: Comparable {
    /// Whether a key comes before another one, value by value: null, numbers, text and blobs, as SQLite orders them.
    package static func < (left: RecordKey, right: RecordKey) -> Bool {
        for (one, other) in zip(left.values, right.values) where one != other { return one.precedes(other) }
        return left.values.count < right.values.count
    }
}

extension FieldValue {
    fileprivate func precedes(_ other: FieldValue) -> Bool {
        switch (self, other) {
        case (.integer(let one), .integer(let other)): one < other
        case (.real(let one), .real(let other)): one < other
        case (.integer(let one), .real(let other)): Double(one) < other
        case (.real(let one), .integer(let other)): one < Double(other)
        case (.text(let one), .text(let other)), (.blob(let one), .blob(let other)):
            one.lexicographicallyPrecedes(other)
        default: rank < other.rank
        }
    }

    private var rank: Int {
        switch self {
        case .null: 0
        case .integer, .real: 1
        case .text: 2
        case .blob: 3
        }
    }
}
