import SluiceDiscovery
import SluiceJSON
import SluiceModel
import Testing

/// Which types and columns values make.
@Suite struct SchemaInferenceTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let values: [String]
        let type: FieldType
        var key = "x"
        var testDescription: String { values.joined(separator: ", ") + (key == "x" ? "" : " as \(key)") }

        init(_ values: [String], _ type: FieldType, key: String = "x") {
            self.values = values
            self.type = type
            self.key = key
        }
    }

    static let cases = [
        Case(["1", "-2", "9223372036854775807"], .int),
        Case(["1", "1.5"], .double),
        Case(["12.5", "-69.96666666"], .double),
        Case(["1e3", "2"], .double),
        Case(["1", "12.50"], .decimal, key: "price"),
        Case(["12.50"], .decimal, key: "totalAmount"),
        Case(["1", "2"], .int, key: "price"),
        Case(["12.5"], .double, key: "ratioOfPriced"),
        Case(["0.1234567890123456789"], .decimal),
        Case(["1.5", "9007199254740993"], .decimal),
        Case(["0.12345678901234", "123456789012345.5", "-12345678901234.5"], .double),
        Case(["0.1234567890123456789e-5"], .decimal),
        Case(["1e5"], .double),
        Case(["9223372036854775808"], .decimal),
        Case(["1e400"], .decimal),
        Case(["true", "false", "null"], .bool),
        Case(["null", "null"], .json),
        Case([#""a""#, "null"], .string),
        Case([#""12""#, #""13""#], .string),
        Case([#""12""#, "13"], .string),
        Case([#""2026-01-31""#], .date),
        Case([#""2026-02-31""#], .string),
        Case([#""2026-01-31""#, #""""#], .string),
        Case([#""2026-01-31""#, #""2026-01-31T12:00:00Z""#], .string),
        Case([#""2026-01-31T12:00:00Z""#, #""2026-01-31T12:00:00.5+02:00""#], .datetime),
        Case([#""2026-01-31T12:00:00""#], .string),
        Case([#""9b2f1f6e-8c1e-4a3f-9f53-0a4f4e1f6c11""#], .uuid),
        Case([#""d41d8cd98f00b204e9800998ecf8427e""#], .string),
        Case([#""9b2f1f6e-8c1e-4a3f-9f53-0a4f4e1f6c11""#, #""x""#], .string),
        Case([#""https://example.com/a?b=c""#], .url),
        Case([#""https://example.com/a b""#], .string),
        Case([#""sha256:abc""#], .string),
        Case([#""https://example.com""#, #""n/a""#], .string),
        Case(["[1]", "[]"], .json),
        Case([#""a""#, "[]"], .json),
        Case([#""a""#, "{}"], .json),
        Case(["1", "true"], .json),
        Case([#""a""#, "true"], .json),
        Case(["{}", "{}"], .json),
    ]

    @Test(arguments: cases) func type(_ test: Case) throws {
        let records = test.values.enumerated().map { "{\"id\": \($0), \"\(test.key)\": \($1)}" }
        let found = try inspect("[" + records.joined(separator: ",") + "]")
        #expect(found.fields.last?.type == test.type)
    }

    @Test(arguments: [
        (#""2026-01-31T12:00:00.000+0000""#, #""2026-01-31T12:00:00.5-0330""#, "%Y-%m-%dT%H:%M:%S.%f%z"),
        (#""2026-01-31T12:00:00+0000""#, #""2026-01-31T12:00:00Z""#, "%Y-%m-%dT%H:%M:%S%z"),
        (#""Sun, 06 Nov 1994 08:49:37 +0100""#, #""Sun, 06 Nov 1994 08:49:37 GMT""#, "rfc2822"),
        (#""2026-01-31T12:00:00.000+00:00""#, #""2026-01-31T12:00:00Z""#, nil),
    ])
    func timesOfOtherForms(_ first: String, _ second: String, _ format: String?) throws {
        let found = try inspect(#"[{"id": 1, "at": \#(first)}, {"id": 2, "at": null}, {"id": 3, "at": \#(second)}]"#)
        #expect(found.fields.map(\.type) == [.int, .datetime])
        #expect(found.fields.map(\.format) == [nil, format])
    }

    struct Columns: Sendable, CustomTestStringConvertible {
        let name: String
        let records: String
        let columns: [String]
        var testDescription: String { name }
    }

    @Test(arguments: [
        Columns(
            name: "keys become snake_case", records: #"[{"htmlUrl": 1, "HTTPCode": 2, "First name": 3, "@type": 4}]"#,
            columns: ["html_url", "http_code", "first_name", "type"]),
        Columns(
            name: "odd keys", records: #"[{"": 1, "64bit": 2, "_id": 3, "größe": 4, "$$": 5, "a--b": 6}]"#,
            columns: ["field", "_64bit", "_id", "größe", "field_2", "a_b"]),
        Columns(
            name: "clashes get numbers", records: #"[{"id": 1, "ID": 2, "Id": 3, "a_b": 4, "aB": 5, "a": {"b": 6}}]"#,
            columns: ["id", "id_2", "id_3", "a_b", "a_b_2", "a_b_3"]),
        Columns(
            name: "the store's own columns", records: #"[{"_deleted_at": 1}]"#, columns: ["_deleted_at_2"]),
        Columns(
            name: "small objects are taken apart",
            records: #"[{"id": 1, "author": {"name": "a", "address": {"city": "b"}}}]"#,
            columns: ["id", "author_name", "author_address_city"]),
        Columns(
            name: "two levels and no further", records: #"[{"a": {"b": {"c": {"d": 1}}}}]"#, columns: ["a_b_c"]),
        Columns(
            name: "absent and null objects", records: #"[{"a": {"b": 1}}, {"a": null}, {}]"#, columns: ["a_b"]),
        Columns(
            name: "objects of varying shape stay whole",
            records: #"[{"a": {"b": 1}}, {"a": {"c": 1}}, {"a": {"d": 1}}]"#, columns: ["a"]),
        Columns(
            name: "an object or a text stays whole", records: #"[{"a": {"b": 1}}, {"a": "c"}]"#, columns: ["a"]),
        Columns(
            name: "an object at first and a text later stays whole",
            records: #"[{"a": {"b": 1}}, {"a": {"b": 1}}, {"a": null}, {"a": "c"}, {"a": {"d": 1}}]"#, columns: ["a"]),
        Columns(
            name: "members in another order",
            records: #"[{"a": 1, "b": {"c": 1, "d": 2}}, {"b": {"d": 1, "c": 2}, "a": 2}, {"e": 1, "a": 1}]"#,
            columns: ["a", "b_c", "b_d", "e"]),
        Columns(
            name: "objects that grow too large",
            records: "[" + (0..<30).map { "{\"a\": {\"k\($0)\": 1}}" }.joined(separator: ",") + "]", columns: ["a"]),
        Columns(
            name: "a large object stays whole",
            records: "[{\"a\": {" + (0..<21).map { "\"k\($0)\": 1" }.joined(separator: ",") + "}}]", columns: ["a"]),
        Columns(
            name: "no more than forty columns",
            records: "[{\"a\": {\"b\": 1, \"c\": 2}" + (0..<39).map { ",\"k\($0)\": 1" }.joined() + "}]",
            columns: ["a"] + (0..<39).map { "k\($0)" }),
        Columns(name: "a key that comes twice counts once", records: #"[{"a": 1, "a": 2}]"#, columns: ["a"]),
        Columns(
            name: "keys of later records come later", records: #"[{"a": 1}, {"b": 1, "a": 2}]"#, columns: ["a", "b"]),
    ])
    func columns(_ test: Columns) throws {
        let found = try inspect(test.records, records: "$[*]")
        #expect(found.fields.map(\.name) == test.columns)
        for field in found.fields { #expect(try JSONPath(parsing: field.path.text).steps == field.path.steps) }
    }

    @Test func emptyValuesAndExamplesAreTold() throws {
        let found = try inspect(#"[{"a": null}, {}, {"a": "x"}, {"a": "y"}]"#)
        #expect(found.fields.map(\.empty) == [2])
        #expect(found.fields.map(\.example) == ["\"x\""])
        #expect(found.records == 4)
    }

    @Test func theSampleIsBounded() throws {
        let text = (0..<50).map { "{\"id\": \($0)}" }.joined(separator: "\n") + "\n{\"late\": 1}"
        #expect(try inspect(text, sample: 50).fields.map(\.name) == ["id"])
        #expect(try inspect(text, sample: nil).fields.map(\.name) == ["id", "late"])
        #expect(try inspect(text, sample: 50).records == 50)
        #expect(try inspect(text, sample: 50).isPartial)
        #expect(try !inspect(text, sample: nil).isPartial)
    }
}
