import Foundation
import TestSupport
import Testing

/// What a saved plan keeps of values that are redacted or secret.
@Suite("A saved plan of redacted values") struct SavedPlanRedactionTests: SavedPlanSuite {
    /// A store with people, whose addresses are redacted, and the plan of what the source says now.
    private func redacted(_ redact: String, _ more: String...) throws -> Scene {
        let scene = try Scene(
            document: Self.people([1: "ann@example.com", 2: "bob@example.com"]),
            fields: "id: int, mail: {type: string, redact: \(redact)}, title: string")
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        try scene.write("books.json", Self.people([1: "ann@example.org", 2: "bob@example.com", 3: "cleo@example.com"]))
        let result = try Program.start(["plan", "books.yaml", "--save", Self.file] + more, in: scene.path).wait()
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        return scene
    }

    private static func people(_ mails: KeyValuePairs<Int, String>) -> String {
        let records = mails.map { "{\"id\": \($0.key), \"mail\": \"\($0.value)\", \"title\": \"T\($0.value.count)\"}" }
        return "[\(records.joined(separator: ","))]"
    }

    @Test(arguments: ["hash", "mask", "drop"])
    func holdsNoRedactedValueInClear(_ redact: String) throws {
        let scene = try redacted(redact)
        for text in try PlanTexts.all(in: scene.folder.file(Self.file)) {
            #expect(!text.contains("@example"), "\(text)")
            #expect(!text.contains("ann@") && !text.contains("cleo"), "\(text)")
        }
        let shown = try Program.run("show", Self.file, in: scene.path)
        #expect(shown.code == 0 && !shown.output.contains("@example"), "\(shown.output)\(shown.errors)")
        #expect(shown.output.contains("# asks the source again, since the plan holds no answers"), "\(shown.output)")
        let applied = try apply(scene, "--format", "json")
        #expect(applied.code == 0, "\(applied.output)\(applied.errors)")
        #expect(try scene.query("SELECT count(*) FROM books") == ["3"])
        // What was applied is what a run would have written.
        let run = try Program.run("run", "books.yaml", "--format", "json", in: scene.path)
        #expect(run.output.contains(#""unchanged":3"#), "\(run.output)")
    }

    @Test func ofRedactedFieldsAsksTheSourceAgainAndDoesWhatWasPlannedAlone() throws {
        let scene = try redacted("hash")
        // One record is as planned, one has changed, and one was not there.
        try scene.write(
            "books.json",
            Self.people([1: "ann@example.org", 2: "bob@example.com", 3: "cleo@elsewhere.com", 4: "dan@example.com"]))
        let result = try apply(scene, "--format", "json")
        #expect(result.code == 5, "\(result.output)\(result.errors)")
        #expect(result.output.contains(#""planned":2,"made":1,"moved":2"#), "\(result.output)")
        #expect(try scene.query("SELECT id, title FROM books ORDER BY id") == ["1|T15", "2|T15"])
        let ann = try scene.query("SELECT mail FROM books WHERE id = 1")
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        #expect(try scene.query("SELECT count(*) FROM books") == ["4"])
        #expect(try scene.query("SELECT mail FROM books WHERE id = 1") == ann)
    }

    @Test func ofRedactedFieldsTellsOfChangesThatTheSourceNoLongerGives() throws {
        let scene = try redacted("hash")
        try scene.write("books.json", Self.people([1: "ann@example.org", 2: "bob@example.com"]))
        let result = try apply(scene, "--format", "json")
        #expect(result.code == 5, "\(result.output)\(result.errors)")
        #expect(result.output.contains(#""planned":2,"made":1,"moved":0"#), "\(result.output)")
        #expect(result.output.contains("unsaid_changes"), "\(result.output)")
        #expect(try scene.query("SELECT count(*) FROM books") == ["2"])
    }

    /// People may write into a column whose values are redacted.
    @Test func holdsNothingOfWhatPeopleWroteIntoARedactedColumn() throws {
        let scene = try redacted("hash")
        try scene.execute("UPDATE books SET mail = 'written@example.net' WHERE id = 1")
        try plan(scene)
        for text in try PlanTexts.all(in: scene.folder.file(Self.file)) {
            #expect(!text.contains("example.net") && !text.contains("@example"), "\(text)")
        }
    }

    @Test func ofRedactedFieldsAsksTheRecordingThatAnsweredIt() throws {
        let scene = try redacted("hash")
        try scene.write("books.json", "[]")
        let server = try LoopbackServer { _ in .text(Self.people([1: "ann@example.org", 2: "bob@example.com"])) }
        let yaml = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write(
            "books.yaml",
            yaml.replacing("\"file:.\"", with: "\"\(server.url)\"").replacing("path: books", with: "path: /books"))
        #expect(try Program.run("record", "books.yaml", "--to", "tape", in: scene.path).code == 0)
        server.stop()
        try plan(scene, "--replay", "tape")
        let result = try apply(scene)
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        #expect(try scene.query("SELECT id, title FROM books ORDER BY id") == ["1|T15", "2|T15"])
    }

    @Test func holdsNoSecretAndIsPrivate() throws {
        let server = try LoopbackServer { _ in .text(#"[{"id": 1, "title": "a", "price": 1}]"#) }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        let yaml = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write(
            "books.yaml",
            yaml.replacing("source: {", with: "source: {auth: {type: bearer, token: \"${env:BOOKS_TOKEN}\"}, "))
        let result = try Program.start(
            ["plan", "books.yaml", "--save", Self.file], in: scene.path, environment: ["BOOKS_TOKEN": "tops3cret-token"]
        ).wait()
        #expect(result.code == 0, "\(result.errors)")
        let path = scene.folder.file(Self.file)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let texts = try PlanTexts.all(in: path)
        #expect(texts.contains { $0.contains("/books") } && !texts.contains { $0.contains("tops3cret") })
        // Nor is it asked for again.
        #expect(try apply(scene).code == 0)
        #expect(try titles(scene) == ["a"])
    }
}
