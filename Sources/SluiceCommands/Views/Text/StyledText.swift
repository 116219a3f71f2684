internal import SluiceDiagnostics

/// Text with colours that knows how many columns it takes.
struct StyledText {
    private var runs: [(text: String, role: TextStyle.Role?)] = []
    /// How many columns it takes.
    private(set) var width = 0

    var isEmpty: Bool { runs.isEmpty }

    init() {}

    init(_ text: String, _ role: TextStyle.Role? = nil) { append(text, role) }

    /// Adds text at the end.
    mutating func append(_ text: String, _ role: TextStyle.Role? = nil) {
        if text.isEmpty { return }
        width += TextWidth.of(text)
        if let last = runs.last, last.role == role {
            runs[runs.count - 1].text += text
        } else {
            runs.append((text, role))
        }
    }

    /// Two texts as one.
    static func + (left: StyledText, right: StyledText) -> StyledText {
        var text = left
        for run in right.runs { text.append(run.text, run.role) }
        return text
    }

    /// The text with blanks behind it, as wide as a column.
    func padded(to columns: Int) -> StyledText {
        columns <= width ? self : self + StyledText(String(repeating: " ", count: columns - width))
    }

    /// The text without blanks at its end.
    var trimmed: StyledText {
        var text = self
        while let run = text.runs.last {
            if run.text.utf8.last != UInt8(ascii: " ") { break }
            let kept = run.text.reversed().drop { $0 == " " }
            text.width -= run.text.count - kept.count
            text.runs[text.runs.count - 1].text = String(kept.reversed())
            if !kept.isEmpty { break }
            text.runs.removeLast()
        }
        return text
    }

    /// The text as it is written.
    func painted(_ style: TextStyle) -> String {
        runs.map { run in run.role.map { style.paint(run.text, $0) } ?? run.text }.joined()
    }
}
