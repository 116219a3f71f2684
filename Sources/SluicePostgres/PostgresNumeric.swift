/// A number of `numeric`: decimal digits, exact, with the number of digits behind the point that it is written with.
///
/// Two are equal here where value and scale are: `1.0` and `1.00` are different texts of one number, which
/// ``hasValue(of:)`` tells.
package struct PostgresNumeric: Sendable, Hashable {
    /// What the number is beside its digits. The raw values are PostgreSQL's.
    enum Kind: UInt16 {
        case positive = 0x0000
        case negative = 0x4000
        case notANumber = 0xC000
        case infinity = 0xD000
        case minusInfinity = 0xF000

        var isNumber: Bool { self == .positive || self == .negative }
    }

    let kind: Kind
    /// The power of 10000 that the first group stands for.
    let weight: Int16
    /// How many decimal digits are written behind the point.
    let scale: UInt16
    /// Four decimal digits each, the most significant first, without zeros at either end.
    let groups: [UInt16]

    /// The digits behind the point that PostgreSQL keeps at most.
    package static let maximumScale = 16_383
    /// The digits before the point that PostgreSQL keeps at most.
    package static let maximumDigits = 131_072

    /// Not a number.
    package static let notANumber = PostgresNumeric(.notANumber)
    /// More than every number. PostgreSQL 14 and later know it.
    package static let infinity = PostgresNumeric(.infinity)
    /// Less than every number. PostgreSQL 14 and later know it.
    package static let minusInfinity = PostgresNumeric(.minusInfinity)

    private init(_ kind: Kind) {
        self.kind = kind
        weight = 0
        scale = 0
        groups = []
    }

    /// Makes a number as it was received, or nil where that is none.
    init?(kind: UInt16, weight: Int16, scale: UInt16, groups: [UInt16]) {
        guard let kind = Kind(rawValue: kind), Int(scale) <= Self.maximumScale, groups.allSatisfy({ $0 < 10_000 })
        else { return nil }
        self.kind = kind
        self.weight = groups.isEmpty ? 0 : weight
        self.scale = kind.isNumber ? scale : 0
        self.groups = groups
    }

    /// Reads a number as JSON writes it, such as `-12.50` or `1e6`; nil for other texts, and for numbers that PostgreSQL
    /// cannot hold. Digits in front of the first and zeros at the end are kept as PostgreSQL keeps them: `1.50` has a
    /// scale of 2.
    package init?(text: [UInt8]) {
        var rest = text[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
        var digits: [UInt8] = []
        digits.reserveCapacity(rest.count)
        var leading = 0
        while let byte = rest.first, let digit = Self.digit(byte) {
            digits.append(digit)
            leading += 1
            rest = rest.dropFirst()
        }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            while let byte = rest.first, let digit = Self.digit(byte) {
                digits.append(digit)
                rest = rest.dropFirst()
            }
        }
        guard !digits.isEmpty, let exponent = Self.exponent(rest) else { return nil }
        let scale = max(0, digits.count - leading - exponent)
        guard scale <= Self.maximumScale else { return nil }
        self.init(digits: digits, point: leading + exponent, isNegative: isNegative, scale: scale)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        let digit = byte &- UInt8(ascii: "0")
        return digit < 10 ? digit : nil
    }

    /// The power of ten at the end of a number: 0 where there is none, nil where it is none or far too large.
    private static func exponent(_ text: ArraySlice<UInt8>) -> Int? {
        var rest = text
        guard let mark = rest.first else { return 0 }
        guard mark | 0x20 == UInt8(ascii: "e") else { return nil }
        rest = rest.dropFirst()
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
        guard !rest.isEmpty else { return nil }
        var value = 0
        for byte in rest {
            guard let digit = digit(byte), value < 10_000_000 else { return nil }
            value = value * 10 + Int(digit)
        }
        return isNegative ? -value : value
    }

    /// Makes the number 0.d₁d₂d₃… · 10^`point`, or nil where it has too many digits.
    private init?(digits: [UInt8], point: Int, isNegative: Bool, scale: Int) {
        let zeros = digits.prefix { $0 == 0 }.count
        let significant = digits[zeros...].dropLast(digits.reversed().prefix { $0 == 0 }.count)
        guard !significant.isEmpty else {
            (kind, weight, groups) = (.positive, 0, [])
            self.scale = UInt16(scale)
            return
        }
        // Groups end at the point: the first one may hold fewer than four digits.
        let before = point - zeros
        guard before <= Self.maximumDigits else { return nil }
        let weight = before > 0 ? (before - 1) / 4 : -((-before) / 4) - 1
        var room = before - weight * 4
        var groups: [UInt16] = []
        groups.reserveCapacity(significant.count / 4 + 2)
        var group: UInt16 = 0
        for digit in significant {
            group = group * 10 + UInt16(digit)
            room -= 1
            if room == 0 {
                groups.append(group)
                (group, room) = (0, 4)
            }
        }
        if room < 4 {
            for _ in 0..<room { group *= 10 }
            groups.append(group)
        }
        kind = isNegative ? .negative : .positive
        self.weight = Int16(truncatingIfNeeded: weight)
        self.scale = UInt16(scale)
        self.groups = groups
    }

    /// Whether another one is the same number, however many zeros either is written with.
    package func hasValue(of other: PostgresNumeric) -> Bool {
        kind == other.kind && weight == other.weight && groups == other.groups
    }

    /// The number as PostgreSQL writes it: all its digits, without an exponent; or `NaN`, `Infinity`, `-Infinity`.
    package var text: [UInt8] {
        switch kind {
        case .notANumber: return Array("NaN".utf8)
        case .infinity: return Array("Infinity".utf8)
        case .minusInfinity: return Array("-Infinity".utf8)
        case .positive, .negative: break
        }
        var text: [UInt8] = kind == .negative && !groups.isEmpty ? [UInt8(ascii: "-")] : []
        let weight = Int(weight)
        var isBegun = false
        if weight >= 0 {
            for position in 0...weight {
                for digit in Self.digits(of: position < groups.count ? groups[position] : 0)
                where isBegun || digit != 0 {
                    isBegun = true
                    text.append(UInt8(ascii: "0") + digit)
                }
            }
        }
        if !isBegun { text.append(UInt8(ascii: "0")) }
        guard scale > 0 else { return text }
        text.append(UInt8(ascii: "."))
        var left = Int(scale)
        var position = weight + 1
        // Groups between the point and the first one are zeros.
        var gap = weight < -1 ? -weight - 1 : 0
        if weight < 0 { position = 0 }
        while left > 0 {
            let group: UInt16
            if gap > 0 {
                group = 0
                gap -= 1
            } else {
                group = position < groups.count ? groups[position] : 0
                position += 1
            }
            for digit in Self.digits(of: group) where left > 0 {
                text.append(UInt8(ascii: "0") + digit)
                left -= 1
            }
        }
        return text
    }

    private static func digits(of group: UInt16) -> [UInt8] {
        [UInt8(group / 1000), UInt8(group / 100 % 10), UInt8(group / 10 % 10), UInt8(group % 10)]
    }
}
