internal import SluiceJSON

/// Numbers between JSON text and the doubles of jq.
enum NumberText {
    /// Appends a double as JSON: whole numbers below 2^63 digit by digit, others with the fewest digits that give the
    /// same double again. As jq does it, not a number is `null` and an infinite one the greatest that is finite.
    static func append(_ value: Double, to bytes: inout [UInt8]) {
        if value.isNaN {
            bytes.append(contentsOf: "null".utf8)
        } else if value == 0, value.sign == .minus {
            bytes.append(contentsOf: "-0".utf8)
        } else if let integer = Int64(exactly: value) {
            bytes.append(contentsOf: integer.description.utf8)
        } else {
            bytes.append(contentsOf: clamped(value).description.utf8)
        }
    }

    /// The nearest double of a number of the input, and whether that is the number itself.
    static func double(_ element: JSONElement) -> (value: Double, isExact: Bool) {
        if element.kind == .integer {
            let value = Double(element.integer)
            return (value, element.integer.magnitude <= 1 << 53 || Int64(exactly: value) == element.integer)
        }
        let token = unsafe element.token
        let value = clamped(Double(element.numberText ?? "") ?? 0)
        return unsafe (value, isShort(token) || isWritten(token, as: value))
    }

    /// Whether a number has so few digits that every double keeps them: 15, within the range of normal doubles.
    private static func isShort(_ token: UnsafeRawBufferPointer) -> Bool {
        guard token.count <= 17 else { return false }
        var digits = 0
        for position in token.indices {
            let byte = unsafe token[position]
            // With an exponent the range must be looked at.
            if byte | 0x20 == UInt8(ascii: "e") { return false }
            if byte >= UInt8(ascii: "0") { digits += 1 }
        }
        return digits <= 15
    }

    private static func isWritten(_ token: UnsafeRawBufferPointer, as value: Double) -> Bool {
        var text: [UInt8] = []
        append(value, to: &text)
        var written: [UInt8] = []
        var read: [UInt8] = []
        _ = unsafe text.withUnsafeBytes { unsafe DecimalText.appendNormalized($0, to: &written) }
        unsafe DecimalText.appendNormalized(token, to: &read)
        return written == read
    }

    private static func clamped(_ value: Double) -> Double {
        min(max(value, -Double.greatestFiniteMagnitude), Double.greatestFiniteMagnitude)
    }
}
