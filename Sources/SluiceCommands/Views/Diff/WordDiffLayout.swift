internal import SluiceDiagnostics

/// A word diff in lines that a terminal shows whole.
///
/// What was removed stands in `[-…-]` and is red, what was added in `{+…+}` and green. Long stretches are cut in their
/// middle, and control characters are escapes; where the text has a new line the layout has one too.
package struct WordDiffLayout {
    /// The most characters of a stretch that both texts have, at each end of it.
    private static let context = 40
    /// The most characters of a stretch that changed.
    private static let longestChange = 480
    private let width: Int
    private let limit: Int?
    private var done: [StyledText] = []
    private var line = StyledText()

    /// - Parameters:
    ///   - width: The most columns of a line.
    ///   - limit: The most lines; nil for all.
    package init(width: Int, limit: Int? = nil) {
        self.width = max(width, 20)
        self.limit = limit
    }

    /// The text of a diff as a terminal shows it, a line break after each line.
    package func text(of diff: WordDiff, style: TextStyle) -> String {
        lines(of: diff).map { $0.painted(style) + "\n" }.joined()
    }

    /// The lines of a diff, none of which is longer than the width.
    func lines(of diff: WordDiff) -> [StyledText] {
        var layout = self
        for (index, piece) in diff.pieces.enumerated() {
            switch piece.side {
            case .both:
                let isLast = index == diff.pieces.count - 1
                layout.add(Self.cut(piece.text, hasStart: index > 0, hasEnd: !isLast), nil)
            case .old: layout.add("[-" + Self.cut(piece.text, to: Self.longestChange) + "-]", .removed)
            case .new: layout.add("{+" + Self.cut(piece.text, to: Self.longestChange) + "+}", .added)
            }
        }
        if !layout.line.isEmpty { layout.startLine() }
        guard let limit, layout.done.count > limit else { return layout.done }
        let left = CountText.of(layout.done.count - limit, "more line")
        return layout.done.prefix(limit) + [StyledText("… \(left)", .faint)]
    }

    // MARK: What is left out

    private static func cut(_ text: String, hasStart: Bool, hasEnd: Bool) -> String {
        let kept = (hasStart ? context : 0) + (hasEnd ? context : 0)
        if kept == 0 { return cut(text, to: longestChange) }
        if !isLonger(text, than: kept + 16) { return text }
        let start = hasStart ? wholeWords(text.prefix(context)) : ""
        let end = hasEnd ? String(wholeWords(text.suffix(context).reversed()).reversed()) : ""
        return start + " … " + end
    }

    /// The start of a text without the word that it was cut in, unless that is very long.
    private static func wholeWords(_ start: some BidirectionalCollection<Character>) -> String {
        let torn = start.reversed().prefix { !$0.isWhitespace }.count
        return String(torn > context / 2 ? start.dropLast(0) : start.dropLast(torn))
    }

    private static func cut(_ text: String, to most: Int) -> String {
        if !isLonger(text, than: most + 32) { return text }
        return text.prefix(most / 2) + " … " + text.suffix(most / 2)
    }

    private static func isLonger(_ text: String, than most: Int) -> Bool {
        text.index(text.startIndex, offsetBy: most + 1, limitedBy: text.endIndex) != nil
    }

    // MARK: Lines

    private mutating func add(_ text: String, _ role: TextStyle.Role?) {
        let parts = text.split(omittingEmptySubsequences: false, whereSeparator: \.breaksLine)
        let breaks = text.filter(\.breaksLine).map { PrintableText.escape(String($0)) }
        for (index, part) in parts.enumerated() {
            let isBroken = index < breaks.count
            add(line: PrintableText.escape(String(part)) + (isBroken ? breaks[index] : ""), role)
            if isBroken { startLine() }
        }
    }

    private mutating func add(line text: String, _ role: TextStyle.Role?) {
        for (index, word) in text.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
            let blank = index > 0 ? " " : ""
            if !line.isEmpty, line.width + blank.count + TextWidth.of(word) > width {
                startLine()
            } else {
                line.append(blank, role)
            }
            var rest = word
            while line.width + TextWidth.of(rest) > width {
                var start = TextWidth.prefix(of: rest, columns: width - line.width)
                // A character may be wider than any line.
                if start.isEmpty && line.isEmpty { start = rest.prefix(1) }
                line.append(String(start), role)
                rest = rest[start.endIndex...]
                startLine()
            }
            line.append(String(rest), role)
        }
    }

    private mutating func startLine() {
        done.append(line.trimmed)
        line = StyledText()
    }
}
