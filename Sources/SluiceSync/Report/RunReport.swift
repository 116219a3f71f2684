public import SluiceStore

/// What a run or plan did, for people and programs. Changes, conflicts and quarantined records go to a ``RunObserver``
/// one by one, since there may be millions.
public struct RunReport: Sendable {
    /// How a run ended.
    public enum Status: String, Sendable {
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
    public enum Command: String, Sendable {
        case plan, run
    }

    /// The pipeline's name.
    public var pipeline: String
    /// What was asked for.
    public var command: Command
    /// How it ended.
    public var status: Status
    /// The run's number, nil in a plan and where the store has no such run.
    public var run: Int64?
    /// Whether the store has pages of a run that failed or was stopped.
    public var keepsPages = false
    /// RFC 3339 in UTC.
    public var startedAt: String
    /// RFC 3339 in UTC.
    public var finishedAt: String
    /// What had to be changed in the database's schema.
    public var schemaChanges: [SchemaChange] = []
    /// One entry per stream, in the order of the pipeline.
    public var streams: [StreamReport] = []
    /// What people should know.
    public var problems: [RunProblem] = []
    /// The run that this one takes back, nil where it takes back none.
    public var undoes: Int64?
    /// How much of what it takes back was touched since and left as it is.
    public var left = 0
    /// The conflicts that it took back, which are there no longer.
    public var withdrawnConflicts: [Int64] = []
    /// The least `--allow-deletes` that would let the refused deletes happen.
    public var refusedDeletes: Int?

    /// What people changed of the pipeline's records, as a plan found it; nil where nobody looked.
    public var edits: EditCounts?

    /// What became of records that were tried again, nil for a run over its source.
    public var retry: RetryReport?

    /// Makes an empty report.
    public init(pipeline: String, command: Command, startedAt: String) {
        self.pipeline = pipeline
        self.command = command
        self.startedAt = startedAt
        status = .succeeded
        finishedAt = startedAt
    }

    /// What was asked for, as the store and reports name it.
    public var commandName: String { undoes == nil ? command.rawValue : "undo" }

    /// The counts of records that stand within others, by entity.
    public var entities: [String: RunSummary] {
        streams.flatMap(\.parts).reduce(into: [:]) { $0[$1.entity, default: RunSummary()].add($1.summary) }
    }

    /// Whether somebody has to look at it before the run counts as done: what `--strict` is about.
    public var needsAttention: Bool {
        total.conflict + total.quarantined > 0 || problems.contains(where: \.needsAttention)
    }

    /// The counts of all streams' own records.
    public var summary: RunSummary { streams.reduce(into: RunSummary()) { $0.add($1.summary) } }

    /// The counts of all records that stand within others.
    public var within: RunSummary { entities.values.reduce(into: RunSummary()) { $0.add($1) } }

    /// The counts of all records.
    public var total: RunSummary {
        var total = summary
        total.add(within)
        return total
    }

    /// The counts of the records of an entity, wherever they stand.
    public func total(of entity: String) -> RunSummary {
        let own = streams.filter { $0.entity == entity }.map(\.summary)
        let parts = streams.flatMap(\.parts).filter { $0.entity == entity }.map(\.summary)
        return (own + parts).reduce(into: RunSummary()) { $0.add($1) }
    }

    /// The entities whose records took part.
    public var allEntities: Set<String> { Set(streams.map(\.entity) + streams.flatMap(\.parts).map(\.entity)) }

    /// How many references had waited for records that are there now.
    public var linked = 0

    /// Whether anything would be or was written besides the run itself.
    public var hasChanges: Bool {
        let summary = summary
        return !schemaChanges.isEmpty || summary.hasWrites || linked > 0
            || streams.contains { stream in
                stream.newConflicts > 0 || stream.rewritten > 0
                    || stream.parts.contains { $0.summary.hasWrites || $0.newConflicts > 0 }
            }
    }
}

/// How many records had which outcome.
public struct RunSummary: Sendable, Equatable {
    /// Records that are new in the store.
    public var insert = 0
    /// Records of whose row something was written.
    public var update = 0
    /// Rows that were deleted or marked as deleted.
    public var delete = 0
    /// Records about which the source says what it said before, or what the store already holds.
    public var unchanged = 0
    /// Records whose change was not taken because the local value stands.
    public var keptLocal = 0
    /// Records that have an open conflict after the run.
    public var conflict = 0
    /// Of the records in conflict those that were written in part: in the fields that nobody has to decide about.
    public var conflictWritten = 0
    /// Records that could not be taken.
    public var quarantined = 0
    /// Rows that are gone from the source and stay, since a safety guard or the table itself refused their deletes.
    public var deleteRefused = 0

    /// Whether rows were written.
    public var hasWrites: Bool { insert + update + delete + conflictWritten > 0 }
    /// Whether some record is not as it was and as its source says.
    public var hasNews: Bool { hasWrites || conflict + keptLocal + quarantined + deleteRefused > 0 }

    /// Makes zero counts.
    public init() {}

    /// Adds other counts.
    public mutating func add(_ other: RunSummary) {
        insert += other.insert
        update += other.update
        delete += other.delete
        unchanged += other.unchanged
        keptLocal += other.keptLocal
        conflict += other.conflict
        conflictWritten += other.conflictWritten
        quarantined += other.quarantined
        deleteRefused += other.deleteRefused
    }
}

/// What one stream did.
public struct StreamReport: Sendable {
    /// What an incremental stream was asked for, as its cursor's field is stored.
    public struct Cursor: Sendable, Equatable {
        /// Where it was read from; nil for its beginning.
        public var start: String?
        /// Up to where; nil where no end was asked for.
        public var end: String?
        /// Where the next run begins; nil where nothing was read yet.
        public var next: String?
    }

    /// What became of the records of an entity that stand within the stream's.
    public struct Part: Sendable, Equatable {
        /// The entity's name.
        public var entity: String
        /// The outcomes of the records.
        public var summary: RunSummary
        /// Conflicts that are new or whose remote value moved on.
        public var newConflicts: Int

        /// Makes counts.
        public init(entity: String, summary: RunSummary, newConflicts: Int) {
            (self.entity, self.summary, self.newConflicts) = (entity, summary, newConflicts)
        }
    }

    /// How many partitions a stream with `parent` or `for_each` read.
    public struct Partitions: Sendable, Equatable {
        /// How many there are.
        public var count: Int
        /// How many were asked for.
        public var asked: Int
        /// How many of these could not be read.
        public var failed: Int
    }

    /// How many lists within records were asked for their rests.
    public struct Rests: Sendable, Equatable {
        /// How many lists have more than their records show.
        public var count: Int
        /// How many of their rests could not be read.
        public var failed: Int
    }

    /// The stream's name.
    public var stream: String
    /// The entity's name.
    public var entity: String
    /// The partitions; nil where the stream asks once.
    public var partitions: Partitions?
    /// The rests of lists; nil where no list has more than its record shows.
    public var rests: Rests?
    /// Whether the scan was complete, so that what it did not see is gone.
    public var isComplete = false
    /// HTTP requests, retries not counted.
    public var requests = 0
    /// Pages that the source says are the same as before; they are not read again.
    public var notModified = 0
    /// Pages that were read.
    public var pages = 0
    /// Bytes after decoding.
    public var bytes = 0
    /// Requests that were tried again.
    public var retries = 0
    /// Records that were read.
    public var read = 0
    /// Records that were written once more, since a later page has their key as well.
    public var rewritten = 0
    /// The page at which the scan went on that an earlier run began; nil where it began anew.
    public var resumedAtPage: Int?
    /// The page at which the next run goes on; nil where the scan has come to its end, or begins anew.
    public var nextPage: Int?
    /// Records that the stream's filter left out.
    public var filtered = 0
    /// Records whose key came again later.
    public var duplicates = 0
    /// Records that share a key and differ.
    public var differing = DifferingRecords()
    /// Records that could not be taken.
    public var quarantined = 0
    /// Conflicts that are new or whose remote value moved on.
    public var newConflicts = 0
    /// Records that are gone from the source and were edited here, counted as conflicts on top of those that were read.
    public var goneConflicts = 0
    /// Records that are gone from this source and stay, since another source of the table still has them.
    public var heldElsewhere = 0
    /// Records that are missing and count as gone once further scans did not see them either.
    public var suspected = 0
    /// Records that are missing in a scan that read too few for that to be believed.
    public var disbelieved = 0
    /// Records that are missing from the list and were there when the source was asked for them.
    public var stillThere = 0
    /// Records that are missing from the list and of which the source did not say whether it has them.
    public var unconfirmed = 0
    /// Records that are missing and stay for the time being.
    public var missing: Int { suspected + disbelieved + stillThere + unconfirmed }
    /// Rows that `delete_missing: report` found gone.
    public var reportedGone = 0
    /// What was asked for; nil for a stream that is read as a whole.
    public var cursor: Cursor?
    /// The keys that no field takes, where the stream's contract is to tell them.
    public var unmapped = UnmappedKeys()
    /// The outcomes of the records.
    public var summary = RunSummary()
    /// What became of records that stand within the stream's, entity by entity.
    public var parts: [Part] = []

    /// Makes an empty report.
    public init(stream: String, entity: String) {
        self.stream = stream
        self.entity = entity
    }
}

/// Something that people should know about a run.
public struct RunProblem: Sendable, Equatable {
    /// How bad it is.
    public enum Severity: String, Sendable {
        /// Nothing is wrong.
        case note
        case warning, error
    }

    /// The kind of problem, in snake_case.
    public var code: String
    /// How bad it is.
    public var severity: Severity
    /// What is wrong and what to do, as sentences.
    public var message: String
    /// The stream that it is about, nil where it is about the run.
    public var stream: String?
    /// The entity whose records it is about, nil where it is about none.
    public var entity: String?
    /// The first of these records, each key as a JSON object.
    public var keys: [String] = []
    /// How many more there are.
    public var unlisted = 0

    /// The codes of warnings that `--strict` takes for unfinished work.
    private static let unfinished: Set<String> = [
        "differing_duplicates", "more_in_list", FetchWarning.Code.morePages.rawValue,
        FetchWarning.Code.pageLimit.rawValue,
    ]

    /// Whether somebody has to look at it before the run counts as done.
    var needsAttention: Bool { severity == .warning && Self.unfinished.contains(code) }

    /// How many records a problem lists at most.
    static let listedKeys = 10

    /// Makes a problem.
    public init(code: String, severity: Severity, message: String) {
        self.code = code
        self.severity = severity
        self.message = message
    }
}

extension [RunProblem] {
    /// The problems, each with the stream that it is about.
    func of(stream: String) -> [RunProblem] {
        map { problem in
            var problem = problem
            problem.stream = problem.stream ?? stream
            return problem
        }
    }
}
