/// A word diff in the making, which joins changes that are only seen as one.
struct WordDiffDraft {
    private enum Stretch {
        case kept(String)
        case changed(old: String, new: String)
    }

    private var stretches: [Stretch] = []

    /// Adds text that both sides have.
    mutating func keep(_ text: String) {
        if text.isEmpty { return }
        if case .kept(let before)? = stretches.last {
            stretches[stretches.count - 1] = .kept(before + text)
        } else {
            stretches.append(.kept(text))
        }
    }

    /// Adds what one text has in place of the other's.
    mutating func change(_ old: String, _ new: String) {
        if old.isEmpty && new.isEmpty { return }
        if case .changed(let oldBefore, let newBefore)? = stretches.last {
            stretches[stretches.count - 1] = .changed(old: oldBefore + old, new: newBefore + new)
        } else {
            stretches.append(.changed(old: old, new: new))
        }
    }

    /// The stretches as pieces.
    var pieces: [WordDiff.Piece] {
        var pieces: [WordDiff.Piece] = []
        func add(_ side: WordDiff.Side, _ text: some StringProtocol) {
            if text.isEmpty { return }
            if side == .both, pieces.last?.side == .both {
                pieces[pieces.count - 1].text += text
            } else {
                pieces.append(WordDiff.Piece(side: side, text: String(text)))
            }
        }
        for stretch in joined {
            switch stretch {
            case .kept(let text): add(.both, text)
            case .changed(let old, let new):
                let blanks = Self.commonBlanks(old, new)
                add(.both, old.prefix(blanks.start))
                add(.old, old.dropFirst(blanks.start).dropLast(blanks.end))
                add(.new, new.dropFirst(blanks.start).dropLast(blanks.end))
                add(.both, old.suffix(blanks.end))
            }
        }
        return pieces
    }

    /// How many blanks both texts begin and end with: they are no change.
    private static func commonBlanks(_ old: String, _ new: String) -> (start: Int, end: Int) {
        func count(_ pairs: some Sequence<(Character, Character)>) -> Int {
            var count = 0
            for (left, right) in pairs {
                if left != right || !left.isWhitespace { break }
                count += 1
            }
            return count
        }
        let start = count(zip(old, new))
        return (start, count(zip(old.dropFirst(start).reversed(), new.dropFirst(start).reversed())))
    }

    /// Without what is kept between two changes by chance: single blanks, and less than what changed around it.
    private var joined: [Stretch] {
        var result: [Stretch] = []
        for stretch in stretches {
            result.append(stretch)
            while let change = Self.join(result.suffix(3)) {
                result.removeLast(3)
                result.append(change)
            }
        }
        return result
    }

    private static func join(_ last: ArraySlice<Stretch>) -> Stretch? {
        let last = Array(last)
        guard last.count == 3, case .changed(let oldLeft, let newLeft) = last[0], case .kept(let text) = last[1],
            case .changed(let oldRight, let newRight) = last[2], !text.contains(where: \.breaksLine)
        else { return nil }
        let isSmall =
            text.utf8.count <= max(oldLeft.utf8.count, newLeft.utf8.count)
            && text.utf8.count <= max(oldRight.utf8.count, newRight.utf8.count)
        guard isSmall || text.allSatisfy(\.isWhitespace) else { return nil }
        return .changed(old: oldLeft + text + oldRight, new: newLeft + text + newRight)
    }
}
