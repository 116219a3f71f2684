internal import SluiceMerge

/// A value of a `datetime`, `date` or `int` field as a time that can be compared.
struct Moment: Comparable {
    private let seconds: Int64
    private let fraction: [UInt8]

    /// Nil where the value is no time.
    init?(_ value: FieldValue) {
        switch value {
        case .integer(let value): (seconds, fraction) = (value, [])
        case .text(let bytes):
            let parsed = unsafe bytes.withUnsafeBytes { bytes in
                unsafe Timestamp(rfc3339: bytes) ?? Timestamp(date: bytes)
            }
            guard let parsed else { return nil }
            (seconds, fraction) = (parsed.seconds, parsed.fraction)
        case .null, .real, .blob: return nil
        }
    }

    static func < (left: Moment, right: Moment) -> Bool {
        if left.seconds != right.seconds { return left.seconds < right.seconds }
        return left.fraction.lexicographicallyPrecedes(right.fraction)
    }
}
