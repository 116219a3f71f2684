/// Random numbers that are the same on every machine: SplitMix64.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to, and without, a bound.
    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    /// A number of a closed range.
    mutating func between(_ low: Int, _ high: Int) -> Int { low + below(high - low + 1) }

    /// Whether something happens that happens in so many of a thousand cases.
    mutating func chance(perMille: Int) -> Bool { below(1000) < perMille }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
