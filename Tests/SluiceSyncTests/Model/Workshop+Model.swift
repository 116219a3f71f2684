import SluiceModel
import SluicePipeline
import SluiceReport

extension Workshop {
    /// A pipeline with a model's rules, over the files of a ``RandomHistory``.
    convenience init(_ rules: MergeModel.Rules) throws {
        var fields = [try field("id", .int)]
        for name in rules.fields {
            var definition = try field(name, name == MergeModel.Rules.time ? .date : .string)
            definition.owner = FieldOwner(rawValue: rules.owner(name)) ?? .shared
            fields.append(definition)
        }
        let mode = DeleteRule.Mode(rawValue: rules.deletes) ?? .ignore
        try self.init(fields: fields, rule: DeleteRule(mode: mode, maximum: .percent(100), minimumRecords: 0))
        // Where it is not needed it would be most of the work.
        if rules.hasFlags { deletedWhen = ".gone == true" }
        self.rules = ConflictRules(
            fallback: ConflictPolicy(rawValue: rules.fallback.rawValue),
            byKind: Dictionary(
                uniqueKeysWithValues: ConflictRules.Kind.allCases.compactMap { kind in
                    ConflictPolicy(rawValue: rules.policy(kind.rawValue).rawValue).map { (kind, $0) }
                }))
        adjust = { [name] pipeline in
            if rules.fields.contains(MergeModel.Rules.time) {
                pipeline.entities[0].newestField = MergeModel.Rules.time
            }
            let stream = pipeline.streams[0]
            // In an order of their own: who goes first is said by the precedence alone.
            pipeline.streams = rules.sources.sorted().map { source in
                var own = stream
                own.name = source
                own.path = ConfigurationText("\(source)-*.json")
                own.onDuplicate = StreamDefinition.DuplicateRule(rawValue: rules.onDuplicate) ?? .last
                return own
            }
            if rules.sources.count > 1 { pipeline.precedence = rules.sources.map { "\(name)/\($0)" } }
        }
    }

    /// The rows of `items` with some fields, and whether they are marked as deleted where they may be.
    func rows(of rules: MergeModel.Rules) throws -> [String] {
        let columns = ["id"] + rules.fields + (rules.deletes == "soft" ? ["_deleted_at IS NOT NULL"] : [])
        return try rows("SELECT \(columns.joined(separator: ", ")) FROM items ORDER BY id")
    }

    /// As in `crm {"id":1} a edit_edit "x" "y"`.
    var openConflicts: [String] {
        get throws {
            try rows(
                """
                SELECT stream || ' ' || key || ' ' || coalesce(field, '*') || ' ' || kind || ' ' || coalesce(local, '-')
                || ' ' || coalesce(remote, '-') FROM _sluice_conflicts WHERE status = 'open'
                """
            ).map { String($0.dropFirst().dropLast()) }.sorted()
        }
    }
}

extension MergeModel.Counts {
    init(_ report: RunReport) {
        let summary = report.summary
        self.init(
            insert: summary.insert, update: summary.update, delete: summary.delete, unchanged: summary.unchanged,
            keptLocal: summary.keptLocal, conflict: summary.conflict, quarantined: summary.quarantined,
            duplicates: report.streams.reduce(0) { $0 + $1.duplicates })
    }
}
