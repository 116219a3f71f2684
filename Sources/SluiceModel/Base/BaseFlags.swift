/// What makes the record of a base row be looked at although its source says nothing new, as one small number.
///
/// ```
/// 0  nothing      1  a conflict waits      2  one scan missed it      3  both      4  two scans missed it      …
/// ```
/// So it costs a look-up nothing beyond asking whether the number is 0.
package struct BaseFlags: Sendable, Hashable {
    /// Whether a conflict of the record waits for a decision.
    package var isOpen: Bool
    /// How many complete scans have missed the record since it was last seen.
    package var missedScans: Int

    /// Makes flags.
    package init(isOpen: Bool, missedScans: Int) {
        self.isOpen = isOpen
        self.missedScans = missedScans
    }

    /// Reads the number that a base keeps.
    package init(_ number: Int64) {
        isOpen = number & 1 != 0
        missedScans = Int(clamping: max(0, number >> 1))
    }

    /// The number that a base keeps.
    package var number: Int64 {
        // More scans than anybody waits for; the number of them stays far below what a column takes.
        Int64(min(missedScans, Int(Int32.max))) << 1 | (isOpen ? 1 : 0)
    }
}
