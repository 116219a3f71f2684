internal import SluiceReport

/// How many entries the groups of a report have by its counts.
enum ReportTotals {
    /// How many entries a group has by the report's counts, which may be more than are listed.
    static func of(_ report: RunReport, _ families: EntityFamilies) -> (ReportGroup) -> Int {
        { group in
            let own = report.streams.filter { families.table(of: $0.entity) == group.table }
            let counts = report.total(of: report.allEntities.filter { families.table(of: $0) == group.table })
            return switch group.kind {
            case .insert: counts.insert
            case .update: counts.update
            case .delete, .mark: counts.delete
            case .gone: counts.deleteReported
            case .missing: own.reduce(0) { $0 + $1.suspected }
            case .conflict: counts.conflict
            case .kept: counts.keptLocal
            case .invalid: counts.quarantined
            case .unlinked:
                (report.unlinked ?? [:]).reduce(0) { $0 + (families.table(of: $1.key) == group.table ? $1.value : 0) }
            case .again, .within, .settled, .over, .released, .conflictWithin: 0
            }
        }
    }
}
