/// Where a text may be cut into words.
enum WordSplitter {
    /// How far back a blank is looked for, so that what both texts begin with ends with a whole word.
    private static let longestWord = 64

    /// Letters and digits stay together, and blanks of a line; any other character is a word of its own.
    static func words(of text: String) -> [Substring] {
        var words: [Substring] = []
        var rest = text[...]
        while let first = rest.first {
            let word: Substring
            if isWordPart(first) {
                word = rest.prefix(while: isWordPart)
            } else if first.isWhitespace && !first.breaksLine {
                word = rest.prefix { $0.isWhitespace && !$0.breaksLine }
            } else {
                word = rest.prefix(1)
            }
            words.append(word)
            rest = rest[word.endIndex...]
        }
        return words
    }

    /// Whether a text cannot be cut.
    static func isWord(_ text: String) -> Bool { text.allSatisfy(isWordPart) }

    /// Scripts that put no blanks between words are compared character by character.
    private static func isWordPart(_ character: Character) -> Bool {
        guard character.isLetter || character.isNumber, let scalar = character.unicodeScalars.first else {
            return false
        }
        switch scalar.value {
        case 0x0E00...0x0EFF, 0x2E80...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: return false
        default: return true
        }
    }

    /// How many bytes both texts begin and end with, in whole words where there are blanks.
    static func commonEnds(_ old: [UInt8], _ new: [UInt8]) -> (start: Int, end: Int) {
        let most = min(old.count, new.count)
        var start = 0
        while start < most, old[start] == new[start] { start += 1 }
        if start == old.count && start == new.count { return (start, 0) }
        start = boundary(in: old, at: start, step: -1, end: 0)
        var end = 0
        while end < most - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
        end = old.count - boundary(in: old, at: old.count - end, step: 1, end: old.count)
        return (start, end)
    }

    /// The nearest place in a direction that has a blank at its side, else the nearest between two scalars.
    private static func boundary(in bytes: [UInt8], at place: Int, step: Int, end: Int) -> Int {
        var candidate = place
        for _ in 0..<longestWord {
            if candidate == end { return end }
            let byte = step < 0 ? bytes[candidate - 1] : bytes[candidate]
            if byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") { return candidate }
            candidate += step
        }
        candidate = place
        while candidate != end, candidate < bytes.count, bytes[candidate] & 0xC0 == 0x80 { candidate += step }
        return candidate
    }
}

extension Character {
    /// Whether a text goes on in the next line behind it; other separators are shown as escapes.
    var breaksLine: Bool { self == "\n" || self == "\r\n" || self == "\r" }
}
