import SluiceDecode
import SluiceModel
import Testing

/// What is shown as a key is read as the same key.
@Suite struct KeyTextTests {
    private func text(_ fields: [RecordSchema.Field], _ values: [FieldValue]) throws -> String {
        let schema = RecordSchema(
            pipeline: "shop", stream: "books", entity: "Book", table: "books", fields: fields,
            keyFields: Array(fields.indices))
        let (words, key) = (KeyText(schema: schema, json: StoredJSON()), RecordKey(values))
        let text = words.text(key)
        #expect(try words.keys(text).contains(key), "\(text)")
        return text
    }

    @Test(arguments: [
        ("A", "A"), ("a b", "a b"), ("x=y", "x=y"), ("42", "42"), ("null", #""null""#), ("", #""""#),
        (#"say "so""#, #""say \"so\"""#), (#"a\b"#, #""a\\b""#), ("a\nb", #""a\nb""#),
        (#"{"id":"x"}"#, #""{\"id\":\"x\"}""#),
    ])
    func quotesStandWhereTheyAreNeeded(_ value: String, _ shown: String) throws {
        #expect(try text([.init(name: "id", column: "id", type: .string)], [FieldValue(value)]) == shown)
    }

    @Test(arguments: [
        ("A", "round=1,team=A"), ("x=y", "round=1,team=x=y"), ("A, B", #"round=1,team="A, B""#),
        (#"A, the "first""#, #"round=1,team="A, the \"first\"""#),
    ])
    func severalFieldsAreNamed(_ team: String, _ shown: String) throws {
        let fields: [RecordSchema.Field] = [
            .init(name: "round", column: "round", type: .int), .init(name: "team", column: "team", type: .string),
        ]
        #expect(try text(fields, [.integer(1), FieldValue(team)]) == shown)
    }
}
