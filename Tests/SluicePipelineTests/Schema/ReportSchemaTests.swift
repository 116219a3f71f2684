import Foundation
import SluiceYAML
import Testing

/// `pipelines/sluice-report.schema.json` describes the reports that the program writes.
@Suite struct ReportSchemaTests {
    private static let reports: [String] = {
        let folder = URL(filePath: "\(Fixtures.root)/fixtures/sync")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects as? [URL]
        return (files ?? []).filter { $0.pathExtension == "json" }.map(\.path).filter { path in
            (try? String(contentsOfFile: path, encoding: .utf8))?.hasPrefix(#"{"format":"sluice.report/1""#) == true
        }.sorted()
    }()

    private func validator() throws -> SchemaValidator {
        let path = "\(Fixtures.root)/pipelines/sluice-report.schema.json"
        return try SchemaValidator(schema: String(contentsOfFile: path, encoding: .utf8))
    }

    private func accepts(_ text: String) throws -> Bool {
        let document = YAMLDocument(reading: Array(text.utf8))
        return try validator().accepts(try #require(document.root, "\(document.problems)"))
    }

    @Test func acceptsWhatIsWritten() throws {
        #expect(Self.reports.count > 40)
        for path in Self.reports {
            #expect(try accepts(String(contentsOfFile: path, encoding: .utf8)), "\(path)")
        }
    }

    @Test(arguments: [
        (#""format":"sluice.report/1""#, #""format":"sluice.report/2""#), (#""pipeline":"shop","#, ""),
        (#""complete":true"#, #""complete":"yes""#), (#""streams":["#, #""streams":7,"other":["#),
        (#""insert":"#, #""inserted":"#), (#""problems":["#, #""problem":["#),
    ])
    func refusesAnotherShape(_ old: String, _ new: String) throws {
        let path = "\(Fixtures.root)/fixtures/sync/children/second.run.json"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains(old))
        #expect(try !accepts(text.replacing(old, with: new)))
    }
}
