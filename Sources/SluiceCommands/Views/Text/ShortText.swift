internal import SluiceDiagnostics

/// Text from outside made short and safe to print.
package enum ShortText {
    /// About how many columns a value may take.
    package static let width = 60

    /// The beginning of a text, its control characters escaped.
    package static func of(_ text: String, width: Int = width) -> String { PrintableText.escape(cut(text, to: width)) }

    /// The beginning of a text, with a mark where something is left out.
    static func cut(_ text: String, to width: Int) -> String {
        guard let end = text.index(text.startIndex, offsetBy: width, limitedBy: text.endIndex), end != text.endIndex
        else { return withoutPiles(text, width) }
        // A string keeps its quote, so that its end is seen.
        let isString = text.hasPrefix("\"") && text.hasSuffix("\"") && width > 4
        let start = String(text.prefix(max(0, width - (isString ? 2 : 1))))
        return withoutPiles(start, width) + (isString ? "…\"" : "…")
    }

    /// A character may have any number of marks on it; no alphabet needs many.
    private static func withoutPiles(_ text: String, _ width: Int) -> String {
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: width * 8, limitedBy: scalars.endIndex),
            end != scalars.endIndex
        else { return text }
        return String(scalars[..<end]) + "…"
    }

    /// Two texts, each cut to where they differ first.
    package static func pair(_ old: String, _ new: String, width: Int = width) -> (old: String, new: String) {
        if isShort(old, width) && isShort(new, width) { return (of(old, width: width), of(new, width: width)) }
        var same = 0
        for (left, right) in zip(old, new) {
            if left != right { break }
            same += 1
        }
        let start = same > width * 2 / 3 ? same - width / 3 : 0
        return (window(old, from: start, width: width), window(new, from: start, width: width))
    }

    private static func window(_ text: String, from start: Int, width: Int) -> String {
        if start == 0 { return of(text, width: width) }
        let rest = text.dropFirst(start)
        let isCut = rest.count >= width
        let end = isCut ? "…" + (text.hasSuffix("\"") ? "\"" : "") : ""
        let quote = text.hasPrefix("\"") ? "\"" : ""
        let shown = withoutPiles(String(rest.prefix(isCut ? width - 4 : width)), width)
        return PrintableText.escape("\(quote)…" + shown + end)
    }

    private static func isShort(_ text: String, _ width: Int) -> Bool {
        text.index(text.startIndex, offsetBy: width, limitedBy: text.endIndex).map { $0 == text.endIndex } ?? true
    }

    /// A text made as wide as a column.
    static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
