/// A delay that spreads the starts of many schedules, always the same for the same due time of the same schedule.
package struct Jitter: Hashable, Sendable {
    /// The longest delay in seconds; 0 for none.
    package let seconds: Int64
    /// What tells this schedule from others, such as its name.
    package let name: String

    /// Makes a jitter.
    ///
    /// - Parameters:
    ///   - seconds: The longest delay; none where it is not positive.
    ///   - name: What tells this schedule from others.
    package init(seconds: Int64 = 0, name: String = "") {
        self.seconds = max(0, seconds)
        self.name = name
    }

    /// When to start what is due at a moment: then, or up to ``seconds`` later.
    package func start(ofDue due: Int64) -> Int64 {
        guard seconds > 0, seconds < .max else { return due }
        // FNV-1a, and then the finish of SplitMix64, so that neighbouring seconds lie apart.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        hash = (hash ^ UInt64(bitPattern: due)) &+ 0x9E37_79B9_7F4A_7C15
        hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
        hash ^= hash >> 31
        let (sum, isOver) = due.addingReportingOverflow(Int64(hash % UInt64(seconds + 1)))
        return isOver ? due : sum
    }
}
