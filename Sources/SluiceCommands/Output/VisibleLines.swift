internal import SluiceDiagnostics

/// Lines of text in which everything is seen and nothing acts on a terminal.
enum VisibleLines {
    /// Escapes UTF-8 text, but for the line breaks.
    ///
    /// - Parameters:
    ///   - bytes: The text; it may end within a character.
    ///   - isEnd: Whether nothing follows.
    /// - Returns: The text, and the beginning of a character that ends later.
    static func escaped(_ bytes: [UInt8], isEnd: Bool) -> (text: [UInt8], rest: [UInt8]) {
        let rest = isEnd ? [] : unfinished(bytes)
        let lines = bytes.dropLast(rest.count).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let texts = lines.map { line -> String in
            let isReturned = line.last == UInt8(ascii: "\r")
            let text = PrintableText.escape(String(decoding: isReturned ? line.dropLast() : line, as: UTF8.self))
            return isReturned ? text + "\r" : text
        }
        return (Array(texts.joined(separator: "\n").utf8), rest)
    }

    /// The bytes at the end that begin a character without ending it.
    private static func unfinished(_ bytes: [UInt8]) -> [UInt8] {
        let end = bytes.suffix(3)
        guard let start = end.lastIndex(where: { $0 >= 0xC0 }) else { return [] }
        let length = bytes[start] >= 0xF0 ? 4 : bytes[start] >= 0xE0 ? 3 : 2
        return bytes.endIndex - start < length ? Array(bytes[start...]) : []
    }
}
