import Foundation
import Testing

/// What the types of a pipeline become in SQLite, and what a second run makes of another spelling of the same.
@Suite struct TypeTests {
    /// One type: a value, how SQLite has it, and another spelling of it.
    struct Row: Sendable, CustomTestStringConvertible {
        let type: String
        let json: String
        let stored: String
        let again: String
        var testDescription: String { "\(type) of \(json)" }

        init(_ type: String, _ json: String, _ stored: String, again: String) {
            self.type = type
            self.json = json
            self.stored = stored
            self.again = again
        }
    }

    @Test(arguments: [
        Row("string", "1.10", "text|'1.10'", again: #""1.10""#),
        Row(
            "uuid", #""9B2F1F6E-8C1E-4A3F-9F53-0A4F4E1F6C11""#, "text|'9b2f1f6e-8c1e-4a3f-9f53-0a4f4e1f6c11'",
            again: #""9b2f1f6e-8c1e-4a3f-9f53-0a4f4e1f6c11""#),
        Row(
            "url", #""https:\/\/Example.org\/%7e""#, "text|'https://Example.org/%7e'",
            again: #""https://Example.org/%7e""#),
        Row(
            "{type: enum, values: [open, closed], map: {reopened: open}}", #""reopened""#, "text|'open'",
            again: #""open""#),
        Row("int", "1e3", "integer|1000", again: #""1000""#), Row("double", "1", "real|1.0", again: "10e-1"),
        Row("decimal", "9.50", "text|'9.50'", again: #""95e-1""#),
        Row("decimal", "1e3", "text|'1000'", again: "1000.0"),
        Row("bool", "true", "integer|1", again: "true"),
        Row("date", #""2026-01-31""#, "text|'2026-01-31'", again: #""2026-01-31""#),
        Row(
            "datetime", #""2026-01-31T13:00:00.500+01:00""#, "text|'2026-01-31T12:00:00.5Z'",
            again: #""2026-01-31 12:00:00.5Z""#),
        Row("json", #"{"b": 1.0, "a": [2]}"#, #"text|'{"b":1.0,"a":[2]}'"#, again: #"{"a": [2.0], "b": 1}"#),
        Row("bytes", #""Zm9v\nYmFy""#, "blob|X'666F6F626172'", again: #""Zm9vYmFy""#),
    ])
    func aTypeHasOneFormAndManySpellings(row: Row) throws {
        let scene = try Scene(document: "[{\"id\": 1, \"v\": \(row.json)}]", fields: "id: int, v: \(row.type)")
        let run = try Program.run("run", "books.yaml", in: scene.path)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(try scene.query("SELECT typeof(v), quote(v) FROM books") == [row.stored])
        try scene.write("books.json", "[{\"id\": 1, \"v\": \(row.again)}]")
        let before = try StoreDump(scene.store)
        let again = try Program.run("run", "books.yaml", in: scene.path)
        #expect(again.output.contains("nothing changed, 1 unchanged"), "\(again.output)\(again.errors)")
        #expect(try StoreDump(scene.store).differences(from: before) == [], "another spelling is not another value")
    }
}
