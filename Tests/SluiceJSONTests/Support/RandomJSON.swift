import TestSupport

/// Writes random JSON texts with all that the grammar allows.
struct RandomJSON {
    var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

    mutating func document(depth: Int = 5) -> String { space() + value(depth: depth) + space() }

    mutating func array(count: Int, depth: Int = 3) -> String {
        var elements: [String] = []
        for _ in 0..<count { elements.append(document(depth: depth)) }
        return "[" + (elements.isEmpty ? space() : elements.joined(separator: ",")) + "]"
    }

    mutating func value(depth: Int) -> String {
        switch below(depth > 0 ? 9 : 6) {
        case 0: return ["null", "true", "false"][below(3)]
        case 1, 2: return number()
        case 3, 4, 5: return string()
        case 6: return array(count: below(5), depth: depth - 1)
        default:
            var members: [String] = []
            for _ in 0..<below(6) { members.append(space() + string() + space() + ":" + document(depth: depth - 1)) }
            return "{" + (members.isEmpty ? space() : members.joined(separator: ",")) + "}"
        }
    }

    private mutating func space() -> String {
        below(4) > 0 ? "" : [" ", "\n", "\t", "\r\n", "  \n    ", String(repeating: " ", count: 70)][below(6)]
    }

    private mutating func number() -> String {
        let tokens = [
            "0", "-0", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
            "1e5", "1E+400", "-2.5e-3", "0.0", "123456789012345678901234567890", "18446744073709551616",
        ]
        switch below(4) {
        case 0: return tokens[below(tokens.count)]
        case 1: return "\(below(2000) - 1000).\(below(1000))"
        default: return String(Int64(truncatingIfNeeded: generator.next()) >> Int64(below(64)))
        }
    }

    private mutating func string() -> String {
        let pieces = [
            "a", "name", "id", "[{", "}]", "\\\"", "\\\\", "\\/", "\\n", "\\u0041", "\\u00e9", "\\ud83d\\ude80", "é",
            "日本", "🚀", "\\u0000", " ", ",", ":", "\u{7F}", "\u{10FFFF}", "a much longer piece of plain text",
        ]
        var text = "\""
        for _ in 0..<below(6) { text += pieces[below(pieces.count)] }
        return text + "\""
    }
}
