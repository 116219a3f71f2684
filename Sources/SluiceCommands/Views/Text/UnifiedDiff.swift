/// How two texts differ, line by line, as `diff -u` says it.
enum UnifiedDiff {
    private enum Line {
        case same(Substring), removed(Substring), added(Substring)

        var isSame: Bool { if case .same = self { true } else { false } }

        var text: String {
            switch self {
            case .same(let line): " \(line)\n"
            case .removed(let line): "-\(line)\n"
            case .added(let line): "+\(line)\n"
            }
        }
    }

    /// How many lines stand around a change.
    private static let context = 3

    /// The difference of two texts; empty where there is none.
    static func text(_ old: String, _ new: String, file: String) -> String {
        if old == new { return "" }
        let lines = lines(old, new)
        var text = "--- \(file)\n+++ \(file)\n"
        var index = 0
        var (oldLine, newLine) = (1, 1)
        while index < lines.count {
            guard let change = lines[index...].firstIndex(where: { !$0.isSame }) else { break }
            let start = max(index, change - context)
            oldLine += start - index
            newLine += start - index
            var end = change
            // Changes with few lines between them share a hunk.
            while let next = lines[end...].firstIndex(where: { !$0.isSame }), next - end <= 2 * context {
                end = next + 1
            }
            end = min(lines.count, end + context)
            let hunk = lines[start..<end]
            let oldCount = hunk.count { if case .added = $0 { false } else { true } }
            let newCount = hunk.count { if case .removed = $0 { false } else { true } }
            text += "@@ -\(oldLine),\(oldCount) +\(newLine),\(newCount) @@\n" + hunk.map(\.text).joined()
            oldLine += oldCount
            newLine += newCount
            index = end
        }
        return text
    }

    /// All lines of both texts in their order.
    private static func lines(_ old: String, _ new: String) -> [Line] {
        let old = split(old)
        let new = split(new)
        let difference = new.difference(from: old)
        let removed = Set(
            difference.removals.map { change in
                if case .remove(let offset, _, _) = change { offset } else { -1 }
            })
        let added = Set(
            difference.insertions.map { change in
                if case .insert(let offset, _, _) = change { offset } else { -1 }
            })
        var lines: [Line] = []
        var (left, right) = (0, 0)
        while left < old.count || right < new.count {
            if left < old.count, removed.contains(left) {
                lines.append(.removed(old[left]))
                left += 1
            } else if right < new.count, added.contains(right) {
                lines.append(.added(new[right]))
                right += 1
            } else if left < old.count, right < new.count {
                lines.append(.same(old[left]))
                left += 1
                right += 1
            } else {
                break
            }
        }
        return lines
    }

    /// The lines without their line feeds; a carriage return before one is part of its line, as for `diff`.
    private static func split(_ text: String) -> [Substring] {
        var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map(Substring.init)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }
}
