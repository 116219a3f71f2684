/// Two texts as one: what both have, what only the old one has and what only the new one has, word by word.
///
///     "a long day" → "a short day"     both "a ", old "long", new "short", both " day"
package struct WordDiff: Sendable, Equatable {
    /// Which text has a piece.
    package enum Side: Sendable { case both, old, new }

    /// A stretch of text.
    package struct Piece: Sendable, Equatable {
        /// Which text has it.
        package var side: Side
        /// The stretch.
        package var text: String
    }

    /// The most bytes between what both begin and end with that are compared.
    private static let longest = 128 * 1024
    /// The most words that may differ; comparing takes the square of them.
    private static let mostChanges = 1000
    /// The stretches in order; where a stretch was changed, the old one comes first.
    package private(set) var pieces: [Piece] = []

    /// Compares two texts, in time that is bounded however long they are: beyond, all between their common ends counts
    /// as changed.
    package init(from old: String, to new: String) {
        let (old, new) = (Array(old.utf8), Array(new.utf8))
        let ends = WordSplitter.commonEnds(old, new)
        func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
        let oldMiddle = old[ends.start..<(old.count - ends.end)]
        let newMiddle = new[ends.start..<(new.count - ends.end)]
        var draft = WordDiffDraft()
        draft.keep(text(old[..<ends.start]))
        if oldMiddle.count + newMiddle.count > Self.longest {
            draft.change(text(oldMiddle), text(newMiddle))
        } else {
            Self.compare(text(oldMiddle), text(newMiddle), &draft)
        }
        draft.keep(text(old[(old.count - ends.end)...]))
        pieces = draft.pieces
    }

    private static func compare(_ old: String, _ new: String, _ draft: inout WordDiffDraft) {
        let (oldWords, newWords) = (WordSplitter.words(of: old), WordSplitter.words(of: new))
        // Words are alike where their bytes are; strings would also be alike in other normal forms.
        var numbers: [[UInt8]: Int] = [:]
        func number(_ word: Substring) -> Int {
            let bytes = Array(word.utf8)
            if let number = numbers[bytes] { return number }
            numbers[bytes] = numbers.count
            return numbers.count - 1
        }
        let steps = EditScript.steps(from: oldWords.map(number), to: newWords.map(number), limit: mostChanges)
        guard let steps else { return draft.change(old, new) }
        var (left, right) = (oldWords[...], newWords[...])
        var (kept, removed, added) = ("", "", "")
        for step in steps {
            if step == .keep {
                draft.change(removed, added)
                (removed, added) = ("", "")
                kept += left.removeFirst()
                right.removeFirst()
                continue
            }
            draft.keep(kept)
            kept = ""
            if step == .remove { removed += left.removeFirst() } else { added += right.removeFirst() }
        }
        draft.change(removed, added)
        draft.keep(kept)
    }

    /// The text with `[-what only the old one has-]` and `{+what only the new one has+}`.
    package var text: String {
        pieces.map { piece in
            switch piece.side {
            case .both: piece.text
            case .old: "[-\(piece.text)-]"
            case .new: "{+\(piece.text)+}"
            }
        }.joined()
    }
}
