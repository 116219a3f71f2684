internal import SluiceReport
internal import SluiceStore

/// Looks for the run whose reason to be unfinished still holds.
enum UnfinishedRun {
    /// The newest run before the last one that left something unread or undone, unless a later one made up for it. Runs
    /// that failed made up for nothing, and those of one stream for that stream alone.
    ///
    /// - Parameters:
    ///   - runs: The runs of a pipeline that asked its source, newest first.
    ///   - refused: The runs whose refused deletes wait still: a run that asks for changes alone says nothing of them.
    /// - Returns: The run; nil where there is none.
    static func find(in runs: [RunEntry], refused: Set<Int64> = []) -> RunEntry? {
        let kept = runs.enumerated().filter { $0.element.isKept && $0.element.undoneBy == nil }
        return kept.first { $0.offset > 0 && refused.contains($0.element.id) }?.element ?? find(in: kept)
    }

    private static func find(in runs: [(offset: Int, element: RunEntry)]) -> RunEntry? {
        var later: Set<String?> = []
        for (index, run) in runs {
            if later.contains(nil) { return nil }
            let parts = RunScope.parts(of: run.scope)
            if index > 0, !run.isWhole, !later.isSuperset(of: parts) { return run }
            later.formUnion(parts)
        }
        return nil
    }
}

extension RunEntry {
    /// Whether it read and did everything.
    fileprivate var isWhole: Bool {
        status == RunReport.Status.succeeded.rawValue && !warnings.contains { RunProblem.leavesUnread($0.code) }
    }
}
