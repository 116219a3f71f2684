import Foundation
import SluiceSQLite
import TestSupport
import Testing

/// What `inspect schema` tells of a store that two pipelines and people built: see `fixtures/schema`.
@Suite struct SchemaTests {
    private static let fixtures = Program.project.appending(path: "fixtures/schema")

    private func store() throws -> TemporaryDirectory {
        let folder = try TemporaryDirectory()
        for name in ["tracker.yaml", "people.yaml", "users.json", "people.json", "issues.json"] {
            try FileManager.default.copyItem(
                at: Self.fixtures.appending(path: name), to: URL(filePath: folder.file(name)))
        }
        for pipeline in ["tracker.yaml", "people.yaml"] {
            let run = try Program.run("run", pipeline, "--store", "sqlite:shop.db", in: folder.path)
            try #require(run.code == 0, "\(run.output)\(run.errors)")
        }
        let sql = try String(contentsOf: Self.fixtures.appending(path: "own.sql"), encoding: .utf8)
        try Connection(path: folder.file("shop.db"), mode: .existing).execute(sql)
        return folder
    }

    @Test(arguments: [("text", "schema.txt"), ("json", "schema.json"), ("mermaid", "schema.mmd")])
    func theTablesAreShown(_ form: String, _ file: String) throws {
        let folder = try store()
        let outcome = try Program.run(
            "inspect", "schema", "--store", "sqlite:shop.db", "--format", form, in: folder.path)
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        try ExpectedText(file: Self.fixtures.appending(path: file)).check(outcome.output)
    }
}
