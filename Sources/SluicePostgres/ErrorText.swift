/// What may be shown of the words of libpq and of the server.
enum ErrorText {
    /// One line of what may be several: those that follow explain at length, or quote values.
    static func line(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).first ?? ""
        let words = line.hasPrefix("ERROR:") || line.hasPrefix("FATAL:") ? line.dropFirst(6) : line
        return trimmed(words)
    }

    /// The lines of a text, the first ones of many.
    static func lines(_ text: String) -> [String] {
        let lines = text.split(whereSeparator: \.isNewline).map { trimmed($0) }
        return lines.count > 5 ? lines.prefix(5) + ["and \(lines.count - 5) more"] : lines
    }

    /// The innermost function that the context of an error names; nil where it names none.
    ///
    /// Its lines are as `PL/pgSQL function note_change() line 3 at SQL statement` and `SQL function "total" statement 1`; in other
    /// languages the words stand in another order, and the name of the language and that of the function are the same.
    static func routine(of context: String) -> String? {
        context.split(whereSeparator: \.isNewline).lazy.compactMap { line in
            if let match = line.wholeMatch(of: /PL\/\w+ function (.+?\))(?: line \d+.*)?/) { return String(match.1) }
            if line.contains("PL/"), let match = line.firstMatch(of: /[A-Za-z_"][A-Za-z0-9_$."]*\([^()]*\)/) {
                return String(match.output)
            }
            return line.wholeMatch(of: /SQL function "(.+)" (?:statement|during).*/).map { "\($0.1)()" }
        }.first
    }

    /// Whether the innermost function that the context of an error names said so itself.
    ///
    /// That line is as `PL/pgSQL function note_change() line 3 at RAISE`; where the language has these words in another order, the
    /// server's own source tells.
    ///
    /// - Parameters:
    ///   - context: The context.
    ///   - origin: The function of the server's source that reported it.
    /// - Returns: Whether it did.
    static func isRaised(in context: String, by origin: String?) -> Bool {
        if origin == "exec_stmt_raise" || origin == "exec_stmt_assert" { return true }
        guard let line = context.split(whereSeparator: \.isNewline).first, line.contains("PL/") else { return false }
        return line.hasSuffix("RAISE") || line.hasSuffix("ASSERT")
    }

    /// A server's message without the value that it may end with: `invalid input syntax for type uuid: "…"`.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - code: Its code; errors about data are those that quote values.
    /// - Returns: The message up to the value; where it begins with that, as in some languages, its code alone.
    static func withoutValue(_ message: String, _ code: PostgresError.Code) -> String {
        guard code.family == "22" else { return message }
        let kept = withoutQuoted(message)
        return kept.isEmpty ? code.rawValue : kept
    }

    /// The marks that begin a quotation, in the languages of messages.
    private static let quotes: Set<Character> = ["\"", "«", "»", "“", "”", "„", "‚", "‘", "「", "『"]

    /// A message up to the first thing that it quotes.
    static func withoutQuoted(_ message: String) -> String {
        var kept = Substring(message).prefix { !quotes.contains($0) }
        while let last = kept.last, last == ":" || last == " " || last == "(" { kept = kept.dropLast() }
        return trimmed(kept)
    }

    /// A text without any of some secrets.
    static func redacted(_ text: String, _ secrets: [String]) -> String {
        // The longest first: one may be a part of another.
        var parts: [Piece] = [.text(text[...])]
        for secret in Set(secrets).sorted(by: { ($0.utf8.count, $0) > ($1.utf8.count, $1) }) where !secret.isEmpty {
            parts = parts.flatMap { $0.split(by: secret) }
        }
        return parts.map(\.shown).joined()
    }

    private enum Piece {
        case text(Substring)
        case secret

        var shown: Substring {
            switch self {
            case .text(let text): text
            case .secret: "***"
            }
        }

        func split(by secret: String) -> [Piece] {
            guard case .text(let text) = self else { return [self] }
            let bytes = Array(text.utf8)
            let wanted = Array(secret.utf8)
            var pieces: [Piece] = []
            var start = 0
            var index = 0
            while index + wanted.count <= bytes.count {
                guard bytes[index..<index + wanted.count].elementsEqual(wanted) else {
                    index += 1
                    continue
                }
                pieces.append(.text(Substring(decoding: bytes[start..<index], as: UTF8.self)))
                pieces.append(.secret)
                index += wanted.count
                start = index
            }
            pieces.append(.text(Substring(decoding: bytes[start...], as: UTF8.self)))
            return pieces
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text = text.dropLast() }
        return String(text)
    }
}
