internal import SluiceModel
package import SluiceStore
internal import SluiceSystem

/// Settles conflicts as a person decides, from the store alone.
///
/// The base advances to what the source said, so that the next run has nothing to ask again. All decisions about one
/// record are written at once, and unique values may swap between records.
package struct ConflictResolver {
    private let store: any RecordStore

    /// Makes a resolver; the store's transaction is the caller's.
    package init(store: any RecordStore) { self.store = store }

    /// Carries out decisions, as one run for each pipeline.
    ///
    /// - Parameters:
    ///   - decisions: One for each conflict; how each ended is noted in it.
    ///   - who: Who decided, kept with the conflicts.
    ///   - note: Why, kept with the conflicts.
    /// - Returns: The numbers of the runs; none where nothing changed.
    /// - Throws: `StoreError`.
    @discardableResult
    package func carryOut(_ decisions: inout [ConflictDecision], who: String?, note: String? = nil) throws -> [Int64] {
        // A row that people spelled in another way is that of its record all the same.
        try store.spellKeys()
        var pipelines: [String] = []
        for decision in decisions where !pipelines.contains(decision.conflict.pipeline) {
            pipelines.append(decision.conflict.pipeline)
        }
        return try pipelines.compactMap { pipeline in
            let entry = RunEntry(
                id: try store.runs.nextID(), pipeline: pipeline, command: RunEntry.resolveCommand, status: "succeeded",
                startedAt: WallClock.now())
            store.startRecording(run: entry.id, naming: FieldJSON.object)
            let positions = decisions.indices.filter { decisions[$0].conflict.pipeline == pipeline }
            let run = DecisionRun(positions.map { decisions[$0] }, as: entry, in: store, who: who, note: note)
            try run.perform()
            for (position, decision) in zip(positions, run.decisions) { decisions[position] = decision }
            guard run.hasWritten else { return nil }
            var done = run.entry
            (done.finishedAt, done.who) = (WallClock.now(), who)
            done.changes = .kept
            try store.runs.record(done)
            return done.id
        }
    }
}
