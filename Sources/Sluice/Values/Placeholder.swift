/// Numbers that hardly any record has, to stand in the place of unique ones for a while.
enum Placeholder {
    /// A whole number of a type: of those at its lower end, or at the upper one where it has no sign.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - number: The place of the number among them, from 1.
    /// - Returns: Nil where the type has no more.
    static func integer<Number: FixedWidthInteger>(_ type: Number.Type, _ number: Int64) -> BoxedValue? {
        let value = Number.isSigned ? Int64(clamping: Number.min) + number : Int64(clamping: Number.max) - number
        return Number(exactly: value).map { _ in .integer(value) }
    }

    /// One of the lowest binary floating point numbers.
    static func real(_ number: Int64) -> BoxedValue {
        let lowest = -Double.greatestFiniteMagnitude
        return .real(Double(bitPattern: lowest.bitPattern - UInt64(number)))
    }

    /// One of the lowest exact numbers: of a few digits with many zeros behind them.
    static func decimal(_ number: Int64) -> BoxedValue { .text("-\(number)\(String(repeating: "0", count: 100))") }
}
