internal import SluiceReport

/// The counts of a run by entity: the one place of which all forms of reports make their tables.
enum EntityCounts {
    typealias Column = (title: String, count: @Sendable (RunSummary) -> Int)

    /// The counts of records of an entity that stand in one way.
    struct Row {
        let entity: String
        /// Whether they stand within others; else they are a stream's own.
        let isWithin: Bool
        let summary: RunSummary

        /// What is said behind the entity's name.
        var place: String { isWithin ? " (within)" : "" }
    }

    private static let columns: [Column] = [
        ("insert", { $0.insert }), ("update", { $0.update }), ("delete", { $0.delete }),
        ("conflict", { $0.conflict }), ("in part", { $0.conflictWritten }), ("not written", { $0.quarantined }),
        ("kept", { $0.keptLocal }), ("refused", { $0.deleteRefused }), ("not as planned", { $0.stale }),
        ("gone", { $0.deleteReported }), ("unchanged", { $0.unchanged }), ("duplicates", { $0.duplicates }),
    ]

    /// The counts of each entity, in the order of the pipeline: of records of streams, and of those that stand within
    /// others. An undo names only those that it changes, and nobody those of which none stands within others.
    static func rows(_ report: RunReport, _ families: EntityFamilies) -> [Row] {
        let own = report.ownEntities.map { Row(entity: $0, isWithin: false, summary: $1) }
        let within = report.entities.map { Row(entity: $0, isWithin: true, summary: $1) }
        return (own + within).sorted { (order($0, families)) < (order($1, families)) }
            .filter { row in report.undoes == nil && !row.isWithin || columns.contains { $0.count(row.summary) > 0 } }
    }

    private static func order(_ row: Row, _ families: EntityFamilies) -> (Int, String, Int) {
        (families.place(of: row.entity), row.entity, row.isWithin ? 1 : 0)
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
        let cells = rows.map { row in
            [ShortText.of(row.entity) + row.place] + used.map { CountText.grouped($0.count(row.summary)) }
        }
        return TableText.text([["entity"] + used.map(\.title)] + cells, style: style)
    }
}
