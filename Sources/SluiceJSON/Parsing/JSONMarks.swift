/// A JSON text with characters in the place of halves of surrogate pairs that stand alone, which no parser takes, and the
/// way back.
///
/// The characters are noncharacters that the text does not have (U+FDD0 to U+FDEF). Each is as many bytes as what it
/// stands for, so that offsets count the same.
public struct SurrogateMarks: Sendable {
    /// The text with its marks.
    public let text: [UInt8]
    /// What each mark stands for, by its bytes in UTF-8.
    private var halves: [(mark: [UInt8], half: [UInt8])] = []

    /// Marks a text.
    ///
    /// - Parameter text: The text. Where it has more kinds of halves than there are marks left, the last mark stands for
    ///   several.
    public init(_ text: [UInt8]) {
        let lower = String(decoding: text, as: UTF8.self).lowercased()
        var free = (0xFDD0...0xFDEF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init).filter { mark in
            !lower.contains("\\u\(String(mark.value, radix: 16))") && !lower.unicodeScalars.contains(mark)
        }
        var marked = text
        var marks: [[UInt8]: [UInt8]] = [:]
        var halves: [(mark: [UInt8], half: [UInt8])] = []
        for position in JSONText.loneSurrogates(in: text) {
            let half = Array(text[position..<position + 6])
            if marks[half] == nil, let mark = free.first {
                if free.count > 1 { free.removeFirst() }
                marks[half] = Array("\\u\(String(mark.value, radix: 16))".utf8)
                halves.append((Array(String(mark).utf8), half))
            }
            if let mark = marks[half] { marked.replaceSubrange(position..<position + 6, with: mark) }
        }
        self.text = marked
        self.halves = halves
    }

    /// A JSON text that was made of the marked one, with what its marks stand for.
    public func restored(_ text: [UInt8]) -> [UInt8] {
        var text = text
        for (mark, half) in halves {
            while let range = text.firstRange(of: mark) { text.replaceSubrange(range, with: half) }
        }
        return text
    }
}
