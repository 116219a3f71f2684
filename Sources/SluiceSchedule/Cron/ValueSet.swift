/// A set of small numbers.
struct ValueSet: Hashable, Sendable {
    private var bits: UInt64 = 0

    var isEmpty: Bool { bits == 0 }

    /// Adds a number from 0 to 63.
    mutating func insert(_ value: Int) { bits |= 1 << UInt64(value) }

    func contains(_ value: Int) -> Bool { bits >> UInt64(value) & 1 == 1 }

    /// The lowest number that is not below a bound.
    func first(from bound: Int) -> Int? {
        guard bound < 64 else { return nil }
        let rest = bits >> UInt64(bound)
        return rest == 0 ? nil : bound + rest.trailingZeroBitCount
    }
}
