package import SluiceStore

extension RunEntry {
    /// The command of a run that carries out a saved plan.
    package static let applyCommand = "apply"

    /// Makes the entry of a run of its report.
    package init(_ report: RunReport) {
        self.init(
            id: report.run ?? 0, pipeline: report.pipeline, command: report.recordedName,
            status: report.status.rawValue, startedAt: report.startedAt)
        finishedAt = report.finishedAt
        undoes = report.undoes
        counts = RunCounts(report.summary)
        linked = report.linked
        unlinked = report.unlinked ?? [:]
        within = report.entities.filter(\.value.hasNews).mapValues { RunCounts($0) }
        if report.retry != nil { command = Self.retryCommand }
        let errors = report.problems.filter { $0.severity == .error }.map(\.message)
        error = errors.isEmpty ? nil : errors.joined(separator: " ")
        warnings = report.problems.compactMap(RunWarning.init)
        scope = report.scope
        who = report.who
        recordsRead = report.recordsRead
        pagesAsBefore = report.pagesAsBefore
        (filtered, suspected) = (report.filtered, report.suspected)
    }
}

extension RunProblem {
    /// That records are not as a saved plan found them, and were left.
    package static let staleRecords = "stale_records"
    /// That such records were merged anew: they count by what became of them.
    package static let mergedAnew = "merged_anew"
    /// That lists that are one value are not as a saved plan found them, and were left.
    package static let staleLists = "stale_lists"
    /// That such lists were merged anew.
    package static let listsMergedAnew = "lists_merged_anew"

    /// Whether the keys of a problem name lists that are one value, and not records.
    package var areLists: Bool { [Self.staleLists, Self.listsMergedAnew].contains(code) }
}

extension RunEntry {
    /// How many records and lists were left, since they were not as the saved plan that it carried out found them.
    package var staleRecords: Int {
        warnings.filter { [RunProblem.staleRecords, RunProblem.staleLists].contains($0.code) }
            .reduce(0) { $0 + $1.keys.count + $1.unlisted }
    }
}

extension RunProblem {
    /// A warning of a run that is over, as the store keeps it.
    package init(_ warning: RunWarning) {
        self.init(code: warning.code, severity: .warning, message: warning.message)
        (entity, keys, unlisted) = (warning.entity, warning.keys, warning.unlisted)
    }
}

extension RunWarning {
    /// Makes a warning of a problem.
    ///
    /// - Parameter problem: The problem; nil comes of one that is no warning.
    package init?(_ problem: RunProblem) {
        guard problem.severity == .warning else { return nil }
        self.init(code: problem.code, message: problem.message)
        (entity, keys, unlisted) = (problem.entity, problem.keys, problem.unlisted)
    }
}

extension RunCounts {
    fileprivate init(_ summary: RunSummary) {
        self.init()
        inserted = summary.insert
        updated = summary.update
        deleted = summary.delete
        unchanged = summary.unchanged
        keptLocal = summary.keptLocal
        conflicts = summary.conflict
        conflictsWritten = summary.conflictWritten
        quarantined = summary.quarantined
        deletesRefused = summary.deleteRefused
        stale = summary.stale
        deletesReported = summary.deleteReported
        duplicates = summary.duplicates
    }
}

extension RunSummary {
    /// The counts of an entity that are kept.
    package init(_ counts: RunCounts) {
        self.init()
        insert = counts.inserted
        update = counts.updated
        delete = counts.deleted
        unchanged = counts.unchanged
        keptLocal = counts.keptLocal
        conflict = counts.conflicts
        conflictWritten = counts.conflictsWritten
        quarantined = counts.quarantined
        deleteRefused = counts.deletesRefused
        stale = counts.stale
        deleteReported = counts.deletesReported
        duplicates = counts.duplicates
    }

    /// The counts of a run that is kept.
    package init(_ run: RunEntry) { self.init(run.counts) }
}
