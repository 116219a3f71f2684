internal import SluiceMerge
internal import SluicePipeline
internal import SluiceStore

/// Streams that are merged once more within a run.
extension SyncEngine {
    /// How often a stream is merged once more at most; what is left then the next run does.
    private static let mostRepetitions = 4

    /// Merges once more the streams for whose records a stream behind them changed something, so that another run with the
    /// same input has nothing left to do.
    ///
    /// - Parameters:
    ///   - reading: Which streams these are.
    ///   - fetched: The pages, by the streams' places in the file.
    ///   - readings: What incremental streams were asked for.
    ///   - foresight: What earlier attempts found out.
    ///   - refused: The streams whose deletes were refused.
    ///   - store: The store.
    ///   - startedAt: When the run was started.
    ///   - report: The run's report.
    ///   - reports: What became of the streams, by their places in the file.
    /// - Returns: Whether pages are needed that were not read since they did not change.
    /// - Throws: Whatever decode, merge and store throw.
    func repeatAsked(
        _ reading: RunReading, _ fetched: [FetchedPages?], _ readings: [String: CursorReading],
        _ foresight: [String: Foresight], refused: Set<String>, in store: any RecordStore, startedAt: String,
        _ report: inout RunReport, _ reports: inout [StreamReport?]
    ) throws -> Bool {
        for _ in 0..<Self.mostRepetitions {
            let asked = streamsInPrecedence.filter { reading.isAsked($0.1.name) }
            if asked.isEmpty { return false }
            for (position, stream) in asked {
                guard let entity = pipeline.entity(named: stream.entity), let pages = fetched[position],
                    let first = reports[position]
                else { continue }
                if pages.isNotModified { return true }
                reading.begin(stream.name)
                let schema = RecordSchema(pipeline: pipeline, stream: stream, entity: entity)
                let base = StreamBase(
                    stream: stream, entity: entity, table: try store.openTable(schema).0, store: store,
                    observer: observer, run: report.run, time: startedAt, reading: reading)
                var run = try streamRun(base, pages, readings[stream.name], &report.schemaChanges)
                reports[position] = try StreamFailure.naming(stream.name) {
                    try run.repeated(
                        after: first, known: foresight[stream.name] ?? Foresight(),
                        mayDelete: !refused.contains(stream.name))
                }
            }
        }
        return false
    }
}

extension StreamReport {
    /// The counts of a stream whose records were merged once more.
    ///
    /// A record keeps the outcome that it had, but for conflicts: it counts as in conflict where it is in the end.
    ///
    /// - Parameters:
    ///   - again: The counts of the second time.
    ///   - partsAgain: Those of records that stand within the stream's.
    ///   - withGone: Whether records that are gone were among them.
    /// - Returns: The counts of both.
    func repeated(_ again: StreamReport, parts partsAgain: [Part], withGone: Bool) -> StreamReport {
        var report = self
        report.rewritten += again.summary.insert + again.summary.update
        report.newConflicts += again.newConflicts
        report.summary.delete += again.summary.delete
        report.quarantined += again.refused(besides: self)
        if withGone {
            report.summary.conflict += again.goneConflicts - goneConflicts
            report.goneConflicts = again.goneConflicts
        }
        report.summary.count(inConflict: again.summary.conflict - again.goneConflicts, of: report.goneConflicts)
        report.parts = Part.sum(
            report.parts,
            partsAgain.map { part in
                var summary = RunSummary()
                summary.delete = part.summary.delete
                return Part(entity: part.entity, summary: summary, newConflicts: part.newConflicts)
            })
        report.rewritten += partsAgain.reduce(0) { $0 + $1.summary.insert + $1.summary.update }
        return report
    }

    /// Records that could not be taken this time although they could before.
    private func refused(besides first: StreamReport) -> Int { max(0, quarantined - first.quarantined) }
}

extension RunSummary {
    /// Counts as many of the records that were read as in conflict.
    ///
    /// - Parameters:
    ///   - wanted: How many of them are.
    ///   - gone: The conflicts over records that were not read.
    fileprivate mutating func count(inConflict wanted: Int, of gone: Int) {
        var missing = wanted - (conflict - gone)
        conflict += missing
        if missing < 0 { unchanged -= missing }
        for outcome in [\RunSummary.unchanged, \.keptLocal, \.update, \.insert] where missing > 0 {
            let taken = min(missing, self[keyPath: outcome])
            self[keyPath: outcome] -= taken
            missing -= taken
        }
    }
}
