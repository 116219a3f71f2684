import SluiceDiagnostics
import SluiceModel
import SluicePipeline
import SluicePipelineFiles
import SluiceReport
import SluiceReview
import SluiceSQLiteStore
import SluiceStore
import TestSupport
import Testing

/// Plays with their lines, which are a list that is one value, and their tags, which are not; from one source or two.
final class Scripts {
    let shop: Workshop
    /// The streams in the order of the file.
    let streams: [String]

    /// - Parameters:
    ///   - streams: The streams in the order of the file.
    ///   - precedence: The streams whose values go before.
    ///   - policy: What decides the conflicts of all entities.
    ///   - lineRules: What decides those of lines, as YAML; nil for `policy`.
    ///   - deletedWhen: What says which plays are deleted.
    /// - Throws: What is wrong with the pipeline.
    init(
        _ streams: [String] = ["a"], precedence: [String] = [], policy: ConflictPolicy = .manual,
        lineRules: String? = nil, deletedWhen: String? = nil
    ) throws {
        self.streams = streams
        shop = try Workshop()
        shop.name = "scripts"
        let flag = deletedWhen.map { ", deleted_when: \"\($0)\"" } ?? ""
        let definitions = streams.map {
            "{name: \($0), entity: Play, path: \($0).json\(flag), delete_missing: {mode: hard, max_delete: 100%, min_records: 0}}"
        }
        let text = """
            version: 1
            name: scripts
            source: {base_url: "file:\(shop.directory.path)"}
            merge: {on_conflict: \(policy.rawValue), precedence: [\(precedence.joined(separator: ", "))]}
            entities:
              Play:
                primary_key: id
                fields: {id: int}
                children:
                  lines: {entity: Line, from: "lines[*]", ordered: true}
                  tags: {entity: Tag, from: "tags[*]", key: [id]}
              Line:
                fields: {text: {from: $, type: string}}
                on_conflict: \(lineRules ?? policy.rawValue)
              Tag:
                fields: {id: int, note: string}
            streams: [\(definitions.joined(separator: ", "))]
            """
        let (definition, problems) = PipelineLoader.load(
            bytes: Array(text.utf8), file: "test.yaml", environment: [:], mode: .run)
        guard let definition else {
            throw Workshop.Disagreement(what: TextDiagnosticRenderer().render(problems))
        }
        shop.definition = definition
    }

    /// Play 1 with these lines, and tags such as `1x`.
    static func play(_ lines: [String], tags: [String] = []) -> String {
        let lines = lines.map { "\"\($0)\"" }.joined(separator: ",")
        let tags = tags.map { "{\"id\":\($0.dropLast()),\"note\":\"\($0.suffix(1))\"}" }.joined(separator: ",")
        return "[{\"id\":1,\"lines\":[\(lines)],\"tags\":[\(tags)]}]"
    }

    func put(_ json: String, as stream: String = "a") throws { try shop.put(json, as: "\(stream).json") }

    /// Puts the lines of the only source and runs.
    @discardableResult
    func run(_ lines: [String]? = nil) throws -> RunReport {
        if let lines { try put(Self.play(lines)) }
        let (report, _) = try shop.syncPlanned()
        #expect(report.problems.filter { $0.severity == .error } == [])
        #expect(try shop.rows("PRAGMA foreign_key_check") == [])
        return report
    }

    /// The lines of play 1, as in `0a 2c`.
    var lines: String {
        get throws {
            try shop.values("SELECT position || text FROM line ORDER BY position").map { $0[0] }.joined(separator: " ")
        }
    }

    var tags: String {
        get throws { try shop.values("SELECT id || note FROM tag ORDER BY id").map { $0[0] }.joined(separator: " ") }
    }

    /// The open conflicts, as in `a list edit_edit`.
    var open: [String] {
        get throws {
            try shop.values(
                """
                SELECT stream || ' ' || coalesce(json_extract(key, '$.position'), 't' || json_extract(key, '$.id'), 'list')
                || ' ' || kind FROM _sluice_conflicts WHERE status = 'open' ORDER BY 1
                """
            ).map { $0[0] }
        }
    }

    /// All conflicts there ever were, as in `a 0 edit_edit open`.
    var conflicts: [String] {
        get throws {
            try shop.values(
                """
                SELECT stream || ' ' || coalesce(json_extract(key, '$.position'), 't' || json_extract(key, '$.id'), 'list')
                || ' ' || kind || ' ' || status FROM _sluice_conflicts ORDER BY 1
                """
            ).map { $0[0] }
        }
    }

    /// Decides all open conflicts alike.
    func resolve(_ resolution: Resolution) throws {
        let outcomes = try decide(resolution)
        #expect(outcomes == outcomes.map { _ in .resolved })
    }

    /// Tries to decide all open conflicts alike.
    func decide(_ resolution: Resolution) throws -> [ResolutionOutcome] {
        let store = try SQLiteRecordStore(path: shop.store, mode: .settling)
        try store.begin()
        var decisions = try store.conflicts.list(includingClosed: false).map { ConflictDecision($0, resolution) }
        try ConflictResolver(store: store).carryOut(&decisions, who: "ada")
        try store.commit()
        return decisions.compactMap(\.outcome)
    }
}

extension ResolutionOutcome {
    var isRefusal: Bool { if case .refused = self { true } else { false } }
}

extension Workshop {
    /// The number of the last run.
    func lastRun() throws -> Int64 { Int64(try values("SELECT CAST(max(id) AS TEXT) FROM _sluice_runs")[0][0]) ?? 0 }

    /// The table of an entity's base.
    func baseTable(of entity: String) throws -> String {
        try values("SELECT name FROM sqlite_schema WHERE name LIKE '_sluice_base_%\(entity)'")[0][0]
    }
}
