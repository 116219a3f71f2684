internal import SluiceDiagnostics
internal import SluiceYAML

/// Which places of a file's lines show as `***`.
///
/// References such as `${env:NAME}` and `{{ cursor.start }}` stay, since they hold nothing:
///
///     token: "Bearer abc ${env:T}"     ->     token: "***${env:T}"
struct LineMask {
    private struct Place {
        var start: Mark
        var end: Mark
    }

    /// By where the value stands.
    private var places: [Mark: Place] = [:]
    /// Where the last key or value of a line ends: what follows may be a comment.
    private var ends: [Int: Int] = [:]

    /// Whether a value that stands here is masked.
    func hasPlace(at mark: Mark) -> Bool { places[mark] != nil }

    /// Notes a key or a single value that is shown.
    mutating func show(_ node: YAMLNode) {
        if node.usedAt == nil { ends[node.end.line] = max(ends[node.end.line] ?? 1, node.end.column) }
    }

    /// Masks a single value, with the anchor and the tag before it.
    mutating func hide(_ node: YAMLNode, after key: YAMLNode?) {
        show(node)
        if places[node.start] != nil { return }
        var start = node.start
        if let key, node.usedAt == nil, key.end.line == start.line {
            start.column = min(start.column, key.end.column + 2)
        }
        places[node.start] = Place(start: start, end: max(node.end, start))
    }

    /// Masks what follows a colon within a key: `token:abc` lacks the blank that would make it a key and a value.
    mutating func hideTail(ofKey key: YAMLNode) {
        guard let name = key.scalar?.text, let colon = name.firstIndex(of: ":"), key.usedAt == nil else { return }
        var start = key.start
        start.column += name[...colon].unicodeScalars.count
        places[start] = Place(start: start, end: max(key.end, start))
    }

    /// The line with `***` for what is masked, and the place of the caret in it.
    func snippet(of line: String, at mark: Mark) -> SourceSnippet {
        let source = Array(line.unicodeScalars)
        var result = MaskedText()
        var index = 0
        for range in ranges(in: mark.line, count: source.count) where range.upperBound > index {
            let range = max(index, range.lowerBound)..<range.upperBound
            result.keep(source, index..<range.lowerBound, caret: mark.column - 1)
            result.mask(source, range, caret: mark.column - 1)
            index = range.upperBound
        }
        let rest = max(index, min((ends[mark.line] ?? 1) - 1, source.count))
        result.keep(source, index..<rest, caret: mark.column - 1)
        // What a comment says, nobody has checked.
        let comment = source[rest...].indices.first {
            source[$0] == "#" && ($0 == 0 || " \t".unicodeScalars.contains(source[$0 - 1]))
        }
        let end = comment ?? source.count
        result.keep(source, rest..<end, caret: mark.column - 1)
        if comment != nil {
            let text = String(String.UnicodeScalarView(source[end...]))
            result.append(LexicalMask.shown(text).text, caret: mark.column > end ? mark.column - end : nil)
        }
        return SourceSnippet(line: result.text, caretColumn: result.caret ?? result.text.unicodeScalars.count + 1)
    }

    private func ranges(in line: Int, count: Int) -> [Range<Int>] {
        places.values.filter { $0.start.line <= line && line <= $0.end.line }.compactMap { place in
            let from = place.start.line == line ? place.start.column - 1 : 0
            let to = place.end.line == line ? min(place.end.column - 1, count) : count
            return from < to ? from..<to : nil
        }.sorted { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
    }
}

/// A line that is made anew, part by part, and where the caret comes to stand.
private struct MaskedText {
    private(set) var text = ""
    /// The column of the caret, from 1; nil until its part is there.
    private(set) var caret: Int?

    /// Takes a part as it is.
    mutating func keep(_ source: [Unicode.Scalar], _ range: Range<Int>, caret: Int) {
        if range.contains(caret) { self.caret = text.unicodeScalars.count + 1 + caret - range.lowerBound }
        text.unicodeScalars.append(contentsOf: source[range])
    }

    /// Adds a text with the caret at a column of it.
    mutating func append(_ part: String, caret: Int?) {
        if let caret { self.caret = text.unicodeScalars.count + min(caret, part.unicodeScalars.count + 1) }
        text += part
    }

    /// Masks a part, but for the references in it.
    mutating func mask(_ source: [Unicode.Scalar], _ range: Range<Int>, caret: Int) {
        let references = Self.references(in: source, range)
        if references.isEmpty { return append("***", over: range, caret: caret) }
        var inner = range
        if let quote = source[range].first, quote == "\"" || quote == "'", source[range].last == quote, range.count > 1
        {
            keep(source, range.lowerBound..<range.lowerBound + 1, caret: caret)
            inner = range.lowerBound + 1..<range.upperBound - 1
        }
        var index = inner.lowerBound
        for reference in references {
            append("***", over: index..<reference.lowerBound, caret: caret)
            keep(source, reference, caret: caret)
            index = reference.upperBound
        }
        append("***", over: index..<inner.upperBound, caret: caret)
        keep(source, inner.upperBound..<range.upperBound, caret: caret)
    }

    private mutating func append(_ mask: String, over range: Range<Int>, caret: Int) {
        if range.isEmpty { return }
        if range.contains(caret) { self.caret = text.unicodeScalars.count + 1 }
        text += mask
    }

    /// Where `{{ … }}` and `${…}` without a default stand.
    private static func references(in source: [Unicode.Scalar], _ range: Range<Int>) -> [Range<Int>] {
        var result: [Range<Int>] = []
        var index = range.lowerBound
        while index < range.upperBound {
            let rest = source[index..<range.upperBound]
            guard let (opening, closing) = Self.marks.first(where: { rest.starts(with: $0.opening.unicodeScalars) }),
                let end = rest.firstRange(of: Array(closing.unicodeScalars))?.upperBound,
                Self.isReference(source[index..<end].dropFirst(opening.unicodeScalars.count))
            else {
                index += 1
                continue
            }
            result.append(index..<end)
            index = end
        }
        return result
    }

    private static let marks = [(opening: "{{", closing: "}}"), (opening: "${", closing: "}")]

    /// A default is a text that the author wrote.
    private static func isReference(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
        !text.contains { $0 == "\"" || $0 == "'" || $0 == "$" } && text.firstRange(of: [":", "-"]) == nil
    }
}
