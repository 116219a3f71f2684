internal import SluiceDecode
internal import SluiceFetch
internal import SluiceModel
internal import SluicePipeline
internal import SluiceReport
internal import SluiceSQLiteStore
internal import SluiceStore
internal import SluiceSystem

/// What becomes of each commit unit.
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
        try keep(CommitUnit(step, of: scan, isLastStream: isLast))
    }

    /// Merges a unit and keeps it. An attempt that shows what had to be known from its start is taken back, and the
    /// next one knows it.
    ///
    /// - Parameter unit: The unit.
    /// - Throws: Whatever decode, merge and store throw; nothing of the unit is kept then.
    func keep(_ unit: CommitUnit) throws {
        let name = unit.scan.stream.name
        var known = AttemptNeeds()
        while let needs = try attempt(unit, known: known) {
            var next = [name: needs]
            try engine.askForMissing(access, &next)
            known = next[name] ?? needs
        }
    }

    /// One attempt; what the next one needs, nil where the unit is kept. What is not kept is taken back.
    private func attempt(_ unit: CommitUnit, known: AttemptNeeds) throws -> AttemptNeeds? {
        try options.cancellation.check()
        try begin()
        do {
            let needs = try merge(unit, known: known)
            if needs != nil { try takeBack() }
            return needs
        } catch {
            try? takeBack()
            throw error
        }
    }

    /// Begins what is kept together: a transaction, or within that of a plan a part of it.
    private func begin() throws {
        if isPlan { try store.beginPart() } else { try store.begin() }
    }

    /// Takes back what was begun.
    private func takeBack() throws {
        notices.restart()
        if isPlan { try store.revertPart() } else { store.rollback() }
    }

    /// Merges a unit in what was begun, and ends that.
    ///
    /// - Returns: What the next attempt needs, nil where there is none.
    private func merge(_ unit: CommitUnit, known: AttemptNeeds) throws -> AttemptNeeds? {
        let scan = unit.scan
        let run: Int64? = try isPlan ? nil : number ?? store.runs.nextID()
        if let run { store.startRecording(run: run, naming: FieldJSON.object) }
        let prepared = hasTables ? [] : try engine.prepareTables(in: store).flatMap(\.changes)
        let (outcome, made) = try outcome(of: unit, run: run, known: known)
        if let needs = outcome.needs { return needs }
        if let step = unit.step {
            if step.isEnd { try engine.keepValidators(of: unit.pages, scan.stream, outcome, in: store) }
        } else {
            try engine.keepMemory(of: scan.stream, unit.pages, in: store)
        }
        try options.cancellation.check()
        try advance(unit, outcome, run)
        note(outcome, of: scan.stream, prepared + made)
        try end(run, isEnd: unit.isLast)
        if run != nil, unit.step != nil { scan.shelf.drop(scan.state.pages) }
        return nil
    }

    /// Merges the pages of a unit.
    ///
    /// - Returns: What became of them, and what had to be changed in the database's schema.
    private func outcome(
        of unit: CommitUnit, run: Int64?, known: AttemptNeeds
    ) throws -> (StreamRun.Outcome, [SchemaChange]) {
        let scan = unit.scan
        let part = unit.step.map { scan.part($0) }
        var (table, changes) = try store.openTable(scan.schema)
        let base = StreamBase(
            stream: scan.stream, entity: scan.entity, table: table, store: store, observer: notices, run: run,
            time: report.startedAt)
        let reading = part == nil ? nil : scan.reading
        var stream = try engine.streamRun(base, unit.pages, reading, part: part, &changes)
        stream.tools = scan.tools
        return (try stream.perform(known: known), changes)
    }

    /// Goes on behind a unit, and keeps how far the scan has come.
    private func advance(_ unit: CommitUnit, _ outcome: StreamRun.Outcome, _ run: Int64?) throws {
        let scan = unit.scan
        guard let step = unit.step else {
            scan.end(outcome.report)
            // What stood for a record that went may have nothing left that leads to it.
            if let run { _ = try store.takeBackStubs(of: run) }
            return
        }
        guard let part = outcome.part else {
            throw SyncError(
                .miscounted, "A page of `\(scan.stream.name)` was merged for no scan. This is a bug in sluice.")
        }
        if let run { try scan.keep(part, step, run: run, in: store) }
        try scan.advance(part, step)
    }

    /// Puts what became of a unit into the report.
    private func note(_ outcome: StreamRun.Outcome, of stream: StreamDefinition, _ changes: [SchemaChange]) {
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
    private func end(_ run: Int64?, isEnd: Bool) throws {
        references.add(try store.settleReferences())
        hasTables = true
        if let run {
            report.run = run
            try record(isEnd: isEnd)
            try store.commit()
            number = run
        } else {
            try store.endPart()
        }
        notices.flush()
    }

    /// Notes the run with the unit: as broken off as long as another one follows, since that is what it is if it does
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
