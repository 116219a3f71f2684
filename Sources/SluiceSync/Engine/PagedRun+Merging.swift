internal import SluiceDecode
internal import SluiceFetch
internal import SluiceModel
internal import SluicePipeline
internal import SluiceReport
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
        let (run, prepared) = try beginPage()
        let (outcome, made) = try outcome(of: scan.pages(step), scan.part(step), scan, run: run, known: known)
        if let foresight = outcome.foresight { return foresight }
        guard let part = outcome.part else {
            throw SyncError(.miscounted, "A page of `\(stream.name)` was merged for no scan. This is a bug in sluice.")
        }
        if step.isEnd { try engine.keepValidators(of: scan.pages(step), stream, outcome, in: store) }
        try options.cancellation.check()
        if let run { try scan.keep(part, step, run: run, in: store) }
        note(outcome, of: stream, prepared + made)
        try scan.advance(part, step)
        try endPage(run, isEnd: step.isEnd && isLast)
        if run != nil { scan.shelf.drop(part.state.pages) }
        return nil
    }

    /// Begins what is kept together.
    ///
    /// - Returns: The run's number, nil in a plan, and what had to be changed in the database's schema.
    func beginPage() throws -> (run: Int64?, changes: [SchemaChange]) {
        try options.cancellation.check()
        var run: Int64?
        if !isPlan {
            try store.begin()
            run = try number ?? store.runs.nextID()
            if let run { store.startRecording(run: run, naming: FieldJSON.object) }
        }
        return (run, hasTables ? [] : try engine.prepareTables(in: store).flatMap(\.changes))
    }

    /// Puts what became of a page into the report.
    func note(_ outcome: StreamRun.Outcome, of stream: StreamDefinition, _ changes: [SchemaChange]) {
        report.schemaChanges += changes
        // A page tells of cut lists what was told of the pages before as well.
        let told = problems[stream.name] ?? []
        problems[stream.name, default: []] += outcome.problems.filter { problem in
            problem.code != "more_in_list" || !told.contains(problem)
        }
        if let refused = outcome.refusedDeletes {
            report.status = .refused
            report.refusedDeletes = max(refused, report.refusedDeletes ?? 0)
        }
        let failed = (outcome.report.rests?.failed ?? 0) + (outcome.report.partitions?.failed ?? 0)
        if failed > 0, report.status == .succeeded { report.status = .partial }
    }

    /// Keeps what was begun.
    func endPage(_ run: Int64?, isEnd: Bool) throws {
        references.add(try store.settleReferences())
        hasTables = true
        if let run {
            report.run = run
            try record(isEnd: isEnd)
            try store.commit()
            number = run
        }
        notices.flush()
    }

    /// Merges pages, once more where that shows what had to be known from their start.
    func outcome(
        of pages: FetchedPages, _ part: ScanPart?, _ scan: StreamScan, run: Int64?, known: Foresight
    ) throws -> (StreamRun.Outcome, [SchemaChange]) {
        var known = known
        while true {
            try store.beginPart()
            var (table, changes) = try store.openTable(scan.schema)
            let base = StreamBase(
                stream: scan.stream, entity: scan.entity, table: table, store: store, observer: notices, run: run,
                time: report.startedAt)
            let reading = part == nil ? nil : scan.reading
            var attempt = try engine.streamRun(base, pages, reading, part: part, &changes)
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
