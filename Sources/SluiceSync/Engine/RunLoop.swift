internal import SluiceDecode
internal import SluiceFetch
internal import SluiceHTTP
internal import SluicePipeline
internal import SluiceReconcile
internal import SluiceReport
internal import SluiceReview
internal import SluiceSchedule
internal import SluiceStore
internal import SluiceSystem

/// The loop of a run over an open store: commit unit after commit unit.
///
///     commit: run     one unit: all streams, fetched before
///     commit: page    a unit for each page, and for each stream that asks for one thing after the other
///
/// A unit's rows, base, cursors and what the next unit has to know are one transaction, and none is open while the network
/// is waited for. A plan fetches everything first, and takes its one transaction back.
final class RunLoop {
    let engine: SyncEngine
    let store: any RecordStore
    let access: SourceAccess
    /// Is told of what happens: of pages once they are kept, of a run that is kept as a whole at once.
    let observer: any RunObserver
    private let notices: PageNotices?
    var report: RunReport
    private let session: StoreSession
    /// The run's number once a unit was kept; nil before, and in a plan.
    private(set) var number: Int64?
    /// Whether the unit is kept that the run ends with: it is as it is, whatever comes after.
    private(set) var hasEnded = false
    /// The scans of streams that are kept one by one.
    var scans: [String: StreamScan] = [:]
    /// What people should know of streams and of their reading, by stream.
    var problems: [String: [RunProblem]] = [:]
    /// What became of streams, by stream.
    private var reports: [String: StreamReport] = [:]
    /// What people should know of the run before it began.
    let before: [RunProblem]
    /// Whether the tables of the run are there.
    private var hasTables = false
    /// What became of references to what is not there, or came.
    private var references = ReferenceOutcome()
    /// The deletes that were refused, by stream.
    private var refusals: [String: RefusedDeletes] = [:]
    /// How many rows went by `--allow-deletes` alone, which holds for the run as a whole.
    private var allowedDeletes = 0
    /// What counts edits beside a plan; nil where nothing does.
    private var editCount: EditCount?
    /// The streams that failed while the others went on.
    var failures: [(stream: String, failure: RunFailure)] = []
    var options: SyncOptions { engine.options }
    var isPlan: Bool { options.command == .plan }

    init(
        _ engine: SyncEngine, _ store: any RecordStore, _ access: SourceAccess, _ report: RunReport,
        _ session: StoreSession
    ) {
        self.engine = engine
        self.session = session
        self.store = store
        self.access = access
        self.report = report
        before = report.problems
        notices = engine.keepsPages ? PageNotices(engine.observer) : nil
        observer = notices ?? engine.observer
    }

    // MARK: One unit

    /// Merges a unit and keeps it, again where others were in the way.
    ///
    /// - Parameter unit: The unit.
    /// - Throws: Whatever fetch, decode, merge and store throw; nothing of the unit is kept then.
    func keep(_ unit: CommitUnit) throws {
        for attempt in 1... {
            do {
                return try keepOnce(unit)
            } catch {
                let cause = (error as? StreamFailure)?.error ?? error
                guard attempt < StoreAttempts.most, (cause as? StoreError)?.mayRepeat == true else { throw error }
                try options.cancellation.check()
            }
        }
    }

    private func keepOnce(_ unit: CommitUnit) throws {
        let isNested = isPlan && unit.scan != nil
        let merge = UnitMerge(
            engine: engine, store: store, access: access, observer: observer, time: report.startedAt, number: number,
            hasTables: hasTables, isNested: isNested,
            allowedDeletes: options.allowedDeletes.map { $0 - allowedDeletes }, editCount: editCount)
        let outcome = try merge.perform(unit)
        let before = (report, reports, references, problems, unit.scan?.progress)
        let deletes = (refusals, allowedDeletes)
        do {
            try options.cancellation.check()
            try advance(unit, outcome)
            try end(unit, outcome)
            if isNested { try store.releaseSavepoint() }
        } catch {
            observer.restart()
            if isNested { try? store.rollBackToSavepoint() } else { store.rollback() }
            // What is told is what is kept.
            (report, reports, references, problems) = (before.0, before.1, before.2, before.3)
            (refusals, allowedDeletes) = deletes
            if let progress = before.4 { unit.scan?.progress = progress }
            throw error
        }
        hasTables = true
        notices?.flush()
    }

    /// Goes on behind a unit, and keeps how far its scan has come.
    private func advance(_ unit: CommitUnit, _ outcome: UnitOutcome) throws {
        for (name, result) in outcome.streams { reports[name] = result.report }
        guard let scan = unit.scan, let result = outcome.streams.first?.outcome else { return }
        if let step = unit.step {
            guard let checkpoint = result.checkpoint else {
                throw SyncError(
                    .miscounted, "A page of `\(scan.stream.name)` was merged for no scan. This is a bug in sluice.")
            }
            if let run = outcome.run { try scan.keep(checkpoint, step, run: run, in: store) }
            try scan.advance(checkpoint, step, result.unread)
        } else {
            scan.end(result.report, result.unread)
        }
        reports[scan.stream.name] = scan.report
    }

    /// Puts what became of a unit into the report, and makes it durable; what a plan did stays in its transaction.
    private func end(_ unit: CommitUnit, _ outcome: UnitOutcome) throws {
        record(outcome)
        fill()
        // Who tries single records again asks about these.
        if unit.scan == nil && options.retry == nil {
            report.openBesides = try engine.open(in: store, besides: report.total)
        }
        if outcome.retry?.tried == 0 {
            // Nothing was tried, so there is no run.
            store.rollback()
            (report.run, report.schemaChanges) = (nil, [])
            return
        }
        guard let run = outcome.run else { return }
        try record(isEnd: unit.isLast)
        try session.checkClaim()
        if unit.isLast && failures.isEmpty { try session.settleClaim(outcomeOfDueTime) }
        try store.commit()
        number = run
        hasEnded = unit.isLast
        if let scan = unit.scan, unit.step != nil { scan.journal.drop(scan.state.pages) }
    }

    /// What the due time of the run has come to, once its last unit is kept.
    private var outcomeOfDueTime: RunOutcome {
        switch report.status {
        case .succeeded: .succeeded
        case .refused: .failed
        default: .failedForNow
        }
    }

    private func record(_ outcome: UnitOutcome) {
        report.run = outcome.run
        report.retry = outcome.retry ?? report.retry
        report.schemaChanges += outcome.schemaChanges
        references.add(outcome.references)
        report.linked = references.linkedCount
        if references.unlinks { report.unlinks = true }
        if !outcome.unlinked.isEmpty {
            report.unlinked = (report.unlinked ?? [:]).merging(outcome.unlinked, uniquingKeysWith: +)
        }
        allowedDeletes += outcome.allowedDeletes
        for (name, result) in outcome.streams {
            problems[name, default: []].add(ofUnit: result.problems)
            if let refused = result.refusedDeletes {
                report.status = .refused
                refusals[name] = refused
            }
            let failed = (result.report.rests?.failed ?? 0) + (result.report.partitions?.failed ?? 0)
            if failed + result.heldBack > 0, report.status == .succeeded { report.status = .partial }
        }
    }

    /// Puts what is known so far of the streams into the report, in the order of the pipeline.
    func fill() {
        report.streams = engine.streams.compactMap { reports[$0.name] }
        report.refusedDeletes = allRefused
        report.problems =
            before + engine.streamsInOrder.flatMap { told(of: $0.1.name).of(stream: $0.1.name) }
            + (report.retry?.problems ?? []) + references.problems + engine.differingProblems(report.streams)
            + (report.retry == nil ? report.streams.compactMap(\.nothingTaken) : [])
            + (isPlan ? [] : options.gate?.problems ?? [])
    }

    /// What a run has to be allowed to delete all that was refused, nil where nothing was. Of a plan nothing went yet, so
    /// what it was allowed is among it.
    private var allRefused: RefusedDeletes? {
        let refused = refusals.values.reduce(nil) { $1.and($0) }
        guard isPlan, let refused else { return refused }
        return refused.and(RefusedDeletes(count: allowedDeletes, needsFull: false))
    }

    /// What people should know of a stream, with what allows the deletes that were refused.
    private func told(of stream: String) -> [RunProblem] {
        (problems[stream] ?? []).map { problem in
            guard problem.code == "deletes_refused", let refused = refusals[stream], let all = allRefused else {
                return problem
            }
            var problem = problem
            problem.message += " \(refused.remedy(stream: stream, all: all))"
            return problem
        }
    }

    /// Notes the run with the unit: as broken off as long as another one follows, since that is what it is if it does
    /// not come to that.
    private func record(isEnd: Bool) throws {
        var present = report
        present.finishedAt = WallClock.now()
        var entry = RunEntry(present)
        entry.changes = .kept
        if isEnd && failures.isEmpty {
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

    // MARK: All streams at once

    /// Keeps all streams together; a plan takes them back.
    ///
    /// - Parameters:
    ///   - unit: All streams.
    ///   - editCount: What counts edits for a plan meanwhile.
    /// - Throws: Whatever fetch, decode, merge and store throw; nothing is kept then.
    func keepAll(_ unit: CommitUnit, _ editCount: EditCount?) throws {
        self.editCount = editCount
        try keep(unit)
        if isPlan {
            store.rollback()
            report.edits = try editCount?.counts() ?? StoreAttempts.perform { try engine.edits(in: store) }
        }
        report.finishedAt = WallClock.now()
    }
}

extension [RunProblem] {
    /// Adds what people should know of a further unit of a stream to what is told of those before.
    fileprivate mutating func add(ofUnit further: [RunProblem]) {
        let told = self
        for problem in further {
            if problem.code == ForgottenDeletions.code,
                let place = firstIndex(where: { $0.code == problem.code && $0.entity == problem.entity })
            {
                self[place] = ForgottenDeletions.problem(self[place], and: problem)
            } else if problem.code != "more_in_list" || !told.contains(problem) {
                // A page tells of cut lists what was told of the pages before as well.
                append(problem)
            }
        }
    }
}
