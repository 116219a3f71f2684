/// Decimal numbers as text: one text for each value, without a detour through binary floating point.
///
/// `1`, `1.0`, `10e-1` and `0.1E+1` are all `1`. Numbers of moderate size are written out (`1500`, `0.015`), others with
/// one digit before the point (`1.5e300`). Work and memory depend on the length of the text alone, not on the exponent.
package enum DecimalText {
    /// Whole numbers up to this many digits and fractions up to this many leading zeros are written out.
    private static let plainDigits = 40

    /// The text of a number's value; nil if the text is no number as JSON writes it.
    package static func normalized(_ text: String) -> String? {
        var text = text
        return text.withUTF8 { bytes in
            var output: [UInt8] = []
            let isValid = unsafe appendNormalized(UnsafeRawBufferPointer(bytes), to: &output)
            return isValid ? String(decoding: output, as: UTF8.self) : nil
        }
    }

    /// Appends the text of a number's value.
    ///
    /// - Parameters:
    ///   - token: The number as JSON writes it.
    ///   - bytes: The text that is appended to.
    /// - Returns: False if the token is no number; nothing is appended then.
    @discardableResult
    package static func appendNormalized(_ token: UnsafeRawBufferPointer, to bytes: inout [UInt8]) -> Bool {
        guard let decimal = unsafe Decimal(token) else { return false }
        let digits = decimal.digits
        if digits.isEmpty {
            bytes.append(UInt8(ascii: "0"))
            return true
        }
        if decimal.isNegative { bytes.append(UInt8(ascii: "-")) }
        let zero = UInt8(ascii: "0")
        // Where the point stands, counted from the first digit; nil is beyond all bounds.
        let point = decimal.point.small
        if let point, point > 0, point <= plainDigits || point <= digits.count {
            bytes.append(contentsOf: digits.prefix(point))
            if point > digits.count {
                bytes.append(contentsOf: repeatElement(zero, count: point - digits.count))
            } else if point < digits.count {
                bytes.append(UInt8(ascii: "."))
                bytes.append(contentsOf: digits.dropFirst(point))
            }
        } else if let point, point <= 0, -point <= plainDigits {
            bytes.append(zero)
            bytes.append(UInt8(ascii: "."))
            bytes.append(contentsOf: repeatElement(zero, count: -point))
            bytes.append(contentsOf: digits)
        } else {
            bytes.append(digits[0])
            if digits.count > 1 {
                bytes.append(UInt8(ascii: "."))
                bytes.append(contentsOf: digits.dropFirst())
            }
            bytes.append(UInt8(ascii: "e"))
            decimal.point.adding(-1).append(to: &bytes)
        }
        return true
    }

    /// Whether a number is less than another one; false if one of them is no number as JSON writes it.
    static func isLess(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        guard let left = unsafe Decimal(left), let right = unsafe Decimal(right) else { return false }
        if left.sign != right.sign { return left.sign < right.sign }
        return left.isNegative ? right.hasLessMagnitude(than: left) : left.hasLessMagnitude(than: right)
    }
}

/// A decimal number taken apart: 0.d₁d₂d₃… × 10^point, the first and the last digit not zero.
private struct Decimal {
    var isNegative = false
    var digits: [UInt8] = []
    var point = Exponent()

    var sign: Int { digits.isEmpty ? 0 : isNegative ? -1 : 1 }

    func hasLessMagnitude(than other: Decimal) -> Bool {
        point == other.point ? digits.lexicographicallyPrecedes(other.digits) : point < other.point
    }

    init?(_ token: UnsafeRawBufferPointer) {
        var position = 0
        func current() -> UInt8 { position < token.count ? unsafe token[position] : 0 }
        func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
        func digitRun() -> Range<Int> {
            let start = position
            while isDigit(current()) { position += 1 }
            return start..<position
        }
        if current() == UInt8(ascii: "-") {
            isNegative = true
            position += 1
        }
        let whole = digitRun()
        if unsafe whole.isEmpty || (whole.count > 1 && token[whole.lowerBound] == UInt8(ascii: "0")) { return nil }
        var fraction = position..<position
        if current() == UInt8(ascii: ".") {
            position += 1
            fraction = digitRun()
            if fraction.isEmpty { return nil }
        }
        var exponent = Exponent()
        if current() | 0x20 == UInt8(ascii: "e") {
            position += 1
            let sign = current()
            if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { position += 1 }
            let run = digitRun()
            if run.isEmpty { return nil }
            exponent = unsafe Exponent(isNegative: sign == UInt8(ascii: "-"), digits: token[run])
        }
        if position != token.count { return nil }

        digits.reserveCapacity(whole.count + fraction.count)
        unsafe digits.append(contentsOf: token[whole])
        unsafe digits.append(contentsOf: token[fraction])
        let leading = digits.prefix { $0 == UInt8(ascii: "0") }.count
        digits.removeFirst(leading)
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        point = exponent.adding(whole.count - leading)
    }
}
