import Foundation
import TestSupport
import Testing

/// A folder with the usual store, and pipelines that fill another one.
@Suite struct ImpliedStoreFlowTests {
    @Test func commandsOnAStoreMeanTheOneThatARunFills() throws {
        let folder = try TemporaryDirectory()
        func write(_ text: String, _ name: String) throws {
            try text.write(toFile: folder.file(name), atomically: true, encoding: .utf8)
        }
        func sluice(_ words: String..., environment: [String: String] = [:]) throws -> Program.Result {
            try Program.start(words, in: folder.path, environment: environment).wait()
        }
        try write(#"[{"id": 1}]"#, "books.json")
        #expect(try sluice("import", "books.json", "--key", "id").code == 0)
        try FileManager.default.createDirectory(atPath: folder.file("pipelines"), withIntermediateDirectories: true)
        try write(
            """
            version: 1
            name: crm
            store: sqlite:../crm.db
            source: {base_url: "file:.."}
            entities: {Book: {table: books, primary_key: [id], fields: {id: int}}}
            streams: [{name: books, entity: Book, path: books.json}]
            """, "pipelines/crm.yaml")
        #expect(try sluice("run").output.hasPrefix("Run 1 of crm"))
        for words in [["status"], ["history"], ["undo", "1", "--plan"]] {
            let outcome = try Program.start(words, in: folder.path).wait()
            #expect(outcome.code == 0 && outcome.output.contains("crm"), "\(words): \(outcome)")
            #expect(
                outcome.errors.contains("The store is that of the pipelines in `pipelines`: `sqlite:crm.db`.")
                    && outcome.errors.contains("`--store sqlite:sluice.db` means"), "\(outcome.errors)")
        }
        let variable = try sluice("status", environment: ["SLUICE_STORE": "sqlite:sluice.db"])
        #expect(variable.code == 0 && variable.output.contains("books") && !variable.output.contains("crm"))
        #expect(variable.errors.contains("as `SLUICE_STORE` says. The pipelines in `pipelines` fill `sqlite:crm.db`"))
        let named = try sluice("status", "--store", "sqlite:sluice.db")
        #expect(named.code == 0 && named.errors.isEmpty, "\(named)")
    }

    @Test func stepsNameNoStoreThatIsImplied() throws {
        let scene = try Scene(document: #"[{"id": 1, "title": "A"}]"#)
        let folder = scene.folder.file("pipelines")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let text = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write(
            "pipelines/books.yaml",
            text.replacing("sqlite:shop.db", with: "sqlite:../shop.db").replacing("file:.", with: "file:.."))
        #expect(try Program.run("run", in: scene.path).code == 0)
        _ = try scene.query("UPDATE books SET title = 'B'")
        try scene.write("books.json", #"[{"id": 1, "title": "C"}]"#)
        let run = try Program.run("run", in: scene.path)
        #expect(run.output.contains("  sluice conflicts show 1  ") && !run.output.contains("--store"), "\(run)")
        let detail = try Program.run("conflicts", "show", "1", in: scene.path)
        #expect(detail.output.contains("sluice conflicts resolve 1 --take local"), "\(detail)")
        #expect(!detail.output.contains(" pipelines") && !detail.output.contains("--store"), "\(detail)")
        // Of a file that is named, and of a store, the steps name it.
        let named = try Program.run("run", "pipelines/books.yaml", in: scene.path)
        #expect(named.output.contains("--store sqlite:shop.db"), "\(named)")
        let file = try Program.run("conflicts", "show", "1", "pipelines/books.yaml", in: scene.path)
        #expect(file.output.contains(" pipelines/books.yaml"), "\(file)")
    }
}
