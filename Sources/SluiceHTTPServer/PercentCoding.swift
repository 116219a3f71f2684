/// Text within the target of a request and within a form.
package enum PercentCoding {
    /// The text that is meant.
    ///
    /// - Parameters:
    ///   - bytes: The text as it is sent.
    ///   - isForm: Whether a plus sign stands for a blank.
    /// - Returns: The text; nil where it is no UTF-8, has a NUL, or a percent sign without two digits.
    package static func decoded(_ bytes: some Collection<UInt8>, isForm: Bool = false) -> String? {
        var decoded: [UInt8] = []
        var rest = Array(bytes)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst()?.hexDigit, let low = rest.popFirst()?.hexDigit else { return nil }
                decoded.append(high << 4 | low)
            case UInt8(ascii: "+") where isForm: decoded.append(UInt8(ascii: " "))
            default: decoded.append(byte)
            }
        }
        return decoded.contains(0) ? nil : String(validating: decoded, as: UTF8.self)
    }

    /// Text for a segment of a path or a value of a query.
    package static func encoded(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return encoded
    }
}

extension UInt8 {
    /// The value of a hexadecimal digit.
    fileprivate var hexDigit: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46: self - 0x41 + 10
        case 0x61...0x66: self - 0x61 + 10
        default: nil
        }
    }
}
