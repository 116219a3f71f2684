internal import SluiceDecode
internal import SluiceModel
internal import SluicePipeline
internal import SluiceReconcile
internal import SluiceStore

/// What limits of deletes in percent count.
extension StreamRun {
    /// The live base rows, and what an earlier run left of them.
    ///
    /// - Parameter count: The live base rows before the run.
    /// - Returns: Both.
    /// - Throws: `StoreError`.
    func liveRows(before count: Int) throws -> LiveRows {
        let held = try context.store.state.value(.heldRows, pipeline: plan.schema.pipeline, stream: stream.name)
        return LiveRows(before: count, held: held)
    }

    /// Has the next run count the rows of this one where more is missing than may go, and its own elsewhere.
    func holdRows(_ isExcessive: Bool, of phase: DeletePhase) throws {
        try context.store.state.set(
            .heldRows, to: isExcessive ? phase.limit.rows.counted : nil, pipeline: plan.schema.pipeline,
            stream: stream.name)
    }

    /// Remembers the first run whose deletes were refused; forgets it where a scan of everything, or a
    /// stream that ignores what is missing, has nothing to refuse.
    func noteRefusal(_ isRefused: Bool, _ coverage: Coverage) throws {
        if !isRefused && !coverage.isComplete && stream.deleteMissing.mode != .ignore { return }
        let (state, pipeline) = (context.store.state, plan.schema.pipeline)
        if !isRefused {
            try state.set(.refusedRun, to: nil, pipeline: pipeline, stream: stream.name)
        } else if let run = context.run, try state.value(.refusedRun, pipeline: pipeline, stream: stream.name) == nil {
            try state.set(.refusedRun, to: Int(run), pipeline: pipeline, stream: stream.name)
        }
    }
}
