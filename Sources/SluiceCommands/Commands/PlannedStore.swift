internal import SluiceFetch
internal import SluicePipeline
internal import SluiceReconcile
internal import SluiceReport
internal import SluiceStore

/// What a store knew when a plan was made, and what it knows now.
struct PlannedStore {
    /// The last run that wrote something; nil where there is none. What failed before it wrote leaves a store as it was.
    let last: RunEntry?
    /// What tells it from others; nil where it is not there yet.
    let identity: String?

    /// - Parameter store: The store; nil where it is not there yet.
    /// - Throws: `StoreError` where the store cannot be read.
    init(_ store: (any RecordStore)?) throws {
        last = try store.flatMap { try Self.last(of: $0.runs) }
        identity = try store?.identity()
    }

    private static func last(of runs: any RunLedger) throws -> RunEntry? {
        var limit = 16
        while true {
            let found = try runs.list(pipeline: nil, limit: limit)
            if let last = found.first(where: \.hasWritten) { return last }
            if found.count < limit { return nil }
            limit *= 8
        }
    }
}

/// Compares stores with what a saved plan knows of its own.
struct PlannedStoreCheck: Sendable {
    private let plan: PlanFileReader
    private let pipeline: PipelineDefinition
    private let storeName: String
    private let allowsOlder: Bool

    /// - Parameters:
    ///   - plan: The plan.
    ///   - pipeline: Its pipeline.
    ///   - storeName: What messages call the store.
    ///   - allowsOlder: Whether the store may have changed since.
    init(_ plan: PlanFileReader, pipeline: PipelineDefinition, storeName: String, allowsOlder: Bool) {
        (self.plan, self.pipeline, self.storeName, self.allowsOlder) = (plan, pipeline, storeName, allowsOlder)
    }

    /// Refuses another store than the one that the plan was made for, and one that a later run, an undo or a decision has changed.
    ///
    /// - Parameter store: The store; nil where it is not there yet.
    /// - Throws: ``SyncError``, and `StoreError` where the store cannot be read.
    @Sendable func require(_ store: (any RecordStore)?) throws {
        let known = try PlannedStore(store)
        if let planned = plan.end.store, planned != known.identity {
            throw SyncError(.planOutdated, "The plan was made for another store than \(storeName). Nothing was done.")
        }
        if let planned = plan.end.lastRun, try store?.runs.entry(id: planned)?.startedAt != plan.end.lastRunAt {
            throw SyncError(
                .planOutdated,
                "The plan was made for another store than \(storeName), or this one has gone another way since it was copied: run \(planned) of the plan's store began at \(plan.end.lastRunAt ?? ""). Nothing was done."
            )
        }
        // A plan may have been made after a run that wrote nothing.
        guard let last = known.last, last.id > plan.end.lastRun ?? 0, !allowsOlder else { return }
        if let run = try applied(in: store) {
            let left = run.staleRecords
            let rest =
                left == 0
                ? ""
                : " \(CountText.of(left, "record was", "records were")) not as planned then: make a new plan for \(CountText.word(left, "it", "them"))."
            throw SyncError(
                .planOutdated, "This plan was applied in run \(run.id), at \(run.startedAt).\(rest) Nothing was done.")
        }
        throw SyncError(
            .planOutdated,
            "\(storeName) has changed since the plan was made: \(Self.words(last)) came after it. Make a new plan, or give `--allow-older` to compare record by record. Nothing was done."
        )
    }

    /// What a run was, as a person remembers it who asked for it: a decision has a number of its own as well.
    private static func words(_ run: RunEntry) -> String {
        let who = run.who.map { " by \(ShortText.of($0))" } ?? ""
        let what: String? =
            switch run.command {
            case RunEntry.resolveCommand: "a decision on conflicts"
            case RunEntry.retryCommand: "a retry of records in quarantine"
            case RunEntry.dropCommand: "a decision to give records in quarantine up"
            case RunEntry.editCommand: "what a program wrote"
            default: run.undoes.map { "an undo of run \($0)" }
            }
        return "run \(run.id)" + (what.map { ", \($0)\(who)," } ?? "")
    }

    /// The run that carried out this very plan, where that holds still.
    private func applied(in store: (any RecordStore)?) throws -> RunEntry? {
        for stream in pipeline.streams {
            let kept = try store?.state.value(.appliedPlan, pipeline: pipeline.name, stream: stream.name)
            guard let words = kept?.split(separator: " ", maxSplits: 1), words.count == 2,
                words[1] == plan.head.name, let run = Int64(words[0]),
                let entry = try store?.runs.entry(id: run), entry.undoneBy == nil
            else { continue }
            return entry
        }
        return nil
    }
}
