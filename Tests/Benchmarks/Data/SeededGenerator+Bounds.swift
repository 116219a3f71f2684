internal import TestSupport

extension SeededGenerator {
    /// A number from 0 up to, and without, a bound.
    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    /// A number of a closed range.
    mutating func between(_ low: Int, _ high: Int) -> Int { low + below(high - low + 1) }

    /// Whether something happens that happens in so many of a thousand cases.
    mutating func chance(perMille: Int) -> Bool { below(1000) < perMille }
}
