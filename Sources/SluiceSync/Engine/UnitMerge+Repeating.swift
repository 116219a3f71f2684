internal import SluiceDecode
internal import SluiceModel
internal import SluicePages
internal import SluicePipeline
internal import SluiceReconcile
package import SluiceReport
internal import SluiceStore

/// Streams that are merged once more within a unit.
extension UnitMerge {
    /// How often a stream is merged once more at most; what is left then the next run does.
    private static let mostRepetitions = 4

    /// Merges once more the streams for whose records a stream behind them changed something, so that another run with the
    /// same input has nothing left to do.
    ///
    /// - Parameters:
    ///   - reading: Which streams these are.
    ///   - unit: The unit.
    ///   - needs: What earlier attempts found out.
    ///   - observer: Is told of each change.
    ///   - outcome: What became of the streams.
    /// - Returns: Whether pages are needed that were not read since they did not change.
    /// - Throws: Whatever decode, merge and store throw.
    func repeatAsked(
        _ reading: RunReading, _ unit: CommitUnit, _ needs: [String: AttemptNeeds], _ observer: any RunObserver,
        _ outcome: inout UnitOutcome
    ) throws -> Bool {
        for _ in 0..<Self.mostRepetitions {
            let asked = engine.streamsInPrecedence.map(\.1).filter { reading.isAsked($0.name) }
            if asked.isEmpty { return false }
            for stream in asked {
                guard let entity = engine.pipeline.entity(named: stream.entity), let pages = unit.pages[stream.name],
                    let place = outcome.streams.firstIndex(where: { $0.name == stream.name })
                else { continue }
                if pages.isNotModified { return true }
                reading.begin(stream.name)
                let schema = RecordSchema(pipeline: engine.pipeline, stream: stream, entity: entity)
                let base = StreamTarget(
                    stream: stream, entity: entity, table: try store.openTable(schema).0, store: store,
                    observer: observer, run: outcome.run, time: time, reading: reading)
                var run = try engine.streamRun(base, pages, unit.readings[stream.name], &outcome.schemaChanges)
                let before = outcome.streams[place].outcome.report.writes
                try StreamFailure.naming(stream.name) {
                    try run.mergeAgain(&outcome.streams[place].outcome, known: needs[stream.name] ?? AttemptNeeds())
                }
                if outcome.streams[place].outcome.report.writes != before {
                    reading.wrote(to: schema.table, for: stream.name)
                }
            }
        }
        return false
    }
}

extension StreamRun.Outcome {
    /// Takes up which rows their tables do not let go now, in the place of those of before.
    ///
    /// - Parameters:
    ///   - tree: The merge that tried it again.
    ///   - before: The counts of before.
    mutating func rejectAnew(_ tree: TreeMerger, _ before: StreamReport) {
        let (problems, counts) = rejected
        rejected = (tree.rejectedDeletes, tree.rejectedCounts)
        let news = zip(rejected.counts, counts).map { $0 - $1 }
        guard let ofStream = news.first else { return }
        report.summary.deleteRefused = before.summary.deleteRefused + ofStream
        for (part, change) in news.dropFirst().enumerated() where before.parts.indices.contains(part) {
            report.parts[part].summary.deleteRefused = before.parts[part].summary.deleteRefused + change
        }
        self.problems.removeAll { problems.contains($0) }
        self.problems += rejected.problems
    }
}

extension StreamReport {
    /// Two counts together; nil where there is none.
    package static func sum(_ one: Int?, _ other: Int?) -> Int? {
        one == nil && other == nil ? nil : (one ?? 0) + (other ?? 0)
    }

    /// How many writes were counted, of the stream's records and of what stands within them.
    fileprivate var writes: Int {
        ([summary] + parts.map(\.summary)).reduce(rewritten) { $0 + $1.insert + $1.update + $1.delete }
    }

    /// The counts of a stream whose records were merged once more.
    ///
    /// - Parameters:
    ///   - again: The counts of the second time.
    ///   - partsAgain: Those of records that stand within the stream's.
    ///   - metLate: How many of each part count only the second time.
    ///   - withGone: Whether records that are gone were among them.
    /// - Returns: The counts of both.
    package func repeated(_ again: StreamReport, parts partsAgain: [Part], metLate: [Int], withGone: Bool)
        -> StreamReport
    {
        var report = self
        report.rewritten += again.rewritten + partsAgain.reduce(0) { $0 + $1.rewritten }
        report.newConflicts += again.newConflicts
        report.newlyQuarantined = Self.sum(newlyQuarantined, again.newlyQuarantined)
        report.quarantined = again.quarantined
        report.summary.adopt(
            again.summary, gone: (withGone ? goneConflicts : 0, again.goneConflicts), goneKept: again.goneKept ?? 0,
            stated: again.statedDeletes)
        report.addGoneKept(again.goneKept ?? 0)
        report.statedDeletes += again.statedDeletes
        report.conflictRows = withGone ? again.conflictRows : conflictRows.union(again.conflictRows)
        if withGone { report.goneConflicts = again.goneConflicts }
        report.parts = partsAgain.enumerated().map { index, again in
            guard var part = parts.indices.contains(index) ? parts[index] : nil else { return again }
            part.summary.unchanged += metLate[index]
            part.summary.adopt(again.summary)
            part.newConflicts += again.newConflicts
            part.newlyQuarantined = Self.sum(part.newlyQuarantined, again.newlyQuarantined)
            part.conflictRows = again.conflictRows
            return part
        }
        return report
    }
}

extension RunSummary {
    /// Takes up the outcomes of records that were merged once more. What is in conflict and what cannot be taken in the end was met
    /// again, so that this counts. What was written only now moves from the outcome that it had to its new one.
    ///
    /// - Parameters:
    ///   - again: The outcomes of the second time, without what the first time wrote already.
    ///   - gone: The conflicts over records that were not read, the first time and the second time.
    ///   - goneKept: How many records that were not read keep their rows as people left them, the second time.
    ///   - stated: The deletes of the second time that are outcomes of records that were read.
    fileprivate mutating func adopt(
        _ again: RunSummary, gone: (before: Int, now: Int) = (0, 0), goneKept: Int = 0, stated: Int = 0
    ) {
        let waiting = conflict - gone.before + quarantined
        let news = again.conflict - gone.now + again.quarantined - waiting
        (conflict, quarantined) = (again.conflict, again.quarantined)
        conflictWritten += again.conflictWritten
        delete += again.delete
        deleteRefused = max(deleteRefused, again.deleteRefused)
        insert += again.insert
        update += again.update
        keptLocal += again.keptLocal
        deduct(stated + news + again.insert + again.update + again.keptLocal - goneKept)
    }

    /// Takes so many records out of those with which nothing had happened, as far as there are some; less than none are
    /// added to them.
    private mutating func deduct(_ count: Int) {
        var missing = count
        if missing < 0 { unchanged -= missing }
        for outcome in [\RunSummary.unchanged, \.keptLocal, \.update, \.insert] where missing > 0 {
            let taken = min(missing, self[keyPath: outcome])
            self[keyPath: outcome] -= taken
            missing -= taken
        }
    }
}
