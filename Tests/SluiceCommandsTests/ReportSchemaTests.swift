import Foundation
import SluiceCommands
import TestSupport
import Testing

/// The JSON Schema of reports. The workshops and stages of all tests check each report that a command writes by it.
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

    @Test func itIsShippedAndPrinted() throws {
        let complaint = ExpectedFile(Self.root.appending(path: "pipelines/sluice-report.schema.json").path)
            .complaint(about: ReportSchema.jsonSchema())
        #expect(complaint == nil)
        let shop = try Workshop()
        let printed = shop.run(["generate", "schema", "report"])
        #expect(printed.code == 0 && printed.output == ReportSchema.jsonSchema())
        let unknown = shop.run(["generate", "schema", "rapport"])
        #expect(unknown.code == 64 && unknown.errors.contains("Did you mean `report`?"), "\(unknown.errors)")
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
    @Test func thePageHasTheSameKeys() throws {
        let page = try String(contentsOf: Self.root.appending(path: "docs/report.md"), encoding: .utf8)
        let document = try #require(
            JSONSerialization.jsonObject(with: Data(ReportSchema.jsonSchema().utf8)) as? [String: Any])
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
            for match in head.matches(of: #/`sluice\.report/1 ?([^`]*)`/#) {
                places += 1
                let object = try object(match.1)
                let rows = part.split(separator: "\n").filter { $0.hasPrefix("| `") }
                let keys = rows.map { String($0.split(separator: "`")[1]) }
                let known = try #require(object["properties"] as? [String: Any], "\(match.1)")
                // A table that other documents share has keys of theirs, too.
                let isShared = head.matches(of: #/`sluice\./#).count > head.matches(of: #/`sluice\.report/#).count
                if isShared {
                    #expect(Set(keys).isSuperset(of: known.keys), "\(match.1)")
                } else {
                    #expect(Set(keys) == Set(known.keys), "\(match.1)")
                }
                let required = Set(object["required"] as? [String] ?? [])
                for (key, row) in zip(keys, rows) where row.contains(#/(; |else |\. )[Ll]eft out/#) {
                    #expect(!required.contains(key), "\(match.1) \(key)")
                }
            }
        }
        #expect(places > 25)
    }
}
