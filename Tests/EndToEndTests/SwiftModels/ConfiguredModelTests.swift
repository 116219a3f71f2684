import Foundation
import TestSupport
import Testing

/// Models are generated, edited, found to differ and mended by a configuration in the working directory.
@Suite struct ConfiguredModelTests {
    private static let pipeline = """
        version: 1
        name: books
        source: {base_url: "file:."}
        entities:
          Book:
            primary_key: [id]
            fields: {id: int, price: decimal, author: {ref: Author, from: author}}
          Author: {primary_key: [id], fields: {id: int}}
        streams:
          - {name: books, entity: Book, path: books.json}
        """

    @Test func modelsAreGeneratedEditedFoundAndMended() throws {
        let folder = try TemporaryDirectory()
        func sluice(_ line: String) throws -> Program.Result {
            try Program.start(line.split(separator: " ").map(String.init), in: folder.path).wait()
        }
        func edit(_ file: String, _ old: String, _ new: String) throws {
            let text = try String(contentsOfFile: folder.file(file), encoding: .utf8)
            #expect(text.contains(old), "\(text)")
            try text.replacing(old, with: new).write(toFile: folder.file(file), atomically: true, encoding: .utf8)
        }
        try FileManager.default.createDirectory(atPath: folder.file("pipelines"), withIntermediateDirectories: false)
        try Self.pipeline.write(toFile: folder.file("pipelines/books.yaml"), atomically: true, encoding: .utf8)
        let alone = try sluice("validate --swift")
        #expect(alone.code == 64 && alone.errors.contains("there is no `sluice-swift.yaml`"), "\(alone.errors)")

        #expect(try sluice("generate swift-config pipelines --output sluice-swift.yaml").code == 0)
        let early = try sluice("validate --swift")
        #expect(early.code == 1 && early.errors.contains("`sluice generate swift` makes it"), "\(early.errors)")
        #expect(try sluice("generate swift").code == 0)
        #expect(try sluice("validate --swift --level exact --strict").code == 0)

        try edit("Sources/Models/Book.swift", "deleteRule: .nullify", "deleteRule: .cascade")
        let drifted = try sluice("validate --swift")
        #expect(drifted.code == 78)
        #expect(drifted.output.hasPrefix("Sources/Models/Book.swift:"), "\(drifted.output)")
        #expect(try sluice("validate --swift --fix --dry-run").code == 78)
        #expect(try sluice("validate --swift --fix").code == 0)
        #expect(try sluice("validate --swift --level exact").code == 0)

        try edit("pipelines/books.yaml", "price: decimal", "price: {type: string}")
        let typed = try sluice("validate --swift --fix --format sarif")
        #expect(typed.code == 78 && typed.output.contains("\"swift_field_type\""), "\(typed.output)")

        // Nobody asked, so nothing is said but that.
        let unasked = try sluice("validate")
        #expect(unasked.code == 0)
        #expect(
            unasked.output.hasSuffix(
                "The Swift models of `sluice-swift.yaml` were not checked: `sluice validate --swift` does it.\n"),
            "\(unasked.output)")
        #expect(try !sluice("validate pipelines").output.contains("sluice-swift.yaml"))
    }
}
