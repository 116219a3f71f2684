internal import SluiceSQLite

/// Exact arithmetic of decimal numbers as they are stored, for SQL: null where one of them is null.
enum DecimalArithmetic: String, CaseIterable {
    case add
    case subtract
    case multiply

    /// Digits that a number may have: more is no number of anybody, and work without an end.
    private static let mostDigits = 1_000

    /// What SQL calls it.
    var name: String { "sluice_\(rawValue)" }

    /// What it comes to. What is no number gives a text that is none either, so that it is not taken for null.
    func result(_ left: SQLiteValue, _ right: SQLiteValue) -> SQLiteValue {
        if case .null = left { return .null }
        if case .null = right { return .null }
        guard let first = Self.text(left), let second = Self.text(right), let result = result(first, second) else {
            return .text(Array("a value that is no number".utf8))
        }
        return .text(Array(result.utf8))
    }

    private static func text(_ value: SQLiteValue) -> [UInt8]? {
        switch value {
        case .text(let text): text
        case .integer(let number): Array(String(number).utf8)
        case .real(let number): Array(String(number).utf8)
        case .null, .blob: nil
        }
    }

    private func result(_ left: [UInt8], _ right: [UInt8]) -> String? {
        guard let first = DecimalOrder.digits(left), let second = DecimalOrder.digits(right),
            [first, second].allSatisfy({ $0.whole.count + $0.fraction.count <= Self.mostDigits })
        else { return nil }
        switch self {
        case .add, .subtract:
            var sum = DecimalSum()
            sum.add(left)
            sum.add(right, isNegated: self == .subtract)
            return sum.text
        case .multiply:
            let zero = UInt8(ascii: "0")
            let digits = (first.whole + first.fraction).reversed().map { Int($0 - zero) }
            let others = (second.whole + second.fraction).reversed().map { Int($0 - zero) }
            // A place holds at most 81 for each digit of a number, and what is carried to it.
            var places = Array(repeating: 0, count: digits.count + others.count + 1)
            for (index, digit) in digits.enumerated() {
                for (other, factor) in others.enumerated() { places[index + other] += digit * factor }
            }
            for index in places.indices.dropLast() {
                places[index + 1] += places[index] / 10
                places[index] %= 10
            }
            return DecimalSum.text(
                places.map { UInt8(truncatingIfNeeded: $0) }, first.fraction.count + second.fraction.count,
                isNegative: first.isNegative != second.isNegative)
        }
    }
}
