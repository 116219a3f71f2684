extension JSONElement {
    /// The value of a number as the nearest `Double`; nil for anything else.
    ///
    /// It is infinite where the number is too large.
    public var double: Double? {
        switch kind {
        case .integer: Double(integer)
        case .number: unsafe NumberText.double(token)
        default: nil
        }
    }

    /// The value of a number as an integer type if it is one and fits, however it is written; else nil.
    ///
    /// `10`, `10.0` and `1e1` are all 10. Every digit counts.
    public func exactInteger<Integer: FixedWidthInteger>(as type: Integer.Type = Integer.self) -> Integer? {
        switch kind {
        case .integer: Integer(exactly: integer)
        case .number: unsafe NumberText.integer(token)
        default: nil
        }
    }
}

/// Reads numbers that are known to be written as JSON demands.
enum NumberText {
    private static let powersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]

    static func double(_ token: UnsafeRawBufferPointer) -> Double? {
        if let value = unsafe shortDouble(token) { return value }
        return unsafe Double(String(decoding: token, as: UTF8.self))
    }

    /// The value where one exact operation gives it: up to 15 digits and a power of ten that a `Double` holds exactly.
    private static func shortDouble(_ token: UnsafeRawBufferPointer) -> Double? {
        guard token.count <= 17 else { return nil }
        var mantissa: UInt64 = 0
        var fractionDigits = 0
        var isFraction = false
        for index in token.indices {
            let byte = unsafe token[index]
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                mantissa = mantissa &* 10 &+ UInt64(byte &- UInt8(ascii: "0"))
                fractionDigits &+= isFraction ? 1 : 0
            case UInt8(ascii: "."): isFraction = true
            case UInt8(ascii: "-"): break
            default: return nil
            }
        }
        guard mantissa < 1 << 53 else { return nil }
        let value = Double(mantissa) / powersOfTen[fractionDigits]
        return unsafe token.first == UInt8(ascii: "-") ? -value : value
    }

    static func integer<Integer: FixedWidthInteger>(_ token: UnsafeRawBufferPointer) -> Integer? {
        let text = unsafe String(decoding: token, as: UTF8.self)
        if let value = Integer(text) { return value }
        // Written out, an integer of up to 40 digits has neither a fraction nor an exponent.
        return DecimalText.normalized(text).flatMap { Integer($0) }
    }
}
