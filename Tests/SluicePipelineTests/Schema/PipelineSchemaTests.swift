import Foundation
import SluiceDiagnostics
import SluicePipeline
import SluicePipelineFiles
import SluiceYAML
import Testing

@Suite struct PipelineSchemaTests {
    /// Bad files whose fault a schema cannot say, each with the reason.
    static let notExpressible = [
        "entities": "names that stand twice, are reserved or mean no field, and types that do not suit a key",
        "redact-unique": "what a field that a group names does with its values",
        "schedule-keys": "keys of which one must be there",
        "schedule-never": "days that a month has",
    ]

    private func validator() throws -> SchemaValidator { try SchemaValidator(schema: PipelineSchema.jsonSchema()) }

    private func node(_ folder: String, _ name: String) throws -> YAMLNode? {
        let file = URL(filePath: "\(Fixtures.root)/fixtures/pipelines/\(folder)/\(name).yaml")
        let document = YAMLDocument(reading: Array(try Data(contentsOf: file)))
        // An editor reads a file with duplicate keys, too, but says so by itself.
        return document.problems.isEmpty ? document.root : nil
    }

    @Test func schemaIsCurrent() {
        GoldenFile(path: "\(Fixtures.root)/pipelines/sluice.schema.json").check(PipelineSchema.jsonSchema())
    }

    @Test func schemaIsJSON() throws {
        for keys in [AvailableKeys.current, .all] {
            let text = PipelineSchema.jsonSchema(of: SpecificationCatalog(keys: keys))
            let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            #expect(object?["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
            #expect(object?["additionalProperties"] as? Bool == false)
            #expect(text == PipelineSchema.jsonSchema(of: SpecificationCatalog(keys: keys)))
        }
    }

    @Test(arguments: Fixtures.names(in: "valid"))
    func acceptsWhatTheCheckerAccepts(name: String) throws {
        #expect(try validator().accepts(try #require(try node("valid", name))))
    }

    @Test func acceptsTheShippedPipelines() throws {
        let (files, _) = PipelineLocator.locate(["\(Fixtures.root)/pipelines"])
        #expect(!files.isEmpty)
        for file in files {
            let document = YAMLDocument(reading: Array(try Data(contentsOf: URL(filePath: file))))
            #expect(try validator().accepts(try #require(document.root)), "\(file)")
        }
    }

    @Test(arguments: Fixtures.names(in: "invalid"))
    func refusesWhatTheCheckerRefuses(name: String) throws {
        guard let node = try node("invalid", name) else { return }
        let isAccepted = try validator().accepts(node)
        #expect(isAccepted == (Self.notExpressible[name] != nil), "\(name)")
    }

    @Test func everyReasonBelongsToAFile() throws {
        for name in Self.notExpressible.keys {
            #expect(Fixtures.names(in: "invalid").contains(name), "\(name)")
        }
    }

    /// Where a section stands twice in the file, it is the same section, so that one definition serves both.
    @Test func noTwoSectionsHaveTheSameName() {
        var known: [String: [String]] = [:]
        for entry in SpecificationCatalog(keys: .all).sections {
            let keys = entry.section.keys.map(\.name)
            #expect(known.updateValue(keys, forKey: entry.section.title) ?? keys == keys, "\(entry.path)")
        }
    }
}
