internal import SluicePipeline
internal import SluiceSQLiteStore
internal import SluiceStore
internal import SluiceSystem

/// What becomes of each page.
extension PagedRun {
    /// Merges a page and keeps it.
    ///
    /// - Parameters:
    ///   - step: The page.
    ///   - stream: Its stream.
    ///   - isLast: Whether the run has no stream behind it.
    /// - Throws: Whatever decode, merge and store throw; nothing of the page is kept then.
    func merge(_ step: FetchStep, of stream: StreamDefinition, isLast: Bool) throws {
        guard let scan = scans[stream.name] else { return }
        var known = Foresight()
        while let missing = try merge(step, of: stream, scan, isLast: isLast, known: known) {
            // The source is asked for single records while no transaction is open.
            if !isPlan { store.rollback() }
            var asked = [stream.name: missing]
            try engine.askForMissing(access, &asked)
            known = asked[stream.name] ?? known
        }
    }

    /// One attempt at a page; what the source has to be asked for before the next one, nil where the page is kept.
    private func merge(
        _ step: FetchStep, of stream: StreamDefinition, _ scan: StreamScan, isLast: Bool, known: Foresight
    ) throws -> Foresight? {
        try options.cancellation.check()
        var run: Int64?
        if !isPlan {
            try store.begin()
            run = try number ?? store.runs.nextID()
            if let run { store.startRecording(run: run, naming: FieldJSON.object) }
        }
        let prepared = hasTables ? [] : try engine.prepareTables(in: store)
        let (outcome, made) = try outcome(of: step, scan, run: run, known: known)
        if let foresight = outcome.foresight { return foresight }
        let changes = prepared.flatMap(\.changes) + made
        guard let part = outcome.part else {
            throw SyncError(.miscounted, "A page of `\(stream.name)` was merged for no scan. This is a bug in sluice.")
        }
        if step.isEnd { try engine.keepValidators(of: scan.pages(step), stream, outcome, in: store) }
        try options.cancellation.check()
        if let run { try scan.keep(part, step, run: run, in: store) }
        report.schemaChanges += changes
        problems[stream.name, default: []] += outcome.problems
        if let refused = outcome.refusedDeletes {
            report.status = .refused
            report.refusedDeletes = max(refused, report.refusedDeletes ?? 0)
        }
        if outcome.report.rests?.failed ?? 0 > 0, report.status == .succeeded { report.status = .partial }
        try scan.advance(part, step)
        references.add(try store.settleReferences())
        hasTables = true
        guard let run else {
            notices.flush()
            return nil
        }
        report.run = run
        try record(isEnd: step.isEnd && isLast)
        try store.commit()
        scan.shelf.drop(part.state.pages)
        number = run
        notices.flush()
        return nil
    }

    /// Merges a page, once more where that shows what had to be known from its start.
    private func outcome(
        of step: FetchStep, _ scan: StreamScan, run: Int64?, known: Foresight
    ) throws -> (StreamRun.Outcome, [SchemaChange]) {
        var known = known
        while true {
            try store.beginPart()
            var (table, changes) = try store.openTable(scan.schema)
            let base = StreamBase(
                stream: scan.stream, entity: scan.entity, table: table, store: store, observer: notices, run: run,
                time: report.startedAt)
            var attempt = try engine.streamRun(base, scan.pages(step), scan.reading, part: scan.part(step), &changes)
            attempt.tools = scan.tools
            let outcome = try attempt.perform(known: known)
            guard let foresight = outcome.foresight else {
                try store.endPart()
                return (outcome, changes)
            }
            try store.revertPart()
            notices.restart()
            if foresight.missing != nil { return (outcome, []) }
            known = foresight
        }
    }

    /// Notes the run with the page: as broken off as long as another one follows, since that is what it is if it does
    /// not come to that.
    private func record(isEnd: Bool) throws {
        var present = report
        present.finishedAt = WallClock.now()
        present.streams = engine.streams.compactMap { scans[$0.name] }.filter(\.hasBegun).map(\.report)
        var entry = RunEntry(present)
        entry.changes = .kept
        if isEnd && !hasFailures {
            let oldest = WallClock.now(minus: engine.pipeline.historyKept)
            try store.changes.prune(
                pipeline: engine.pipeline.name, endedBefore: oldest, limit: SyncEngine.mostPruned)
        } else {
            entry.status = RunReport.Status.interrupted.rawValue
            let kept = engine.streams.compactMap { scans[$0.name]?.keptWords }
            entry.error = (["The run was broken off, or it is still at work."] + kept).joined(separator: " ")
        }
        try store.runs.record(entry)
    }
}
