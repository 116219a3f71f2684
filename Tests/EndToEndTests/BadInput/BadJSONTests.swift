import Foundation
import TestSupport
import Testing

/// Documents and records that are wrong: a document is refused as a whole, a record goes to quarantine alone.
@Suite struct BadJSONTests {
    /// One document, and what becomes of it.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        let words: [String]
        var testDescription: String { name }

        init(_ name: String, _ text: String, _ words: String...) {
            self.init(name, bytes: Array(text.utf8), words)
        }

        init(_ name: String, bytes: [UInt8], _ words: [String]) {
            self.name = name
            self.bytes = bytes
            self.words = words
        }
    }

    private func scene(maximumRecord: String = "1MiB") throws -> Scene {
        let scene = try Scene(records: 3)
        let pipeline = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write("books.yaml", pipeline.replacing("file:.\"", with: "file:.\", max_record: \(maximumRecord)"))
        let run = try Program.run("run", "books.yaml", in: scene.path)
        #expect(run.code == 0, "\(run.errors)")
        return scene
    }

    @Test(arguments: refused)
    func aDocumentThatIsWrongChangesNothing(row: Row) throws {
        let scene = try scene(maximumRecord: row.words.contains("raise `max_record`") ? "1000" : "1MiB")
        try scene.write("books.json", bytes: row.bytes)
        let before = try StoreDump(scene.store)
        let words = row.words + ["books.json", "stream `books`"]
        for command in ["plan", "run"] {
            expectOneError(try Program.run(command, "books.yaml", in: scene.path), code: 1, words)
        }
        let after = try StoreDump(scene.store)
        #expect(after.differences(from: before) == [])
        #expect(after.runs.count == before.runs.count + 1)
    }

    /// The same in an import, which has no limit of a record of its own.
    @Test(
        arguments: refused.filter { !$0.words.contains("raise `max_record`") && !$0.words.contains("Check `records`") })
    func anImportSaysTheSame(row: Row) throws {
        let scene = try scene()
        try scene.write("bad.json", bytes: row.bytes)
        let before = try StoreDump(scene.store)
        let result = try Program.run(
            "import", "bad.json", "--table", "books", "--key", "id", "--store", "sqlite:shop.db", in: scene.path)
        // Lines of JSON are taken as such, and where no list begins there are no records.
        guard !row.name.contains("two lines"), result.code == 1 else {
            #expect(result.code == (row.name.contains("two lines") ? 0 : 1), "\(result.output)\(result.errors)")
            return
        }
        expectOneError(result, code: 1, ["bad.json"])
        #expect(try StoreDump(scene.store).differences(from: before) == [])
    }

    @Test(arguments: records)
    func aRecordThatIsWrongIsKeptApart(row: Row) throws {
        let scene = try scene()
        let record = String(decoding: row.bytes, as: UTF8.self)
        let good = try String(contentsOfFile: scene.folder.file("books.json"), encoding: .utf8)
        try scene.write("books.json", good.dropLast() + ", " + record + "]")
        let before = try StoreDump(scene.store)
        let run = try Program.run("run", "books.yaml", in: scene.path)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        for word in row.words.dropFirst() { #expect(run.output.contains(word), "\(run.output)") }
        #expect(run.output.contains("sluice quarantine show 1 --store sqlite:shop.db"))
        #expect(try Program.run("run", "books.yaml", "--strict", in: scene.path).code == 3)
        #expect(try scene.query("SELECT reason FROM _sluice_quarantine") == [row.words[0]])
        var after = try StoreDump(scene.store).tables
        var expected = before.tables
        for own in ["_sluice_quarantine", "_sluice_changes"] { (after[own], expected[own]) = (nil, nil) }
        #expect(after == expected, "the others are as they were, and nothing counts as gone")
    }

    /// What is unusual and right all the same.
    @Test(arguments: [
        ("a byte order mark", "\u{FEFF}[{\"id\": 1, \"title\": \"b\"}]", "1|b"),
        ("the same name twice: the last one counts", #"[{"id": 1, "title": "a", "title": "b"}]"#, "1|b"),
        ("a pair of surrogates", #"[{"id": 1, "title": "\ud83d\ude00"}]"#, "1|😀"),
        ("blanks of all kinds", "\r\n\t [ {\t\"id\" :\n1 , \"title\":\"b\" } ]\r\n", "1|b"),
        ("one object", #"{"id": 1, "title": "b"}"#, "1|b"),
        ("an exponent in the key", #"[{"id": 1e0, "title": "b"}]"#, "1|b"),
        ("a name of no length", #"[{"id": 1, "": 5, "title": "b"}]"#, "1|b"),
        (
            "a level less than too deep",
            "[{\"id\": 1, \"title\": \"b\", \"x\": \(String(repeating: "[", count: 1000))\(String(repeating: "]", count: 1000))}]",
            "1|b"
        ),
    ])
    func whatIsUnusualIsTaken(name: String, text: String, row: String) throws {
        let scene = try scene()
        try scene.write("books.json", text)
        let run = try Program.run("run", "books.yaml", in: scene.path)
        #expect(run.code == 0, "\(name): \(run.output)\(run.errors)")
        #expect(try scene.query("SELECT id, title FROM books") == [row])
    }
}
