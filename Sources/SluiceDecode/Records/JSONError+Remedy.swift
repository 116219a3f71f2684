internal import SluiceJSON

extension JSONError {
    /// The place, what is wrong and what to do about it, as sentences.
    package var advice: String { remedy.map { "\(self) \($0)" } ?? description }

    /// The same without what stands at the fault.
    package var plainAdvice: String {
        var plain = self
        plain.found = nil
        return remedy.map { "\(plain) \($0)" } ?? plain.description
    }

    /// What whoever reads the message can do; nil where the message says it.
    private var remedy: String? {
        switch code {
        case .empty: "A list of nothing is `[]`."
        case .html: "Check the URL: the answer may be a login page or an error page."
        case .truncated: "The document was cut off: fetch it again."
        case .unclosedString: "The document was cut off, or the quote is missing."
        case .trailingContent: "For one value per line, set `format: jsonl`; put several documents into one array."
        case .tooDeep: "At most \(JSONParser.defaultMaximumDepth) levels are read."
        case .recordTooLarge: "If such a record is expected, raise `max_record`."
        case .documentTooLarge: "Name the records by a path without filters and negative indexes."
        case .invalidUTF8: "The source must send UTF-8."
        case .controlCharacter: "A line break in a text is written `\\n`, a tab `\\t`."
        case .invalidEscape: "A backslash itself is written `\\\\`."
        case .loneSurrogate: "The source must send both halves of the character, or the character itself."
        case .wrongType: "Check `records` and `format`."
        case .invalidNumber: "Numbers are written as in `-1.5e3`; there is no NaN and no Infinity."
        case .unexpectedCharacter, .invalidLiteral: found.flatMap(Self.remedy)
        default: nil
        }
    }

    /// What the mistakes that are made most look like.
    private static func remedy(for found: String) -> String? {
        // The first byte of UTF-16, or of no text at all.
        if found.hasPrefix("\u{FFFD}") { return "The source must send UTF-8." }
        if found.hasPrefix("/") || found.hasPrefix("#") { return "JSON has no comments." }
        if found.hasPrefix("'") { return "Texts and names must be in double quotes." }
        if found.hasPrefix("]") || found.hasPrefix("}") { return "Remove the comma before it." }
        if found.hasPrefix("{") || found.hasPrefix("[") || found.hasPrefix("\"") { return "A comma may be missing." }
        switch found.lowercased() {
        case "nan", "infinity", "inf", "undefined", "none": return "Write `null` where there is no value."
        case let word where word.first?.isLetter == true: return "Texts and names must be in double quotes."
        default: return "The source must send JSON, see RFC 8259."
        }
    }
}
