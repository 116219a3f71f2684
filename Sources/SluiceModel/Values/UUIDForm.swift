/// The one form of UUIDs among those that mean the same: hexadecimal digits of either case, with their hyphens or
/// without any.
package enum UUIDForm {
    /// The places of the hyphens in the whole text.
    private static let hyphens = [8, 13, 18, 23]

    /// Whether a text is a UUID in lower case and with hyphens, as this program writes it.
    package static func isCanonical(_ text: UnsafeRawBufferPointer) -> Bool {
        if text.count != 36 { return false }
        for index in 0..<36 {
            let byte = unsafe text[index]
            switch index {
            case 8, 13, 18, 23: if byte != UInt8(ascii: "-") { return false }
            default: if !((0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)) { return false }
            }
        }
        return true
    }

    /// Writes a UUID in lower case and with hyphens.
    ///
    /// - Parameters:
    ///   - source: A text.
    ///   - bytes: Grows by the UUID; stays as it is where the text is none.
    /// - Returns: Whether the text is a UUID.
    package static func append(_ source: UnsafeRawBufferPointer, to bytes: inout [UInt8]) -> Bool {
        let start = bytes.count
        let isPlain = source.count == 32
        var isValid = isPlain || source.count == 36
        for index in 0..<source.count where isValid {
            let byte = unsafe source[index]
            let lower = byte | 0x20
            let isHexadecimal = (0x30...0x39).contains(byte) || (0x61...0x66).contains(lower)
            if isPlain && hyphens.contains(bytes.count - start) { bytes.append(UInt8(ascii: "-")) }
            let isHyphen = !isPlain && hyphens.contains(index)
            isValid = isHyphen ? byte == UInt8(ascii: "-") : isHexadecimal
            bytes.append(byte <= 0x39 ? byte : lower)
        }
        if !isValid { bytes.removeLast(bytes.count - start) }
        return isValid
    }
}
