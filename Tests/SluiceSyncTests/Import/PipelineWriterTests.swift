import FoundationEssentials
import SluiceDiagnostics
import SluiceDiscovery
import SluiceJSON
import SluiceModel
import SluicePipeline
import SluicePipelineFiles
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

    struct Paging: Sendable, CustomTestStringConvertible {
        let yaml: String
        let paginator: StreamDefinition.Paginator
        var testDescription: String { yaml }
    }

    private static func cursor(
        _ origin: StreamDefinition.Cursor.Origin, _ parameter: String, path: String? = nil, header: String = "",
        more: String? = nil
    ) -> StreamDefinition.Paginator {
        var cursor = StreamDefinition.Cursor()
        (cursor.origin, cursor.parameter, cursor.header) = (origin, parameter, header)
        cursor.path = path.flatMap { try? JSONPath(parsing: $0) }
        cursor.hasMorePath = more.flatMap { try? JSONPath(parsing: $0) }
        return .cursor(cursor)
    }

    private static var paging: [Paging] {
        var pages = StreamDefinition.PageNumber()
        (pages.parameter, pages.start, pages.totalPath) = ("p[n]", 0, try? JSONPath(parsing: "$.meta['total pages']"))
        var offset = StreamDefinition.Offset()
        (offset.parameter, offset.limitParameter) = ("skip", "take")
        offset.totalPath = try? JSONPath(parsing: "total")
        return [
            Paging(yaml: "{type: header_link, rel: older}", paginator: .headerLink(relation: "older")),
            Paging(
                yaml: "{type: cursor, cursor_path: a.b, cursor_param: after, has_more_path: more}",
                paginator: cursor(.body, "after", path: "a.b", more: "more")),
            Paging(
                yaml: "{type: cursor, cursor_from: last_record, cursor_path: id, cursor_param: since}",
                paginator: cursor(.lastRecord, "since", path: "id")),
            Paging(
                yaml: "{type: cursor, cursor_from: header, cursor_path: X-Next, cursor_param: from}",
                paginator: cursor(.header, "from", header: "X-Next")),
            Paging(
                yaml: #"{type: page_number, page_param: "p[n]", start: 0, total_pages_path: "$.meta['total pages']"}"#,
                paginator: .pageNumber(pages)),
            Paging(yaml: "{type: page_number}", paginator: .pageNumber(StreamDefinition.PageNumber())),
            Paging(
                yaml: "{type: offset, offset_param: skip, limit_param: take, total_path: total}",
                paginator: .offset(offset)),
        ]
    }

    @Test(arguments: paging)
    func everyPaginatorIsReadAsItWasMeant(_ paging: Paging) throws {
        var stream = StreamDefinition(name: "things", entity: "Thing", path: ConfigurationText("/a"))
        stream.paginator = paging.paginator
        stream.parameters = [
            NamedText(name: "filter[x]", value: ConfigurationText("1")),
            NamedText(
                name: "since",
                value: ConfigurationText(parts: [.init("cursor.start", variable: TemplateVariable(.cursorStart))])),
        ]
        var rule = IncrementalRule(field: "at")
        rule.initialJSON = "\"2024-01-01T00:00:00Z\""
        stream.incremental = rule
        let fields = try [("id", FieldType.int), ("at", .datetime)].map { name, type in
            FieldDefinition(name: name, column: name, origin: .path(try JSONPath(parsing: name)), type: type)
        }
        let pipeline = PipelineDefinition(
            name: "things", file: "", source: SourceDefinition(base: .http(ConfigurationText("https://a.example"))),
            entities: [EntityDefinition(name: "Thing", table: "things", primaryKey: ["id"], fields: fields)],
            streams: [stream])
        let text = PipelineWriter(pipeline, file: "p.yaml", notes: PipelineNotes(stream: ["a note"])).text
        #expect(text.contains("    paginator: \(paging.yaml)\n") && text.contains("    # a note\n"), "\(text)")
        let (read, problems) = PipelineLoader.load(
            bytes: Array(text.utf8), file: "p.yaml", environment: [:], mode: .run)
        #expect(problems.map(\.detail) == [])
        let definition = try #require(read).streams[0]
        #expect(definition.paginator == paging.paginator)
        #expect(definition.parameters.map(\.name) == ["filter[x]", "since"])
        #expect(definition.parameters[1].value.parts.first?.variable == TemplateVariable(.cursorStart))
        #expect(definition.incremental == rule)
    }

    @Test func secretsOfOneNameHaveVariablesOfTheirOwn() throws {
        var stream = StreamDefinition(name: "things", entity: "Thing", path: ConfigurationText("/a"))
        let secret = ConfigurationText(parts: [.init("s3cr3t", isSecret: true)])
        stream.parameters = [NamedText(name: "api_key", value: secret), NamedText(name: "2fa", value: secret)]
        stream.headers = [NamedText(name: "Api-Key", value: secret)]
        let pipeline = PipelineDefinition(
            name: "things", file: "", source: SourceDefinition(base: .http(ConfigurationText("https://a.example"))),
            entities: [], streams: [stream])
        let writer = PipelineWriter(pipeline, file: "p.yaml")
        #expect(writer.variables.map(\.name) == ["API_KEY", "_2FA", "API_KEY_2"])
        #expect(writer.text.contains("Api-Key: \"${env:API_KEY_2}\"") && !writer.text.contains("s3cr3t"))
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

    struct Login: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The headers of each stream: a name, what may be shown of the value, and the rest of it.
        let streams: [[(String, String, String)]]
        /// Whether it is written as `auth`.
        let isAuth: Bool
    }

    static let logins = [
        Login(testDescription: "a bearer token", streams: [[("Authorization", "Bearer ", "s3cr3t")]], isAuth: true),
        Login(testDescription: "in lower case", streams: [[("authorization", "bearer ", "s3cr3t")]], isAuth: true),
        Login(
            testDescription: "of all streams",
            streams: [[("Authorization", "Bearer ", "s3cr3t")], [("Authorization", "Bearer ", "s3cr3t")]],
            isAuth: true),
        Login(
            testDescription: "of one stream of two", streams: [[("Authorization", "Bearer ", "s3cr3t")], []],
            isAuth: false),
        Login(
            testDescription: "another one for each stream",
            streams: [[("Authorization", "Bearer ", "s3cr3t")], [("Authorization", "Bearer ", "0ther")]],
            isAuth: false),
        Login(testDescription: "another scheme", streams: [[("Authorization", "Basic ", "czpz")]], isAuth: false),
        Login(testDescription: "no scheme", streams: [[("Authorization", "", "s3cr3t")]], isAuth: false),
        Login(testDescription: "another header", streams: [[("X-Token", "Bearer ", "s3cr3t")]], isAuth: false),
    ]

    /// The token of a source is written as a person would write it.
    @Test(arguments: logins) func aBearerTokenIsTheLoginOfTheSource(_ login: Login) throws {
        let streams = login.streams.enumerated().map { index, headers in
            var stream = StreamDefinition(name: "s\(index)", entity: "Thing", path: ConfigurationText("/a"))
            stream.headers = headers.map { name, open, secret in
                NamedText(
                    name: name,
                    value: ConfigurationText(
                        parts: (open.isEmpty ? [] : [.init(open)]) + [.init(secret, isSecret: true)]))
            }
            return stream
        }
        let fields = [FieldDefinition(name: "id", column: "id", origin: .path(try JSONPath(parsing: "id")))]
        let pipeline = PipelineDefinition(
            name: "things", file: "", source: SourceDefinition(base: .http(ConfigurationText("https://a.example"))),
            entities: [EntityDefinition(name: "Thing", table: "things", primaryKey: ["id"], fields: fields)],
            streams: streams)
        let writer = PipelineWriter(pipeline, file: "p.yaml")
        #expect(writer.text.contains("  auth: {type: bearer, token: \"${env:AUTHORIZATION}\"}\n") == login.isAuth)
        #expect(writer.text.contains("headers:") != login.isAuth && !writer.text.contains("s3cr3t"), "\(writer.text)")
        if login.isAuth { #expect(writer.variables.map(\.name) == ["AUTHORIZATION"]) }
        let environment = Dictionary(uniqueKeysWithValues: writer.variables.map { ($0.name, "s3cr3t") })
        let (read, problems) = PipelineLoader.load(
            bytes: Array(writer.text.utf8), file: "p.yaml", environment: environment, mode: .run)
        #expect(problems.filter { $0.severity == .error }.map(\.detail) == [])
        guard login.isAuth else { return }
        guard case .bearer(let token)? = read?.source.authentication else {
            Issue.record("\(writer.text)")
            return
        }
        #expect(token.revealed == "s3cr3t" && token.isSecret)
    }
}
