/// A `uuid`: 128 bits.
package struct PostgresUUID: Sendable, Hashable {
    /// The first eight bytes as a number.
    package let high: UInt64
    /// The last eight bytes as a number.
    package let low: UInt64

    /// Makes one of its two halves.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}
