package import SluiceModel

/// What the store remembers of a record's source.
package struct BaseRow: Sendable, Equatable {
    /// The hash of the values in ``entries``; of a record that its source stated to be deleted, of what the statement says.
    package var rowHash: UInt64
    /// One entry per field of the schema.
    package var entries: [BaseEntry]
    /// Whether the source still has the record.
    package var state: BaseState
    /// Whether a conflict of this record waits for a decision.
    package var isOpen: Bool
    /// The run that wrote the base first.
    package var firstRun: Int64?
    /// The run that changed it last.
    package var lastRun: Int64?
    /// How many complete scans have missed the record since it was last seen.
    package var missedScans: Int
    /// The positions of the fields that the pipeline did not have yet when the base was written.
    package var unasked: Set<Int> = []
    /// The mark of the text that the base was read from, by which a record is known to be as it was without being decoded;
    /// nil where something of that text is not settled. It is written with a row and not read back with it.
    package var textFingerprint: TextFingerprint?

    /// Makes a row.
    package init(
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

    /// Whether its source lists it all the while, as the first element of a list that gives way to another source's. Of a record that
    /// is gone no scan counts, so ``missedScans`` tells it.
    package var givesWay: Bool {
        get { state == .remoteTombstone && missedScans > 0 }
        set { missedScans = newValue ? 1 : 0 }
    }

    /// Whether its source states the deletion no longer that waits for a decision. Of such a record no scan counts, so
    /// ``missedScans`` tells it.
    package var isSilent: Bool { state == .statedTombstone && isOpen && missedScans > 0 }

    /// Whether the row stayed when its source stated the deletion, so that the entries are what the source listed before, and
    /// only ``rowHash`` tells what it stated.
    package var isKnownByHash: Bool { state == .statedTombstone && !isOpen && missedScans > 0 }

    /// Whether the row that stayed is left to other sources, which list the record. Of such a record no scan counts, so ``missedScans``
    /// tells it.
    package var isLeft: Bool {
        get { isKnownByHash && missedScans > 1 }
        set { missedScans = newValue ? 2 : 1 }
    }

    /// Whether the row stays for the time being, and is left to nobody.
    package var isStaying: Bool { isKnownByHash && !isLeft }

    /// Ends the wait for a decision about a deletion that the source stated, or states no longer.
    package mutating func endStatement() {
        if isSilent { (state, missedScans) = (.remoteTombstone, 0) } else { missedScans = 1 }
        isOpen = false
    }
}

/// Which records of a batch are known by their texts.
package struct TextLookup: Sendable {
    /// The positions of those that are not, from the first to the last.
    package var others: [Int] = []
    /// What stands within the ones that are, by their positions; see `TextFingerprint.Mention`.
    package var within = TextsWithin()

    /// Makes an empty lookup.
    package init() {}

    /// What was found of some records and of those that come behind them.
    ///
    /// - Parameters:
    ///   - next: What was found of the latter.
    ///   - first: The position of the first of these among all of them.
    ///   - count: How many these are.
    /// - Returns: What was found of all.
    package func followed(by next: TextLookup, at first: Int, count: Int) -> TextLookup {
        var all = self
        all.others += next.others.map { first + $0 }
        for record in 0..<count { all.within.add(next.within, record, of: first + record) }
        return all
    }
}

/// How the records of a batch compare with the base.
package struct BaseLookup: Sendable {
    /// How one record compares.
    @frozen
    package enum Finding: UInt8, Sendable {
        /// There is no base, whether there is a row or not.
        case new
        /// The hash is the same, the record is live, nothing waits for a decision and no scan has missed it.
        case unchanged
        /// There is a base, in ``rows``.
        case other
    }

    /// One finding per record.
    package var findings: [Finding] = []
    /// The base of each record whose finding is ``Finding/other``, by its position.
    package var rows: [Int: BaseRow] = [:]
    /// The number of records that their source listed when it was last seen, see ``BaseState/isListed``.
    package var liveCount = 0

    /// Makes an empty lookup.
    package init() {}
}
