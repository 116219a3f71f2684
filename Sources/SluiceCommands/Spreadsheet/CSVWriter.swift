internal import SluiceJSON

/// Rows of text as a spreadsheet reads them. See: RFC 4180
enum CSVWriter {
    /// One row with its line break.
    static func row(_ cells: [String]) -> String { cells.map(cell).joined(separator: ",") + "\r\n" }

    private static func cell(_ text: String) -> String {
        let text = SpreadsheetText.guarded(text)
        let isPlain = text.utf8.allSatisfy { !",;\"\r\n\t".utf8.contains($0) }
        if isPlain && text.first != " " && text.last != " " { return text }
        return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}

/// What keeps a spreadsheet from computing what a source or a person wrote.
enum SpreadsheetText {
    /// Text that begins like a formula gets an apostrophe in front, and so does what would lose one on the way back. A
    /// negative number is no formula.
    static func guarded(_ text: String) -> String { isFormula(text) && !isNumber(text) ? "'" + text : text }

    /// A value as people write it: a string without quotes, unless it would be read as something else then.
    static func cell(_ json: String?) -> String {
        guard let json else { return "" }
        guard let text = (try? JSONDocument(json))?.root.string else { return json }
        return text.isEmpty || text == "null" || text.hasPrefix("\"") ? json : text
    }

    /// The text without the apostrophe that ``guarded(_:)`` put there.
    static func unguarded(_ text: String) -> String {
        text.hasPrefix("'") && isFormula(text.dropFirst()) ? String(text.dropFirst()) : text
    }

    private static func isNumber(_ text: String) -> Bool {
        text.utf8.allSatisfy { "0123456789-+.eE".utf8.contains($0) } && text.hasPrefix("-") && Double(text) != nil
    }

    private static func isFormula(_ text: some StringProtocol) -> Bool {
        text.utf8.first { $0 != UInt8(ascii: "'") }.map { "=+-@\t\r".utf8.contains($0) } ?? false
    }
}
