internal import SluiceDecode
internal import SluiceMerge
package import SluiceModel
package import SluicePipeline
package import SluicePlans
package import SluiceReport
package import SluiceStore

/// Merges the batches of one stream into the store and counts the outcomes.
package struct StreamMerger {
    /// What the merge of a stream is given.
    package struct Context {
        package let store: any RecordStore
        package let table: any RecordTable
        package let observer: any RunObserver
        /// The run's number, nil in a plan.
        package let run: Int64?
        /// The quarantine entries whose records are tried again, nil where records come from their source.
        package var retried: [Int64]?
        /// Whether a record may have been missed by scans before it counts as gone.
        package var countsScans = false
        /// When the run was started, RFC 3339 in UTC.
        package let time: String
        /// The other sources of the table.
        package var otherSources = OtherSourceLedger.none
        /// The rows of the records' children.
        package var children: [ChildRows] = []
        /// What the run wrote of the source so far; nil where no stream can be merged once more.
        package var written: CountedRecords?
        /// Whether a pipeline that runs after this one fills the table as well.
        package var hasCompanions = false
        /// For each field the path at which records have its value; empty where that is not known.
        package var origins: [String?] = []
        /// What the source meant by what it said before its fields had their types, see ``CanonicalRecord/meaning``.
        var meaning: CanonicalRecord.Meaning = { _, _ in nil }
        /// What compares plans of records with a saved plan; nil where there is none.
        package var gate: PlanGate?

        /// Makes one of its parts.
        package init(
            store: any RecordStore, table: any RecordTable, observer: any RunObserver, run: Int64?,
            retried: [Int64]? = nil, countsScans: Bool = false, time: String,
            otherSources: OtherSourceLedger = OtherSourceLedger.none, children: [ChildRows] = [],
            written: CountedRecords? = nil
        ) {
            self.store = store
            self.table = table
            self.observer = observer
            self.run = run
            self.retried = retried
            self.countsScans = countsScans
            self.time = time
            self.otherSources = otherSources
            self.children = children
            self.written = written
        }
    }

    package let context: Context
    package let schema: RecordSchema
    /// Decides what becomes of records.
    package var planner: RecordPlanner
    package var canonical: CanonicalRecord { planner.canonical }
    /// Carries plans out.
    package var writer: PlanWriter
    /// The fields that the source alone may change; asked for each record, so that they are known beforehand.
    private let ownedFields: [Int]
    /// Whether the values of some field must not appear in clear.
    package let hasRedactions: Bool
    /// Whether somebody hears of each record that is inserted.
    let isHeard: Bool
    /// What the run wrote of the source so far, as ``Context`` says it; asked for each record, as that is too large to be.
    let written: CountedRecords?
    package var lookup = BaseLookup()
    var inserts: [Int] = []
    /// What is to be told of the present batch; nil where each change is told at once.
    var notices: BatchNotices?
    /// Records of the batch to be inserted that other sources had before.
    package var renewed: [RecordKey: [OtherSourceLedger.Record]] = [:]
    /// The open quarantine entries of records whose key was readable.
    var quarantinedKeys: [ExactText: [Int64]] = [:]
    /// The open quarantine entries without a key.
    var quarantinedKeyless: Set<Int64> = []
    /// All quarantine entries that were open before.
    var quarantinedBefore: Set<Int64> = []
    package var keysSeenInQuarantine: Set<Int64> = []
    /// The open entries of records that were decoded; whether they can be closed shows at the end.
    package var released: [Int64] = []
    /// Records that were decoded and are quarantined all the same.
    package var refusals: [Refusal] = []
    /// The hashes of the keys of records that are left as they are, since a saved plan says something else of them. There may be
    /// as many as the stream has records.
    package var heldBack = HashSet64()
    /// Whether these are wanted: records may stand within them.
    package var keepsHeldBack = false
    /// The positions in the stream of the latest batch's records that were not merged.
    package var passedOver: Set<Int> = []
    /// What other sources say in this run of records that this one lists no longer, as an attempt before found out.
    package var elsewhere = RecordsElsewhere()
    /// What an attempt before found out of references that must not be empty.
    package var unmet = UnmetNeeds.Stream()
    /// The records whose rows were deleted, where they have children.
    package var deleted: [RecordKey] = []
    /// The records whose rows are made anew, where they have children, each with its position in the stream.
    var back: [RecordKey: Int?] = [:]
    /// The records that come back with those which they belong to, as their source lists them.
    var returning: Set<RecordKey> = []
    /// What the source says of records without a row that waits with conflicts over those which they are within.
    var newsWithin: NewsWithin
    /// The numbers of conflicts over records that were deleted here, where these have children, and that ended.
    var ended: [Int64] = []
    /// The records whose rows another source keeps, where they have children.
    var abandoned: [RecordKey] = []
    /// The records of which somebody decides whether they go, where they have children.
    var asked: [RecordKey] = []
    /// The first of the records whose rows another source keeps.
    package var heldKeys: [RecordKey] = []
    /// The positions of the sources that keep such rows.
    package var holders: Set<Int> = []
    /// The hashes of the keys of records that the scan missed, and that a further one has to miss too.
    package var suspected = HashSet64()
    /// Records that people deleted and that are gone from their source as well.
    package var forgottenDeletions = ForgottenDeletions()
    /// How many records were listed with something new and stated to be deleted in one run, and the first of them.
    package private(set) var gainsaid = (count: 0, first: [RecordKey]())
    /// The rows that the table did not let go, with its words.
    package var refusedDeletes: [String] = []
    /// Records that changed although their stream only adds some.
    var changedAfterAppend: (count: Int, first: RecordKey)?
    /// Marks of values that a further attempt must let wait.
    package var contested: Set<UInt64> = []
    /// The hashes of the keys that pages had which are merged and kept already.
    package var repeated: Set<UInt64> = []
    /// What becomes of records with such keys.
    package var duplicateRule = StreamDefinition.DuplicateRule.last
    /// Whether a record that changes while the pages are read comes once more, on a later one.
    package var expectsRepeats = false
    /// Which records that share a key differ.
    package var tally = DuplicateTally()
    /// The positions of these records in the stream.
    var repeatedOrdinals: Set<Int> = []
    /// The hashes of the keys of records that stand within such a record.
    var repeatedWithin: Set<UInt64> = []
    /// What became of the records of the pages that are kept already; nil where the run is kept as a whole.
    package var counted: CountedRecords?
    /// What became of the records that were merged since, as far as that is kept.
    package var outcomes: [UInt64: RecordOutcome] = [:]
    /// Whether the stream's records are merged once more in the same run.
    var isAgain = false
    /// How many records count only now that they are merged once more.
    var metLate = 0
    /// The quarantine entries that were told then.
    var toldInQuarantine: Set<Int64> = []
    package var report: StreamReport
    /// The fields of which no record said anything yet, where the source fills the table for the first time.
    package internal(set) var fieldsNotGiven: [Int]
    /// The places of values that records gave and that could not be taken, as long as fields are looked for.
    package internal(set) var refusedPlaces: Set<String> = []
    /// The records that earlier runs of the same scan read.
    package var readBefore = 0
    /// Whether records were known by their texts to be as they were.
    package var hasPassed = false
    /// How many records were met that the source was known to have.
    package var liveMet = 0
    /// Whether a record had no readable identifier, so that nothing can be said to be gone.
    package var lostKeys = 0

    package init(_ context: Context, report: StreamReport) throws {
        self.context = context
        self.report = report
        schema = context.table.schema
        written = context.written
        fieldsNotGiven = context.table.baseWasEmpty && context.retried == nil ? Array(schema.fields.indices) : []
        planner = RecordPlanner(
            schema: schema, sources: context.otherSources.others, run: context.run, time: context.time,
            meaning: context.meaning)
        newsWithin = NewsWithin(of: planner.canonical)
        writer = PlanWriter(
            context.table, in: context.store, canonical: planner.canonical, otherSources: context.otherSources,
            run: context.run)
        hasRedactions = schema.fields.contains { $0.redaction != nil }
        ownedFields = context.table.schema.fieldsOwnedBySource
        context.observer.opened(schema, isNew: context.table.isNew)
        isHeard = context.observer.listens(to: schema)
        if let retried = context.retried {
            released = retried
            quarantinedBefore = Set(retried)
            return
        }
        let open = try context.store.quarantine.openKeys(of: schema.source)
        quarantinedBefore = Set(open.map(\.id))
        for (id, key) in open {
            guard let key else {
                quarantinedKeyless.insert(id)
                continue
            }
            quarantinedKeys[ExactText(key), default: []].append(id)
        }
    }

    /// Merges a batch.
    ///
    /// - Parameters:
    ///   - batch: Decoded records.
    ///   - duplicates: The keys that come more than once.
    /// - Throws: What the store throws, and ``SyncError`` where a policy is to fail.
    package mutating func merge(_ batch: borrowing RecordBatch, duplicates: DuplicateIndex) throws {
        try lookUp(batch)
        try mergeFound(batch, duplicates: duplicates)
    }

    /// Compares a batch with the base.
    package mutating func lookUp(_ batch: borrowing RecordBatch) throws {
        try context.table.lookUp(batch, into: &lookup)
        liveMet += lookup.liveCount
    }

    /// Merges a batch that was compared with the base.
    ///
    /// - Parameters:
    ///   - batch: Decoded records.
    ///   - duplicates: The keys that come more than once.
    ///   - left: Rows of the batch that are not to be merged.
    /// - Throws: What the store throws, and ``SyncError`` where a policy is to fail.
    mutating func mergeFound(
        _ batch: borrowing RecordBatch, duplicates: DuplicateIndex = DuplicateIndex(), leavingOut left: Set<Int> = []
    ) throws {
        if !fieldsNotGiven.isEmpty { recordGiven(batch) }
        passedOver.removeAll(keepingCapacity: true)
        inserts.removeAll(keepingCapacity: true)
        renewed.removeAll(keepingCapacity: true)
        var news: [Int] = []
        var later: [Int] = []
        var owned: [Int] = []
        for record in 0..<batch.count {
            if !left.isEmpty && left.contains(record) { continue }
            report.read += 1
            if !duplicates.isEmpty, try isDuplicate(record, of: batch, duplicates) {
                passedOver.insert(batch.origins[record].ordinal)
            } else if !unmet.refused.isEmpty && isUnmet(record, of: batch) {
                passedOver.insert(batch.origins[record].ordinal)
            } else if !repeated.isEmpty && repeated.contains(batch.keyHashes[record]) {
                later.append(record)
            } else if isAsBefore(record, in: batch) {
                count(.unchanged, of: batch.keyHashes[record])
                if !quarantinedKeys.isEmpty { release(batch.key(of: record, schema: schema)) }
            } else if mayStandAsSaid(record, in: batch) {
                owned.append(record)
            } else {
                news.append(record)
            }
        }
        if !owned.isEmpty {
            news += try othersThanSaid(owned, in: batch)
            news.sort()
        }
        try write(news, of: batch)
        for record in later { try mergeRepeated(record, of: batch) }
    }

    /// Writes what a batch has of news, and tells it in the order of the source.
    private mutating func write(_ news: [Int], of batch: borrowing RecordBatch) throws {
        // What becomes of new records is known after that of all others there.
        if context.table.mayRefuse { notices = BatchNotices() }
        defer { reportNotices() }
        if !news.isEmpty { try mergeNews(news, of: batch) }
        if !inserts.isEmpty { try insert(batch) }
    }

    /// Whether a record needs no look at the store: its base says the same, and nothing is to be put right.
    private func isAsBefore(_ record: Int, in batch: borrowing RecordBatch) -> Bool {
        // What the source alone may change is put right even where the source says nothing new.
        saysNothingNew(record, in: batch) && ownedFields.isEmpty && !planner.takesList
    }

    private func saysNothingNew(_ record: Int, in batch: borrowing RecordBatch) -> Bool {
        lookup.findings[record] == .unchanged && (batch.deleted.isEmpty || !batch.deleted.contains(record))
    }

    /// Whether a record is as before if its row holds what the source alone may change, which has to be looked at.
    private func mayStandAsSaid(_ record: Int, in batch: borrowing RecordBatch) -> Bool {
        !ownedFields.isEmpty && !planner.takesList && context.otherSources.isEmpty && !context.table.changesOtherRows
            && saysNothingNew(record, in: batch)
    }

    /// Counts records that are as before, since their rows hold what the source alone may change.
    ///
    /// - Parameters:
    ///   - records: Records about which the source says nothing new.
    ///   - batch: The batch.
    /// - Returns: The others.
    /// - Throws: What the store throws.
    private mutating func othersThanSaid(_ records: [Int], in batch: borrowing RecordBatch) throws -> [Int] {
        let keys = records.map { batch.key(of: $0, schema: schema) }
        var others: [Int] = []
        for ((record, key), row) in zip(zip(records, keys), try context.table.localRows(keys)) {
            if let row, holds(row, whatIsSaid: record, in: batch) {
                count(.unchanged, of: batch.keyHashes[record])
                if !quarantinedKeys.isEmpty { release(key) }
            } else {
                others.append(record)
            }
        }
        return others
    }

    private func holds(_ row: [FieldValue], whatIsSaid record: Int, in batch: borrowing RecordBatch) -> Bool {
        for field in ownedFields {
            let said = FieldSide(digest: batch.digest(record: record, field: field))
            if canonical.side(of: row[field], field: field) != said { return false }
        }
        return true
    }

    /// Counts a record that is listed with something new and stated to be deleted in one run.
    mutating func recordGainsaid(_ key: RecordKey) {
        gainsaid.count += 1
        if gainsaid.first.count < RunProblem.listedKeys { gainsaid.first.append(key) }
    }
}
