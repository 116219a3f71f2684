import SluicePipeline
import Testing

@testable import SluiceModel
@testable import SluiceReport

/// The key that is made of a record's values.
@Suite("A key made of the content")
struct ContentKeyTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let fields: @Sendable () throws -> [FieldDefinition]
        let one: String
        let other: String
        let areAlike: Bool
        var testDescription: String { name }

        init(
            _ name: String, _ one: String, _ other: String, areAlike: Bool,
            fields: @escaping @Sendable () throws -> [FieldDefinition] = { [try field("a"), try field("b")] }
        ) {
            self.name = name
            self.fields = fields
            self.one = one
            self.other = other
            self.areAlike = areAlike
        }

        /// Two values of one field.
        init(_ name: String, _ type: FieldType, _ one: String, _ other: String, areAlike: Bool) {
            self.init(name, "{\"a\":\(one)}", "{\"a\":\(other)}", areAlike: areAlike) { [try field("a", type)] }
        }

        /// Two values of one field that compares in its own way.
        init(_ comparison: FieldComparison, _ type: FieldType, _ one: String, _ other: String, areAlike: Bool) {
            self.init(
                "compare \(comparison.rawValue): \(one) and \(other)", "{\"a\":\(one)}", "{\"a\":\(other)}",
                areAlike: areAlike
            ) {
                var compared = try field("a", type)
                compared.comparison = comparison
                return [compared]
            }
        }

        /// Two values of one redacted field beside another one.
        init(_ redaction: FieldRedaction, areAlike: Bool) {
            self.init(
                "redact \(redaction.rawValue)", #"{"a":"joe@example.com","b":"x"}"#,
                #"{"a":"amy@example.com","b":"x"}"#, areAlike: areAlike
            ) {
                var redacted = try field("a")
                redacted.redaction = redaction
                return [redacted, try field("b")]
            }
        }
    }

    static let cases = [
        Case("the same", #"{"a":"x","b":"y"}"#, #"{"a":"x","b":"y"}"#, areAlike: true),
        Case("another order of members", #"{"a":"x","b":"y"}"#, #"{"b":"y","a":"x"}"#, areAlike: true),
        Case("another value", #"{"a":"x","b":"y"}"#, #"{"a":"x","b":"z"}"#, areAlike: false),
        Case("the values the other way round", #"{"a":"x","b":"y"}"#, #"{"a":"y","b":"x"}"#, areAlike: false),
        Case("one text in another field", #"{"a":"x"}"#, #"{"b":"x"}"#, areAlike: false),
        Case("the border between texts moved", #"{"a":"xy","b":"z"}"#, #"{"a":"x","b":"yz"}"#, areAlike: false),
        Case("null and absent", #"{"a":"x","b":null}"#, #"{"a":"x"}"#, areAlike: true),
        Case("null and an empty text", #"{"a":"x","b":null}"#, #"{"a":"x","b":""}"#, areAlike: false),
        Case("a key that no field takes", #"{"a":"x","z":1}"#, #"{"a":"x","z":2}"#, areAlike: true),
        Case("int: 1.0 and 1", .int, "1.0", "1", areAlike: true),
        Case("int: text and number", .int, #""12""#, "12", areAlike: true),
        Case("int: neighbours beyond 2^53", .int, "9007199254740993", "9007199254740992", areAlike: false),
        Case("bool", .bool, "true", "false", areAlike: false),
        Case("double: the zeros", .double, "0.0", "-0.0", areAlike: true),
        Case("double: 1 and 1.0", .double, "1", "1.0", areAlike: true),
        Case("decimal: 1.50 and 1.5", .decimal, "1.50", #""1.5""#, areAlike: true),
        Case("decimal: 1.5 and 1.6", .decimal, "1.5", "1.6", areAlike: false),
        Case(
            "datetime: two spellings of one moment", .datetime, #""2026-01-31T12:00:00Z""#,
            #""2026-01-31T13:00:00.000+01:00""#, areAlike: true),
        Case(
            "uuid: capital letters", .uuid, #""9B2F1F6E-8C1E-4A3F-9F53-0A4F4E1F6C11""#,
            #""9b2f1f6e-8c1e-4a3f-9f53-0a4f4e1f6c11""#, areAlike: true),
        Case("json: another order", .json, #"{"x":1,"y":[1,2]}"#, #"{ "y": [1, 2], "x": 1.0 }"#, areAlike: true),
        Case("json: another order of a list", .json, "[1,2]", "[2,1]", areAlike: false),
        Case("bytes", .bytes, #""aGk=""#, #""aGo=""#, areAlike: false),
        Case("string: capital letters", .string, #""Dune""#, #""DUNE""#, areAlike: false),
        Case("string: a number and its text", .string, "12", #""12""#, areAlike: true),
        Case(.ignoringCase, .string, #""École""#, #""ÉCOLE""#, areAlike: true),
        Case(.set, .json, #"["a","b"]"#, #"["b","a","a"]"#, areAlike: true),
        Case(.set, .json, #"["a","b"]"#, #"["a"]"#, areAlike: false),
        Case(.json, .json, #"{"x":1,"y":2}"#, #"{"y":2,"x":1}"#, areAlike: true),
        // What is redacted must not be told by the key either.
        Case(.drop, areAlike: true),
        Case(.mask, areAlike: true),
        Case(.hash, areAlike: false),
    ]

    private static let key = FieldDefinition(name: "_key", column: "_key", origin: .content)

    private static func decode(_ fields: [FieldDefinition], _ json: String) throws -> Decoded? {
        try Decoding(fields: [key] + fields, key: ["_key"]).one(json)
    }

    @Test("Values are alike or not", arguments: cases)
    func alike(_ example: Case) throws {
        let fields = try example.fields()
        let one = try #require(try Self.decode(fields, example.one)?.values.first ?? nil)
        let other = try #require(try Self.decode(fields, example.other)?.values.first ?? nil)
        #expect((one == other) == example.areAlike, "\(one) \(other)")
    }

    /// Stores are full of them, so they stay as they are.
    @Test func theKeyIsTheSameForEver() throws {
        let fields = [try field("id", .int), try field("title")]
        let values = try Self.decode(fields, #"{"id":7,"title":"Dune"}"#)?.values
        #expect(values?.first == FieldValue("508fbf8bd74573bcdab04745058b2e91"))
    }

    @Test func neitherTheOrderOfFieldsNorANewOneChangesIt() throws {
        let record = #"{"a":"x","b":"y"}"#
        let (a, b) = (try field("a"), try field("b"))
        let key = try #require(try Self.decode([a, b], record)?.values.first ?? nil)
        #expect(try Self.decode([b, a], record)?.values.first == key)
        #expect(try Self.decode([a, try field("new"), b], record)?.values.first == key)
    }

    @Test(arguments: ["{}", #"{"a":null,"z":1}"#])
    func whatHasNoValueCannotBeToldFromOthers(record: String) throws {
        let decoding = Decoding(fields: [Self.key, try field("a"), try field("b")], key: ["_key"])
        let (outcomes, failures, batch) = try decoding.batch(of: "[\(record),{\"a\":\"x\"}]")
        #expect(outcomes.first == .refused(reason: "missing_key", pointer: "", value: nil))
        #expect(failures.first?.message.contains("None of the fields has a value") == true)
        #expect(failures.first?.key == nil)
        // Nothing of it stays behind.
        #expect(batch.count == 1)
        #expect(batch.cells.count == 3)
        #expect(batch.value(record: 0, field: 1) == FieldValue("x"))
    }
}
