/// The lines of a text, split where libyaml counts them.
package struct SourceLines: Sendable {
    private let bytes: [UInt8]
    private let ranges: [Range<Int>]

    /// Splits a text.
    ///
    /// - Parameter bytes: The text; what is not UTF-8 shows as U+FFFD.
    package init(_ bytes: [UInt8]) {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        var ranges: [Range<Int>] = []
        var lineStart = start
        var offset = start
        while offset < bytes.count {
            let length = Self.lineBreakLength(in: bytes, at: offset)
            if length > 0 { ranges.append(lineStart..<offset) }
            offset += max(length, 1)
            if length > 0 { lineStart = offset }
        }
        ranges.append(lineStart..<bytes.count)
        self.bytes = bytes
        self.ranges = ranges
    }

    /// How many lines there are; a text that ends in a line break has an empty last one.
    package var count: Int { ranges.count }

    /// A line, counted from 1, without its break; nil where there is none of that number.
    package func line(_ number: Int) -> String? {
        guard number >= 1, number <= ranges.count else { return nil }
        return String(decoding: bytes[ranges[number - 1]], as: UTF8.self)
    }

    /// How many bytes the line break at an offset has; 0 where there is none.
    private static func lineBreakLength(in bytes: [UInt8], at offset: Int) -> Int {
        func byte(_ index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }
        switch bytes[offset] {
        case 0x0A: return 1
        case 0x0D: return byte(offset + 1) == 0x0A ? 2 : 1
        case 0xC2: return byte(offset + 1) == 0x85 ? 2 : 0
        case 0xE2:
            guard byte(offset + 1) == 0x80, let last = byte(offset + 2) else { return 0 }
            return last == 0xA8 || last == 0xA9 ? 3 : 0
        default: return 0
        }
    }

    /// The mark of a byte.
    static func mark(ofOffset offset: Int, in bytes: [UInt8]) -> Mark {
        let before = SourceLines(Array(bytes.prefix(offset)))
        let column = before.line(before.count)?.unicodeScalars.count ?? 0
        return Mark(line: before.count, column: column + 1)
    }

    /// The offset of the first byte that is not part of valid UTF-8, or nil where all is well.
    static func firstInvalidOffset(in bytes: [UInt8]) -> Int? {
        var decoder = Unicode.UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var offset = 0
        while true {
            switch decoder.parseScalar(from: &iterator) {
            case .valid(let scalar): offset += scalar.count
            case .emptyInput: return nil
            case .error: return offset
            }
        }
    }
}
