internal import SluiceDecode
internal import SluiceFetch
internal import SluiceModel
internal import SluicePipeline
internal import SluiceReconcile
internal import SluiceStore

/// The records that a source had before a run.
enum RowsBefore {
    /// So many.
    case count(Int)
    /// Those that are counted meanwhile.
    case census(LiveCensus)

    /// How many there are where that is known.
    var counted: Int { if case .count(let count) = self { count } else { 0 } }

    /// Gives up counting.
    func stop() { if case .census(let census) = self { census.stop() } }

    /// The marks of the records' texts, where these are read along.
    var marks: TextsBeside? { if case .census(let census) = self { census.marks } else { nil } }
}

/// What limits of deletes in percent count.
extension StreamRun {
    /// Counts the live base rows before the run: at once, or beside the merge where nothing has changed in the store yet.
    ///
    /// - Parameter known: What an earlier attempt found out.
    /// - Returns: The rows.
    /// - Throws: `StoreError`.
    func liveRowsBefore(_ known: AttemptNeeds) throws -> RowsBefore {
        if let checkpoint, checkpoint.state.pages > 0 { return .count(checkpoint.state.liveBefore) }
        if stream.deleteMissing.mode == .ignore { return .count(0) }
        if isFirst, checkpoint == nil, !known.countsFirst,
            let census = LiveCensus(
                of: plan.schema, in: options.store.backend, room: options.keyRoom,
                leastBytes: options.leastBytesBeside, by: tally, withMarks: readsTextsBeside(known))
        {
            return .census(census)
        }
        return .count(try context.table.liveCount())
    }

    /// The live base rows, and what an earlier run left of them.
    ///
    /// - Parameter before: The live base rows before the run.
    /// - Returns: Both; nil where the rows could not be counted beside the run.
    /// - Throws: `StoreError`.
    func liveRows(_ before: RowsBefore) throws -> LiveRows? {
        let held = try context.store.state.value(.heldRows, pipeline: plan.schema.pipeline, stream: stream.name)
        switch before {
        case .count(let count): return LiveRows(before: count, held: held)
        case .census(let census): return census.keys().map { LiveRows(before: $0.count, held: held, keys: $0) }
        }
    }

    /// Has the next run count the rows of this one where more is missing than may go, and its own elsewhere.
    func holdRows(_ isExcessive: Bool, of phase: DeletePhase) throws {
        try context.store.state.set(
            .heldRows, to: isExcessive ? phase.limit.rows.counted : nil, pipeline: plan.schema.pipeline,
            stream: stream.name)
    }

    /// Remembers the first run whose deletes were refused; forgets it where a scan of everything, or a
    /// stream that ignores what is missing, has nothing to refuse.
    func recordRefusal(_ isRefused: Bool, _ coverage: Coverage) throws {
        if !isRefused && !coverage.isComplete && stream.deleteMissing.mode != .ignore { return }
        let (state, pipeline) = (context.store.state, plan.schema.pipeline)
        if !isRefused {
            try state.set(.refusedRun, to: nil, pipeline: pipeline, stream: stream.name)
        } else if let run = context.run, try state.value(.refusedRun, pipeline: pipeline, stream: stream.name) == nil {
            try state.set(.refusedRun, to: Int(run), pipeline: pipeline, stream: stream.name)
        }
    }
}
