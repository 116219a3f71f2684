extension Duration {
    /// It in milliseconds, rounded down.
    package var inMilliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }

    /// It as a pipeline has it, in the largest unit that fits: `90m`, `2h`, `1500ms`.
    package var inUnits: String {
        let milliseconds = inMilliseconds
        let units: [(Int64, String)] = [(86_400_000, "d"), (3_600_000, "h"), (60_000, "m"), (1000, "s")]
        let unit = units.first { milliseconds % $0.0 == 0 } ?? (1, "ms")
        return "\(milliseconds / unit.0)\(unit.1)"
    }
}
