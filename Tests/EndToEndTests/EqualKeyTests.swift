import Foundation
import TestSupport
import Testing

/// Keys that Unicode calls equal and that are not the same bytes: the records of two of them are two records everywhere.
@Suite struct EqualKeyTests {
    struct Decision: Sendable, CustomTestStringConvertible {
        let side: String
        /// The titles of both rows then.
        let rows: [String]
        var testDescription: String { side }
    }

    private static let keys = ["\u{E4}", "a\u{308}"]

    private func scene(_ titles: [String]?) throws -> Scene {
        let scene = try Scene(url: "http://127.0.0.1:9")
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            store: sqlite:shop.db
            source: {base_url: "file:."}
            entities:
              Book: {table: books, primary_key: [id], fields: {id: string, title: string}}
            streams:
              - {name: books, entity: Book, path: books.json, delete_missing: {mode: hard, max_delete: 100%, min_records: 0}}
            """)
        try put(["one", "two"], in: scene)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        for (key, title) in zip(Self.keys, ["mine", "ours"]) {
            try scene.execute("UPDATE books SET title = '\(title)' WHERE id = '\(key)'")
        }
        try put(titles, in: scene)
        let run = try Program.run("run", "books.yaml", "--format", "json", in: scene.path)
        #expect(run.code == 0 && run.output.contains(#""conflict":2"#), "\(run.output)\(run.errors)")
        return scene
    }

    private func put(_ titles: [String]?, in scene: Scene) throws {
        let records = zip(Self.keys, titles ?? []).map { #"{"id":"\#($0)","title":"\#($1)"}"# }
        try scene.write("books.json", "[\(records.joined(separator: ","))]")
    }

    private func rows(_ scene: Scene) throws -> [String] {
        // By their bytes: C3 A4 stands behind 61 CC 88.
        try scene.query("SELECT title FROM books ORDER BY hex(id) DESC")
    }

    @Test(arguments: [
        Decision(side: "remote", rows: ["uno", "due"]), Decision(side: "local", rows: ["mine", "ours"]),
        Decision(side: "base", rows: ["one", "two"]),
    ])
    func conflictsOfBothAreDecided(decision: Decision) throws {
        let scene = try scene(["uno", "due"])
        let resolve = try Program.run(
            "conflicts", "resolve", "--all", "--take", decision.side, "--store", "sqlite:shop.db", in: scene.path)
        #expect(resolve.code == 0 && resolve.output.contains("2 resolved"), "\(resolve.output)\(resolve.errors)")
        #expect(try rows(scene) == decision.rows)
        let plan = try Program.run("plan", "books.yaml", "--detailed-exitcode", in: scene.path)
        #expect(plan.code == 0, "\(plan.output)\(plan.errors)")
        // The run that decided is taken back for both.
        let undo = try Program.run("undo", "3", "--store", "sqlite:shop.db", in: scene.path)
        #expect(undo.code == 0, "\(undo.output)\(undo.errors)")
        #expect(try rows(scene) == ["mine", "ours"])
    }

    @Test func bothAreDeleted() throws {
        let scene = try scene(nil)
        let resolve = try Program.run(
            "conflicts", "resolve", "--all", "--take", "remote", "--store", "sqlite:shop.db", in: scene.path)
        #expect(resolve.code == 0 && resolve.output.contains("2 resolved"), "\(resolve.output)\(resolve.errors)")
        #expect(try rows(scene) == [])
    }
}
