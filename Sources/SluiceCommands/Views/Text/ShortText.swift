internal import SluiceDiagnostics

/// Text from outside made short and safe to print.
package enum ShortText {
    /// About how many columns a value may take.
    package static let width = 60

    /// The beginning of a text, its control characters escaped.
    package static func of(_ text: String, width: Int = width) -> String { PrintableText.escape(cut(text, to: width)) }

    /// The beginning of a text, with a mark where something is left out.
    static func cut(_ text: String, to width: Int) -> String {
        if fits(text[...], width) { return withoutPiles(text, width) }
        // A string keeps its quote, so that its end is seen.
        let isString = text.hasPrefix("\"") && text.hasSuffix("\"") && width > 4
        let start = String(text[..<end(of: text[...], columns: width - (isString ? 2 : 1))])
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
        if fits(old[...], width) && fits(new[...], width) { return (of(old, width: width), of(new, width: width)) }
        var same = 0
        var sameColumns = 0
        for (left, right) in zip(old, new) {
            if left != right { break }
            same += 1
            sameColumns += columns(left)
        }
        if sameColumns <= width * 2 / 3 { return (of(old, width: width), of(new, width: width)) }
        var start = same
        var kept = 0
        for character in old.prefix(same).reversed() {
            kept += columns(character)
            if kept > width / 3 { break }
            start -= 1
        }
        return (window(old, from: start, width: width), window(new, from: start, width: width))
    }

    private static func window(_ text: String, from start: Int, width: Int) -> String {
        let rest = text.dropFirst(start)
        let isCut = !fits(rest, width - 2)
        let end = isCut ? "…" + (text.hasSuffix("\"") ? "\"" : "") : ""
        let quote = text.hasPrefix("\"") ? "\"" : ""
        let shown = isCut ? rest[..<Self.end(of: rest, columns: width - 4)] : rest
        return PrintableText.escape("\(quote)…" + withoutPiles(String(shown), width) + end)
    }

    // MARK: Columns

    /// How many columns a character takes once what is hidden of it is escaped.
    private static func columns(_ character: Character) -> Int {
        if let byte = character.asciiValue, isPlain(byte) { return 1 }
        return TextWidth.of(PrintableText.escape(String(character)))
    }

    /// Where the longest beginning of a text ends that fits into some columns.
    private static func end(of text: Substring, columns: Int) -> String.Index {
        var free = columns
        return text.firstIndex { character in
            free -= Self.columns(character)
            return free < 0
        } ?? text.endIndex
    }

    private static func fits(_ text: Substring, _ columns: Int) -> Bool {
        if text.utf8.allSatisfy(isPlain) { return text.utf8.count <= columns }
        return end(of: text, columns: columns) == text.endIndex
    }

    /// Whether a byte is a character that takes one column as it is.
    private static func isPlain(_ byte: UInt8) -> Bool { (0x20..<0x7F).contains(byte) }

    /// A text made as wide as a column.
    static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - TextWidth.of(text)))
    }
}
