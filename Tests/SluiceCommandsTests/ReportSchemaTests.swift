import Foundation
import SluiceCommands
import TestSupport
import Testing

/// The JSON Schemas of reports and of the history. The workshops and stages of all tests check by them what commands write.
@Suite struct ReportSchemaTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static let reports: [URL] = {
        let folder = root.appending(path: "fixtures/sync")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects as? [URL]
        return (files ?? []).filter { file in
            file.pathExtension == "json"
                && (try? String(contentsOf: file, encoding: .utf8))?.hasPrefix(#"{"format":"sluice.report/1""#) == true
        }
    }()

    struct Document: Sendable, CustomTestStringConvertible {
        let name: String
        let schema: String
        /// At least so many tables of the page have its keys.
        let places: Int
        var testDescription: String { name }
    }

    static let documents = [
        Document(name: "report", schema: ReportSchema.jsonSchema(), places: 25),
        Document(name: "history", schema: HistorySchema.jsonSchema(), places: 6),
    ]

    @Test(arguments: documents)
    func itIsShippedAndPrinted(document: Document) throws {
        let file = Self.root.appending(path: "pipelines/sluice-\(document.name).schema.json")
        #expect(ExpectedFile(file.path).complaint(about: document.schema) == nil)
        let printed = try Workshop().run(["generate", "schema", document.name])
        #expect(printed.code == 0 && printed.output == document.schema)
    }

    @Test func anotherSubjectIsRefused() throws {
        let shop = try Workshop()
        let unknown = shop.run(["generate", "schema", "rapport"])
        #expect(unknown.code == 64 && unknown.errors.contains("Did you mean `report`?"), "\(unknown.errors)")
    }

    /// A store is never made for a failure, so nothing numbers a first run that fails.
    @Test func aFirstRunThatFailsHasNoNumber() throws {
        let shop = try Workshop()
        try shop.writePipeline()
        let outcome = shop.sluice("run", shop.pipeline, "--format", "json")
        #expect(outcome.code == 1 && outcome.output.contains(#""status":"failed","run":null"#), "\(outcome)")
        #expect(shop.files == ["shop.yaml"])
        #expect(ReportSchema.jsonSchema().contains("a first run that fails makes no store"))
    }

    @Test func acceptsWhatIsWritten() throws {
        #expect(Self.reports.count > 40)
        for file in Self.reports {
            let problems = ReportCheck.schema.problems(of: try String(contentsOf: file, encoding: .utf8))
            #expect(problems == [], "\(file.lastPathComponent)")
        }
    }

    @Test(arguments: [
        (#""format":"sluice.report/1""#, #""format":"sluice.report/2""#), (#""pipeline":"shop","#, ""),
        (#""complete":true"#, #""complete":"yes""#), (#""streams":["#, #""streams":7,"other":["#),
        (#""insert":"#, #""inserted":"#), (#""problems":["#, #""problem":["#), (#""run":1"#, #""run":-1"#),
    ])
    func refusesAnotherShape(_ old: String, _ new: String) throws {
        let file = Self.root.appending(path: "fixtures/sync/children/second.run.json")
        let text = try String(contentsOf: file, encoding: .utf8).replacing("\"run\":2", with: "\"run\":1")
        #expect(text.contains(old))
        #expect(ReportCheck.schema.problems(of: text.replacing(old, with: new)) != [])
    }

    /// The page for people has the same keys, and none is required that it says is left out.
    @Test(arguments: documents)
    func thePageHasTheSameKeys(of described: Document) throws {
        let page = try String(contentsOf: Self.root.appending(path: "docs/report.md"), encoding: .utf8)
        let document = try #require(
            JSONSerialization.jsonObject(with: Data(described.schema.utf8)) as? [String: Any])
        let definitions = try #require(document["$defs"] as? [String: [String: Any]])
        /// The object that a path leads to.
        func object(_ path: Substring) throws -> [String: Any] {
            var schema = document
            for part in path.split(separator: ".") where part != "*" {
                let name = String(part.replacing("[]", with: ""))
                schema = try #require((schema["properties"] as? [String: [String: Any]])?[name], "\(path)")
                for keyword in ["items", "additionalProperties"] {
                    schema = schema[keyword] as? [String: Any] ?? schema
                }
                if let reference = schema["$ref"] as? String {
                    schema = try #require(definitions[String(reference.dropFirst("#/$defs/".count))], "\(reference)")
                }
            }
            return schema
        }
        var places = 0
        for part in page.components(separatedBy: "\nPlace").dropFirst() {
            let head = try #require(part.components(separatedBy: "\n\n").first)
            let own = head.matches(of: #/`sluice\.([a-z]+)/1 ?([^`]*)`/#).filter { $0.1 == described.name }
            for match in own {
                places += 1
                let object = try object(match.2)
                let rows = part.split(separator: "\n").filter { $0.hasPrefix("| `") }
                let keys = rows.map { String($0.split(separator: "`")[1]) }
                let known = try #require(object["properties"] as? [String: Any], "\(match.2)")
                // A table that other documents share has keys of theirs, too.
                let isShared = head.matches(of: #/`sluice\./#).count > own.count
                if isShared {
                    #expect(Set(keys).isSuperset(of: known.keys), "\(match.2)")
                } else {
                    #expect(Set(keys) == Set(known.keys), "\(match.2)")
                }
                let required = Set(object["required"] as? [String] ?? [])
                for (key, row) in zip(keys, rows)
                where row.contains(#/(; |else |\. )[Ll]eft out/#) && !row.contains("left out of `status`") {
                    #expect(!required.contains(key), "\(match.2) \(key)")
                }
            }
        }
        #expect(places >= described.places)
    }
}
