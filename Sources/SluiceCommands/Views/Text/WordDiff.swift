/// Two texts as one, with `[-what only the old one has-]` and `{+what only the new one has+}`.
package struct WordDiff {
    private enum Side { case both, old, new }
    private struct Piece {
        var side: Side
        var text: String
    }

    /// Texts of more words than this are only compared from both ends; comparing takes the square of their difference.
    private static let longest = 4_000
    /// How much of a stretch that is the same is shown at each of its ends.
    private static let context = 40
    private var pieces: [Piece] = []

    /// Compares two texts.
    package init(from old: String, to new: String) {
        let (old, new) = (Self.words(of: old), Self.words(of: new))
        var start = 0
        while start < min(old.count, new.count), old[start] == new[start] { start += 1 }
        var end = 0
        while end < min(old.count, new.count) - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
        append(.both, old[..<start])
        compare(old[start..<(old.count - end)], new[start..<(new.count - end)])
        append(.both, old[(old.count - end)...])
        joinAcrossBlanks()
    }

    /// Letters and digits stay together, and blanks; any other character is a word of its own.
    private static func words(of text: String) -> [Substring] {
        var words: [Substring] = []
        var rest = text[...]
        while let first = rest.first {
            let word: Substring
            if first.isLetter || first.isNumber {
                word = rest.prefix { $0.isLetter || $0.isNumber }
            } else if first.isWhitespace {
                word = rest.prefix { $0.isWhitespace }
            } else {
                word = rest.prefix(1)
            }
            words.append(word)
            rest = rest[word.endIndex...]
        }
        return words
    }

    private mutating func append(_ side: Side, _ words: ArraySlice<Substring>) {
        if words.isEmpty { return }
        if let last = pieces.indices.last, pieces[last].side == side {
            pieces[last].text += words.joined()
        } else {
            pieces.append(Piece(side: side, text: words.joined()))
        }
    }

    private mutating func compare(_ old: ArraySlice<Substring>, _ new: ArraySlice<Substring>) {
        guard old.count + new.count <= Self.longest else {
            append(.old, old)
            return append(.new, new)
        }
        let difference = Array(new).difference(from: Array(old))
        var removed: Set<Int> = []
        var inserted: Set<Int> = []
        for change in difference {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        var (left, right) = (0, 0)
        while left < old.count || right < new.count {
            if removed.contains(left), left < old.count {
                append(.old, old[(old.startIndex + left)...(old.startIndex + left)])
                left += 1
            } else if inserted.contains(right), right < new.count {
                append(.new, new[(new.startIndex + right)...(new.startIndex + right)])
                right += 1
            } else {
                append(.both, old[(old.startIndex + left)...(old.startIndex + left)])
                left += 1
                right += 1
            }
        }
    }

    /// Words that changed one after the other are one change: what only blanks keep apart is joined.
    private mutating func joinAcrossBlanks() {
        var joined: [Piece] = []
        var (old, new) = ("", "")
        func flush() {
            if !old.isEmpty { joined.append(Piece(side: .old, text: old)) }
            if !new.isEmpty { joined.append(Piece(side: .new, text: new)) }
            (old, new) = ("", "")
        }
        for (index, piece) in pieces.enumerated() {
            switch piece.side {
            case .old: old += piece.text
            case .new: new += piece.text
            case .both:
                let isBetween = !(old.isEmpty && new.isEmpty) && index + 1 < pieces.count
                if isBetween && piece.text.allSatisfy(\.isWhitespace) {
                    old += piece.text
                    new += piece.text
                } else {
                    flush()
                    joined.append(piece)
                }
            }
        }
        flush()
        pieces = joined
    }

    /// The text with its marks; long stretches that are the same are cut.
    package var text: String {
        pieces.enumerated().map { index, piece in
            switch piece.side {
            case .old: "[-\(piece.text)-]"
            case .new: "{+\(piece.text)+}"
            case .both: Self.cut(piece.text, isFirst: index == 0, isLast: index == pieces.count - 1)
            }
        }.joined()
    }

    private static func cut(_ text: String, isFirst: Bool, isLast: Bool) -> String {
        let kept = (isFirst ? 0 : context) + (isLast ? 0 : context)
        if (isFirst && isLast) || text.count <= kept + 3 { return text }
        let start = isFirst ? "" : String(text.prefix(context))
        let end = isLast ? "" : String(text.suffix(context))
        return start + " … " + end
    }

    /// A text in lines that a terminal shows whole.
    package static func wrapped(_ text: String, indent: String, width: Int = 96) -> String {
        var lines = ""
        var line = ""
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            if !line.isEmpty, indent.count + line.count + 1 + word.count > width {
                lines += indent + line + "\n"
                line = String(word)
            } else {
                line += line.isEmpty ? String(word) : " " + word
            }
        }
        return lines + indent + line + "\n"
    }
}
