import SluiceJSON
import TestSupport
import Testing

@Suite("A document that owns what its values are read from")
struct JSONDocumentTests {
    @Test func aValueKeepsItsDocument() throws {
        /// A value deep within a document that nobody else has.
        func value() throws -> JSONValue? {
            try JSONDocument(#"{"a": [1, {"b": "Dune \u00e9"}, 2.50]}"#).root.member(named: "a")?.element(at: 1)
        }
        let values = try (0..<100).map { _ in try value() }
        for value in values {
            // Other documents take room that is free.
            _ = try JSONDocument(#"{"a": [9, {"b": "Moby-Dick"}, 3]}"#)
            #expect(value?.member(named: "b")?.string == "Dune é")
            #expect(value?.members.map(\.name) == ["b"])
        }
    }

    @Test func eachKindIsReadAndNothingElse() throws {
        let root = try JSONDocument(#"{"n": null, "t": true, "i": 7, "d": 1.50, "s": "x", "l": [1, 2], "o": {"k": 0}}"#)
            .root
        let kinds = root.members.map(\.value.kind)
        #expect(kinds == [.null, .bool, .integer, .number, .string, .array, .object])
        #expect(root.members.map(\.value.isNull) == [true, false, false, false, false, false, false])
        #expect(root.members.map(\.value.boolean) == [false, true, false, false, false, false, false])
        #expect(root.members.map(\.value.integer) == [0, 0, 7, 0, 0, 0, 0])
        #expect(root.members.map(\.value.numberText) == [nil, nil, "7", "1.50", nil, nil, nil])
        #expect(root.members.map(\.value.string) == [nil, nil, nil, nil, "x", nil, nil])
        #expect(root.members.map(\.value.count) == [0, 0, 0, 0, 0, 2, 1])
        #expect(root.members.map(\.value.elements.count) == [0, 0, 0, 0, 0, 2, 0])
        #expect(root.members.map(\.value.members.count) == [0, 0, 0, 0, 0, 0, 1])
        #expect(root.member(named: "l")?.element(at: -1)?.integer == 2)
        #expect(root.member(named: "l")?.element(at: 2) == nil && root.element(at: 0) == nil)
        #expect(root.member(named: "x") == nil && root.member(named: "s")?.member(named: "s") == nil)
    }

    @Test func ofSeveralMembersOfANameTheLastCounts() throws {
        let root = try JSONDocument(#"{"a": 1, "b": 2, "a": 3}"#).root
        #expect(root.member(named: "a")?.integer == 3)
        #expect(root.members.map(\.name) == ["a", "b", "a"])
        #expect(root.members.map(\.nameBytes) == [[0x61], [0x62], [0x61]])
    }

    @Test func aValueIsWrittenAsElementsAre() throws {
        for text in [#" { "b" : [ 1e1 , null ] , "a" : "\u00e9\n" } "#, "[]", "7", #""x""#, "[[[{}]]]"] {
            let parser = JSONParser()
            let (plain, canonical, indented) = try withExtendedLifetime(parser) {
                let element = try unsafe parser.parse(Array(text.utf8))
                var texts: ([UInt8], [UInt8], [UInt8]) = ([], [], [])
                JSONWriter.append(element, to: &texts.0)
                JSONWriter.appendCanonical(element, to: &texts.1)
                JSONWriter.appendIndented(element, to: &texts.2)
                return texts
            }
            let root = try JSONDocument(text).root
            #expect(root.json == plain && root.canonicalJSON == canonical && root.indentedJSON == indented)
        }
    }

    @Test func whatIsNoJSONIsAnErrorWithItsPlace() throws {
        let error = try #require(throws: JSONError.self) { _ = try JSONDocument(#"{"a": tru}"#) }
        #expect(error.byteOffset == 6)
        #expect(throws: JSONError.self) { _ = try JSONDocument("") }
        let deep = String(repeating: "[", count: 9) + String(repeating: "]", count: 9)
        #expect(throws: JSONError.self) { _ = try JSONDocument(Array(deep.utf8), maximumDepth: 8) }
        #expect(try JSONDocument(Array(deep.utf8), maximumDepth: 9).root.count == 1)
    }

    @Test func whatCannotBeTakenMayBeTamed() throws {
        let text = Array(#"{"id": 7, "x": "\ud83d"}"#.utf8)
        #expect(throws: JSONError.self) { _ = try JSONDocument(text) }
        #expect(try JSONDocument(tamed: text).root.member(named: "id")?.integer == 7)
    }

    @Test func aPathLeadsToValues() throws {
        let root = try JSONDocument(#"{"a": [{"b": 1}, {"b": 2}]}"#).root
        #expect(try JSONPath(parsing: "$.a[1].b").first(in: root)?.integer == 2)
        #expect(try JSONPath(parsing: "$.a[?@.b > 1].b").first(in: root)?.integer == 2)
        #expect(try JSONPath(parsing: "$.c").first(in: root) == nil)
    }
}
