internal import SluiceDiagnostics
internal import SluiceReport

/// Problems, for people.
struct ProblemsText {
    let style: TextStyle

    /// The problems of pipeline files.
    func text(_ problems: [Diagnostic]) -> String {
        let renderer = TextDiagnosticRenderer()
        return problems.map { problem in
            let text = renderer.render(problem)
            guard style.isColored else { return text }
            // The first line names the place, then the severity.
            let word = "\(problem.severity.rawValue): "
            guard let range = Self.firstRange(of: word, in: text) else { return text }
            return text[..<range.lowerBound] + painted(word, isError: problem.severity == .error)
                + text[range.upperBound...]
        }.joined()
    }

    /// The problems of a run.
    func text(_ problems: [RunProblem]) -> String {
        problems.map { problem in
            let word = "\(problem.severity.rawValue): "
            let head = problem.severity == .note ? word : painted(word, isError: problem.severity == .error)
            return head + PrintableText.escape(place(of: problem) + problem.message) + "\n" + records(problem)
        }.joined()
    }

    /// The stream that a problem is about, where its message does not name it.
    private func place(of problem: RunProblem) -> String {
        guard let stream = problem.stream, !problem.message.contains("`\(stream)`") else { return "" }
        return "stream `\(stream)`: "
    }

    /// The first records that a problem is about, a line for each.
    private func records(_ problem: RunProblem) -> String {
        let rest = RecordLabel.rest(of: problem).map { "  \($0)\n" } ?? ""
        return RecordLabel.all(of: problem).map { "  - \($0)\n" }.joined() + rest
    }

    private func painted(_ word: String, isError: Bool) -> String { style.paint(word, isError ? .removed : .changed) }

    private static func firstRange(of word: String, in text: String) -> Range<String.Index>? {
        var start = text.startIndex
        while start != text.endIndex {
            if text[start...].hasPrefix(word) { return start..<text.index(start, offsetBy: word.count) }
            start = text.index(after: start)
        }
        return nil
    }
}
