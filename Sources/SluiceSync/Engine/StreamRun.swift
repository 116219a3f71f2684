internal import SluiceDecode
internal import SluiceDiagnostics
internal import SluiceFetch
internal import SluiceModel
internal import SluicePages
internal import SluicePipeline
internal import SluiceReconcile
internal import SluiceReport
internal import SluiceStore
internal import SluiceSystem

/// One stream's way from its pages to the store, within the run's transaction.
struct StreamRun {
    /// How it ended.
    struct Outcome {
        var report: StreamReport
        /// The tables whose records were merged.
        var tables: [String] = []
        var problems: [RunProblem] = []
        var refusedDeletes: RefusedDeletes?
        /// What is said of rows that their tables do not let go, and how many these are, of the stream and of its parts.
        var rejected: (problems: [RunProblem], counts: [Int]) = ([], [])
        /// How many rows went by `--allow-deletes` alone.
        var allowedDeletes = 0
        /// The quarantine entries that it met.
        var quarantined: Set<Int64> = []
        /// The hashes of the keys of records that the scan missed, and that a further one has to miss too.
        var suspected = HashSet64()
        /// Set where the stream has to be run again, now knowing this: nothing of the merge counts then.
        var needs: AttemptNeeds?
        /// How many records are left as they are for a saved plan: the next run reads them again.
        var heldBack = 0
        /// Where pages are kept one by one: how far the scan has come with this one.
        var checkpoint: ScanCheckpoint?
        /// What is unread of the stream, once its last page was merged.
        var unread = UnreadRecords.none
        /// The partitions that have records which are not settled.
        var unsettledPartitions: Set<ExactText> = []
    }

    let stream: StreamDefinition
    let entity: EntityDefinition
    let pages: FetchedPages
    var plan: DecodePlan
    let context: StreamMerger.Context
    /// What the merges of what stands within records are given.
    let parts: [StreamMerger.Context]
    let maximumRecordBytes: Int
    let options: SyncOptions
    /// What decodes the pages, and those that come behind them.
    var tools = DecodeTools()
    /// The records in quarantine that are tried again, in the place of pages.
    var retry: RetriedRecords?
    /// How far the run reads, nil for a stream that is read as a whole.
    var cursor: CursorTracker?
    /// Where records stood first whose keys come more than once, by the hashes of these.
    var met: [UInt64: CursorPoint] = [:]
    /// How far the partitions are read; nil for a stream that asks once or is read as a whole.
    var partitionTracker: PartitionTracker?
    /// What streams before this one left of `--allow-deletes`; nil where it was not given.
    var allowedDeletes: Int?
    /// The checkpoint of a scan that the pages are; nil where the run is kept as a whole.
    var checkpoint: ScanCheckpoint?
    /// How records are known by their texts; nil where that says nothing.
    var texts: KnownTexts?
    /// Whether nothing in the store has changed since the transaction began.
    var isFirst = false
    /// What is told of the records that the source had before; nil where nothing reads them beside the run.
    var tally: LiveTally?
    /// What the run read so far; nil where each stream is kept for itself.
    var reading: RunReading?
    /// Whether pages before it had all records of the last page.
    var lastPageRepeats = false
    /// Where the records stood that could not be taken.
    var untaken = UntakenRecords()
    /// Whether looking at keys alone is worth it.
    let pace = FingerprintPace()

    /// Whether these pages end the scan; one that is kept page by page goes on otherwise.
    var endsScan: Bool { checkpoint?.isEnd != false }
    /// Whether they end a scan of the stream, and no entries of the quarantine are tried again.
    var endsStream: Bool { retry == nil && endsScan }

    /// Decodes and merges all pages, then deals with what is gone.
    ///
    /// - Parameter known: What an earlier attempt found out.
    /// - Returns: The counts and what people should know.
    /// - Throws: Whatever decode, merge and store throw.
    mutating func perform(known: AttemptNeeds) throws -> Outcome {
        var report = startedReport(known)
        if pages.isNotModified {
            report.isComplete = true
            checkpoint?.report = report
            return Outcome(report: report, checkpoint: checkpoint)
        }
        let before = try liveRowsBefore(known)
        defer { before.stop() }
        // Who counts edits need not read marks then, nor wait for room.
        if before.marks == nil { tally?.marks.close() }
        var tree = try openTree(report, known)
        var tracker = KeyTracker(
            isPaginated: pages.isPaginated, schema: plan.schema, room: options.keyRoom, earlier: checkpoint?.keys)
        guard let bytes = try ingest(&tree, tracker: &tracker, known: known, before.marks) else {
            return lacking(known.knowing(\.decodesAll, true), tree)
        }
        if known.duplicates == nil && !tracker.duplicates.isEmpty {
            return try lacking(known.knowing(\.duplicates, settle(tracker.duplicates)), tree)
        }
        var outcome = Outcome(report: tree.main.report, problems: readingProblems)
        let coverage = coverage(lostKeys: tree.main.lostKeys).within(try cursorSpan)
        if let problem = incompleteScan(coverage) { outcome.problems.append(problem) }
        if coverage.isComplete && checkpoint == nil && !context.otherSources.isEmpty {
            let span = coverage.span.map { (plan.schema.fields[$0.field].column, $0) }
            reading?.record(tracker.seen, within: span, of: plan.schema.source)
        }
        let seen = { try checkpoint?.keys.with(tracker.words) ?? tracker.seen }
        if let needs = try deleteMissing(&tree, &outcome, coverage, seen: seen, before: before, known) {
            return lacking(needs, tree)
        }
        try tree.finish()
        if known.contested != nil || tree.contested.isEmpty {
            // What becomes of records that were not read comes on top of those that were.
            try reconcile(tree.main.report)
            if endsStream { try endMetConflicts(&tree, coverage, tracker) }
        }
        if known.contested == nil && !tree.contested.isEmpty {
            return lacking(known.knowing(\.contested, tree.contested), tree)
        }
        outcome.problems += mergeProblems(tree.main)
        outcome.problems += tree.forgottenWithin
        outcome.rejected = (tree.rejectedDeletes, tree.rejectedCounts)
        outcome.problems += outcome.rejected.problems
        outcome.problems += try tree.keepNeeded()
        let cutLists = cutLists(tree)
        outcome.problems += cutLists.map { RunProblem(code: "more_in_list", severity: .warning, message: $0) }
        try closeQuarantine(&tree, coverage)
        let extent = extent(lostKeys: tree.main.lostKeys)
        let isAll = [.whole, .counted].contains(extent.proof) && checkpoint == nil && pages.notModified == 0
        if endsScan,
            let problem = try newKeys(tree.main.report.unmapped, areAll: isAll && !tree.main.hasPassed)
        {
            outcome.problems.append(problem)
        }
        if let problem = fieldsNotGiven(tree) { outcome.problems.append(problem) }
        outcome.tables = tree.tables
        outcome.quarantined = tree.keysSeenInQuarantine
        outcome.suspected = tree.main.suspected
        outcome.report = tree.main.report
        outcome.report.parts = StreamReport.Part.sum(checkpoint?.report.parts ?? [], tree.partReports)
        (outcome.report.isComplete, outcome.report.isUnconfirmed) = (extent.isComplete, isUnconfirmed(extent))
        outcome.report.bytes = max(bytes, pages.bytes)
        if outcome.report.summary.quarantined == 1 && outcome.report.read == 1 {
            outcome.report.knowsOthers = try tree.main.context.table.liveKeys(after: nil, limit: 2).count > 1
        }
        try remember(tree, &outcome)
        outcome.checkpoint = checkpoint?.after(
            tree, tree.main, tracker, liveBefore: before.counted, report: outcome.report, cursor: cursor)
        outcome.checkpoint?.state.hasCutLists = !hasWholeLists(tree)
        outcome.checkpoint?.state.cutLists = cutLists
        if endsStream {
            outcome.unread = try unread(lostKeys: tree.main.lostKeys, seen)
        }
        return outcome
    }

    // MARK: Steps of a run

    /// How a run ends that needs to know more.
    private func lacking(_ needs: AttemptNeeds, _ tree: TreeMerger) -> Outcome {
        Outcome(report: tree.main.report, needs: needs)
    }

    /// The counts of what was read, and of the pages of the same scan before.
    private func startedReport(_ known: AttemptNeeds) -> StreamReport {
        var report = checkpoint?.report ?? StreamReport(stream: stream.name, entity: stream.entity)
        report.requests = pages.requests + (known.existence?.requests ?? 0)
        report.retries = pages.retries + (known.existence?.retries ?? 0)
        report.pages += pages.pages.count
        report.bytes = pages.bytes
        report.notModified = pages.notModified
        report.partitions = pages.partitions.map { StreamReport.Partitions($0) }
        report.rests = StreamReport.Rests(report.rests, and: pages.continuedLists)
        return report
    }

    /// The merge of the stream's records and of what stands within them, with what earlier attempts found out.
    private func openTree(_ report: StreamReport, _ known: AttemptNeeds) throws -> TreeMerger {
        if let contested = known.contested {
            for context in [context] + parts { context.table.expect(contested: contested) }
        }
        var tree = try TreeMerger(context, plan: plan, parts: parts, report: report)
        tree.texts = texts
        if let checkpoint { tree.goOn(checkpoint, of: stream) }
        tree.know(known.elsewhere)
        tree.know(known.unmet)
        return tree
    }

    /// What people should know of how the pages were read.
    private var readingProblems: [RunProblem] {
        var problems: [RunProblem] = []
        // That of an earlier window of time stays with the pages of the later ones.
        if let warning = pages.warning, endsScan { problems.append(warning.problem) }
        problems += pages.partitions?.problems(of: stream) ?? []
        return problems + pages.continuedLists.flatMap { $0.problems(stream: stream.name) }
    }

    /// Deals with what is gone.
    ///
    /// - Parameters:
    ///   - tree: The merge of the stream.
    ///   - outcome: Grows by what people should know.
    ///   - coverage: What the scan proves.
    ///   - seen: The keys that it read.
    ///   - before: The records that the source had before.
    ///   - known: What earlier attempts found out.
    /// - Returns: What a further attempt has to know; nil where this one may go on.
    /// - Throws: What the store throws, and ``SyncError`` where a policy is to fail.
    private func deleteMissing(
        _ tree: inout TreeMerger, _ outcome: inout Outcome, _ coverage: Coverage,
        seen: () throws -> SeenKeys,
        before: RowsBefore, _ known: AttemptNeeds
    ) throws -> AttemptNeeds? {
        var isRefused = false
        if endsStream {
            try tree.main.settleAwaited(listsChanges: stream.asksForChanges)
            try tree.main.leaveAnswered()
        }
        if coverage.provesAbsences {
            context.observer.progress(RunProgress(stage: .deleting, stream: stream.name))
            guard let rows = try liveRows(before) else {
                return known.knowing(\.countsFirst, true)
            }
            let phase = deletePhase(known, coverage, rows: rows)
            let result = try phase.perform(&tree.main, seen: try seen(), cancellation: options.cancellation)
            if !result.questions.isEmpty {
                return known.knowing(\.missing, result.questions)
            }
            outcome.problems += result.problems
            // Part of a stream says nothing of the rest of it.
            if coverage.isComplete, let isExcessive = result.isExcessive { try holdRows(isExcessive, of: phase) }
            isRefused = result.refusal != nil
            outcome.allowedDeletes = result.allowed
            if let refusal = result.refusal {
                outcome.refusedDeletes = RefusedDeletes(count: refusal.deletes, needsFull: stream.asksForChanges)
                context.otherSources.recordRefusedDeletes()
                tree.main.report.summary.deleteRefused += refusal.deletes
                outcome.problems.append(problem(refusal))
            }
        }
        if endsStream { try recordRefusal(isRefused, coverage) }
        return nil
    }

    /// Ends the conflicts that people settled in the table, of records that may be there although they were not read: what a whole
    /// reading does not show is gone.
    private func endMetConflicts(_ tree: inout TreeMerger, _ coverage: Coverage, _ tracker: KeyTracker) throws {
        let mayBeThere = stream.asksForChanges || !coverage.showsAll
        var read: SeenKeys?
        try tree.endMetConflicts { key in
            if !mayBeThere { return true }
            if read == nil { read = try checkpoint?.keys.with(tracker.words) ?? tracker.seen }
            return try read?.containsAnywhere(key) ?? false
        }
    }

    private func problem(_ refusal: DeletePhase.Refusal) -> RunProblem {
        var problem = RunProblem(code: "deletes_refused", severity: .error, message: refusal.message)
        problem.entity = stream.entity
        problem.keys = refusal.keys.map { FieldJSON.object(key: $0, schema: plan.schema) }
        problem.unlisted = refusal.deletes - refusal.keys.count
        return problem
    }

    /// What people should know of how the records were merged.
    private func mergeProblems(_ merger: StreamMerger) -> [RunProblem] {
        var problems: [RunProblem] = []
        if endsScan, let problem = heldElsewhere(merger) { problems.append(problem) }
        if let problem = gainsaid(merger) { problems.append(problem) }
        if let problem = merger.forgottenDeletions.problem(plan.schema) { problems.append(problem) }
        if let problem = merger.appendProblem { problems.append(problem) }
        return problems
    }

    /// Keeps what could not be taken, and lets go what could.
    private mutating func closeQuarantine(_ tree: inout TreeMerger, _ coverage: Coverage) throws {
        try tree.main.keepRefusals(try untakenTexts(at: Set(tree.main.refusals.flatMap(\.ordinals))))
        let hasMetAll = hasMetQuarantine && tree.main.lostKeys == 0 && retry == nil
        let met = hasMetAll ? Coverage.whole : coverage
        try tree.main.closeQuarantine(met)
        let within = hasWholeLists(tree) ? met : met.and(.partial("its lists were not all read"))
        try tree.closeParts(within) { try untakenTexts(at: $0) }
    }

    /// Remembers how far the stream was read, and what is known of its texts. What is not taken must be read again.
    private mutating func remember(_ tree: TreeMerger, _ outcome: inout Outcome) throws {
        outcome.heldBack = tree.heldBack
        outcome.unsettledPartitions = try unsettledPartitions(tree.main.report)
        if outcome.heldBack == 0 {
            try keepCursor(&outcome)
            try keepToken(lost: tree.keysSeenInQuarantine.count, &outcome)
            if stream.parent?.only == .changed { try keepDefinition(&outcome) }
        }
        try keepTexts(isVoid: outcome.heldBack > 0)
    }

    private func deletePhase(_ known: AttemptNeeds, _ coverage: Coverage, rows: LiveRows) -> DeletePhase {
        DeletePhase(
            rule: deleteRule, coverage: coverage, existence: known.existence, allowed: allowedDeletes,
            table: context.table, rows: rows, room: options.keyRoom)
    }

    /// Merges the stream's records once more, since another stream changed what they are compared with: what they say is
    /// the same, so nothing but what that made of them is written.
    ///
    /// - Parameters:
    ///   - outcome: What became of them before, then with what becomes of them now.
    ///   - known: What the attempts before found out.
    /// - Throws: Whatever decode, merge and store throw.
    mutating func mergeAgain(_ outcome: inout Outcome, known: AttemptNeeds) throws {
        if let contested = known.contested {
            for context in [context] + parts { context.table.expect(contested: contested) }
        }
        texts = nil
        plan.textSeed = nil
        var tree = try TreeMerger(
            context, plan: plan, parts: parts, report: StreamReport(stream: stream.name, entity: stream.entity))
        tree.know(known.elsewhere)
        tree.know(known.unmet)
        tree.mergesAgain(told: outcome.quarantined)
        var tracker = KeyTracker(isPaginated: pages.isPaginated, schema: plan.schema, room: options.keyRoom)
        _ = try ingest(&tree, tracker: &tracker, known: known)
        try tree.main.leaveAnswered()
        // What is gone was dealt with before, or refused.
        let looksForGone = outcome.report.provesAbsences && outcome.refusedDeletes == nil
        if looksForGone {
            // The limits were judged the first time.
            let coverage = coverage(lostKeys: tree.main.lostKeys).within(try cursorSpan)
            try deletePhase(known, coverage, rows: LiveRows(before: 0, held: nil)).repeated(
                &tree.main, seen: tracker.seen, suspected: outcome.suspected, cancellation: options.cancellation)
        }
        try tree.finish()
        try tree.main.keepRefusals(try texts(at: Set(tree.main.refusals.flatMap(\.ordinals))))
        // What the scan proves was said the first time.
        try tree.main.closeQuarantine(isComplete: false)
        try tree.closeParts(nil) { try texts(at: $0) }
        outcome.quarantined.formUnion(tree.keysSeenInQuarantine)
        let before = outcome.report
        outcome.report = before.repeated(
            tree.main.report, parts: tree.partReports, metLate: tree.metLate, withGone: looksForGone)
        if looksForGone && context.table.isBound { outcome.rejectAnew(tree, before) }
    }

    /// Takes batches from the decode stage until the last; once a key comes twice, only looks for more of the kind.
    ///
    /// - Returns: The bytes of the pages; nil where all records have to be decoded to tell what is wrong.
    private mutating func ingest(
        _ tree: inout TreeMerger, tracker: inout KeyTracker, known: AttemptNeeds, _ textsBefore: TextsBeside? = nil
    ) throws -> Int? {
        let stage = try makeStage(
            comparesFingerprints(known) && !tree.hasQuarantinedParts ? pace : nil, textsBefore)
        var changed = ChangedRecords(plan: plan, stream: stream)
        defer { textsBefore?.close() }
        stage.start()
        defer { stage.stop() }
        let schema = plan.schema
        let isFirst = known.duplicates == nil
        var premature: (any Error)?
        while let output = stage.next() {
            try options.cancellation.check()
            switch output {
            case .batch(let batch, let parts):
                try tracker.observe(batch, schema: schema)
                cursor?.observe(batch)
                try recordMoved(batch, repeated: tracker.repeated, known.duplicates)
                partitionTracker?.observe(batch)
                recordUnread(batch)
                if premature == nil && (!isFirst || tracker.duplicates.isEmpty) {
                    do {
                        tree.main.repeated = tracker.repeated
                        try tree.merge(batch, parts: parts, duplicates: known.duplicates ?? DuplicateIndex())
                    } catch  where isFirst && !tracker.isPrompt {
                        // A record in whose place another one stands may be in conflict or, in a table that was
                        // empty, be inserted twice.
                        premature = error
                    }
                    context.observer.progress(
                        RunProgress(stage: .merging, stream: stream.name, records: tree.main.report.read))
                }
            case .fingerprinted(let batch):
                guard try accept(batch, by: &changed, &tree, &tracker, &premature) else { return nil }
            case .failures(let failures):
                for failure in failures {
                    if let key = failure.key { try tracker.record(key, schema: schema) }
                    reject(failure.record, onPage: failure.page)
                }
                try tree.main.quarantine(failures)
            case .leftOut(let keys):
                for key in keys { try tracker.leaveOut(key, schema: schema) }
            case .end(let filtered, let bytes, let unmapped, let cutLists):
                tree.cutLists = cutLists + changed.cutLists.filter { !cutLists.contains($0) }
                tree.main.report.unmapped.formUnion(unmapped)
                tree.main.report.unmapped.formUnion(changed.unmapped)
                if tree.main.hasPassed && stream.schemaContract.fields == .report {
                    tree.main.report.unmapped.formUnion(try knownKeys())
                }
                tree.main.report.read += filtered
                tree.main.report.filtered += filtered
                let page = try tracker.finish(seeksDuplicates: isFirst)
                // Pages whose number is limited may repeat what stands beside their records, as authors of articles; a
                // list of changes has a record again that changed again.
                let mayRepeat = stream.pageLimits.maximumPages != nil || stream.syncToken != nil
                if let page, !mayRepeat {
                    if page < pages.pages.count - 1 || tracker.crowd != nil {
                        throw loop(pages.pages[page].name, tracker)
                    }
                    lastPageRepeats = true
                }
                if !mayRepeat, checkpoint?.seeksCircles == true, tracker.hasNoNews, let page = pages.pages.last {
                    if checkpoint?.isEnd != true || tracker.crowd != nil { throw loop(page.name, tracker) }
                    lastPageRepeats = true
                }
                if let premature, tracker.duplicates.isEmpty { throw premature }
                return bytes
            case .error(let error): throw error
            }
        }
        try options.cancellation.check()
        throw SyncError(.miscounted, "The decode stage of `\(stream.name)` ended early. This is a bug in sluice.")
    }

    private func loop(_ page: String, _ tracker: KeyTracker) -> SyncError {
        if let (records, keys) = tracker.crowd {
            return SyncError(
                .paginationLoop,
                "The \(records) records of the first page of the stream `\(stream.name)` have \(Plural.of(keys, "identifier")), and \(page) has no further one, so `primary_key` of `\(stream.entity)` may not identify records. Choose another `primary_key`; where it is right, since the same few records stand beside others on each page, say how many pages there may be (`max_pages` of `paginator`)."
            )
        }
        return SyncError(
            .paginationLoop,
            "The pages of the stream `\(stream.name)` repeat themselves: \(page) has no record that an earlier page did not have (`max_pages` allows that). Check `paginator`."
        )
    }

    /// Every record that was read has exactly one outcome.
    private func reconcile(_ report: StreamReport) throws {
        let summary = report.summary
        let outcomes =
            summary.insert + summary.update + summary.unchanged + summary.keptLocal + summary.conflict
            + summary.quarantined + summary.stale + report.filtered + report.duplicates + report.statedDeletes
            - report.outcomesOnTop
        // Conflicts over records that are gone, and their rows that stay, come on top of those that were read.
        guard outcomes == report.read else {
            throw SyncError(
                .miscounted,
                "The counts of `\(stream.name)` do not add up: \(report.read) records were read and \(outcomes) outcomes counted. This is a bug in sluice."
            )
        }
    }
}

extension StreamDefinition {
    /// Whether a record may have to be missed by several scans before it counts as gone.
    var countsScans: Bool {
        if deleteMissing.mode == .ignore { return false }
        if case .scans(let count)? = deleteMissing.confirmation { return count > 0 }
        return paginator != .none || incremental?.asksForEnd == true
    }
}
