import SluiceDecode
import SluiceModel
import Testing

/// Which values a column of a type can hold: what people wrote, or a source said of the type of before, may be none.
@Suite("Values that are of their type")
struct StoredValidityTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let type: FieldType
        /// Values that the type has.
        let valid: [FieldValue]
        /// Values that it does not have.
        let invalid: [FieldValue]
        var testDescription: String { type.rawValue }
    }

    private static let texts = ["", "x", "n/a"].map { FieldValue.text(Array($0.utf8)) }
    private static func all(_ texts: String...) -> [FieldValue] { texts.map { .text(Array($0.utf8)) } }

    static let cases = [
        Case(type: .string, valid: texts + all("7"), invalid: [.integer(7), .real(1.5), .blob([1])]),
        Case(type: .url, valid: all("https://a.example/b"), invalid: [.integer(7)]),
        Case(type: .enumeration, valid: texts, invalid: [.integer(7)]),
        Case(type: .int, valid: [.integer(7), .integer(.min)], invalid: texts + all("7") + [.real(7), .blob([7])]),
        Case(type: .double, valid: [.real(1.5), .integer(7)], invalid: texts + all("1.5")),
        Case(type: .bool, valid: [.integer(0), .integer(1)], invalid: [.integer(2)] + all("true")),
        Case(
            type: .decimal, valid: all("1.10", "-7", "1e3") + [.integer(7)],
            invalid: texts + all("--1", "1.2.3", "e") + [.real(1.5)]),
        Case(
            type: .date, valid: all("2026-02-28"),
            invalid: texts + all("2026-13-01", "2026-02-30", "2026-02-28T00:00:00Z") + [.integer(12)]),
        Case(
            type: .datetime, valid: all("2026-02-28T01:02:03Z", "2026-02-28T01:02:03.5Z"),
            invalid: texts + all("2026-02-28", "THE QUICK BROWN FOX Z") + [.integer(12)]),
        Case(
            type: .uuid,
            valid: all("6f9619ff-8b86-d011-b42d-00cf4fc964ff", "6F9619FF8B86D011B42D00CF4FC964FF"),
            invalid: texts + all("6f9619ff-8b86-d011-b42d-00cf4fc964fg", "123456789012345678901234567890123456")),
        Case(type: .json, valid: all("{\"a\":1}", "[1]", "7", "\"x\""), invalid: texts + all("{") + [.integer(7)]),
        Case(type: .bytes, valid: [.blob([]), .blob([0, 255])], invalid: texts + [.integer(7)]),
    ]

    @Test("All types are in the table")
    func isWhole() { #expect(Set(Self.cases.map(\.type)) == Set(FieldType.allCases)) }

    @Test("A column holds what its type has, and null", arguments: cases)
    func isHeld(_ test: Case) {
        let field = RecordSchema.Field(name: "f", column: "f", type: test.type)
        #expect(field.canHold(.null))
        for value in test.valid { #expect(field.canHold(value), "\(value)") }
        for value in test.invalid { #expect(!field.canHold(value), "\(value)") }
    }

    /// Two spellings of one value are the same, and a value that is none of the type is the same as none that is.
    @Test("What is no value of a type has a digest that no value has", arguments: cases)
    func isTold(_ test: Case) {
        let canonical = CanonicalValue()
        func digests(_ values: [FieldValue]) -> Set<UInt64> {
            Set(values.map { canonical.digest(of: $0, type: test.type, comparison: .exact) })
        }
        #expect(digests(test.valid).isDisjoint(with: digests(test.invalid)))
    }

    /// What a source says, and texts that are the same or none in their types, but are not written so.
    static let spellings: [(type: FieldType, said: [String], others: [String])] = [
        (
            .datetime, [#""2026-02-28T01:02:03+01:00""#, #""2024-02-29T00:00:00.1200Z""#],
            ["2026-02-28T01:02:03+01:00", "2026-02-28t01:02:03Z", "2026-02-28", "soon"]
        ),
        (.date, [#""2026-02-28""#], ["2026-02-30", "2026-02-28T00:00:00Z"]),
        (
            .uuid, [#""6F9619FF8B86D011B42D00CF4FC964FF""#],
            ["6F9619FF-8B86-D011-B42D-00CF4FC964FF", "6f9619ff8b86d011b42d00cf4fc964ff", ""]
        ),
        (.decimal, ["1e3", "-0.0", "1.10", #""1.50""#], ["1e3", "1E3", "x"]),
        (.json, [#"{"b": [1, 2.50], "a": "\u00e9\/"}"#, #""x""#, "7"], ["{ }", "[1, 2]", "x"]),
    ]

    @Test("What a source says is stored in one spelling of its type", arguments: spellings)
    func isPlain(_ type: FieldType, _ said: [String], _ others: [String]) throws {
        let canonical = CanonicalValue()
        for json in said {
            guard case .text(let text)? = StoredJSON().value(json, type: type) else {
                Issue.record("\(json)")
                continue
            }
            #expect(canonical.isPlain(text, type: type), "\(json)")
        }
        for text in others { #expect(!canonical.isPlain(Array(text.utf8), type: type), "\(text)") }
    }

    @Test("An `enum` holds the values that it lists")
    func listed() {
        var field = RecordSchema.Field(name: "f", column: "f", type: .enumeration)
        field.allowed = [Array("open".utf8)]
        #expect(field.canHold(.text(Array("open".utf8))))
        #expect(!field.canHold(.text(Array("closed".utf8))))
    }

    /// What messages give as an example can be typed as it stands.
    @Test(arguments: FieldType.allCases) func examplesAreValid(_ type: FieldType) {
        guard let example = type.example else { return }
        #expect(StoredJSON().value(typed: example, type: type) != nil)
    }

    /// A text is a value of `json` too, so that only JSON is taken for one: half an object is no text that somebody meant.
    @Test(arguments: [
        (#"{"a":1}"#, true), ("[1]", true), ("null", true), ("5", true), (#""a word""#, true), (#"{"a":"#, false),
        ("a word", false),
        ("", false),
    ])
    func typedJSON(text: String, isValue: Bool) {
        #expect((StoredJSON().value(typed: text, type: .json) != nil) == isValue)
    }
}
