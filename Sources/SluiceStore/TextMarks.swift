package import SluiceModel

/// The marks of the texts that some settled records were read from, in the order of their keys, each of which is one integer.
package struct TextMarks: Sendable {
    /// The keys of the records that are settled and have a mark.
    package private(set) var keys: [Int64] = []
    /// The hashes of their texts.
    package private(set) var hashes: [UInt64] = []
    /// What stands within them, by their positions; see `TextFingerprint.Mention`.
    package var within = TextsWithin()

    /// Makes an empty list.
    package init() {}

    /// Appends the mark of the next record; what stands within it is noted before.
    ///
    /// - Parameters:
    ///   - key: Its key, greater than those before.
    ///   - hash: The hash of its text.
    package mutating func append(_ key: Int64, hash: UInt64) {
        keys.append(key)
        hashes.append(hash)
    }
}

/// The records of a source that some base rows are of.
package struct MarkedKeys: Sendable {
    /// The keys of those that their source listed when it was last seen, see `BaseState.isListed`.
    package var listed: [Int64] = []
    /// The marks of those that are settled.
    package var marks = TextMarks()
    /// The key to go on after; nil where there are no more.
    package var last: RecordKey?

    /// Makes a value without records.
    package init() {}
}

extension RecordTable {
    /// What a kind of store says that keeps no marks in such an order.
    package func markedKeys(after last: RecordKey?, limit: Int) throws -> MarkedKeys? { nil }

    /// What a kind of store says that keeps no marks in such an order.
    package func comparedRows(
        after last: RecordKey?, limit: Int, leavingOut leftOut: LeftOutRows, withMarks: Bool
    ) throws -> ComparedRows {
        try comparedRows(after: last, limit: limit, leavingOut: leftOut)
    }
}
