internal import SluiceModel
package import SluiceStore
internal import SluiceSystem

/// Forgets a pipeline whose file is gone, from the store alone: what its sources said, its conflicts and its cursors. Rows stay, but for those
/// that its sources alone held for others, which these have again.
package struct PipelineForgetting {
    private let store: any RecordStore

    /// Makes it; the store's transaction is the caller's.
    package init(store: any RecordStore) { self.store = store }

    /// Forgets a pipeline, as a run of its own, which cannot be taken back.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline's name.
    ///   - who: Who asked for it.
    /// - Returns: The sources that are forgotten; nil where the store does not know the pipeline.
    /// - Throws: `StoreError`.
    package func carryOut(_ pipeline: String, who: String?) throws -> [SchemaChange]? {
        if try pipeline == RunEntry.editPipeline || !store.runs.pipelines().contains(pipeline) { return nil }
        var run = RunEntry(
            id: try store.runs.nextID(), pipeline: pipeline, command: RunEntry.forgetCommand, status: "succeeded",
            startedAt: WallClock.now())
        store.startRecording(run: run.id, naming: FieldJSON.object)
        let orphans = try store.orphans(of: pipeline, []) { _, _, _ in true }
        let changes = try orphans.flatMap { try store.giveUp($0) }
        (run.finishedAt, run.who, run.changes) = (WallClock.now(), who, .kept)
        try store.runs.record(run)
        return changes
    }
}
