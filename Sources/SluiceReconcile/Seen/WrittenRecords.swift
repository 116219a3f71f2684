internal import SluiceModel

/// The records that a run inserted or updated, by their source: one that is merged once more counts as written only where
/// it was not before.
package final class WrittenRecords {
    /// How many are known at most, so that a run over any number of records takes no more memory. Those beyond count as
    /// written.
    static let most = 4_000_000

    private var hashes: [RecordMapping: HashSet64] = [:]
    private var count = 0

    /// Notes that a record was written.
    ///
    /// - Parameters:
    ///   - hash: The hash of its key.
    ///   - source: Where it comes from.
    /// - Returns: Whether nothing was written of it before.
    @discardableResult
    func note(_ hash: UInt64, of source: RecordMapping) -> Bool {
        guard count < Self.most else { return false }
        guard hashes[source, default: HashSet64()].insert(hash) else { return false }
        count += 1
        return true
    }
}
