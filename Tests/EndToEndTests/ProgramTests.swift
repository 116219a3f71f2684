import Foundation
import Testing

/// Programs of jq in pipelines: which records are kept, where they are found, and what fields are made of.
@Suite struct ProgramTests {
    @Test func aFilterKeepsWhatItIsTrueFor() throws {
        let json = #"[{"id": 1, "title": "a"}, {"id": 2, "title": "b", "draft": true}, {"id": 3, "title": "c"}]"#
        let scene = try Scene(document: json, stream: "filter: '.draft != true'")
        let run = try Program.run("run", "books.yaml", "--format", "json", in: scene.path)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(run.output.contains(#""filtered":1"#) || run.output.contains(#""filtered": 1"#))
        #expect(try scene.query("SELECT group_concat(id) FROM books") == ["1,3"])
        // What a filter leaves out is absent: it is deleted like anything that is gone.
        try scene.write("books.json", json.replacing(#""title": "a""#, with: #""title": "a", "draft": true"#))
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        #expect(try scene.query("SELECT group_concat(id) FROM books") == ["3"])
    }

    @Test func recordsAreWhatAProgramYields() throws {
        let scene = try Scene(
            document: #"{"shelves": [{"books": [{"id": 1, "title": "a"}]}, {"books": [{"id": 2, "title": "b"}]}]}"#,
            stream: "records: {jq: '.shelves[].books[] | {id, title: (.title | ascii_upcase)}'}")
        let run = try Program.run("run", "books.yaml", in: scene.path)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(try scene.query("SELECT id, title FROM books ORDER BY id") == ["1|A", "2|B"])
    }

    @Test func aFieldIsWhatAProgramGives() throws {
        let scene = try Scene(
            document: #"[{"id": 1, "first": "Jane", "last": "Austen"}]"#,
            fields: "id: int, title: {expr: '.first + \" \" + .last'}")
        let run = try Program.run("run", "books.yaml", in: scene.path)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(try scene.query("SELECT title FROM books") == ["Jane Austen"])
    }

    @Test func aNumberThatJQWouldRoundIsReported() throws {
        let scene = try Scene(
            document: #"[{"id": 1, "big": 9007199254740993}, {"id": 2, "big": 12}]"#,
            fields: "id: int, title: {expr: '.big', type: string}")
        let run = try Program.run("run", "books.yaml", in: scene.path)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(run.output.contains("9007199254740993") && run.output.contains("jq calculates with doubles"))
        #expect(try scene.query("SELECT id, title FROM books") == ["2|12"])
    }

    struct Made: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The fields besides the number.
        let fields: String
        /// What is said of the record in the middle.
        let message: String
        /// The value that is shown, as JSON; nil for none.
        var value: String?
        /// Where it stands; nothing for what is made.
        var pointer = ""
    }

    static let made = [
        Made(
            testDescription: "a number that a program gives",
            fields: #"other: {expr: '"1"', type: decimal}, price: {expr: '.price | gsub(",";".")', type: decimal}"#,
            message: "The value that `expr` gives for `price` does not fit.", value: #""abc""#),
        Made(
            testDescription: "a program that fails",
            fields: "price: {expr: '.price | if . == \"abc\" then error(\"no\") else . end'}",
            message: "`expr` gives no value for `price`."),
        Made(
            testDescription: "text of the page", fields: #"price: {value: "{{ file.stem }}", type: int}"#,
            message: "The value that `value` gives for `price` does not fit."),
        Made(
            testDescription: "a value of the record", fields: "price: {type: decimal}",
            message: "Expected a decimal number",
            value: #""abc""#, pointer: "/price"),
    ]

    /// A value that is made has no place in the record, so its field is named.
    @Test(arguments: made) func whatDoesNotFitIsKnownByItsField(_ test: Made) throws {
        let scene = try Scene(
            document: #"[{"id": 1, "price": "1.5"}, {"id": 2, "price": "abc"}]"#, fields: "id: int, \(test.fields)")
        _ = try Program.run("run", "books.yaml", in: scene.path)
        let entries = try scene.query("SELECT message, value, pointer FROM _sluice_quarantine WHERE key LIKE '%2%'")
        let entry = try #require(entries.first)
        #expect(entry.contains(test.message), "\(entry)")
        #expect(entry.hasSuffix("|\(test.value ?? "null")|\(test.pointer)"), "\(entry)")
    }

    @Test(arguments: [
        ("filter: '.a ==='", "books.yaml:12:19:"), ("filter: env", "env"),
        ("records: {jq: '.a['}", "books.yaml:12:22:"),
    ])
    func aProgramThatCannotRunIsAProblemOfTheFile(stream: String, words: String) throws {
        let scene = try Scene(document: "[]", stream: stream)
        let run = try Program.run("run", "books.yaml", in: scene.path)
        #expect(run.code == 78)
        #expect((run.output + run.errors).contains(words), "\(run.errors)")
    }
}
