import SluicePipeline
import TestSupport
import Testing

@testable import SluiceModel
@testable import SluiceReport

@Suite("Whole records")
struct DecodeRecordTests {
    struct Rule: CustomTestStringConvertible, Sendable {
        let name: String
        let field: FieldDefinition
        let json: String
        let expected: Decoded
        var testDescription: String { name }

        init(_ name: String, _ field: FieldDefinition, _ json: String, _ value: FieldValue?) {
            self.init(name, field, json, decoded: .values([value]))
        }

        init(_ name: String, _ field: FieldDefinition, _ json: String, decoded: Decoded) {
            self.name = name
            self.field = field
            self.json = json
            expected = decoded
        }
    }

    static let missing = Decoded.refused(reason: "missing_value", pointer: "/v", value: nil)
    static let isNull = Decoded.refused(reason: "missing_value", pointer: "/v", value: "null")

    static func rules() throws -> [Rule] {
        [
            Rule("an absent key is absent", try field("v"), "{}", nil),
            Rule("null is null", try field("v"), "{\"v\":null}", .null),
            Rule("a value is a value", try field("v"), "{\"v\":\"\"}", FieldValue("")),
            Rule("required, absent", try field("v", required: true), "{}", decoded: missing),
            Rule("required, null", try field("v", required: true), "{\"v\":null}", decoded: isNull),
            Rule("required, there", try field("v", required: true), "{\"v\":\"a\"}", FieldValue("a")),
            Rule("default for an absent key", try field("v", default: "\"EUR\""), "{}", FieldValue("EUR")),
            Rule("no default for a null", try field("v", default: "\"EUR\""), "{\"v\":null}", .null),
            Rule("no default for a value", try field("v", default: "\"EUR\""), "{\"v\":\"USD\"}", FieldValue("USD")),
            Rule("default null", try field("v", default: "null"), "{}", .null),
            Rule("default in its type", try field("v", .int, default: "\"7\""), "{}", .integer(7)),
            Rule("default false", try field("v", .bool, default: "false"), "{}", .integer(0)),
            Rule("default decimal", try field("v", .decimal, default: "1.10"), "{}", FieldValue("1.10")),
            Rule(
                "default saves a required field", try field("v", required: true, default: "\"x\""), "{}",
                FieldValue("x")),
            Rule("on_missing keep", try field("v", onMissing: .keep), "{}", nil),
            Rule("on_missing set_null", try field("v", onMissing: .setNull), "{}", .null),
            Rule("on_missing fail", try field("v", onMissing: .fail), "{}", decoded: missing),
            Rule("on_missing fail, there", try field("v", onMissing: .fail), "{\"v\":null}", .null),
            Rule(
                "on_missing set_null, required", try field("v", required: true, onMissing: .setNull), "{}",
                decoded: missing),
            Rule("on_null keep", try field("v", onNull: .keep), "{\"v\":null}", nil),
            Rule("on_null fail", try field("v", onNull: .fail), "{\"v\":null}", decoded: isNull),
            Rule("on_null fail, absent", try field("v", onNull: .fail), "{}", nil),
            Rule("map hits", try field("v", map: ["N": .json("\"new\"")]), "{\"v\":\"N\"}", FieldValue("new")),
            Rule("map misses", try field("v", map: ["N": .json("\"new\"")]), "{\"v\":\"O\"}", FieldValue("O")),
            Rule("map to null", try field("v", map: ["": .null]), "{\"v\":\"\"}", .null),
            Rule(
                "map to null, required", try field("v", required: true, map: ["": .null]), "{\"v\":\"\"}",
                decoded: .refused(reason: "missing_value", pointer: "/v", value: "\"\"")),
            Rule("map to null, on_null keep", try field("v", map: ["": .null], onNull: .keep), "{\"v\":\"\"}", nil),
            Rule(
                "map of text to a Boolean", try field("v", .bool, map: ["yes": .json("true"), "no": .json("false")]),
                "{\"v\":\"no\"}", .integer(0)),
            Rule("map of a Boolean", try field("v", .int, map: ["true": .json("1")]), "{\"v\":true}", .integer(1)),
            Rule("map of a number", try field("v", map: ["1": .json("\"one\"")]), "{\"v\":1}", FieldValue("one")),
            Rule(
                "map misses and mismatches", try field("v", .bool, map: ["yes": .json("true")]), "{\"v\":\"no\"}",
                decoded: .refused(reason: "type_mismatch", pointer: "/v", value: "\"no\"")),
            Rule("map does not touch null", try field("v", map: ["null": .json("\"x\"")]), "{\"v\":null}", .null),
            Rule(
                "map of an element from the end", try field("v", from: "a[-1]", map: ["N": .json("\"new\"")]),
                "{\"a\":[\"x\",\"N\"]}", FieldValue("new")),
            Rule("nested", try field("v", from: "a.b.c"), "{\"a\":{\"b\":{\"c\":\"x\"}}}", FieldValue("x")),
            Rule("nested, parent absent", try field("v", from: "a.b.c"), "{\"a\":{}}", nil),
            Rule("nested, grandparent null", try field("v", from: "a.b.c"), "{\"a\":null}", .null),
            Rule("nested, parent null, then replaced", try field("v", from: "a.b"), "{\"a\":null,\"a\":{}}", nil),
            Rule("nested, parent null at last", try field("v", from: "a.b"), "{\"a\":{\"b\":1},\"a\":null}", .null),
            Rule("nested, parent a scalar", try field("v", from: "a.b"), "{\"a\":5}", nil),
            Rule("nested, parent an array", try field("v", from: "a.b"), "{\"a\":[{\"b\":1}]}", nil),
            Rule("nested, itself null", try field("v", from: "a.b"), "{\"a\":{\"b\":null}}", .null),
            Rule(
                "quoted name", try field("v", from: "$['a.b']"), "{\"a.b\":\"x\",\"a\":{\"b\":\"y\"}}", FieldValue("x")),
            Rule("index", try field("v", .int, from: "a[1]"), "{\"a\":[1,2,3]}", .integer(2)),
            Rule("index beyond the end", try field("v", .int, from: "a[3]"), "{\"a\":[1,2,3]}", nil),
            Rule("index into an object", try field("v", .int, from: "a[0]"), "{\"a\":{\"0\":1}}", nil),
            Rule("index from the end", try field("v", .int, from: "a[-1]"), "{\"a\":[1,2,3]}", .integer(3)),
            Rule("index from the end, null", try field("v", .int, from: "a[-1]"), "{\"a\":[1,null]}", .null),
            Rule(
                "index then name", try field("v", from: "a[1].b"), "{\"a\":[{\"b\":\"x\"},{\"b\":\"y\"}]}",
                FieldValue("y")),
            Rule("index of index", try field("v", .int, from: "a[1][0]"), "{\"a\":[[1],[2,3]]}", .integer(2)),
            Rule("the record itself", try field("v", .json, from: "$"), "{ \"a\": 1 }", FieldValue("{\"a\":1}")),
            Rule(
                "wildcard to json", try field("v", .json, from: "a[*].b"), "{\"a\":[{\"b\":1},{},{\"b\":\"x\"}]}",
                FieldValue("[1,\"x\"]")),
            Rule(
                "wildcard over members", try field("v", .json, from: "a.*"), "{\"a\":{\"x\":1,\"y\":[2]}}",
                FieldValue("[1,[2]]")),
            Rule("wildcard that finds nothing", try field("v", .json, from: "a[*]"), "{\"a\":[]}", FieldValue("[]")),
            Rule("wildcard of one value", try field("v", .int, from: "a[*]"), "{\"a\":[5]}", .integer(5)),
            Rule("wildcard of one that is none", try field("v", .int, from: "a[*]"), "{\"a\":[]}", nil),
            Rule(
                "wildcard of several for one", try field("v", .int, from: "a[*]"), "{\"a\":[5,6]}",
                decoded: .refused(reason: "type_mismatch", pointer: "/a/*", value: nil)),
            Rule(
                "pointer with escapes", try field("v", .int, from: "$['a/b']['c~d'][0]"), "{\"a/b\":{\"c~d\":[\"x\"]}}",
                decoded: .refused(reason: "type_mismatch", pointer: "/a~1b/c~0d/0", value: "\"x\"")),
            Rule("a name twice: the last", try field("v", .int), "{\"v\":1,\"v\":2}", .integer(2)),
            Rule("a name twice: the last, null", try field("v", .int), "{\"v\":1,\"v\":null}", .null),
            Rule("a name twice: the first may be wrong", try field("v", .int), "{\"v\":\"x\",\"v\":2}", .integer(2)),
            Rule(
                "a parent twice: the last alone", try field("v", .int, from: "a.b"),
                "{\"a\":{\"b\":1},\"a\":{\"c\":2}}", nil),
            Rule(
                "a parent twice: the last is a scalar", try field("v", .int, from: "a.b"), "{\"a\":{\"b\":1},\"a\":5}",
                nil),
            Rule(
                "an array twice: the last is shorter", try field("v", .int, from: "a[1]"), "{\"a\":[1,2],\"a\":[3]}",
                nil),
            Rule("an escaped name", try field("v", .int), "{\"\\u0076\":3}", .integer(3)),
            Rule("an empty name", try field("v", .int, from: "$['']"), "{\"\":3}", .integer(3)),
        ]
    }

    @Test("Rules of one field", arguments: try Self.rules())
    func rule(_ rule: Rule) throws {
        let outcome = try Decoding(fields: [rule.field]).one(rule.json)
        #expect(outcome == rule.expected)
    }

    @Test("One value may fill several fields, and a parent as well as its child")
    func sharedPaths() throws {
        let decoding = Decoding(fields: [
            try field("whole", .json, from: "a"), try field("part", .int, from: "a.b"), try field("text", from: "a.b"),
        ])
        let outcome = try decoding.one("{\"a\":{\"b\":7}}")
        #expect(outcome == .values([FieldValue("{\"b\":7}"), .integer(7), FieldValue("7")]))
    }

    @Test("The members of an object are records, and their names a key")
    func entries() throws {
        let decoding = Decoding(fields: [try field("code"), try field("n", .int)], key: ["code"], entries: "code")
        let outcomes = try decoding.all("{\"b\":{\"n\":1},\"a\\n\":{\"n\":2},\"\":{\"n\":3}}")
        #expect(
            outcomes == [
                .values([FieldValue("b"), .integer(1)]), .values([FieldValue("a\n"), .integer(2)]),
                .values([FieldValue(""), .integer(3)]),
            ])
    }

    @Test("A member's name takes the type of its field")
    func numericEntries() throws {
        let decoding = Decoding(fields: [try field("id", .int), try field("n", .int)], key: ["id"], entries: "id")
        let outcomes = try decoding.all("{\"12\":{\"n\":1},\"x\":{\"n\":2}}")
        #expect(
            outcomes == [
                .values([.integer(12), .integer(1)]),
                .refused(reason: "type_mismatch", pointer: "/id", value: nil),
            ])
    }

    @Test("Members that are no objects can be records, by the path `$`")
    func scalarEntries() throws {
        let decoding = Decoding(
            fields: [try field("code"), try field("name", from: "$")], key: ["code"], entries: "code")
        let outcomes = try decoding.all("{\"EUR\":\"Euro\",\"USD\":\"Dollar\"}")
        #expect(
            outcomes == [
                .values([FieldValue("EUR"), FieldValue("Euro")]), .values([FieldValue("USD"), FieldValue("Dollar")]),
            ])
    }

    @Test("The page's file name fills a template")
    func template() throws {
        var stem = try field("file")
        stem.origin = .template(TextTemplate(parts: [.text("x-"), .fileStem, .text("/\"")]))
        var number = try field("number", .int)
        number.origin = .template(TextTemplate(parts: [.fileStem]))
        var decoding = Decoding(fields: [stem, number])
        decoding.stem = "2026"
        let filled = try decoding.one("{}")
        #expect(filled == .values([FieldValue("x-2026/\""), .integer(2026)]))
        decoding.stem = "spring"
        let refused = try decoding.one("{}")
        #expect(refused == .refused(reason: "type_mismatch", pointer: "", value: nil))
    }

    @Test("A record that fails says which value of which record, and the others go on")
    func failures() throws {
        let decoding = Decoding(fields: [try field("id", .int), try field("n", .int, from: "a.n")], key: ["id"])
        let json =
            "[{\"id\":1,\"a\":{\"n\":1}}, {\"id\":2,\"a\":{\"n\":[ 1, 2 ]}}, {\"a\":{\"n\":3}}, 5, {\"id\":null}, {\"id\":6}]"
        let (outcomes, failures, batch) = try decoding.batch(of: json)
        #expect(batch.count == 2)
        #expect(
            outcomes == [
                .values([.integer(1), .integer(1)]),
                .refused(reason: "type_mismatch", pointer: "/a/n", value: "[1,2]"),
                .refused(reason: "missing_key", pointer: "/id", value: nil),
                .refused(reason: "not_an_object", pointer: "", value: "5"),
                .refused(reason: "missing_key", pointer: "/id", value: "null"), .values([.integer(6), nil]),
            ])
        #expect(failures.map(\.key) == [RecordKey([.integer(2)]), nil, nil, nil])
        #expect(failures.map(\.ordinal) == [1, 2, 3, 4])
        #expect(
            failures.first.map { String(decoding: $0.record, as: UTF8.self) } == "{\"id\":2,\"a\":{\"n\":[ 1, 2 ]}}")
        #expect(failures.allSatisfy { $0.message.hasSuffix(".") })
        #expect(batch.origins.map(\.ordinal) == [0, 5])
    }

    @Test("A failed record leaves nothing behind in the batch")
    func noRests() throws {
        let decoding = Decoding(fields: [try field("a"), try field("b", .int)])
        let mixed = try decoding.batch(
            of: "[{\"a\":\"one\",\"b\":1},{\"a\":\"lost\",\"b\":\"x\"},{\"a\":\"two\",\"b\":2}]"
        ).batch
        let good = try decoding.batch(of: "[{\"a\":\"one\",\"b\":1},{\"a\":\"two\",\"b\":2}]").batch
        #expect(mixed.bytes == good.bytes)
        #expect(mixed.digests == good.digests)
        #expect(mixed.rowHashes == good.rowHashes)
        #expect(mixed.keyHashes == good.keyHashes)
    }

    @Test("Invalid JSON in a record is its own failure")
    func invalid() throws {
        let outcome = try Decoding(fields: [try field("v")]).one("[{\"v\":\"\\ud800\"}]")
        guard case .refused("invalid_json", "", nil) = outcome else {
            Issue.record("\(String(describing: outcome))")
            return
        }
    }
}

@Suite("Members in any number, length and order")
struct DecodeMemberTests {
    @Test(
        "More members than places to remember, in an order that changes with every record",
        arguments: [1, 63, 64, 65, 66, 130, 700])
    func manyMembers(_ count: Int) throws {
        var random = SeededGenerator(seed: UInt64(count))
        let names = (0..<count).map { "field_with_a_long_name_\($0)_and_an_equal_end" }
        let decoding = Decoding(fields: try names.map { try field($0, .int) })
        var records: [String] = []
        for record in 0..<20 {
            let members = names.indices.shuffled(using: &random).map { "\"\(names[$0])\":\($0 * 100 + record)" }
            records.append("{" + members.joined(separator: ",") + "}")
        }
        let outcomes = try decoding.all("[" + records.joined(separator: ",") + "]")
        for (record, outcome) in outcomes.enumerated() {
            #expect(outcome == .values(names.indices.map { .integer(Int64($0 * 100 + record)) }))
        }
    }

    @Test("Names with the same length, the same first eight and the same last eight bytes")
    func equalEnds() throws {
        let names = [
            "abcdefgh-one-ijklmnop", "abcdefgh-two-ijklmnop", "abcdefghijklmnop", "abcdefghXijklmnop",
            "abcdefghYijklmnop",
        ]
        let decoding = Decoding(fields: try names.map { try field($0, .int) })
        for shift in names.indices {
            let order = names.indices.map { (($0 + shift) % names.count) }
            let object = "{" + order.map { "\"\(names[$0])\":\($0)" }.joined(separator: ",") + "}"
            let swapped = "{" + order.reversed().map { "\"\(names[$0])\":\($0)" }.joined(separator: ",") + "}"
            let expected = Decoded.values(names.indices.map { .integer(Int64($0)) })
            let outcomes = try decoding.all("[\(object),\(swapped),\(object)]")
            #expect(
                outcomes == [expected, expected, expected])
        }
    }

    @Test("A name that is only like a mapped one is not mapped")
    func unmapped() throws {
        let decoding = Decoding(fields: [try field("abcdefgh-one-ijklmnop", .int)])
        let json = "[{\"abcdefgh-one-ijklmnop\":1},{\"abcdefgh-two-ijklmnop\":2},{\"abcdefgh-one-ijklmnop\":3}]"
        let outcomes = try decoding.all(json)
        #expect(
            outcomes == [.values([.integer(1)]), .values([nil]), .values([.integer(3)])])
    }

    @Test("Short names of every length", arguments: Array(1...18))
    func shortNames(_ length: Int) throws {
        let names =
            ["a", "b"].map { $0 + String(repeating: "x", count: length - 1) } + [
                String(repeating: "x", count: length - 1) + "a"
            ]
        let distinct = Array(Set(names)).sorted()
        let decoding = Decoding(fields: try distinct.map { try field($0, .int) })
        let forth = "{" + distinct.enumerated().map { "\"\($1)\":\($0)" }.joined(separator: ",") + "}"
        let back = "{" + distinct.enumerated().reversed().map { "\"\($1)\":\($0)" }.joined(separator: ",") + "}"
        let expected = Decoded.values(distinct.indices.map { .integer(Int64($0)) })
        let outcomes = try decoding.all("[\(forth),\(back),\(forth)]")
        #expect(
            outcomes == [expected, expected, expected])
    }

    @Test("Absent in one record, there in the next")
    func comingAndGoing() throws {
        let decoding = Decoding(fields: [try field("a", .int), try field("b", .int, from: "n.b")])
        let outcomes = try decoding.all("[{\"a\":1,\"n\":{\"b\":2}},{\"z\":0},{\"n\":{\"b\":3}},{\"n\":{},\"a\":4}]")
        #expect(
            outcomes == [
                .values([.integer(1), .integer(2)]), .values([nil, nil]), .values([nil, .integer(3)]),
                .values([.integer(4), nil]),
            ])
    }
}
