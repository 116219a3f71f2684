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

    /// The records that were left out, as ``keptSummary``.
    package var keptFiltered: Int?

    /// The rows that were missing, as ``keptSummary``.
    package var keptSuspected: Int?

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

    /// How many records were read and left out: by a filter, or since they are older than the cursor.
    package var filtered: Int { keptFiltered ?? streams.reduce(0) { $0 + $1.filtered } }

    /// How many rows were missing, and count as gone once further scans did not see them either.
    package var suspected: Int { keptSuspected ?? streams.reduce(0) { $0 + $1.suspected } }

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
