internal import SluiceDiagnostics
internal import SluiceSchedule
internal import SluiceServeModel

/// What is told of files, and why due times are left out.
extension ServeLoop {
    /// Reports what is wrong in files: errors each time, and what is only to be heeded once, until it is gone.
    func reportProblems() {
        var warnings: Set<String> = []
        for file in catalog.entries.values.map(\.file).sorted(by: { $0.path < $1.path }) + catalog.brokenFiles {
            for problem in file.problems {
                if problem.severity != .error {
                    warnings.insert("\(file.path) \(problem.message)")
                    if toldWarnings.contains("\(file.path) \(problem.message)") { continue }
                }
                program.log(ServeMessage(kind: .fileProblem, text: problem.message, problem: problem))
            }
        }
        toldWarnings = warnings
    }

    /// Which pipelines are served by an earlier text, since the present one has errors, as a sentence behind another one.
    var keptWords: String {
        let kept = catalog.entries.filter { $0.value.file.problems.contains { $0.severity == .error } }
        if kept.isEmpty { return "" }
        let names = kept.keys.sorted().map { "`\($0)`" }.joined(separator: ", ")
        let verb = Plural.word(kept.count, "is", "are")
        return " \(names) \(verb) served as before \(Plural.word(kept.count, "its file", "their files")) had errors."
    }

    /// That a due time is left out, as a sentence.
    func words(of id: DueTimeID, leftOut reason: SkipReason) -> String {
        "The due time \(MomentText.of(id.moment)) is left out: \(words(reason, of: id))."
    }

    /// That the last due time of a pipeline was left out, as a sentence; nil where it was not.
    func leftOut(of pipeline: String) -> String? {
        DueTime.lastLeftOut(of: book.ledger.pipelines[pipeline]?.dueTimes ?? []).map {
            words(of: $0.id, leftOut: $0.reason)
        }
    }

    /// The reason, as the end of a sentence.
    private func words(_ reason: SkipReason, of id: DueTimeID) -> String {
        guard reason == .overlap, let row = obstacle(to: id) else { return reason.words }
        let name = "the one of \(MomentText.of(row.id.moment))"
        if let moment = row.retryAt { return "\(name) is tried again at \(MomentText.of(moment))" }
        // A run was started for it.
        guard row.attempts.isEmpty else { return reason.words }
        let awaited = awaited(by: row).map { "`\($0)`" }.joined(separator: " and ")
        return "\(name) still waited for " + (awaited.isEmpty ? "its start" : awaited)
    }

    /// The row that a due time would have had to wait for: the first one that is not settled, or the one before it where that was
    /// settled meanwhile.
    private func obstacle(to id: DueTimeID) -> DueTime? {
        guard let rows = book.ledger.pipelines[id.pipeline] else { return nil }
        return rows.unsettled.first { $0.id != id } ?? rows.dueTimes.last { $0.id.moment < id.moment }
    }

    private func awaited(by row: DueTime) -> [String] {
        if case .skipped(.after(let name)) = row.settlement { return [name] }
        return row.settlement == nil ? scheduler.awaited(by: row.id, in: book.ledger, at: settings.clock.now) : []
    }
}
