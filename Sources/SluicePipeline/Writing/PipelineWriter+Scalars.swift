internal import SluiceJSON

extension PipelineWriter {
    static func size(_ bytes: Int) -> String {
        for (unit, shift) in [("GiB", 30), ("MiB", 20), ("KiB", 10)] where bytes > 0 && bytes % (1 << shift) == 0 {
            return "\(bytes >> shift)\(unit)"
        }
        return "\(bytes)"
    }

    /// A text as a scalar: plain where nothing else could be read from it, else in quotes.
    package static func scalar(_ text: String) -> String {
        let escaped = escapingReferences(text)
        return isPlain(escaped) ? escaped : quoted(escaped)
    }

    /// A text as the key of a mapping, in which references are not replaced.
    package static func key(_ text: String) -> String { isPlain(text) ? text : quoted(text) }

    private static func isPlain(_ text: String) -> Bool {
        guard let first = text.utf8.first, (0x61...0x7A).contains(first | 0x20) || first == UInt8(ascii: "_") else {
            return false
        }
        // What other readers take for something else than text.
        let words: Set<String> = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]
        return !words.contains(text.lowercased())
            && text.utf8.allSatisfy {
                (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || "_-./".utf8.contains($0)
            }
    }

    static func quoted(_ text: String) -> String {
        var json: [UInt8] = []
        JSONWriter.append(text, to: &json)
        // JSON leaves alone what YAML calls not printable: DEL, C1 controls, line separators and the byte order mark.
        return String(decoding: json, as: UTF8.self).unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar.value {
            case 0x7F...0x9F, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
    }

    /// The body of a request on one line; nil for one that is no JSON.
    static func body(_ body: StreamDefinition.Body) -> String? {
        guard case .json(let value) = body else { return nil }
        return "{json: \(json(value))}"
    }

    private static func json(_ value: StreamDefinition.BodyValue) -> String {
        switch value {
        case .literal(let text): text.revealed
        case .text(let text): quoted(escapingReferences(text.revealed))
        case .array(let values): "[" + values.map(json).joined(separator: ", ") + "]"
        case .object(let members):
            "{" + members.map { "\(quoted($0.name)): \(json($0.value))" }.joined(separator: ", ") + "}"
        }
    }

    /// `$$` stands for a `$` where a reference or another `$` would follow.
    static func escapingReferences(_ text: String) -> String {
        let needsEscape = zip(text.utf8, text.utf8.dropFirst()).contains { pair in
            pair.0 == UInt8(ascii: "$") && (pair.1 == UInt8(ascii: "$") || pair.1 == UInt8(ascii: "{"))
        }
        return needsEscape ? text.replacing("$", with: "$$") : text
    }
}
