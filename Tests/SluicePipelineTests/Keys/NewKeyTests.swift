import SluiceDiagnostics
import SluiceJSON
import SluiceModel
import SluicePipeline
import SluicePipelineFiles
import Testing

@Suite struct NewKeyTests {
    private func load(_ text: String) throws -> PipelineDefinition {
        let (definition, problems) = PipelineText.load(text, environment: ["P": "pw"], keys: .all)
        #expect(Fixtures.render(problems) == "")
        return try #require(definition)
    }

    @Test func fieldRules() throws {
        let text = PipelineText.make(
            field: """
                at: {type: date, format: [unix, "%d.%m.%Y"], default: 01.02.2024, on_conflict: newest_wins}
                      tags: {type: json, compare: set, keep_base: full, owner: local}
                      mail: {compare: ci, redact: hash, on_type_mismatch: keep}
                      total: {expr: "[.lines[].price] | add", type: decimal}
                """, entity: "owner: remote\n    newest: {field: at}")
        let fields = try #require(try load(text).entities.first).fields
        #expect(fields.map(\.owner) == [.remote, .remote, .local, .remote, .remote])
        #expect(fields[1].formats == ["unix", "%d.%m.%Y"])
        #expect(fields[1].format == "unix")
        #expect(fields[1].defaultJSON == "\"01.02.2024\"")
        #expect(fields.map(\.onConflict) == [nil, .newestWins, nil, nil, nil])
        #expect(fields.map(\.comparison) == [.exact, .exact, .set, .ignoringCase, .exact])
        #expect(fields.map(\.keepsBase) == [nil, nil, .full, nil, nil])
        #expect(fields.map(\.redaction) == [nil, nil, nil, .hash, nil])
        #expect(fields.map(\.onTypeMismatch) == [nil, nil, nil, .keep, nil])
        guard case .program(let program) = fields[4].origin else {
            Issue.record("expected a program")
            return
        }
        #expect(program == "[.lines[].price] | add")
    }

    @Test func fieldsAreSharedUnlessSaidOtherwise() throws {
        let field = try #require(try load(PipelineText.make()).entities.first?.fields.first)
        #expect(field.owner == .shared)
        #expect(field.formats == [])
    }

    @Test func policiesAreLookedUpFromTheFieldUpwards() throws {
        let text = PipelineText.make(
            field: "a: {on_conflict: fail}\n      b: string\n      at: int",
            entity: "newest: {field: at}\n    on_conflict: {edit_edit: newest_wins, delete_edit: remote_wins}",
            top: "merge: {on_conflict: local_wins}")
        let pipeline = try load(text)
        let entity = try #require(pipeline.entities.first)
        #expect(entity.newestField == "at")
        let policies = [entity.fields[1], entity.fields[2], nil].map { field in
            ConflictRules.Kind.allCases.map { pipeline.conflictPolicy(for: $0, field: field, of: entity) }
        }
        #expect(policies[0] == [.fail, .fail, .fail, .fail, .fail, .fail])
        #expect(policies[1] == [.newestWins, .localWins, .localWins, .localWins, .localWins, .remoteWins])
        #expect(policies[2] == policies[1])
        let plain = try load(PipelineText.make(entity: "on_conflict: remote_wins"))
        #expect(plain.conflictPolicy == .manual)
        #expect(plain.conflictPolicy(for: .addAdd, field: nil, of: plain.entities[0]) == .remoteWins)
    }

    @Test func contentKey() throws {
        let entity = try #require(try load(PipelineText.make(key: "content")).entities.first)
        #expect(entity.hasContentKey)
        #expect(entity.primaryKey == ["_key"])
        #expect(entity.fields.map(\.column) == ["_key", "id"])
        #expect(entity.fields.map(\.isContentKey) == [true, false])
        let named = try load(PipelineText.make(field: "content: string", key: "[content]"))
        #expect(named.entities.first?.hasContentKey == false)
        #expect(named.entities.first?.primaryKey == ["content"])
    }

    @Test func paginators() throws {
        func stream(_ paginator: String) throws -> StreamDefinition {
            try #require(try load(PipelineText.make(stream: "paginator: \(paginator)")).streams.first)
        }
        let link = try stream("{type: json_link, path: links.next, page_size: 50, page_size_param: size}")
        guard case .jsonLink(let path) = link.paginator else {
            Issue.record("expected a link")
            return
        }
        #expect(path.text == "links.next")
        #expect(link.pageLimits.size == 50)
        #expect(link.pageLimits.sizeParameter == "size")
        #expect(link.pageLimits.maximumPages == nil)
        var pages = StreamDefinition.PageNumber()
        #expect(try stream("{type: page_number}").paginator == .pageNumber(pages))
        pages.parameter = "p"
        pages.start = 0
        let counted = try stream("{type: page_number, page_param: p, start: 0, total_pages_path: m.n, max_pages: 3}")
        guard case .pageNumber(let found) = counted.paginator else {
            Issue.record("expected numbers")
            return
        }
        #expect(found.totalPath?.text == "m.n")
        pages.totalPath = found.totalPath
        #expect(found == pages)
        #expect(counted.pageLimits.maximumPages == 3)
        let offset = try stream("{type: offset, offset_param: skip, page_size: 10}")
        guard case .offset(let records) = offset.paginator else {
            Issue.record("expected an offset")
            return
        }
        #expect(records.parameter == "skip")
        #expect(records.limitParameter == "limit")
        #expect(records.totalPath == nil)
        #expect(offset.pageLimits.size == 10)
    }

    @Test func writing() throws {
        let text = PipelineText.make(
            stream: """
                filter: .open
                    deleted_when: .deleted
                    records: {jq: ".items[]"}
                    on_duplicate: quarantine
                    delete_missing: {mode: soft}
                    schema_contract: {types: fail}
                """)
        let stream = try #require(try load(text).streams.first)
        #expect(stream.filter == ".open")
        #expect(stream.deletedWhen == ".deleted")
        #expect(stream.recordsProgram == ".items[]")
        #expect(stream.records == nil)
        #expect(stream.onDuplicate == .quarantine)
        #expect(stream.deleteMissing.mode == .soft)
        #expect(stream.schemaContract == SchemaContract(fields: .report, types: .fail))
        #expect(stream.writeMode == .merge)
        let append = try load(PipelineText.make(stream: "write_mode: insert_only")).streams.first
        #expect(append?.writeMode == .insertOnly)
        #expect(try load(PipelineText.make(stream: "records: $.a[*]")).streams.first?.records != nil)
    }

    @Test func connection() throws {
        let text = PipelineText.make(
            source: "tls: {ca_file: /etc/ca.pem, client_cert: a.pem, client_key: b.pem}\n  proxy: http://u:${env:P}@h:1"
        )
        let source = try load(text).source
        #expect(source.tls.trustedCertificates == "/etc/ca.pem")
        #expect(source.tls.clientCertificate?.hasSuffix("/a.pem") == true)
        #expect(source.tls.clientCertificate?.hasPrefix("/") == true)
        #expect(source.tls.clientKey?.hasSuffix("/b.pem") == true)
        #expect(source.proxy?.revealed == "http://u:pw@h:1")
        #expect(source.proxy?.description == "http://u:***@h:1")
    }
}

extension PipelineDefinition {
    /// The nearest policy that is stated.
    fileprivate func conflictPolicy(
        for kind: ConflictRules.Kind, field: FieldDefinition?, of entity: EntityDefinition
    ) -> ConflictPolicy {
        field?.onConflict ?? entity.conflictRules.policy(for: kind) ?? conflictPolicy
    }
}
