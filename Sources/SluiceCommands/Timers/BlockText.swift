internal import SluiceModel

/// A text as a value of YAML that people read: line by line where YAML keeps it so.
enum BlockText {
    /// The value, from what follows `key: ` on.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - indent: How many blanks stand before its lines, two more than before the key.
    /// - Returns: A block scalar, or a quoted one where a block would change the text.
    static func scalar(_ text: String, indent: Int) -> String {
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0x09, 0x0A, 0x20...0x7E, 0xA0...0x2027, 0x202A...0xD7FF, 0xE000...0xFEFE, 0xFF00...0xFFFD: true
            case 0x1_0000...: true
            default: false
            }
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard isPlain, let last = lines.last, lines.contains(where: { !$0.isEmpty }) else {
            return FieldJSON.quoted(text)
        }
        // What ends without a line break keeps that, and so do blank lines at the end.
        let ending = !last.isEmpty ? "-" : lines.dropLast().last?.isEmpty == true ? "+" : ""
        // Lines that begin with blanks need to be told from the indentation.
        let depth = lines.first { !$0.isEmpty }?.first.map { $0 == " " || $0 == "\t" } == true ? "2" : ""
        let blanks = String(repeating: " ", count: indent)
        let kept = last.isEmpty ? lines.dropLast() : lines[...]
        return "|\(depth)\(ending)\n" + kept.map { $0.isEmpty ? "" : blanks + $0 }.joined(separator: "\n")
    }
}
