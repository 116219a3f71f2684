/// The elements of a JSON array as the bytes they were written with, so that no digit of a number is touched.
struct JSONArraySlices {
    /// Where each element stands in the text.
    private(set) var ranges: [Range<Int>] = []

    /// Finds the elements; nil where the text is no array. What stands between the brackets is not checked further.
    init?(_ text: [UInt8]) {
        guard let opening = text.firstIndex(where: { !Self.isBlank($0) }), text[opening] == UInt8(ascii: "[") else {
            return nil
        }
        var depth = 1
        var isInString = false
        var start: Int?
        var position = opening + 1
        while position < text.count {
            let byte = text[position]
            if isInString {
                if byte == UInt8(ascii: "\\") { position += 1 }
                if byte == UInt8(ascii: "\"") { isInString = false }
            } else {
                switch byte {
                case UInt8(ascii: "]") where depth == 1, UInt8(ascii: ",") where depth == 1:
                    if let start { ranges.append(start..<Self.trimmedEnd(text, start, position)) }
                    start = nil
                    if byte == UInt8(ascii: "]") { return }
                case UInt8(ascii: "\""): isInString = true
                case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
                case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
                default: break
                }
                let isElement = !Self.isBlank(byte) && !(byte == UInt8(ascii: ",") && depth == 1)
                if start == nil && isElement { start = position }
            }
            position += 1
        }
        return nil
    }

    private static func trimmedEnd(_ text: [UInt8], _ start: Int, _ end: Int) -> Int {
        text[start..<end].lastIndex { !isBlank($0) }.map { $0 + 1 } ?? end
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
