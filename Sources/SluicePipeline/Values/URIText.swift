/// The bytes of a URI, and what of them may stand where. See RFC 3986 section 2.
@safe
struct URIText {
    private let bytes: UnsafeRawBufferPointer

    /// Makes a view of UTF-8 text that outlives it.
    init(_ bytes: UnsafeRawBufferPointer) { unsafe self.bytes = bytes }

    var count: Int { unsafe bytes.count }

    subscript(index: Int) -> UInt8 { unsafe bytes[index] }

    /// Where a byte stands first in a range, or nil.
    func first(_ character: Unicode.Scalar, in range: Range<Int>) -> Int? {
        range.first { self[$0] == UInt8(ascii: character) }
    }

    /// Whether a range begins with a byte.
    func begins(_ range: Range<Int>, with character: Unicode.Scalar) -> Bool {
        range.first.map { self[$0] == UInt8(ascii: character) } ?? false
    }

    /// Whether every byte of a range is of a kind.
    func all(_ range: Range<Int>, are isOfKind: (UInt8) -> Bool) -> Bool { range.allSatisfy { isOfKind(self[$0]) } }

    /// Whether a range is a word in any case.
    func isWord(_ word: String, _ range: Range<Int>) -> Bool {
        range.count == word.utf8.count && zip(range, word.utf8).allSatisfy { self[$0] | 0x20 == $1 }
    }

    /// Whether a range has nothing but certain characters, escapes and characters beyond ASCII.
    func isMade(_ range: Range<Int>, of characters: URICharacters) -> Bool {
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = self[index]
            if byte == UInt8(ascii: "%") {
                guard index + 2 < range.upperBound, all((index + 1)..<(index + 3), are: Self.isHexadecimal) else {
                    return false
                }
                index += 2
            } else if byte >= 0x80 {
                // The controls of C1, which are C2 80 to C2 9F.
                if byte == 0xC2, index + 1 < range.upperBound, self[index + 1] < 0xA0 { return false }
            } else if !characters.contains(byte) {
                return false
            }
            index += 1
        }
        return true
    }

    static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) && byte < 0x80 }
    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    static func isHexadecimal(_ byte: UInt8) -> Bool { isDigit(byte) || (0x61...0x66).contains(byte | 0x20) }
    static func isASCII(_ byte: UInt8) -> Bool { byte < 0x80 }
}
