internal import SluiceModel
internal import SluicePipeline
internal import SluiceReport
internal import SluiceStore

/// Records in quarantine that are tried again, each a page of its own.
struct RetriedEntries {
    let entries: [QuarantineEntry]
    /// Those that were not tried, since a run may have read their keys meanwhile.
    private(set) var outdated: Set<Int> = []
    /// Those that do not fit still.
    private(set) var stayed: Set<Int> = []
    /// Those that became records under a key which their entries do not say.
    private(set) var renamed: Set<Int> = []

    /// Notes that an entry does not fit.
    mutating func stay(_ ordinal: Int) { stayed.insert(ordinal) }

    /// Whether an entry may be taken: nobody has read its key since it was kept.
    ///
    /// - Parameters:
    ///   - ordinal: The position of the entry.
    ///   - key: Its key.
    ///   - schema: The schema that the key is of.
    ///   - table: The table of its records.
    ///   - store: The runs.
    /// - Returns: False where a run may have said something newer of it.
    /// - Throws: `StoreError`.
    mutating func mayTake(
        _ ordinal: Int, _ key: RecordKey, _ schema: RecordSchema, _ table: any RecordTable, _ store: any RecordStore
    ) throws -> Bool {
        guard entries.indices.contains(ordinal) else { return true }
        let entry = entries[ordinal]
        let kept = entry.lastRun ?? 0
        // A run closes the entries of each key that it reads. That the record has this key was not known then.
        let isRenamed = FieldJSON.object(key: key, schema: schema) != entry.key
        if isRenamed { renamed.insert(ordinal) }
        guard let base = try table.baseRow(key) else { return true }
        let runs = isRenamed ? try store.runs.list(pipeline: schema.pipeline, limit: 100) : []
        let newest = runs.first { $0.command != RunEntry.retryCommand }?.id ?? 0
        if (base.lastRun ?? 0) >= kept || isRenamed && newest > kept {
            outdated.insert(ordinal)
            return false
        }
        return true
    }

    /// Closes the entries of records that were taken and that their keys do not find.
    func close(_ store: any RecordStore, run: Int64?) throws {
        let taken = renamed.subtracting(outdated).subtracting(stayed).sorted()
        try store.quarantine.close(taken.compactMap { entries[$0].id }, run: run)
    }

    /// What it came to.
    var report: RetryReport {
        var report = RetryReport()
        report.stayed = stayed.count
        report.left = entries.count - stayed.count - outdated.count
        report.refuse(
            outdated.sorted().compactMap { entries[$0].id }, "a run may have read its key since.")
        return report
    }
}

extension RetryReport {
    fileprivate mutating func refuse(_ ids: [Int64], _ reason: String) {
        refused += ids.map { Refusal(id: $0, reason: reason) }
    }
}

/// What became of records in quarantine that were tried again.
public struct RetryResult: Sendable, Hashable {
    /// The numbers of the runs, one for each source.
    public let runs: [Int]
    /// How many became records.
    public let taken: Int
    /// How many do not fit still.
    public let stayed: Int
    /// How many were not tried: a run may have read their keys meanwhile, they are no JSON, or a typed stage kept them aside.
    public let left: Int
}
