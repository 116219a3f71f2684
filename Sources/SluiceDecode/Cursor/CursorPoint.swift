package import SluiceModel

/// A value of a stream's cursor field: a count or a moment.
package enum CursorPoint: Hashable {
    case count(Int64)
    case moment(Timestamp)

    /// The point that a stored value stands for; nil where it is none.
    package init?(_ value: FieldValue) {
        switch value {
        case .integer(let value): self = .count(value)
        case .text(let bytes):
            guard let parsed = Timestamp(stored: bytes) else { return nil }
            self = .moment(parsed)
        case .null, .real, .blob: return nil
        }
    }

    /// The point so many seconds later, or at the end of what can be written; a count stays.
    package func advanced(bySeconds seconds: Int64) -> CursorPoint {
        guard case .moment(let moment) = self else { return self }
        let (sum, isTooLarge) = moment.seconds.addingReportingOverflow(seconds)
        let range = Timestamp.range
        let bounded = isTooLarge ? (seconds < 0 ? range.lowerBound : range.upperBound) : sum
        let clamped = min(max(bounded, range.lowerBound), range.upperBound)
        return Timestamp(seconds: clamped, fraction: moment.fraction).map(CursorPoint.moment) ?? self
    }

    /// The point as a field of a type stores it.
    package func text(_ type: FieldType) -> String {
        switch self {
        case .count(let value): return String(value)
        case .moment(let moment):
            var bytes: [UInt8] = []
            if type == .date { moment.appendDate(to: &bytes) } else { moment.appendRFC3339(to: &bytes) }
            return String(decoding: bytes, as: UTF8.self)
        }
    }
}

extension CursorPoint: Comparable {
    package static func < (left: CursorPoint, right: CursorPoint) -> Bool {
        switch (left, right) {
        case (.count(let left), .count(let right)): left < right
        case (.moment(let left), .moment(let right)): left < right
        case (.count, .moment): true
        case (.moment, .count): false
        }
    }
}
