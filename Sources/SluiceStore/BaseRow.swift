public import SluiceMerge

/// What the store remembers of a record's source.
public struct BaseRow: Sendable, Equatable {
    /// The hash of the values in ``entries``.
    public var rowHash: UInt64
    /// One entry per field of the schema.
    public var entries: [BaseEntry]
    /// Whether the source still has the record.
    public var state: BaseState
    /// Whether a conflict of this record waits for a decision.
    public var isOpen: Bool
    /// The run that wrote the base first.
    public var firstRun: Int64?
    /// The run that changed it last.
    public var lastRun: Int64?
    /// How many complete scans have missed the record since it was last seen.
    public var missedScans: Int
    /// The positions of the fields that the pipeline did not have yet when the base was written.
    public var unasked: Set<Int> = []
    /// The mark of the text that the base was read from, by which a record is known to be as it was without being decoded;
    /// nil where something of that text is not settled. It is written with a row and not read back with it.
    public var textMark: TextMark?

    /// Makes a row.
    public init(
        rowHash: UInt64, entries: [BaseEntry], state: BaseState, isOpen: Bool, firstRun: Int64?, lastRun: Int64?,
        missedScans: Int = 0
    ) {
        self.rowHash = rowHash
        self.entries = entries
        self.state = state
        self.isOpen = isOpen
        self.firstRun = firstRun
        self.lastRun = lastRun
        self.missedScans = missedScans
    }
}

/// Which records of a batch are known by their texts.
public struct TextLookup: Sendable {
    /// The positions of those that are not, from the first to the last.
    public var others: [Int] = []
    /// What stands within the ones that are, by their positions; see `TextMark.Mention`.
    public var within: [Int: [UInt8]] = [:]

    /// Makes an empty lookup.
    public init() {}
}

/// How the records of a batch compare with the base.
public struct BaseLookup: Sendable {
    /// How one record compares.
    @frozen
    public enum Finding: UInt8, Sendable {
        /// There is no base.
        case new
        /// The hash is the same, the record is live, nothing waits for a decision and no scan has missed it.
        case unchanged
        /// There is a base, in ``rows``.
        case other
    }

    /// One finding per record.
    public var findings: [Finding] = []
    /// The base of each record whose finding is ``Finding/other``, by its position.
    public var rows: [Int: BaseRow] = [:]
    /// The number of records whose base was live or locally deleted.
    public var liveCount = 0

    /// Makes an empty lookup.
    public init() {}
}
