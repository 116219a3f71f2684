import Foundation
import SluiceSQLite
import TestSupport
import Testing

/// What `inspect drift` tells of a source that began to send other records, and of a store that people changed: see
/// `fixtures/drift`.
@Suite struct DriftTests {
    private static let fixtures = Program.project.appending(path: "fixtures/drift")

    private func text(_ name: String) throws -> String {
        try String(contentsOf: Self.fixtures.appending(path: name), encoding: .utf8)
    }

    private func makeShop() throws -> TemporaryDirectory {
        let folder = try TemporaryDirectory()
        for (name, copy) in [
            ("shop.yaml", "shop.yaml"), ("users.json", "users.json"), ("books-before.json", "books.json"),
        ] {
            try text(name).write(toFile: folder.file(copy), atomically: true, encoding: .utf8)
        }
        try Connection(path: folder.file("shop.db"), mode: .create).execute(text("before.sql"))
        let run = try Program.run("run", "shop.yaml", "--store", "sqlite:shop.db", in: folder.path)
        try #require(run.code == 0, "\(run.output)\(run.errors)")
        try Connection(path: folder.file("shop.db"), mode: .existing).execute(text("own.sql"))
        try text("books.json").write(toFile: folder.file("books.json"), atomically: true, encoding: .utf8)
        return folder
    }

    @Test(arguments: [
        ([String](), "drift.txt"), (["--format", "json"], "drift.json"), (["--offline"], "offline.txt"),
        (["--stream", "users"], "users.txt"),
    ])
    func whatDriftsIsShown(_ options: [String], _ file: String) throws {
        let folder = try makeShop()
        let before = try Data(contentsOf: URL(filePath: folder.file("shop.db")))
        let outcome = try Program.start(
            ["inspect", "drift", "shop.yaml", "--store", "sqlite:shop.db", "--detailed-exitcode"] + options,
            in: folder.path
        ).wait()
        #expect(outcome.code == 2 && outcome.errors.isEmpty, "\(outcome.code) \(outcome.errors)")
        try ExpectedText(file: Self.fixtures.appending(path: file)).check(outcome.output)
        #expect(!outcome.output.contains("7946"), "a value of a record with redacted fields")
        #expect(try Data(contentsOf: URL(filePath: folder.file("shop.db"))) == before)
    }
}
