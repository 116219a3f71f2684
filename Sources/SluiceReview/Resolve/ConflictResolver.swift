internal import SluiceModel
package import SluiceReport
package import SluiceStore
internal import SluiceSystem

/// What came of decisions.
package struct ResolvedRuns: Sendable {
    /// The numbers of the runs that they became, one for each pipeline; none where nothing changed.
    package internal(set) var ids: [Int64] = []
    /// What people should know of what goes along with rows that were deleted; the runs keep it too.
    package internal(set) var problems: [RunProblem] = []
    /// What became of records within others besides those that were decided, by entity, in the last of the runs.
    package internal(set) var within: [String: RunCounts] = [:]
    /// What became of references.
    package internal(set) var references = ReferenceOutcome()
}

/// Settles conflicts as a person decides, from the store alone.
///
/// The base advances to what the source said, so that the next run has nothing to ask again. All decisions about one
/// record are written at once, and unique values may swap between records.
package struct ConflictResolver {
    let store: any RecordStore

    /// Makes a resolver; the store's transaction is the caller's.
    package init(store: any RecordStore) { self.store = store }

    /// Carries out decisions, as one run for each pipeline.
    ///
    /// - Parameters:
    ///   - decisions: One for each conflict; how each ended is noted in it.
    ///   - who: Who decided, kept with the conflicts.
    ///   - note: Why, kept with the conflicts.
    ///   - parts: What leads to records that are parts of those which lead to them: what went with a record comes back with it.
    /// - Returns: The runs that they became, and what goes along with them.
    /// - Throws: `StoreError`.
    @discardableResult
    package func carryOut(
        _ decisions: inout [ConflictDecision], who: String?, note: String? = nil, parts: Set<PartColumns> = []
    ) throws -> ResolvedRuns {
        // A row that people spelled in another way is that of its record all the same.
        try store.spellKeys()
        var pipelines: [String] = []
        for decision in decisions where !pipelines.contains(decision.conflict.pipeline) {
            pipelines.append(decision.conflict.pipeline)
        }
        var resolved = ResolvedRuns()
        // A decision answers conflicts of other pipelines, too.
        var settled = SettledFields()
        for pipeline in pipelines {
            let entry = RunEntry(
                id: try store.runs.nextID(), pipeline: pipeline, command: RunEntry.resolveCommand, status: "succeeded",
                startedAt: WallClock.now())
            store.startRecording(run: entry.id, naming: FieldJSON.object)
            let positions = decisions.indices.filter { decisions[$0].conflict.pipeline == pipeline }
            let run = DecisionRun(
                positions.map { decisions[$0] }, as: entry, in: store, who: who, note: note, after: settled,
                parts: parts)
            try run.perform()
            settled = run.settled
            for (position, decision) in zip(positions, run.decisions) {
                decisions[position] = decision
                if decision.outcome == .resolved, let id = decision.conflict.id { settled.done.insert(id) }
                for other in decision.answers { settled.answered[other] = decision.conflict.id }
            }
            let kept = positions.filter { decisions[$0].resolution == .local && decisions[$0].outcome == .resolved }
            let waiting = try WaitingValue.all(of: kept.map { decisions[$0].conflict }, in: store)
            for (position, values) in zip(kept, waiting) where decisions[position].conflict.field != nil {
                decisions[position].waitsIn = values.first?.entry
            }
            guard run.hasWritten else { continue }
            var done = run.entry
            (done.finishedAt, done.who) = (WallClock.now(), who)
            done.changes = .kept
            try store.runs.record(done)
            resolved.ids.append(done.id)
            resolved.problems += run.problems
            resolved.within = run.alongside
            resolved.references.add(run.references)
        }
        return resolved
    }
}
