package import SluiceStore

/// What a run or plan did, for people and programs. Changes, conflicts and quarantined records go to a ``RunObserver``
/// one by one, since there may be millions.
package struct RunReport: Codable, Sendable {
    /// How a run ended.
    package enum Status: String, Codable, CaseIterable, Sendable {
        case succeeded
        /// Some streams failed, the others were committed.
        case partial
        /// A safety guard refused a part; the rest was committed.
        case refused
        case failed
        case interrupted
        /// Another run holds the pipeline or the store.
        case locked
    }

    /// What was asked for.
    package enum Command: String, Codable, Sendable {
        case plan, run
    }

    /// The pipeline's name.
    package var pipeline: String
    /// What was asked for.
    package var command: Command
    /// How it ended.
    package var status: Status
    /// The only stream or entity that was asked for, as `stream issues`, or that a recording was; nil where all of the source
    /// was.
    package var scope: String?
    /// Who asked for it, where that is kept: of an undo or a retry; else nil.
    package var who: String?
    /// The run's number, nil in a plan and where the store has no such run: no store is made for a first one that fails.
    package var run: Int64?
    /// Whether the store has pages of a run that failed or was stopped.
    package var keepsPages = false
    /// RFC 3339 in UTC.
    package var startedAt: String
    /// RFC 3339 in UTC.
    package var finishedAt: String
    /// What had to be changed in the database's schema.
    package var schemaChanges: [SchemaChange] = []
    /// One entry per stream, in the order of the pipeline.
    package var streams: [StreamReport] = []
    /// What people should know.
    package var problems: [RunProblem] = []
    /// The run that this one takes back, nil where it takes back none.
    package var undoes: Int64?
    /// How many records of what it takes back were touched since and left as they are.
    package var left = 0
    /// How many conflicts and entries of the quarantine were touched since and left as they are.
    package var leftEntries = 0
    /// The conflicts that it took back, which are there no longer.
    package var withdrawnConflicts: [Int64] = []
    /// The deletes that a guard refused, nil where none were.
    package var refusedDeletes: RefusedDeletes?

    /// What people changed of the pipeline's records, as a plan found it; nil where nobody looked.
    package var edits: EditCounts?

    /// What waits for people besides what the run met, of the streams that took part.
    package var openBesides = OpenCounts()

    /// What became of records that were tried again, nil for a run over its source.
    package var retry: RetryReport?

    /// Makes an empty report.
    package init(pipeline: String, command: Command, startedAt: String) {
        self.pipeline = pipeline
        self.command = command
        self.startedAt = startedAt
        status = .succeeded
        finishedAt = startedAt
    }

    /// The recording that a plan compares with, in the place of a store; nil for a store.
    package var against: String?
    /// Where a plan was saved; nil where it was not.
    package var savedAs: String?
    /// The saved plan that was carried out; nil where none was.
    package var applied: AppliedPlan?

    /// What was asked for, as reports name it.
    package var commandName: String { applied == nil ? recordedName : "apply" }
    /// Whether a saved plan is carried out; nil where it is not.
    package var isApply: Bool?
    /// What was asked for, as the store names it.
    package var recordedName: String {
        if undoes != nil { return "undo" }
        return isApply == true ? RunEntry.applyCommand : command.rawValue
    }

    /// The counts of records that stand within others, by entity.
    package var entities: [String: RunSummary] {
        keptWithin
            ?? Dictionary(grouping: streams.flatMap(\.parts), by: \.entity).mapValues {
                RunSummary.ofRows($0.map(\.outcomes))
            }
    }

    /// Whether somebody has to look at it before the run counts as done: what `--strict` is about.
    package var needsAttention: Bool {
        total.conflict + total.quarantined > 0 || !openBesides.isEmpty
            || problems.contains(where: \.needsAttention)
    }

    /// The counts of all streams' own records, of a run that is over and that the store remembers; nil for one that counts
    /// them itself.
    package var keptSummary: RunSummary?

    /// The pages that are all as before, as ``keptSummary``.
    package var keptPagesAsBefore: Int?

    /// The counts of records that stand within others, by entity, as ``keptSummary``.
    package var keptWithin: [String: RunSummary]?

    /// The counts of all streams' own records.
    package var summary: RunSummary { keptSummary ?? RunSummary.ofRows(streams.map(\.outcomes)) }

    /// The counts of the streams' own records, by entity.
    package var ownEntities: [String: RunSummary] {
        Dictionary(grouping: streams, by: \.entity).mapValues { RunSummary.ofRows($0.map(\.outcomes)) }
    }

    /// The counts of all records that stand within others.
    package var within: RunSummary {
        guard let keptWithin else { return RunSummary.ofRows(streams.flatMap(\.parts).map(\.outcomes)) }
        return keptWithin.values.reduce(into: RunSummary()) { $0.add($1) }
    }

    /// The counts of all records.
    package var total: RunSummary {
        if var total = keptSummary {
            total.add(within)
            return total
        }
        return RunSummary.ofRows(streams.map(\.outcomes) + streams.flatMap(\.parts).map(\.outcomes))
    }

    /// The counts of the records of some entities, wherever they stand.
    package func total(of entities: Set<String>) -> RunSummary {
        let kept = (keptWithin ?? [:]).filter { entities.contains($0.key) }.values
        return RunSummary.ofRows(
            streams.filter { entities.contains($0.entity) }.map(\.outcomes)
                + streams.flatMap(\.parts).filter { entities.contains($0.entity) }.map(\.outcomes)
                + kept.map { (counts: $0, conflicts: []) })
    }

    /// The entities whose records took part.
    package var allEntities: Set<String> {
        Set(streams.map(\.entity) + streams.flatMap(\.parts).map(\.entity) + (keptWithin ?? [:]).keys)
    }

    /// How many references had waited for records that are there now.
    package var linked = 0
    /// How many rows lost a reference, since its record goes or is not there, by entity; nil for none. They count by what became of
    /// their own records besides.
    package var unlinked: [String: Int]?
    /// Whether references were taken away, or rows made for what they lead to; nil where nothing of the kind is known.
    package var unlinks: Bool?

    /// How many records all streams read, where they read all that there are; nil where one asked for changes or a part,
    /// where pages were as before, and where the run came to no end.
    package var recordsRead: Int? {
        guard scope == nil, retry == nil, undoes == nil, [.succeeded, .refused].contains(status), !streams.isEmpty,
            streams.allSatisfy(\.isReadAnew)
        else { return nil }
        return streams.reduce(0) { $0 + $1.read }
    }

    /// How many pages the source has, where it says of all of them that they are as before, and nothing changed; else nil.
    package var pagesAsBefore: Int? {
        if let keptPagesAsBefore { return keptPagesAsBefore }
        let isUnread = !streams.isEmpty && streams.allSatisfy { $0.notModified > 0 && $0.pages == 0 }
        return isUnread && !hasChanges ? streams.reduce(0) { $0 + $1.notModified } : nil
    }

    /// Whether anything would be or was written besides the run itself.
    package var hasChanges: Bool {
        let summary = summary
        return schemaChanges.contains { !$0.isStanding } || summary.hasWrites || linked > 0 || unlinks == true
            || streams.contains { stream in
                stream.newConflicts > 0 || stream.rewritten > 0 || (stream.newlyQuarantined ?? 0) > 0
                    || stream.parts.contains {
                        $0.summary.hasWrites || $0.newConflicts > 0 || ($0.newlyQuarantined ?? 0) > 0
                    }
            }
    }
}

/// What became of a saved plan.
package struct AppliedPlan: Codable, Sendable, Equatable {
    /// Its file.
    package var file: String
    /// When it was made, RFC 3339 in UTC.
    package var startedAt: String
    /// How many changes it has.
    package var planned: Int
    /// How many of them were made as planned.
    package var made = 0
    /// How many records were not as the plan found them.
    package var moved = 0

    /// Makes a plan of which nothing is done yet.
    package init(file: String, startedAt: String, planned: Int) {
        (self.file, self.startedAt, self.planned) = (file, startedAt, planned)
    }
}

/// How many records wait for people.
package struct OpenCounts: Codable, Sendable, Equatable {
    /// Records with an open conflict.
    package var conflicts: Int
    /// Records in quarantine.
    package var quarantined: Int
    /// Values in quarantine that did not fit their column's new type.
    package var typeChanged: Int

    /// Makes counts, of nothing where nothing is said.
    package init(conflicts: Int = 0, quarantined: Int = 0, typeChanged: Int = 0) {
        self.conflicts = conflicts
        self.quarantined = quarantined
        self.typeChanged = typeChanged
    }

    /// Whether nothing waits.
    package var isEmpty: Bool { conflicts + quarantined + typeChanged == 0 }
}

/// How many records had which outcome.
package struct RunSummary: Codable, Sendable, Equatable {
    /// Records that are new in the store.
    package var insert = 0
    /// Records of whose row something was written.
    package var update = 0
    /// Rows that were deleted or marked as deleted.
    package var delete = 0
    /// Records about which the source says what it said before, or what the store already holds.
    package var unchanged = 0
    /// Records whose change was not taken because the local value stands.
    package var keptLocal = 0
    /// Records that have an open conflict after the run.
    package var conflict = 0
    /// Of the records in conflict those that were written in part: in the fields that nobody has to decide about.
    package var conflictWritten = 0
    /// Records that could not be taken.
    package var quarantined = 0
    /// Rows that are gone from the source and stay, since a safety guard or the table itself refused their deletes.
    package var deleteRefused = 0

    /// Records that are left as they are, since a saved plan says something else of them.
    package var stale = 0

    /// Rows that are gone from the source and stay, since `delete_missing: report` only tells of them.
    package var deleteReported = 0
    /// Records whose key came again.
    package var duplicates = 0

    /// What a coded report has here; the other counts are coded with their streams, by ``StreamReport/reportedGone`` and
    /// ``StreamReport/duplicates``.
    private enum CodingKeys: String, CodingKey {
        case insert, update, delete, unchanged, keptLocal, conflict, conflictWritten, quarantined, deleteRefused, stale
    }

    /// Whether rows were written.
    package var hasWrites: Bool { insert + update + delete + conflictWritten > 0 }
    /// Whether some record is not as it was and as its source says.
    package var hasNews: Bool {
        hasWrites || conflict + keptLocal + quarantined + deleteRefused + stale + deleteReported > 0
    }

    /// Makes zero counts.
    package init() {}

    /// Adds other counts.
    package mutating func add(_ other: RunSummary) {
        insert += other.insert
        update += other.update
        delete += other.delete
        unchanged += other.unchanged
        keptLocal += other.keptLocal
        conflict += other.conflict
        conflictWritten += other.conflictWritten
        quarantined += other.quarantined
        deleteRefused += other.deleteRefused
        stale += other.stale
        deleteReported += other.deleteReported
        duplicates += other.duplicates
    }
}

/// What one stream did.
package struct StreamReport: Codable, Sendable {
    /// What an incremental stream was asked for, as its cursor's field is stored.
    package struct Cursor: Codable, Sendable, Equatable {
        /// Where it was read from; nil for its beginning.
        package var start: String?
        /// Up to where; nil where no end was asked for.
        package var end: String?
        /// Where the next run begins; nil where nothing was read yet.
        package var next: String?
        /// True where the source was not asked for it, and the run itself left out what lies outside (`client_side`).
        package var isClientSide: Bool?
        /// True where a reading from the beginning has records that this one left out: it asked for changes alone.
        package var isFiltered: Bool?

        /// Makes a value of its parts.
        package init(
            start: String? = nil, end: String? = nil, next: String? = nil, isClientSide: Bool? = nil,
            isFiltered: Bool? = nil
        ) {
            self.start = start
            self.end = end
            self.next = next
            self.isClientSide = isClientSide
            self.isFiltered = isFiltered
        }
    }

    /// What became of the records of an entity that stand within the stream's.
    package struct Part: Codable, Sendable, Equatable {
        /// The entity's name.
        package var entity: String
        /// The outcomes of the records.
        package var summary: RunSummary
        /// Conflicts that are new or whose remote value moved on.
        package var newConflicts: Int
        /// The rows in conflict, where other sources fill their table too.
        package var conflictRows: Set<ConflictRow> = []
        /// Records that were written once more in the same run.
        package var rewritten = 0
        /// Records that were not in quarantine before; nil for none.
        package var newlyQuarantined: Int?

        /// Makes counts.
        package init(entity: String, summary: RunSummary, newConflicts: Int) {
            (self.entity, self.summary, self.newConflicts) = (entity, summary, newConflicts)
        }
    }

    /// How many partitions a stream with `parent` or `for_each` read.
    package struct Partitions: Codable, Sendable, Equatable {
        /// How many there are.
        package var count: Int
        /// How many were asked for.
        package var asked: Int
        /// How many of these could not be read.
        package var failed: Int

        /// Makes a value of its parts.
        package init(count: Int, asked: Int, failed: Int) {
            self.count = count
            self.asked = asked
            self.failed = failed
        }
    }

    /// How many lists within records were asked for their rests.
    package struct Rests: Codable, Sendable, Equatable {
        /// How many lists have more than their records show.
        package var count: Int
        /// How many of their rests could not be read.
        package var failed: Int

        /// Makes a value of its parts.
        package init(count: Int, failed: Int) {
            self.count = count
            self.failed = failed
        }
    }

    /// The stream's name.
    package var stream: String
    /// The entity's name.
    package var entity: String
    /// The partitions; nil where the stream asks once.
    package var partitions: Partitions?
    /// The rests of lists; nil where no list has more than its record shows.
    package var rests: Rests?
    /// Whether all that was asked for was read, whatever becomes of what the scan did not see.
    package var isComplete = false
    /// Whether a record may have slipped past all the same, and no further scan is to confirm that it is gone.
    package var isUnconfirmed = false
    /// Whether what the scan did not see is gone.
    package var provesAbsences: Bool { isComplete && !isUnconfirmed }
    /// HTTP requests, retries not counted.
    package var requests = 0
    /// Pages that the source says are the same as before; they are not read again.
    package var notModified = 0
    /// Pages that were read.
    package var pages = 0
    /// Bytes after decoding.
    package var bytes = 0
    /// Requests that were tried again.
    package var retries = 0
    /// Records that were read.
    package var read = 0
    /// Records that were written once more, since a later page has their key as well.
    package var rewritten = 0
    /// The page at which the scan went on that an earlier run began; nil where it began anew.
    package var resumedAtPage: Int?
    /// The page at which the next run goes on; nil where the scan has come to its end, or begins anew.
    package var nextPage: Int?
    /// Records that the stream's filter left out.
    package var filtered = 0
    /// Records whose key came again later.
    package var duplicates = 0
    /// Records that share a key and differ.
    package var differing = DifferingRecords()
    /// Records that could not be taken.
    package var quarantined = 0
    /// Those of them that were not in quarantine before; nil for none, and in what an earlier program wrote.
    package var newlyQuarantined: Int?
    /// Conflicts that are new or whose remote value moved on.
    package var newConflicts = 0
    /// Records that are gone from the source and were edited here, counted as conflicts on top of those that were read.
    package var goneConflicts = 0
    /// Records that are gone from the source and left as they are for a saved plan, on top of those that were read.
    package var goneStale = 0
    /// Records that were read and counted as deletes, made or refused, since their source states that they are deleted.
    /// All other deletes come on top of those that were read.
    package var statedDeletes = 0
    /// Records that are gone from this source and stay, since another source of the table still has them.
    package var heldElsewhere = 0
    /// Records that are missing and count as gone once further scans did not see them either.
    package var suspected = 0
    /// Records that are missing in a scan that read too few for that to be believed.
    package var disbelieved = 0
    /// Records that are missing from the list and were there when the source was asked for them.
    package var stillThere = 0
    /// Records that are missing from the list and of which the source did not say whether it has them.
    package var unconfirmed = 0
    /// Records that are missing and stay for the time being.
    package var missing: Int { suspected + disbelieved + stillThere + unconfirmed }
    /// Rows that `delete_missing: report` found gone.
    package var reportedGone = 0
    /// What was asked for; nil for a stream that is read as a whole.
    package var cursor: Cursor?
    /// Whether all that there is was read, by this run alone.
    package var isReadAnew: Bool {
        isComplete && notModified == 0 && resumedAtPage == nil
            && partitions.map { $0.asked == $0.count } ?? true
    }
    /// The keys that no field takes, where the stream's contract is to tell them.
    package var unmapped = UnmappedKeys()
    /// The outcomes of the records. What is told of them is ``outcomes``.
    package var summary = RunSummary()
    /// What became of records that stand within the stream's, entity by entity.
    package var parts: [Part] = []
    /// The rows in conflict, where other sources fill their table too.
    package var conflictRows: Set<ConflictRow> = []

    /// Makes an empty report.
    package init(stream: String, entity: String) {
        self.stream = stream
        self.entity = entity
    }
}

/// Something that people should know about a run.
package struct RunProblem: Codable, Sendable, Equatable {
    /// How bad it is.
    package enum Severity: String, Codable, Sendable {
        /// Nothing is wrong.
        case note
        case warning, error
    }

    /// The kind of problem, in snake_case.
    package var code: String
    /// How bad it is.
    package var severity: Severity
    /// What is wrong and what to do, as sentences.
    package var message: String
    /// The stream that it is about, nil where it is about the run.
    package var stream: String?
    /// The entity whose records it is about, nil where it is about none.
    package var entity: String?
    /// The first of these records, each key as a JSON object.
    package var keys: [String] = []
    /// How many more there are.
    package var unlisted = 0

    /// The codes of warnings that `--strict` takes for unfinished work.
    private static let unfinished: Set<String> = [
        "differing_duplicates", "listed_and_deleted", "more_in_list", "rest_incomplete", RunProblem.nothingTaken,
        RunProblem.redactionDiffers, FetchWarning.Code.morePages.rawValue, FetchWarning.Code.pageLimit.rawValue,
        FetchWarning.Code.pageErrors.rawValue,
    ]

    /// Whether somebody has to look at it before the run counts as done.
    package var needsAttention: Bool { severity == .warning && Self.unfinished.contains(code) }

    /// Whether a warning of this kind says that not everything was read.
    package static func leavesUnread(_ code: String) -> Bool {
        unfinished.contains(code)
            && !["differing_duplicates", "listed_and_deleted", redactionDiffers].contains(code)
    }

    /// How many records a problem lists at most.
    package static let listedKeys = 10

    /// Makes a problem.
    package init(code: String, severity: Severity, message: String) {
        self.code = code
        self.severity = severity
        self.message = message
    }
}

extension [RunProblem] {
    /// The problems, each with the stream that it is about.
    package func of(stream: String) -> [RunProblem] {
        map { problem in
            var problem = problem
            problem.stream = problem.stream ?? stream
            return problem
        }
    }
}
