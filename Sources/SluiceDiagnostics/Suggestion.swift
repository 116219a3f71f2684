/// Finds the name that was probably meant.
package enum Suggestion {
    /// Longer names are not compared: nobody mistypes one, and the cost is the product of the lengths.
    private static let longestName = 64

    /// The candidate nearest to a name, or nil where none is near.
    ///
    /// A candidate is near if about a third of the letters differ at most, if only case and separators differ, if both
    /// begin alike, or if the name is one of the candidate's words, as `url` is of `base_url`.
    ///
    /// - Parameters:
    ///   - name: What was written.
    ///   - candidates: What is known; of equally near ones the first wins.
    /// - Returns: The candidate as it is spelled among the known ones; never the name itself.
    package static func nearest(to name: String, among candidates: some Sequence<String>) -> String? {
        guard !name.isEmpty, name.utf8.count <= longestName else { return nil }
        let folded = fold(name)
        var best: (candidate: String, distance: Int)?
        for candidate in candidates where candidate != name && candidate.utf8.count <= longestName {
            guard let distance = rank(folded, name: name, candidate: candidate) else { continue }
            if best.map({ distance < $0.distance }) ?? true { best = (candidate, distance) }
        }
        return best?.candidate
    }

    private static func rank(_ folded: [Unicode.Scalar], name: String, candidate: String) -> Int? {
        let other = fold(candidate)
        let distance = editDistance(folded, other)
        let allowed = max(folded.count, other.count) <= 3 ? 1 : max(folded.count, other.count) / 3
        // Nothing in common is no mistake in typing, however short the names are.
        if distance <= allowed, distance < min(folded.count, other.count) { return distance }
        let isWord = candidate.split(separator: "_").contains { fold(String($0)) == folded }
        let shared = zip(folded, other).prefix { $0 == $1 }.count
        let isBeginning = shared >= 4 || (shared >= 3 && shared == min(folded.count, other.count))
        return (isWord && folded.count >= 2) || isBeginning ? allowed + 1 : nil
    }

    /// Letters in lower case, without the separators that people mix up.
    private static func fold(_ text: String) -> [Unicode.Scalar] {
        text.lowercased().unicodeScalars.filter { $0 != "_" && $0 != "-" }
    }

    /// How many letters must be inserted, removed, replaced or swapped with their neighbour to make one text the other.
    package static func distance(_ left: String, _ right: String) -> Int {
        editDistance(Array(left.unicodeScalars), Array(right.unicodeScalars))
    }

    /// How many letters must be inserted, removed, replaced or swapped with their neighbour.
    static func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        if left.isEmpty || right.isEmpty { return max(left.count, right.count) }
        var beforePrevious = [Int](repeating: 0, count: right.count + 1)
        var previous = Array(0...right.count)
        for (row, letter) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                let replace = previous[column] + (letter == other ? 0 : 1)
                var cost = min(replace, previous[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                    cost = min(cost, beforePrevious[column - 1] + 1)
                }
                current.append(cost)
            }
            beforePrevious = previous
            previous = current
        }
        return previous[right.count]
    }
}
