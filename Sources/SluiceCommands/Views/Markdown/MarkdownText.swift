internal import SluiceDiagnostics

/// Text from outside as Markdown, so that nothing of it acts as Markdown or HTML, names somebody or becomes a link.
enum MarkdownText {
    /// Text as code, on one line.
    ///
    /// Within code nothing acts but the fence, which is longer than any run of backticks. Only what divides the cells of a
    /// table goes by that before, so it stands outside as an entity.
    static func code(_ text: String) -> String {
        PrintableText.escape(text).split(separator: "|", omittingEmptySubsequences: false)
            .map { fenced(String($0)) }.joined(separator: "&#124;")
    }

    private static func fenced(_ text: String) -> String {
        if text.isEmpty { return "" }
        var (longest, run) = (0, 0)
        for byte in text.utf8 {
            run = byte == UInt8(ascii: "`") ? run + 1 : 0
            longest = max(longest, run)
        }
        let fence = String(repeating: "`", count: longest + 1)
        // A blank on both sides is taken away again, so that a backtick or a blank at an end stays what it is.
        let isBare = text.first != "`" && text.last != "`" && text.first != " " && text.last != " "
        // Only of blanks nothing is taken away.
        let isBlank = text.utf8.allSatisfy { $0 == UInt8(ascii: " ") }
        return isBare || isBlank ? fence + text + fence : "\(fence) \(text) \(fence)"
    }

    /// A sentence that may hold text from outside: plain words stay, all others become code, and so does what stands in backticks,
    /// or in quotes with backticks among it.
    static func prose(_ text: String) -> String {
        var prose = ""
        var (plain, rest) = (text[...].prefix(0), text[...])
        /// Takes what comes before a place as words, and a part of the text as code.
        func take(_ part: Substring, from start: String.Index, to end: String.Index) {
            append(words(text[plain.startIndex..<start]), to: &prose)
            append(code(String(part)), to: &prose)
            rest = text[end...]
            plain = rest.prefix(0)
        }
        while let start = rest.firstIndex(where: { "`\"".contains($0) }) {
            let inner = text[text.index(after: start)...]
            if text[start] == "`" {
                let end = inner.firstIndex(of: "`") ?? text.endIndex
                take(inner[..<end], from: start, to: end == text.endIndex ? end : text.index(after: end))
            } else if let end = quoteEnd(in: inner), inner[..<end].contains("`") {
                take(text[start...end], from: start, to: text.index(after: end))
            } else {
                rest = quoteEnd(in: inner).map { text[text.index(after: $0)...] } ?? inner
            }
        }
        append(words(text[plain.startIndex...]), to: &prose)
        return prose
    }

    /// Where a text in quotes ends, as JSON writes it; nil where it does not.
    private static func quoteEnd(in text: Substring) -> String.Index? {
        var isEscaped = false
        return text.firstIndex { character in
            defer { isEscaped = character == "\\" && !isEscaped }
            return character == "\"" && !isEscaped
        }
    }

    private static func words(_ text: Substring) -> String {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isWhitespace).map { word in
            if word.isEmpty { return "" }
            return isPlain(word) ? PrintableText.escape(String(word)) : marked(word)
        }.joined(separator: " ")
    }

    /// A word as code; the signs of the sentence around it are none of it.
    private static func marked(_ word: Substring) -> String {
        let core = core(of: word)
        if core.isEmpty { return code(String(word)) }
        return word[..<core.startIndex] + code(String(core)) + word[core.endIndex...]
    }

    /// A word without the signs of a sentence around it.
    private static func core(of word: Substring) -> Substring {
        let start = word.drop { "(\"".contains($0) }
        guard let last = start.lastIndex(where: { !".,;:!?)\"…".contains($0) }) else { return start.suffix(0) }
        return start[...last]
    }

    /// Two pieces of code stay two: a fence next to another one would be a longer one.
    private static func append(_ part: String, to text: inout String) {
        if text.last == "`" && part.first == "`" { text += " " }
        text += part
    }

    /// Whether a word, with the signs around it, is nothing but a word or a number in every kind of Markdown.
    private static func isPlain(_ word: Substring) -> Bool {
        let core = core(of: word)
        if core.isEmpty { return word.allSatisfy { "().,;:…→–—".contains($0) } }
        let isNumber = core.allSatisfy { $0.isASCII && $0.isNumber || ".,".contains($0) }
        let isWord = core.allSatisfy { $0.isLetter || "'’-".contains($0) } && core.first != "-" && core.last != "-"
        // What looks like the digest of a commit is one to some.
        let isDigest = core.count >= 7 && core.allSatisfy(\.isHexDigit)
        return (isNumber || isWord) && !isDigest
    }
}
