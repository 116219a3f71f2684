internal import SluiceStore

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
    /// Whether the only record that was read could not be taken, while the source was known to have several; nil where that is not
    /// asked, and in what an earlier program wrote.
    package var knowsOthers: Bool?
    /// Those of them that were not in quarantine before; nil for none, and in what an earlier program wrote.
    package var newlyQuarantined: Int?
    /// Conflicts that are new or whose remote value moved on.
    package var newConflicts = 0
    /// Records that are gone from the source and were edited here, counted as conflicts on top of those that were read.
    package var goneConflicts = 0
    /// How many records that were not read keep their rows as people left them, on top of those that were read; nil for none, and
    /// in what an earlier program wrote.
    package private(set) var goneKept: Int?
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

    /// Counts records that were not read and keep their rows.
    package mutating func addGoneKept(_ count: Int) { if count > 0 { goneKept = (goneKept ?? 0) + count } }

    /// How many outcomes come on top of those of the records that were read, besides deletes.
    package var outcomesOnTop: Int { goneConflicts + (goneKept ?? 0) + goneStale }
}
