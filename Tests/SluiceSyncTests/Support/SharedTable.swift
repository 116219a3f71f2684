import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceReview
import SluiceSQLite
import SluiceStore
import TestSupport

/// The table `contacts`, which two streams fill: `crm` and `billing`, each from a file of its own.
final class SharedTable {
    /// How the streams of one round are run.
    enum Order: String, CaseIterable, Sendable {
        /// In one run, in the order of the file.
        case together
        case crmFirst
        case billingFirst
    }

    let shop: Workshop
    /// Who goes first.
    var precedence = ["crm", "billing"]
    var mode = DeleteRule.Mode.hard
    var maximum = DeleteRule.Limit.percent(100)
    var minimum = 0
    /// `--allow-deletes`.
    var allowed: Int?
    var rules = ConflictRules()
    var deletedWhen: String?
    /// Whether both ask for changes alone, by a field `at`.
    var isIncremental = false
    /// The fields of each stream, which are an entity of its own where they differ.
    var fields: [String: [FieldDefinition]] = [:]
    /// The pipeline of each stream; one pipeline has both unless they differ.
    var pipelines: [String: String] = [:]

    static let streams = ["crm", "billing"]
    private let time: FieldDefinition

    init() throws {
        shop = try Workshop()
        time = try field("at", .datetime)
        let all = [try field("id", .int), try field("email"), try field("phone")]
        for stream in Self.streams {
            fields[stream] = all
            pipelines[stream] = "shop"
        }
    }

    private var sharesEntity: Bool { fields["crm"]?.map(\.name) == fields["billing"]?.map(\.name) }

    private func entity(of stream: String) -> String {
        sharesEntity ? "Contact" : stream == "crm" ? "Person" : "Account"
    }

    private func pipeline(_ name: String) -> PipelineDefinition {
        let streams = Self.streams.filter { pipelines[$0] == name }
        var entities: [EntityDefinition] = []
        for stream in streams where !entities.contains(where: { $0.name == entity(of: stream) }) {
            let time = isIncremental ? [self.time] : []
            var entity = EntityDefinition(
                name: entity(of: stream), table: "contacts", primaryKey: ["id"], fields: (fields[stream] ?? []) + time)
            entity.conflictRules = rules
            entities.append(entity)
        }
        var pipeline = PipelineDefinition(
            name: name, file: "test.yaml", source: SourceDefinition(base: .file(shop.directory.path)),
            entities: entities,
            streams: streams.map { stream in
                var definition = StreamDefinition(
                    name: stream, entity: entity(of: stream), path: ConfigurationText("\(stream).json"),
                    deleteMissing: DeleteRule(mode: mode, maximum: maximum, minimumRecords: minimum))
                definition.deletedWhen = deletedWhen
                if isIncremental {
                    definition.incremental = IncrementalRule(field: "at")
                    definition.incremental?.isClientSide = true
                }
                return definition
            })
        pipeline.keepsBase = .digest
        pipeline.precedence = precedence.map { $0.contains("/") ? $0 : "\(name)/\($0)" }
        return pipeline
    }

    /// Runs one stream, or both of one pipeline, after a plan that must say the same.
    @discardableResult
    func run(_ stream: String? = nil) throws -> (report: RunReport, recorder: Recorder) {
        shop.definition = pipeline(pipelines[stream ?? "crm"] ?? "shop")
        shop.stream = stream
        return try shop.syncPlanned(allowing: allowed)
    }

    /// Puts what both sources say, nil for what they said before.
    func put(_ crm: String?, _ billing: String?) throws {
        if let crm { try shop.put(crm, as: "crm.json") }
        if let billing { try shop.put(billing, as: "billing.json") }
    }

    /// Runs both streams once.
    @discardableResult
    func run(_ order: Order) throws -> [RunReport] {
        switch order {
        case .together: [try run().report]
        case .crmFirst: [try run("crm").report, try run("billing").report]
        case .billingFirst: [try run("billing").report, try run("crm").report]
        }
    }

    /// What runs of both streams write although nothing is new.
    func quiet() throws -> [String] {
        var written: [String] = []
        for stream in Self.streams {
            shop.definition = pipeline(pipelines[stream] ?? "shop")
            shop.stream = stream
            written += try shop.quietRun().written
        }
        return written
    }

    /// The rows as in `1|x|y`, with `-` in front of one that is marked as deleted.
    var rows: [String] {
        get throws {
            let columns = try shop.database.columns(of: "contacts")
            let mark = columns.contains("_deleted_at") ? "CASE WHEN _deleted_at IS NULL THEN '' ELSE '-' END" : "''"
            let values = columns.filter { !$0.hasPrefix("_") }.map { "coalesce(CAST(\"\($0)\" AS text), 'NULL')" }
                .joined(separator: " || '|' || ")
            return try shop.rows("SELECT \(mark) || \(values) FROM contacts ORDER BY id")
                .map { String($0.dropFirst().dropLast()) }
        }
    }

    /// The state of a record at each source, as in `crm live, billing remoteTombstone`.
    func states(of id: Int) throws -> String {
        let names = ["live", "remoteTombstone", "localTombstone", "stated", "overruled"]
        return try Self.streams.map { stream in
            let table = "_sluice_base_\(pipelines[stream] ?? "shop")_\(stream)_\(entity(of: stream))"
            let found = try shop.rows("SELECT state FROM \(SQLName.quoted(table)) WHERE id = \(id)").first
            return "\(stream) \(found.flatMap(Int.init).map { names[$0] } ?? "none")"
        }.joined(separator: ", ")
    }

    /// Decides all open conflicts alike.
    func resolve(_ resolution: Resolution) throws { try shop.resolve(all: resolution) }

    /// Conflicts as in `crm disagreement email "a" "b" auto with shop/billing`.
    func conflicts(_ status: String? = nil) throws -> [String] {
        try shop.rows(
            """
            SELECT stream || ' ' || kind || ' ' || coalesce(field, '*') || ' ' || coalesce(local, '-') || ' '
            || coalesce(remote, '-') || ' ' || status || coalesce(' with ' || other_source, '')
            FROM _sluice_conflicts \(status.map { "WHERE status = '\($0)'" } ?? "") ORDER BY stream, id
            """
        ).map { String($0.dropFirst().dropLast()) }
    }
}
