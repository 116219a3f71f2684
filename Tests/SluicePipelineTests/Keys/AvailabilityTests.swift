import SluiceDiagnostics
import SluicePipeline
import SluicePipelineFiles
import Testing

@Suite struct AvailabilityTests {
    /// One use of each feature.
    static let uses: [KeyFeature: String] = [
        .fieldOwner: PipelineText.make(field: "x: {owner: remote}"),
        .fieldPolicy: PipelineText.make(field: "x: {on_conflict: local_wins}"),
        .typeMismatch: PipelineText.make(field: "x: {on_type_mismatch: set_null}"),
        .compare: PipelineText.make(field: "x: {compare: ci}"),
        .formatList: PipelineText.make(field: "x: {type: date, format: [rfc3339, '%d.%m.%Y']}"),
        .keepBase: PipelineText.make(field: "x: {keep_base: full}"),
        .redact: PipelineText.make(field: "x: {redact: hash}"),
        .fieldProgram: PipelineText.make(field: "x: {expr: .a + 1}"),
        .entityOwner: PipelineText.make(entity: "owner: local"),
        .entityPolicy: PipelineText.make(entity: "on_conflict: {edit_delete: local_wins, default: fail}"),
        .contentKey: PipelineText.make(key: "content"),
        .conditional: PipelineText.make(source: "conditional: etag"),
        .incremental: PipelineText.make(
            field: "at: datetime", stream: "incremental: {cursor_field: at, client_side: true}"),
        .newest: PipelineText.make(field: "at: datetime", entity: "newest: {field: at}"),
        .mergePolicy: PipelineText.make(top: "merge: {on_conflict: remote_wins}"),
        .writeMode: PipelineText.make(stream: "write_mode: append"),
        .duplicates: PipelineText.make(stream: "on_duplicate: first"),
        .schemaContract: PipelineText.make(stream: "schema_contract: {fields: freeze}"),
        .softDelete: PipelineText.make(stream: "delete_missing: soft"),
        .deletedWhen: PipelineText.make(stream: "deleted_when: .deleted == true"),
        .filter: PipelineText.make(stream: "filter: .open"),
        .recordsProgram: PipelineText.make(stream: "records: {jq: '.items[]'}"),
        .requestBody: PipelineText.make(stream: "body: {json: {state: open}}"),
        .cursor: PipelineText.make(stream: "paginator: {type: cursor, cursor_path: next, cursor_param: after}"),
        .stopWhen: PipelineText.make(stream: "paginator: {type: header_link, stop_when: .body.done}"),
        .jsonLink: PipelineText.make(stream: "paginator: {type: json_link, path: links.next}"),
        .pageNumber: PipelineText.make(stream: "paginator: {type: page_number}"),
        .offset: PipelineText.make(stream: "paginator: {type: offset}"),
        .headerLinkLimits: PipelineText.make(stream: "paginator: {type: header_link, max_pages: 5}"),
        .tls: PipelineText.make(source: "tls: {ca_file: ca.pem}"),
        .commit: PipelineText.make(top: "commit: page"),
        .history: PipelineText.make(top: "history: {keep: 7d}"),
        .oauth2: PipelineText.make(
            source:
                "auth: {type: oauth2, flow: client_credentials, token_url: https://h/t, client_id: a, client_secret: b}"
        ),
        .session: PipelineText.make(source: "auth: {type: session, login: {path: /login}, token_path: token}"),
        .rateLimit: PipelineText.make(source: "rate_limit: {limit: 5, interval: 1m}"),
        .responseRules: PipelineText.make(source: "on_response: [{status: [404, 5xx], action: ignore}]"),
        .proxy: PipelineText.make(source: "proxy: http://proxy:3128"),
        .reference: PipelineText.make(field: "x: {ref: Book}"),
        .references: PipelineText.make(field: "x: {refs: Book}"),
        .children: PipelineText.make(entity: "children: {}"),
        .parentStream: PipelineText.make(
            stream: "path: '/{{ parent.a }}'\n    parent: {stream: all}\n  - {name: all, entity: All}",
            more: "All: {primary_key: a, fields: {a: int}}"),
        .forEach: PipelineText.make(stream: "path: '/{{ item }}'\n    for_each: [a, b]"),
        .nested: PipelineText.make(
            stream: "nested: [{path: x, entity: Line}]", more: "Line: {primary_key: a, fields: {a: int}}"),
    ]

    @Test(arguments: KeyFeature.allCases)
    func whatNeedsAFeatureIsUnknownWithoutIt(feature: KeyFeature) throws {
        let text = try #require(Self.uses[feature])
        let others = AvailableKeys(Set(KeyFeature.allCases).subtracting([feature]))
        let (none, problems) = PipelineText.load(text, keys: others)
        #expect(none == nil)
        // Without the feature `content` is the name of a field, and a list where a single value stood is none.
        let expected: Set<DiagnosticCode> = ["unknown_key", "invalid_value", "unknown_field", "wrong_type"]
        #expect(problems.count == 1, "\(Fixtures.render(problems))")
        #expect(problems.allSatisfy { expected.contains($0.code) })
    }

    @Test(arguments: KeyFeature.allCases)
    func whatNeedsAFeatureWorksWithItAlone(feature: KeyFeature) throws {
        let (definition, problems) = PipelineText.load(
            try #require(Self.uses[feature]), keys: AvailableKeys([feature]))
        #expect(Fixtures.render(problems) == "")
        #expect(definition != nil)
    }

    @Test(arguments: KeyFeature.allCases.filter { !AvailableKeys.current.contains($0) })
    func whatDoesNotWorkYetIsUnknown(feature: KeyFeature) throws {
        let (definition, _) = PipelineText.load(try #require(Self.uses[feature]))
        #expect(definition == nil)
    }

    @Test func eachKeyOfASectionIsThereOnceWithAndWithoutAnyFeature() {
        for feature in KeyFeature.allCases {
            for keys in [AvailableKeys([feature]), AvailableKeys(Set(KeyFeature.allCases).subtracting([feature]))] {
                for entry in SpecificationCatalog(keys: keys).sections {
                    let names = entry.section.keys.map(\.name)
                    #expect(Set(names).count == names.count, "\(feature): \(entry.path)")
                }
            }
        }
    }

    @Test func unknownKeySaysNothingElse() {
        // Two keys that would not go together, were the second one known.
        let text = PipelineText.make(field: "x: {from: a, expr: .a}")
        #expect(PipelineText.load(text, keys: AvailableKeys([])).1.map(\.code) == ["unknown_key"])
    }

    @Test func schemaAndReferenceKnowWhatIsThere() {
        let none = SpecificationCatalog(keys: AvailableKeys([]))
        let all = SpecificationCatalog(keys: .all)
        for word in ["write_mode", "page_number", "newest_wins", "\"soft\"", "client_cert", "keep_base"] {
            #expect(!PipelineSchema.jsonSchema(of: none).contains(word), "\(word)")
            #expect(PipelineSchema.jsonSchema(of: all).contains(word), "\(word)")
        }
        #expect(!PipelineReference.markdown(of: none).contains("`write_mode`"))
        #expect(PipelineReference.markdown(of: all).contains("`write_mode`"))
    }
}
