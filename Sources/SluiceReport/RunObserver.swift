package import SluiceMerge
package import SluiceModel
package import SluiceStore

/// Receives what happens to records while it happens, so that nothing has to be held in memory.
///
/// The calls come from one thread, in the order of the source.
package protocol RunObserver: AnyObject {
    /// A table was opened for records of a schema; new is one that had no row and never got one from its source.
    func opened(_ schema: RecordSchema, isNew: Bool)
    /// Whether anything is made of the records of a schema that are inserted, be it that they are counted; asked once for
    /// each table that is opened.
    func listens(to schema: RecordSchema) -> Bool
    /// Whether ``changed(_:schema:)`` would be used for any record.
    var wantsChanges: Bool { get }
    /// Whether ``changed(_:schema:)`` would be used for a record; asked where what is told depends on the record.
    func wants(_ key: @autoclosure () -> RecordKey, of schema: RecordSchema) -> Bool
    /// A record was or would be inserted, updated, deleted or held in conflict.
    func changed(_ change: RecordChange, schema: RecordSchema)
    /// A change that nobody wanted to see, but that counts.
    func skippedChange(of schema: RecordSchema)
    /// The source's change of a record is not taken, and nothing is written: the local value stands without a conflict.
    func kept(_ change: @autoclosure () -> RecordChange, schema: RecordSchema)
    /// A conflict is new, moved on or was closed.
    func conflict(_ entry: ConflictEntry)
    /// A record could not be taken.
    func quarantined(_ entry: QuarantineEntry)
    /// Everything that was received so far is void and comes again.
    func restart()
    /// How far the work has come.
    func progress(_ progress: RunProgress)
}

extension RunObserver {
    /// Whether a table is new makes no difference.
    package func opened(_ schema: RecordSchema, isNew: Bool) {}

    /// All tables are of interest.
    package func listens(to schema: RecordSchema) -> Bool { true }

    /// One record is as interesting as another.
    package func wants(_ key: @autoclosure () -> RecordKey, of schema: RecordSchema) -> Bool { wantsChanges }

    /// Nobody wants to know.
    package func kept(_ change: @autoclosure () -> RecordChange, schema: RecordSchema) {}
}

/// How far a run has come.
package struct RunProgress: Sendable, Equatable {
    /// Why a request is sent later.
    package enum WaitCause: String, Sendable, Equatable {
        /// It failed, and is sent again.
        case retry
        /// A limit holds it back: `rate_limit` of the pipeline, or what the server said of further requests.
        case rateLimit = "rate_limit"
        /// The server refused it for a limit, and it is sent again.
        case refusal = "rate_limit_retry"

        /// Whether it was sent before.
        package var isRetry: Bool { self != .rateLimit }
    }

    /// What is being done.
    package enum Stage: Sendable, Equatable {
        /// Pages are fetched.
        case fetching
        /// What an import found is looked at, to tell fields and types.
        case inspecting
        /// Records are compared and written.
        case merging
        /// The source is asked for single records that a list did not have.
        case confirming
        /// Records that the source no longer has are looked for; ``RunProgress/records`` counts those looked at.
        case deleting
        /// What a run did is taken back.
        case undoing
        /// A table follows the pipeline with all that it holds; ``RunProgress/records`` counts what the step goes through.
        case changing(table: String, step: TableWork.Step)
        /// The scan goes on that another run began, at this page.
        case resuming(page: Int)
        /// The next request is sent after some seconds, at a moment in RFC 3339.
        case waiting(seconds: Double, until: String, reason: String, cause: WaitCause)
    }

    /// The partition that is read, of so many.
    package struct Partition: Sendable, Equatable {
        /// Its number, from 1.
        package var number: Int
        /// How many there are.
        package var count: Int

        /// Makes a value of its parts.
        package init(number: Int, count: Int) {
            self.number = number
            self.count = count
        }
    }

    /// What is being done.
    package var stage: Stage
    /// The stream's name.
    package var stream: String
    /// Pages that were read.
    package var pages: Int
    /// Bytes so far, after decoding.
    package var bytes: Int
    /// Records so far; 0 where they are not counted.
    package var records: Int
    /// How many records there will be, as far as somebody said so.
    package var total: Int?
    /// How many pages there will be, as far as somebody said so.
    package var pageTotal: Int?
    /// The partition that is read; nil where the stream asks once.
    package var partition: Partition?

    /// How far a table has come that follows the pipeline.
    package init(_ work: TableWork) {
        self.init(
            stage: .changing(table: work.table, step: work.step), stream: "", records: work.count, total: work.total)
    }

    /// Makes a progress.
    package init(
        stage: Stage, stream: String, pages: Int = 0, bytes: Int = 0, records: Int = 0, total: Int? = nil,
        pageTotal: Int? = nil
    ) {
        self.stage = stage
        self.stream = stream
        self.pages = pages
        self.bytes = bytes
        self.records = records
        self.total = total
        self.pageTotal = pageTotal
    }

    /// It without the records and totals, which would be those of one partition alone.
    package var ofPartitions: RunProgress {
        var progress = self
        (progress.records, progress.total, progress.pageTotal) = (0, nil, nil)
        return progress
    }
}
