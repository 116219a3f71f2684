import SluiceJSON
import SluiceMerge
import TestSupport
import Testing

@testable import SluiceModel
@testable import SluicePlans
@testable import SluiceReconcile

/// Digests of stored values, taken where the values lie, and by rules that were written down a second time.
@Suite("Digests of stored values and slow ones agree")
struct StoredDigestTests {
    @Test("Random values of every type, valid or not", arguments: UInt64(1)...20)
    func agree(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let canonical = CanonicalValue()
        for type in FieldType.allCases {
            let values = (0..<120).map { _ in Self.value(type, &random) }
            let row = RowCells(values)
            #expect(row.values == values, "seed \(seed)")
            for (cell, value) in zip(row.cells, values) {
                let comparison = random.pick(FieldComparison.allCases)
                let expected = Self.slowDigest(value, type, comparison)
                let single = canonical.digest(of: value, type: type, comparison: comparison)
                let within = unsafe row.bytes.withUnsafeBytes {
                    unsafe canonical.digest(of: cell, in: $0, type: type, comparison: comparison)
                }
                #expect(single == expected, "seed \(seed): \(type), \(comparison): \(Self.shown(value))")
                #expect(within == expected, "seed \(seed): \(type), \(comparison): \(Self.shown(value))")
            }
        }
    }

    @Test("The hash of a row is that of its values", arguments: UInt64(1)...10)
    func rows(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let fields = FieldType.allCases.map {
            RecordSchema.Field(name: $0.rawValue, column: $0.rawValue, type: $0)
        }
        let record = CanonicalRecord(
            schema: RecordSchema(pipeline: "p", stream: "s", entity: "E", table: "t", fields: fields, keyFields: [0]))
        var hasher = RowHasher(record.schema)
        for _ in 0..<50 {
            let values = FieldType.allCases.map { Self.value($0, &random) }
            #expect(hasher.hash(of: values) == record.rowHash(of: values), "seed \(seed)")
        }
    }

    // MARK: The rules

    private static func slowDigest(_ value: FieldValue, _ type: FieldType, _ comparison: FieldComparison) -> UInt64 {
        if value == .null { return FieldDigest.null }
        if let digest = validDigest(value, type, comparison) { return digest }
        return FieldDigest.contribution(of: KeyHash.valueHash(value), nameDigest: 0x1A7A_11D0_0000_0001)
    }

    private static func validDigest(
        _ value: FieldValue, _ type: FieldType, _ comparison: FieldComparison
    ) -> UInt64? {
        switch (type, value) {
        case (.int, .integer(let value)): return FieldDigest.integer(value)
        case (.bool, .integer(let value)): return (0...1).contains(value) ? FieldDigest.integer(value) : nil
        case (.double, .real(let value)): return FieldDigest.real(value)
        case (.double, .integer(let value)): return Double(exactly: value).map(FieldDigest.real)
        case (.string, .text(let text)), (.url, .text(let text)), (.enumeration, .text(let text)):
            return unsafe text.withUnsafeBytes { text in
                unsafe comparison == .ignoringCase ? FieldDigest.ignoringCase(text) : FieldDigest.text(text)
            }
        case (.bytes, .blob(let blob)): return unsafe blob.withUnsafeBytes { unsafe FieldDigest.blob($0) }
        case (.decimal, .integer(let value)): return FieldDigest.text(Array(String(value).utf8))
        case (.decimal, .text(let text)):
            return DecimalText.normalized(String(decoding: text, as: UTF8.self)).map {
                FieldDigest.text(Array($0.utf8))
            }
        case (.json, .text(let text)):
            let parser = JSONParser()
            guard let element = try? unsafe parser.parse(text) else { return nil }
            return element.isNull ? FieldDigest.null : CanonicalValue.jsonDigest(element, comparison: comparison)
        case (.uuid, .text(let text)):
            return hyphenatedUUID(String(decoding: text, as: UTF8.self)).map { uuid in
                FieldDigest.text(uuid.map { $0 > 0x40 ? $0 | 0x20 : $0 })
            }
        case (.date, .text(let text)):
            return unsafe text.withUnsafeBytes { unsafe Timestamp(date: $0) } == nil ? nil : FieldDigest.text(text)
        case (.datetime, .text(let text)):
            guard let moment = unsafe text.withUnsafeBytes({ unsafe Timestamp(rfc3339: $0) }) else { return nil }
            return FieldDigest.text(Array(moment.text(.rfc3339).utf8))
        default: return nil
        }
    }

    /// The text of a UUID with hyphens, whether it has them or not; nil for another text.
    private static func hyphenatedUUID(_ text: String) -> [UInt8]? {
        let parted = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parted.count == 1 || parted.map(\.utf8.count) == [8, 4, 4, 4, 12] else { return nil }
        let digits = Array(parted.joined().utf8)
        guard digits.count == 32, parted.joined().allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return nil }
        let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { digits[$0] }
        return Array(parts.joined(separator: [UInt8(ascii: "-")]))
    }

    // MARK: Values

    private static func value(_ type: FieldType, _ random: inout SeededGenerator) -> FieldValue {
        if random.chance(8) { return anything(&random) }
        switch type {
        case .int, .bool: return .integer(Int64.random(in: -2...3, using: &random))
        case .double: return .real(random.pick([0, -0.0, 1.5, 1e300, -2.25, 3]))
        case .bytes: return .blob(Array(words(&random).utf8))
        case .string, .url, .enumeration: return FieldValue(words(&random))
        case .uuid: return FieldValue(uuid(&random))
        case .decimal: return FieldValue(decimal(&random))
        case .date: return FieldValue(date(&random))
        case .datetime: return FieldValue(moment(&random))
        case .json: return FieldValue(random.chance(60) ? integers(&random) : json(&random))
        }
    }

    private static func anything(_ random: inout SeededGenerator) -> FieldValue {
        random.pick([
            .null, .integer(Int64.random(in: .min ... .max, using: &random)), .real(0.1), .blob([0, 255]), .text([]),
            .text([0xFF, 0xC0]), FieldValue(words(&random)), FieldValue("[]"), FieldValue("null"),
        ])
    }

    private static func words(_ random: inout SeededGenerator) -> String {
        let count = Int.random(in: 0...12, using: &random)
        return (0..<count).map { _ in random.pick(["a", "B", "é", "É", " ", "Straße", "0", "\n"]) }.joined()
    }

    private static func uuid(_ random: inout SeededGenerator) -> String {
        let digits = "0123456789abcdef" + (random.chance(40) ? "ABCDEF" : "")
        let text = (0..<32).map { _ in String(random.pick(Array(digits))) }
        let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { text[$0].joined() }
        return parts.joined(separator: random.pick(["-", "-", "", "@"]))
    }

    private static func decimal(_ random: inout SeededGenerator) -> String {
        var text = random.pick(["", "", "-", "+", "--"])
        text += random.pick(["0", "00", "7", "12", "100", "1000000", "123456789012345678901234567890", ""])
        text += random.pick(["", "", ".", ".0", ".5", ".25", ".250", ".00000000000000000000000000000000000000000001"])
        return text + random.pick(["", "", "", "e3", "E-2", "e", " "])
    }

    private static func date(_ random: inout SeededGenerator) -> String {
        let year = random.pick(["2026", "0000", "9999", "1900", "2000", "202", "20x6"])
        let month = random.pick(["01", "02", "06", "12", "13", "00", "1"])
        return "\(year)-\(month)-" + random.pick(["01", "28", "29", "30", "31", "32", "00", "5"])
    }

    private static func moment(_ random: inout SeededGenerator) -> String {
        let time = random.pick(["00:00:00", "23:59:59", "12:30:60", "24:00:00", "12:00", "7:00:00", "12:60:00"])
        let fraction = random.pick(["", "", ".", ".5", ".50", ".000", ".123456", ".12a", ".0000000001"])
        return date(&random) + random.pick(["T", "T", "T", "t", " ", ""]) + time + fraction
            + random.pick(["Z", "Z", "Z", "z", "+02:00", "-00:00", "", "ZZ"])
    }

    /// Sets of integers as they are stored, and what only looks like one.
    private static func integers(_ random: inout SeededGenerator) -> String {
        let count = Int.random(in: 0...6, using: &random)
        var numbers = (0..<count).map { _ in Int64.random(in: -20...120, using: &random) }
        if random.chance(60) { numbers = Array(Set(numbers)).sorted() }
        var parts = numbers.map { "\($0)" }
        if random.chance(10) { parts.append(random.pick(["-0", "007", "1.0", "1e1", "9223372036854775807", "", "-"])) }
        let text = parts.joined(separator: random.chance(90) ? "," : ", ")
        return random.chance(95) ? "[\(text)]" : "[\(text)"
    }

    private static func json(_ random: inout SeededGenerator) -> String {
        random.pick([
            "null", #"{"b":1,"a":[1.50,"x"]}"#, #"{"a":[1.5,"x"],"b":1.0}"#, #"["b","a","b"]"#, "[[1],[2],[1]]", "7",
            #""text""#, "{", "[1,null]", #"["é"]"#, "\u{FEFF}[1]", "",
        ])
    }

    private static func shown(_ value: FieldValue) -> String {
        if case .text(let text) = value { return String(decoding: text, as: UTF8.self) }
        return "\(value)"
    }
}
