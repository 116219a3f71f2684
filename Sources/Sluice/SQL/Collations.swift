internal import SluiceModel
internal import SluiceSQLite

/// How values that are kept as texts are compared as what they mean, and the functions that queries use.
enum Collations {
    /// The name of the collation for a type; nil where SQLite compares as the values mean.
    static func name(_ type: StoredType) -> String? {
        switch type {
        case .decimal: "sluice_decimal"
        case .datetime: "sluice_time"
        default: nil
        }
    }

    /// Makes them known to a connection.
    static func install(_ connection: Connection) throws(SQLiteError) {
        try connection.define(collation: "sluice_decimal") { DecimalOrder.compare($0, $1) }
        try connection.define(collation: "sluice_time") { TimeOrder.compare($0, $1) }
        try connection.define(aggregate: "sluice_sum") { DecimalAggregate(isAverage: false) }
        try connection.define(aggregate: "sluice_average") { DecimalAggregate(isAverage: true) }
        for operation in DecimalArithmetic.allCases {
            try connection.define(functionOfTwo: operation.name) { operation.result($0, $1) }
        }
        try connection.define(function: ValueList.function) { ValueList.value($0) }
        try connection.define(function: "sluice_fold") { value in
            guard case .text(let text) = value else { return value }
            return .text(CaseFold.folded(text))
        }
        try connection.define(function: "sluice_lower") { value in
            guard case .text(let text) = value else { return value }
            return .text(Array(String(decoding: text, as: UTF8.self).lowercased().utf8))
        }
    }
}

/// Times in UTC, as they are stored: a fraction stands where it is not zero.
private enum TimeOrder {
    static func compare(_ left: [UInt8], _ right: [UInt8]) -> Int {
        let zone = UInt8(ascii: "Z")
        let (left, right) = (
            left.last == zone ? left.dropLast() : left[...], right.last == zone ? right.dropLast() : right[...]
        )
        if left.elementsEqual(right) { return 0 }
        return left.lexicographicallyPrecedes(right) ? -1 : 1
    }
}

/// Decimal numbers as they are stored, compared digit by digit.
enum DecimalOrder {
    private struct Number {
        var isNegative = false
        /// The digits before the point, without leading zeros.
        var whole: ArraySlice<UInt8> = []
        /// The digits behind it, without trailing zeros.
        var fraction: ArraySlice<UInt8> = []
        var isZero: Bool { whole.isEmpty && fraction.isEmpty }
    }

    /// Less than zero, zero or more; what is no number comes before all numbers.
    static func compare(_ left: [UInt8], _ right: [UInt8]) -> Int {
        guard let first = number(left), let second = number(right) else {
            let known = (number(left) != nil ? 1 : 0, number(right) != nil ? 1 : 0)
            if known.0 != known.1 { return known.0 - known.1 }
            return left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
        }
        let signs = (sign(first), sign(second))
        if signs.0 != signs.1 { return signs.0 < signs.1 ? -1 : 1 }
        return signs.0 * magnitude(first, second)
    }

    private static func sign(_ number: Number) -> Int { number.isZero ? 0 : number.isNegative ? -1 : 1 }

    private static func magnitude(_ left: Number, _ right: Number) -> Int {
        if left.whole.count != right.whole.count { return left.whole.count < right.whole.count ? -1 : 1 }
        for (left, right) in [(left.whole, right.whole), (left.fraction, right.fraction)]
        where !left.elementsEqual(right) {
            return left.lexicographicallyPrecedes(right) ? -1 : 1
        }
        return 0
    }

    /// The digits of a number without those that say nothing; nil where it is none.
    static func digits(
        _ text: [UInt8]
    ) -> (isNegative: Bool, whole: ArraySlice<UInt8>, fraction: ArraySlice<UInt8>)? {
        number(text).map { ($0.isNegative, $0.whole, $0.fraction) }
    }

    /// Reads `-12.50`, `1e3`; nil where it is no number or has an exponent that is out of reason.
    private static func number(_ text: [UInt8]) -> Number? {
        var result = Number()
        var rest = text[...]
        if rest.first == UInt8(ascii: "-") {
            result.isNegative = true
            rest.removeFirst()
        }
        let isDigit: (UInt8) -> Bool = { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
        let whole = rest.prefix(while: isDigit)
        rest = rest.dropFirst(whole.count)
        var fraction: ArraySlice<UInt8> = []
        if rest.first == UInt8(ascii: ".") {
            fraction = rest.dropFirst().prefix(while: isDigit)
            rest = rest.dropFirst(fraction.count + 1)
        }
        guard !whole.isEmpty else { return nil }
        var digits = Array(whole) + Array(fraction)
        var point = whole.count
        if let mark = rest.first {
            guard mark | 0x20 == UInt8(ascii: "e"),
                let exponent = Int(String(decoding: rest.dropFirst(), as: UTF8.self)), abs(exponent) <= 10_000
            else { return nil }
            point += exponent
        }
        let zero = UInt8(ascii: "0")
        if point < 0 { digits.insert(contentsOf: Array(repeating: zero, count: -point), at: 0) }
        if point > digits.count { digits += Array(repeating: zero, count: point - digits.count) }
        point = max(0, point)
        result.whole = digits[..<point].drop { $0 == zero }
        let behind = digits[point...]
        result.fraction = behind.prefix(behind.count - behind.reversed().prefix { $0 == zero }.count)
        return result
    }
}

private enum CaseFold {
    static func folded(_ text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            result += Array(String(CaseFolding.fold(scalar)).utf8)
        }
        return result
    }
}
