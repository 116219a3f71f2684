import SluiceJSON
import SluicePipeline
import TestSupport
import Testing

@testable import SluiceModel

/// Random records, decoded by the decoder and by rules that were written down a second time.
@Suite("The decoder and a slow one agree")
struct DecodePropertyTests {
    private static func fields() throws -> [FieldDefinition] {
        try [
            field("id", .int), field("text"), field("count", .int, from: "stats.count"),
            field("ratio", .double, from: "stats.ratio"), field("price", .decimal), field("flag", .bool),
            field("link", .url, from: "links[0].href"), field("code", .uuid), field("day", .date),
            field("at", .datetime),
            field("epoch", .datetime, from: "stats.epoch", format: "unix"),
            field("kind", .enumeration, values: ["a", "b", "é"]),
            field("extra", .json), field("whole", .json, from: "stats"), field("second", from: "links[1].href"),
            field("a_member_with_a_long_name_1", .int), field("a_member_with_a_long_name_2", .int),
        ]
    }

    @Test("Random records", arguments: UInt64(1)...40)
    func agree(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let fields = try Self.fields()
        let records = (0..<60).map { _ in Self.record(&random, fields) }
        let text =
            "[" + records.map { Self.written($0, &random) }.joined(separator: random.pick([",", " ,\n", ",\t"])) + "]"
        let decoding = Decoding(fields: fields, key: ["id"])
        let outcomes = try decoding.all(text)
        #expect(outcomes.count == records.count, "seed \(seed)")
        for (record, outcome) in zip(records, outcomes) {
            let expected = Self.expectation(record, fields)
            #expect(outcome == expected, "seed \(seed): \(record.compact)")
            if outcome != expected { return }
        }
    }

    /// What the slow way makes of a record: fields in their order, the first that fails decides.
    private static func expectation(_ record: Tree, _ fields: [FieldDefinition]) -> Decoded {
        var values: [FieldValue?] = []
        for field in fields {
            guard case .path(let path) = field.origin else { continue }
            let steps = path.text.replacing("[", with: ".").replacing("]", with: "")
            let pointer = "/" + steps.replacing(".", with: "/")
            guard let tree = record.at(steps) else {
                if field.name == "id" { return .refused(reason: "missing_key", pointer: pointer, value: nil) }
                values.append(nil)
                continue
            }
            if tree == .null {
                if field.name == "id" { return .refused(reason: "missing_key", pointer: pointer, value: "null") }
                values.append(.null)
            } else if let value = slowValue(tree, type: field.type, values: field.values, format: field.format) {
                values.append(value)
            } else {
                var reason = "type_mismatch"
                if field.type == .enumeration {
                    switch tree {
                    case .string, .number: reason = "not_allowed"
                    default: break
                    }
                }
                return .refused(reason: reason, pointer: pointer, value: tree.compact)
            }
        }
        return .values(values)
    }

    // MARK: Random records

    private static func record(_ random: inout SeededGenerator, _ fields: [FieldDefinition]) -> Tree {
        var members: [Tree.Member] = []
        func add(_ name: String, _ value: Tree, to members: inout [Tree.Member]) {
            members.append(Tree.Member(name: name, value: value))
        }
        var stats: [Tree.Member] = []
        var links: [Tree] = []
        for field in fields {
            guard case .path(let path) = field.origin, !random.chance(12) else { continue }
            let value =
                random.chance(5) ? .null : random.chance(2) ? anything(&random, depth: 2) : fitting(field, &random)
            let steps = path.text.split(separator: ".").map(String.init)
            if steps[0].hasPrefix("links") {
                links.append(.object([Tree.Member(name: "href", value: value)]))
            } else if steps.count == 2 {
                add(steps[1], value, to: &stats)
            } else if field.name != "whole" {
                add(field.name, value, to: &members)
            }
        }
        if random.chance(90) { add("stats", .object(stats), to: &members) }
        if random.chance(90) { add("links", .array(links), to: &members) }
        for _ in 0..<Int.random(in: 0...5, using: &random) {
            add(
                random.pick(["x", "idd", "i", "", "stats2", "a_member_with_a_long_name_3", "tëxt"]),
                anything(&random, depth: 3), to: &members)
        }
        if random.chance(5) { for index in 0..<70 { add("noise\(index)", .bool(true), to: &members) } }
        members.shuffle(using: &random)
        if random.chance(10), let again = members.randomElement(using: &random) {
            members.append(Tree.Member(name: again.name, value: anything(&random, depth: 2)))
        }
        return .object(members)
    }

    private static func fitting(_ field: FieldDefinition, _ random: inout SeededGenerator) -> Tree {
        let number = number(&random)
        switch field.type {
        case .int, .double:
            if field.name == "id" || random.chance(70) {
                return .number(String(Int64.random(in: -99...99999, using: &random)))
            }
            return random.chance(80) ? .number(number) : .string(number)
        case .decimal: return random.chance(50) ? .number(number) : .string(number)
        case .string: return random.chance(90) ? .string(text(&random)) : .number(number)
        case .bool: return .bool(random.chance(50))
        case .url: return .string(random.pick(["https://a.example/x?y=1", "ftp://B/", "git+ssh://é.example"]))
        case .uuid:
            let hex = (0..<32).map { _ in random.pick(Array("0123456789abcdefABCDEF")) }
            let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(hex[$0]) }
            return .string(parts.joined(separator: "-"))
        case .date: return .string(day(&random))
        case .datetime:
            if field.format == "unix" {
                return .number(String(Int64.random(in: -70_000_000_000...300_000_000_000, using: &random)))
            }
            let clock = "\(two(&random, 0...24)):\(two(&random, 0...60)):\(two(&random, 0...60))"
            let fraction = random.pick(["", ".0", ".5", ".250", ".123456789"])
            return .string("\(day(&random))T\(clock)\(fraction)\(random.pick(["Z", "+01:00", "-11:30", "+23:59", ""]))")
        case .enumeration: return .string(random.pick(["a", "b", "é", "a", "b", "c"]))
        case .json, .bytes: return anything(&random, depth: 3)
        }
    }

    private static func two(_ random: inout SeededGenerator, _ range: ClosedRange<Int>) -> String {
        let value =
            random.chance(97) ? Int.random(in: range.lowerBound..<range.upperBound, using: &random) : range.upperBound
        return (value < 10 ? "0" : "") + String(value)
    }

    private static func day(_ random: inout SeededGenerator) -> String {
        let year = String(Int.random(in: 1000...9999, using: &random))
        return "\(year)-\(two(&random, 1...13))-\(random.chance(95) ? two(&random, 1...29) : two(&random, 1...32))"
    }

    private static func number(_ random: inout SeededGenerator) -> String {
        var text = random.chance(30) ? "-" : ""
        text += random.pick([
            "0", "1", "12", "9007199254740993", "9223372036854775807", "9223372036854775808", "7", "100",
        ])
        if random.chance(40) { text += "." + random.pick(["0", "5", "10", "000", "125", "0000000000000000000001"]) }
        if random.chance(25) {
            text +=
                random.pick(["e", "E"]) + random.pick(["", "+", "-"]) + random.pick(["0", "1", "2", "05", "20", "300"])
        }
        return text
    }

    private static func text(_ random: inout SeededGenerator) -> String {
        let parts = [
            "", "a", "é", "e\u{301}", "😀", "\n", "\"", "\\", "/", "\u{0}", "\u{1F}", "日本", "0123456789abcdef0123456789",
        ]
        return (0..<Int.random(in: 0...6, using: &random)).map { _ in random.pick(parts) }.joined()
    }

    private static func anything(_ random: inout SeededGenerator, depth: Int) -> Tree {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &random) {
        case 0: return .null
        case 1: return .bool(random.chance(50))
        case 2: return .number(number(&random))
        case 3, 4: return .string(text(&random))
        case 5:
            return .array((0..<Int.random(in: 0...3, using: &random)).map { _ in anything(&random, depth: depth - 1) })
        default:
            return .object(
                (0..<Int.random(in: 0...4, using: &random)).map { index in
                    Tree.Member(name: text(&random) + "\(index)", value: anything(&random, depth: depth - 1))
                })
        }
    }

    /// The record with white space and escapes wherever JSON allows them.
    private static func written(_ tree: Tree, _ random: inout SeededGenerator) -> String {
        let blank = random.chance(80) ? "" : random.pick([" ", "\n", "\t ", "\r\n"])
        switch tree {
        case .null, .bool, .number: return blank + tree.compact + blank
        case .string(let text): return blank + escaped(text, &random) + blank
        case .array(let elements):
            return blank + "[" + elements.map { written($0, &random) }.joined(separator: ",") + "]" + blank
        case .object(let members):
            let texts = members.map { escaped($0.name, &random) + blank + ":" + written($0.value, &random) }
            return blank + "{" + texts.joined(separator: ",") + "}" + blank
        }
    }

    private static func escaped(_ text: String, _ random: inout SeededGenerator) -> String {
        if random.chance(80) { return Tree.quoted(text) }
        return "\""
            + text.utf16.map { unit in
                let digits = String(unit, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }.joined() + "\""
    }
}
