import FoundationEssentials
import SluiceDiagnostics
import SluiceJSON
import SluicePipeline
import SluiceSync
import TestSupport
import Testing

/// A pipeline that is written is read as it was meant.
@Suite struct PipelineWriterTests {
    private static let awkward = [
        "plain", "true", "null", "no", "1", "1.5", "- a", "a: b", "a #b", "${env:HOME}", "$$", "it's \"quoted\"", "[x]",
        "{x}", "*a", "&a", "!a", "%a", "@a", "`a", "größe", "👩‍🚀", "tab\tnew\nline", "\u{85}\u{2028}", "\\", " blank ",
        "",
    ]

    @Test func keysOfEverySortSurvive() throws {
        let members = Self.awkward.map { key in
            var json: [UInt8] = []
            JSONWriter.append(key, to: &json)
            return String(decoding: json, as: UTF8.self) + ": 1"
        }
        let found = try inspect("[{\"id\": 1, " + members.joined(separator: ", ") + "}]")
        #expect(found.fields.count == Self.awkward.count + 1)
        try withTemporaryDirectory { folder in
            let file = folder.file("it's $ {data}.json")
            try "[{\"id\": 1}]".write(toFile: file, atomically: true, encoding: .utf8)
            var pipeline = ImportPipeline.make(
                source: try source(file), inspection: found, table: "Größe: 'all'", identity: .fields(["id"]))
            pipeline.store = "sqlite:\(folder.file("my store.db"))"
            for target in [folder.file("p.yaml"), "/tmp/elsewhere/p.yaml"] {
                let (read, problems) = PipelineLoader.load(
                    bytes: Array(PipelineWriter(pipeline, file: target).text.utf8), file: target, environment: [:],
                    mode: .validate)
                #expect(problems.map(\.detail) == [])
                let definition = try #require(read)
                #expect(definition.name == pipeline.name)
                #expect(definition.store == pipeline.store)
                let entity = definition.entities[0]
                #expect(entity.name == pipeline.entities[0].name)
                #expect(entity.table == "Größe: 'all'")
                #expect(entity.fields.map(\.name) == found.fields.map(\.name))
                for (field, expected) in zip(entity.fields, found.fields) {
                    guard case .path(let path) = field.origin else { continue }
                    #expect(path.steps == expected.path.steps)
                    #expect(field.type == expected.type)
                }
                guard case .file(let base) = definition.source.base else { continue }
                #expect((base == "/" ? "" : base) + "/" + (definition.streams[0].path?.revealed ?? "") == file)
            }
        }
    }

    @Test func secretsAreNotWritten() throws {
        var stream = StreamDefinition(name: "things", entity: "Thing", path: ConfigurationText("/a?b={c}"))
        stream.headers = [
            NamedText(name: "Accept", value: ConfigurationText("application/json")),
            NamedText(
                name: "X-Api-Key",
                value: ConfigurationText(parts: [.init("Token "), .init("s3cr3t", isSecret: true)])),
        ]
        stream.paginator = .headerLink(relation: "next")
        let entity = EntityDefinition(
            name: "Thing", table: "things", primaryKey: ["id"],
            fields: [FieldDefinition(name: "id", column: "id", origin: .path(try JSONPath(parsing: "$.id")))])
        let pipeline = PipelineDefinition(
            name: "things", file: "",
            source: SourceDefinition(base: .http(ConfigurationText("https://a.example:8443"))),
            entities: [entity], streams: [stream])
        let writer = PipelineWriter(pipeline, file: "p.yaml")
        #expect(!writer.text.contains("s3cr3t"))
        #expect(writer.variables.map(\.name) == ["X_API_KEY"])
        let (read, problems) = PipelineLoader.load(
            bytes: Array(writer.text.utf8), file: "p.yaml", environment: ["X_API_KEY": "s3cr3t"], mode: .run)
        #expect(problems.map(\.detail) == [])
        let definition = try #require(read)
        #expect(definition.streams[0].headers.map(\.value.revealed) == ["application/json", "Token s3cr3t"])
        #expect(definition.streams[0].headers[1].value.isSecret)
        #expect(definition.streams[0].path?.revealed == "/a?b={c}")
        #expect(definition.streams[0].paginator == .headerLink(relation: "next"))
    }
}
