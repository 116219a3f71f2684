internal import SluiceModel
package import SluiceReport

/// What became of the records that a run has counted, by the hashes of their keys, for those that it merges once more: on a later
/// page, or since another source changed what they are compared with. Of a record that was as before nothing is kept.
package final class CountedRecords {
    /// How many are known at most, so that a run over any number of records takes no more memory.
    private static let most = 4_000_000

    private var inserted = HashSet64()
    private var updated = HashSet64()
    /// Those of any other outcome, which goes before the sets above.
    private var others: [UInt64: RecordOutcome] = [:]
    private var count = 0
    /// Those that were met within records without a row, so that nothing became of them.
    private var passed: Set<UInt64> = []
    /// Whether each record of the scan that is not known was as before: no page was counted by an earlier run, and there was
    /// room for all.
    package private(set) var isWhole: Bool

    /// - Parameter isWhole: Whether the run has read the scan from its first page.
    package init(isWhole: Bool) { self.isWhole = isWhole }

    /// What became of a record; nil where it was as before, or was not met.
    subscript(hash: UInt64) -> RecordOutcome? {
        others[hash] ?? (inserted.contains(hash) ? .insert : updated.contains(hash) ? .update : nil)
    }

    /// Notes a record that counts as nothing, since that which it is within has no row.
    func pass(_ hash: UInt64) { if passed.count < Self.most { passed.insert(hash) } }

    /// Whether a record counted as nothing so far, and does no longer.
    func meet(_ hash: UInt64) -> Bool { !passed.isEmpty && passed.remove(hash) != nil }

    /// Takes up what became of the records of a page.
    package func add(_ outcomes: [UInt64: RecordOutcome]) {
        for (hash, outcome) in outcomes { record(outcome, of: hash) }
    }

    /// Takes up what became of a record, in the place of what is known of it.
    func record(_ outcome: RecordOutcome, of hash: UInt64) {
        guard count < Self.most else { return isWhole = false }
        count += 1
        switch outcome {
        case .insert where others[hash] == nil: inserted.insert(hash)
        case .update where others[hash] == nil: updated.insert(hash)
        default: others[hash] = outcome
        }
    }
}
