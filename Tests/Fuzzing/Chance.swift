/// Choices that depend on the input alone, so that a saved input repeats what it found.
struct Chance {
    private var state: UInt64

    init(_ bytes: [UInt8]) {
        // FNV-1a
        state = bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }

    /// A number from 0 up to, but not including, a bound.
    mutating func below(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return Int(truncatingIfNeeded: (mixed ^ mixed >> 31) % UInt64(max(1, bound)))
    }

    /// One of several values.
    mutating func pick<Value>(_ first: Value, _ others: Value...) -> Value {
        let index = below(others.count + 1)
        return index == 0 ? first : others[index - 1]
    }
}
