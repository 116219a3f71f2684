import SluiceDiscovery
import SluicePipeline
import TestSupport
import Testing

/// Where the records of a document are found.
@Suite struct RecordsPlaceTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        var file = "things.json"
        var asked: String?
        let path: String
        var entries: String?
        var format = StreamDefinition.Format.json
        let records: Int
        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "an array", text: #"[{"id": 1}, {"id": 2}]"#, path: "$[*]", records: 2),
        Case(name: "an array behind a byte order mark", text: "\u{FEFF}[{\"id\": 1}]", path: "$[*]", records: 1),
        Case(name: "one object", text: #"{"title": "a", "size": 3}"#, path: "$", records: 1),
        Case(
            name: "one object with an identifier and a list", text: #"{"id": 7, "tags": [{"a": 1}, {"a": 2}]}"#,
            path: "$", records: 1),
        Case(
            name: "an envelope", text: #"{"total": 2, "items": [{"id": 1}, {"id": 2}], "next": null}"#,
            path: "$.items[*]", records: 2),
        Case(
            name: "an envelope in an envelope", text: #"{"data": {"items": [{"id": 1}, {"id": 2}]}, "errors": []}"#,
            path: "$.data.items[*]", records: 2),
        Case(
            name: "the larger of two arrays",
            text: #"{"warnings": [{"w": 1}], "data": {"items": [{"id": 1}, {"id": 2}]}}"#, path: "$.data.items[*]",
            records: 2),
        Case(
            name: "arrays of texts and mixed arrays are none",
            text: #"{"tags": ["a", "b", "c"], "mixed": [{"a": 1}, 2, 3], "rows": [{"id": 1}]}"#, path: "$.rows[*]",
            records: 1),
        Case(
            name: "arrays within records do not count", text: #"{"rows": [{"parts": [{"a": 1}, {"a": 2}, {"a": 3}]}]}"#,
            path: "$.rows[*]", records: 1),
        Case(
            name: "names that a path must quote", text: #"{"a b": {"it's": [{"id": 1}]}}"#,
            path: #"$['a b']['it\'s'][*]"#, records: 1),
        Case(
            name: "a name with escapes", text: #"{"\u0061\"b": [{"id": 1}]}"#, path: #"$['a"b'][*]"#, records: 1),
        Case(
            name: "a map of records", text: #"{"MIT": {"name": "a", "osi": true}, "ISC": {"name": "b", "osi": true}}"#,
            path: "$", entries: "key", records: 2),
        Case(
            name: "a map of records that have a key of that name",
            text: #"{"a": {"key": 1, "entry_key": 1}, "b": {"key": 2}}"#, path: "$", entries: "key_2", records: 2),
        Case(
            name: "a map further down",
            text: "{\"v\": 1, \"byName\": {"
                + "abcde".map { "\"\($0)\": {\"title\": \"one of five\"}" }.joined(separator: ",") + "}}",
            path: "$.byName", entries: "key", records: 5),
        Case(
            name: "an answer with an identifier around the list that was asked for",
            text: #"{"Id": "a1", "Status": "OK", "Contacts": [{"ContactID": 1}, {"ContactID": 2}]}"#,
            file: "Contacts.json", path: "$.Contacts[*]", records: 2),
        Case(
            name: "a record with a list of another name",
            text: #"{"id": 7, "status": "paid", "items": [{"id": 1}, {"id": 2}]}"#, file: "orders.json", path: "$",
            records: 1),
        Case(
            name: "two arrays of unlike objects",
            text:
                #"{"users": [{"id": 1, "name": "a", "at": 1}, {"id": 2}], "posts": [{"id": 1, "title": "b", "at": 1}]}"#,
            path: "$.users[*]", records: 2),
        Case(
            name: "two objects with some members in common",
            text: #"{"user": {"id": 1, "name": "a", "at": 1}, "post": {"id": 2, "title": "b", "by": 1}}"#, path: "$",
            records: 1),
        Case(
            name: "objects of unlike shape are no map",
            text: #"{"author": {"name": "a", "mail": "b"}, "size": {"w": 1, "h": 2}}"#, path: "$", records: 1),
        Case(
            name: "a map of arrays", text: #"{"a": [{"n": 1}, {"n": 2}], "b": [{"n": 3}], "c": []}"#, path: "$[*][*]",
            records: 3),
        Case(
            name: "one object with a list that is empty", text: #"{"name": "a", "dependencies": []}"#, path: "$",
            records: 1),
        Case(
            name: "a table of values with commas", text: "id,name\n1,a\n", path: "each row", format: .csv, records: 1),
        Case(name: "lines", text: "{\"id\": 1}\n{\"id\": 2}\n", path: "each line", format: .jsonl, records: 2),
        Case(
            name: "one line in a file of lines", text: "{\"id\": 1, \"rows\": [{\"a\": 1}]}\n", file: "a.ndjson",
            path: "each line", format: .jsonl, records: 1),
        Case(
            name: "a path to an array", text: #"{"a": [{"id": 1}], "b": [{"id": 1}, {"id": 2}]}"#, asked: "a",
            path: "$.a[*]", records: 1),
        Case(
            name: "a path with a wildcard", text: #"{"a": [{"id": 1}], "b": [{"id": 1}, {"id": 2}]}"#, asked: "$.a[*]",
            path: "$.a[*]", records: 1),
        Case(
            name: "a path to a map", text: #"{"meta": 1, "a": {"x": {"n": 1}, "y": {"m": 2}}}"#, asked: "$.a",
            path: "$.a", entries: "key", records: 2),
        Case(
            name: "a path to one object", text: #"{"a": {"x": 1}, "b": [{"id": 1}]}"#, asked: "a", path: "a",
            records: 1),
    ]

    @Test(arguments: cases) func isFound(_ test: Case) throws {
        let found = try inspect(test.text, name: test.file, records: test.asked)
        #expect(found.place.text == test.path)
        #expect(found.place.entries == test.entries)
        #expect(found.place.format == test.format)
        #expect(found.records == test.records)
    }

    struct Bad: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        var asked: String?
        let words: [String]
        var testDescription: String { name }
    }

    @Test(arguments: [
        Bad(name: "nothing", text: "", words: ["empty"]),
        Bad(name: "blanks", text: " \n ", words: ["empty"]),
        Bad(name: "no records", text: "[]", words: ["no records"]),
        Bad(name: "an array of numbers", text: "[1, 2]", words: ["no objects", "a number", "--records"]),
        Bad(name: "a number", text: "12", words: ["cannot be read"]),
        Bad(name: "HTML", text: "<!doctype html><p>Log in</p>", words: ["HTML"]),
        Bad(name: "an empty object", text: "{}", words: ["empty object"]),
        Bad(name: "half a document", text: #"[{"id": 1"#, words: ["line 1"]),
        Bad(name: "a trailing comma", text: #"[{"id": 1},]"#, words: ["line 1"]),
        Bad(name: "a path to nothing", text: #"{"a": []}"#, asked: "b[*]", words: ["nothing", "b[*]"]),
        Bad(
            name: "records that are no JSON", text: "{\"a\" 1}\n{\"b\" 2}\n",
            words: ["cannot be read: line 1, column 6"]),
        Bad(name: "a table of values with blanks", text: "id name\n1 a\n", words: ["cannot be read: line 1, column 1"]),
        Bad(
            name: "values over several lines", text: "{\n \"id\": 1\n}\n{\n \"id\": 2\n}\n",
            words: ["do not stand on a line each", "jq -c"]),
        Bad(name: "values one behind the other", text: #"{"id": 1}{"id": 2}"#, words: ["do not stand on a line each"]),
        Bad(
            name: "the answer of an interface without records", text: #"{"count": 0, "next": null, "results": []}"#,
            words: ["no records at `$.results[*]`"]),
        Bad(
            name: "too many keys", text: "{" + (0..<1600).map { "\"k\($0)\": 1" }.joined(separator: ",") + "}",
            words: ["too many", "--records"]),
    ])
    func badInputIsNamed(_ test: Bad) throws {
        let error = #expect(throws: ImportError.self) { try inspect(test.text, records: test.asked) }
        for word in test.words { #expect(error?.message.contains(word) == true, "\(error?.message ?? "")") }
        #expect(error?.kind == .failed)
    }

    @Test func otherPlacesAreSaid() throws {
        let found = try inspect(#"{"a": [{"x": [{"id": 1}]}], "b": [{"id": 1}, {"id": 2}]}"#)
        #expect(found.place.others == ["$.a[*]"])
    }

    @Test(arguments: 1...3 as ClosedRange<UInt64>)
    func noBytesMakeItTrap(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "{", "}", "[", "]", ",", ":", "\"a\"", "\"", "\\", "1", "-", "null", " ", "\n", "{\"id\": 1}", "é",
        ]
        for _ in 0..<100 {
            let count = Int.random(in: 1...30, using: &generator)
            let text = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            _ = try? inspect(text)
        }
    }
}
