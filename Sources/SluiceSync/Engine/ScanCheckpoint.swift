internal import SluiceFetch
internal import SluiceModel
internal import SluiceReconcile
internal import SluiceReport
internal import SluiceStore

/// A page of a scan that is kept page by page, with what is known of those before.
struct ScanCheckpoint {
    /// The keys of the pages before.
    let keys: EarlierKeys
    /// The quarantine entries of the pages before.
    let quarantined: Set<Int64>
    /// How far the scan has come.
    var state: ScanState
    /// What this run has done of it.
    var report: StreamReport
    /// The records that earlier runs read of it.
    let readBefore: Int
    /// Whether the page is the last one.
    let isEnd: Bool
    /// Whether a page without a new key means that the pages go in a circle.
    let seeksCircles: Bool
    /// What became of the records of the pages that this run has kept, and of those within them by part.
    let counted: [CountedRecords]
    /// The same of the page.
    var newlyCounted: [[UInt64: RecordOutcome]] = []
    /// The keys of embedded objects that pages before had, in this run.
    var embedded: [RecentHashSet] = []
    /// The keys of the page that those before had not, each in eight bytes.
    var words: [UInt64] = []
    /// The quarantine entries of the page.
    var newlyQuarantined: [Int64] = []
}
