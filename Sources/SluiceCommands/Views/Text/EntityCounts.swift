internal import SluiceReport

/// The counts of a run by entity: the one place of which all forms of reports make their tables.
enum EntityCounts {
    typealias Column = (title: String, count: @Sendable (RunSummary) -> Int)
    typealias Row = (entity: String, summary: RunSummary)

    private static let columns: [Column] = [
        ("insert", { $0.insert }), ("update", { $0.update }), ("delete", { $0.delete }),
        ("conflict", { $0.conflict }), ("in part", { $0.conflictWritten }), ("not written", { $0.quarantined }),
        ("kept", { $0.keptLocal }), ("refused", { $0.deleteRefused }), ("not as planned", { $0.stale }),
        ("unchanged", { $0.unchanged }),
    ]

    /// The counts of each entity, wherever its records stand, in the order of the pipeline. An undo names only those that
    /// it changes.
    static func rows(_ report: RunReport, _ families: EntityFamilies) -> [Row] {
        report.allEntities.sorted { (families.place(of: $0), $0) < (families.place(of: $1), $1) }
            .map { (entity: $0, summary: report.total(of: [$0])) }
            .filter { row in report.undoes == nil || columns.contains { $0.count(row.summary) > 0 } }
    }

    /// The columns that are not zero everywhere.
    static func used(in rows: [Row]) -> [Column] {
        columns.filter { column in rows.contains { column.count($0.summary) > 0 } }
    }

    /// A line per entity.
    ///
    /// - Returns: Nothing where no records stand within others, or where all of them are as they were.
    static func text(_ report: RunReport, _ families: EntityFamilies, style: TextStyle) -> String {
        if report.entities.isEmpty || !report.total.hasNews { return "" }
        let rows = rows(report, families)
        let used = used(in: rows)
        let cells = rows.map { row in [ShortText.of(row.entity)] + used.map { CountText.grouped($0.count(row.summary)) }
        }
        return TableText.text([["entity"] + used.map(\.title)] + cells, style: style)
    }
}
