internal import SluiceReport

/// The counts of a run by entity, where records of several took part.
enum EntityCounts {
    static let columns: [(title: String, count: @Sendable (RunSummary) -> Int)] = [
        ("insert", { $0.insert }), ("update", { $0.update }), ("delete", { $0.delete }),
        ("conflict", { $0.conflict }), ("in part", { $0.conflictWritten }), ("not written", { $0.quarantined }),
        ("kept", { $0.keptLocal }), ("refused", { $0.deleteRefused }), ("not planned", { $0.stale }),
        ("unchanged", { $0.unchanged }),
    ]

    /// The counts of each entity, of the streams' own records and of those that stand within them.
    ///
    /// - Returns: None where no records stand within others, or where all of them are as they were.
    static func of(_ report: RunReport) -> [String: RunSummary] {
        if report.entities.isEmpty || !report.total.hasNews { return [:] }
        return Dictionary(uniqueKeysWithValues: report.allEntities.map { ($0, report.total(of: [$0])) })
    }

    /// A line per entity; columns that are zero everywhere are left out.
    static func text(_ counts: [String: RunSummary], place: (String) -> Int, style: TextStyle) -> String {
        let entities = counts.sorted { (place($0.key), $0.key) < (place($1.key), $1.key) }
        let used = columns.filter { column in entities.contains { column.count($0.value) > 0 } }
        let rows = entities.map { entity, summary in
            [ShortText.of(entity)] + used.map { CountText.grouped($0.count(summary)) }
        }
        return TableText.text([["entity"] + used.map(\.title)] + rows, style: style)
    }
}
