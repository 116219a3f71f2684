/// A JSON text with marks in the place of what no parser takes, and the way back: halves of surrogate pairs that stand alone, and
/// values that are nested too deeply.
///
/// The marks are noncharacters that the text does not have (U+FDD0 to U+FDEF). Each is as many bytes as what it
/// stands for, so that offsets count the same:
///
///     ["\ud83d", [[…[[7]]…]]]
///     ["\ufdd1", "\ufdd00\ufdd0"    ]
package struct JSONMarks: Sendable {
    /// The text with its marks.
    package let text: [UInt8]
    /// What each mark of a half stands for, by its bytes in UTF-8.
    private var halves: [(mark: [UInt8], half: [UInt8])] = []
    /// What stands around the numbers of values that are nested too deeply, in UTF-8; empty where there is none.
    private var fence: [UInt8] = []
    /// These values.
    private var values: [[UInt8]] = []

    /// Marks a text.
    ///
    /// - Parameters:
    ///   - text: The text. Where it has more kinds of halves than there are marks left, the last mark stands for
    ///     several.
    ///   - maximumDepth: How many levels stay. Of what goes deeper a value of half as many levels down is marked as a whole.
    package init(_ text: [UInt8], maximumDepth: Int = JSONParser.defaultMaximumDepth) {
        let lower = String(decoding: text, as: UTF8.self).lowercased()
        var free = (0xFDD0...0xFDEF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init).filter { mark in
            !lower.contains(Self.escape(mark)) && !lower.unicodeScalars.contains(mark)
        }
        var marked = text
        let deep = Self.deepValues(in: text, maximumDepth: maximumDepth)
        if !deep.isEmpty, !free.isEmpty {
            let mark = free.removeFirst()
            fence = Array(String(mark).utf8)
            for (number, range) in deep.enumerated() {
                values.append(Array(text[range]))
                let name = Array("\"\(Self.escape(mark))\(number)\(Self.escape(mark))\"".utf8)
                marked.replaceSubrange(
                    range, with: name + [UInt8](repeating: UInt8(ascii: " "), count: max(0, range.count - name.count)))
            }
        }
        var marks: [[UInt8]: [UInt8]] = [:]
        for position in JSONText.loneSurrogates(in: marked) {
            let half = Array(marked[position..<position + 6])
            if marks[half] == nil, let mark = free.first {
                if free.count > 1 { free.removeFirst() }
                marks[half] = Array(Self.escape(mark).utf8)
                halves.append((Array(String(mark).utf8), half))
            }
            if let mark = marks[half] { marked.replaceSubrange(position..<position + 6, with: mark) }
        }
        self.text = marked
    }

    private static func escape(_ mark: Unicode.Scalar) -> String { "\\u\(String(mark.value, radix: 16))" }

    /// Where values stand that are nested too deeply: each from the level that half the others lie below.
    private static func deepValues(in text: [UInt8], maximumDepth: Int) -> [Range<Int>] {
        var found: [Range<Int>] = []
        let level = maximumDepth / 2 + 1
        var isInString = false
        var (depth, start, deepest) = (0, 0, 0)
        var position = 0
        while position < text.count {
            switch text[position] {
            case UInt8(ascii: "\""): isInString.toggle()
            case UInt8(ascii: "\\"): position += 1
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                if isInString { break }
                depth += 1
                if depth == level { (start, deepest) = (position, depth) }
                deepest = max(deepest, depth)
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if isInString { break }
                if depth == level, deepest > maximumDepth { found.append(start..<position + 1) }
                depth -= 1
            default: break
            }
            position += 1
        }
        return found
    }

    /// A JSON text that was made of the marked one, with what its marks stand for. Where it holds the mark of a value otherwise
    /// than as a value of its own, within another string say, the value takes the place of the whole text: what was to be made of
    /// it cannot be.
    ///
    /// - Parameters:
    ///   - text: The text, without blanks between its tokens.
    ///   - limit: How large it may become, in bytes.
    /// - Returns: The text; nil where it would be larger.
    package func restored(_ text: [UInt8], limit: Int = .max) -> [UInt8]? {
        var text = text
        for (mark, half) in halves {
            while let range = text.firstRange(of: mark) { text.replaceSubrange(range, with: half) }
        }
        if fence.isEmpty { return text.count > limit ? nil : text }
        var result: [UInt8] = []
        var rest = text[...]
        while let first = rest.firstRange(of: fence) {
            guard let value = value(at: first, in: rest) else {
                let whole = values[number(behind: first.upperBound, in: rest)?.number ?? 0]
                return whole.count > limit ? nil : whole
            }
            result += rest[..<(first.lowerBound - 1)]
            result += values[value.number]
            if result.count > limit { return nil }
            rest = rest[value.end...]
        }
        result += rest
        return result.count > limit ? nil : result
    }

    /// The value whose mark is a string of its own, and where that ends.
    private func value(at fence: Range<Int>, in text: ArraySlice<UInt8>) -> (number: Int, end: Int)? {
        guard fence.lowerBound > text.startIndex, text[fence.lowerBound - 1] == UInt8(ascii: "\""),
            let (number, digits) = number(behind: fence.upperBound, in: text)
        else { return nil }
        let tail = self.fence + [UInt8(ascii: "\"")]
        let end = digits + tail.count
        guard end <= text.endIndex, text[digits..<end].elementsEqual(tail) else { return nil }
        // A name is no value.
        return end < text.endIndex && text[end] == UInt8(ascii: ":") ? nil : (number, end)
    }

    /// The number of a value, and where its digits end.
    private func number(behind start: Int, in text: ArraySlice<UInt8>) -> (number: Int, end: Int)? {
        let digits = text[start...].prefix(9).prefix { (0x30...0x39).contains($0) }
        guard let number = Int(String(decoding: digits, as: UTF8.self)), values.indices.contains(number) else {
            return nil
        }
        return (number, digits.endIndex)
    }
}
