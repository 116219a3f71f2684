/// A decimal number as digits and an exponent, so that nothing of it is rounded.
package struct ExactNumber {
    private let isNegative: Bool
    /// The digits without leading zeros; none is zero.
    private let digits: [UInt8]
    /// The power of ten of the last digit.
    package var exponent: Int
    /// Whether it is written with an exponent, as measured values are.
    private let isScientific: Bool

    /// Reads a number as JSON writes it (RFC 8259 section 6), or nil where it is none.
    package init?(_ token: UnsafeRawBufferPointer) {
        var position = 0
        var digits: [UInt8] = []
        var exponent = 0
        var isScientific = false
        func current() -> UInt8? { unsafe position < token.count ? token[position] : nil }
        func isDigit(_ byte: UInt8?) -> Bool { byte.map { $0 >= 0x30 && $0 <= 0x39 } ?? false }
        let isNegative = current() == UInt8(ascii: "-")
        if isNegative { position += 1 }
        let first = position
        while isDigit(current()) {
            unsafe digits.append(token[position])
            position += 1
        }
        guard position > first, position == first + 1 || digits[0] != UInt8(ascii: "0") else { return nil }
        if current() == UInt8(ascii: ".") {
            position += 1
            guard isDigit(current()) else { return nil }
            while isDigit(current()) {
                unsafe digits.append(token[position])
                exponent -= 1
                position += 1
            }
        }
        if let mark = current(), mark | 0x20 == UInt8(ascii: "e") {
            position += 1
            isScientific = true
            let sign = current()
            if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position += 1 }
            guard isDigit(current()) else { return nil }
            var value = 0
            while isDigit(current()) {
                // No number in use has more; a larger one only has to stay out of every range.
                if value < 1_000_000 { value = unsafe value * 10 + Int(token[position] - 0x30) }
                position += 1
            }
            exponent += sign == UInt8(ascii: "-") ? -value : value
        }
        guard position == token.count else { return nil }
        self.isNegative = isNegative
        self.digits = Array(digits.drop { $0 == UInt8(ascii: "0") })
        self.exponent = exponent
        self.isScientific = isScientific
    }

    /// Reads a number, see ``init(_:)-(UnsafeRawBufferPointer)``.
    package init?(_ text: String) {
        var text = text
        guard let number = text.withUTF8({ unsafe ExactNumber(UnsafeRawBufferPointer($0)) }) else { return nil }
        self = number
    }

    /// Why no double holds the number as it was meant.
    ///
    /// - Parameters:
    ///   - value: The double that is nearest to it.
    ///   - name: What the number is called at the beginning of a sentence.
    /// - Returns: The sentence; nil where the double holds it.
    package func problem(asDouble value: Double, called name: @autoclosure () -> String) -> String? {
        guard value.isFinite, value != 0 || isZero else {
            return "\(name()) is beyond the range of a double; use decimal."
        }
        if fitsDouble { return nil }
        let remedy = integer == nil ? "decimal or string" : "int or decimal"
        return "\(name()) cannot be stored exactly as a double; use \(remedy)."
    }

    /// Whether a double, within whose range the number is, holds it as it was meant.
    ///
    /// A whole number is a count or an identifier, and must be held exactly. A fraction is the nearest double, and so is
    /// a number with an exponent that no integer of 64 bits holds.
    package var fitsDouble: Bool {
        if let integer { return Double(exactly: integer) != nil }
        return isScientific || Self.significantBits(ofWhole: digits, exponent) <= Double.significandBitCount + 1
    }

    /// How many bits there are from the first to the last one that is set; none for a fraction.
    private static func significantBits(ofWhole digits: [UInt8], _ exponent: Int) -> Int {
        let zero = UInt8(ascii: "0")
        guard exponent >= 0 || digits.suffix(-exponent).allSatisfy({ $0 == zero }) else { return 0 }
        // Limbs of 32 bits, the lowest first.
        var limbs: [UInt64] = []
        for digit in digits.dropLast(max(0, -exponent)) + [UInt8](repeating: zero, count: max(0, exponent)) {
            var carry = UInt64(digit - zero)
            for index in limbs.indices {
                carry += limbs[index] * 10
                limbs[index] = carry & 0xFFFF_FFFF
                carry >>= 32
            }
            if carry > 0 { limbs.append(carry) }
        }
        guard let first = limbs.last, let lowest = limbs.firstIndex(where: { $0 != 0 }) else { return 0 }
        let length = 32 * limbs.count - (first.leadingZeroBitCount - 32)
        return length - 32 * lowest - limbs[lowest].trailingZeroBitCount
    }

    /// Whether the number is zero.
    package var isZero: Bool { digits.isEmpty }

    /// Whether it has no fraction, however large it is.
    package var isWhole: Bool {
        exponent >= 0
            || exponent > -400 && digits.suffix(-exponent).allSatisfy { $0 == UInt8(ascii: "0") }
                && digits.count > -exponent
    }

    /// The number as a 64-bit integer, or nil where it is none.
    package var integer: Int64? {
        guard let (whole, fraction) = parts(), !fraction.contains(where: { $0 != UInt8(ascii: "0") }) else {
            return nil
        }
        return Int64((isNegative ? "-" : "") + String(decoding: whole, as: UTF8.self))
    }

    /// The whole part, rounded towards the past, and the digits of what is left of it.
    package func split() -> (whole: Int64, fraction: [UInt8])? {
        guard let (whole, fraction) = parts(), let value = Int64(String(decoding: whole, as: UTF8.self)) else {
            return nil
        }
        if !isNegative { return (value, fraction) }
        guard fraction.contains(where: { $0 != UInt8(ascii: "0") }) else { return (-value, []) }
        // -1.25 is 0.75 after -2: the digits of 1 - 0.25.
        var complement = fraction.map { UInt8(ascii: "9") - ($0 - UInt8(ascii: "0")) }
        for index in complement.indices.reversed() {
            if complement[index] == UInt8(ascii: "9") {
                complement[index] = UInt8(ascii: "0")
            } else {
                complement[index] += 1
                break
            }
        }
        return (-value - 1, complement)
    }

    private func parts() -> (whole: [UInt8], fraction: [UInt8])? {
        if digits.isEmpty { return ([UInt8(ascii: "0")], []) }
        let zero = UInt8(ascii: "0")
        if exponent >= 0 {
            guard digits.count + exponent <= 20 else { return nil }
            return (digits + [UInt8](repeating: zero, count: exponent), [])
        }
        guard exponent > -400 else { return nil }
        let padding = max(0, 1 - exponent - digits.count)
        let padded = [UInt8](repeating: zero, count: padding) + digits
        return (Array(padded.dropLast(-exponent)), Array(padded.suffix(-exponent)))
    }
}
