internal import SluiceMerge

/// The keys that a scan gave more than once, and which of their records stands.
///
/// Duplicates are settled before the merge, since a record that is merged twice in one run would look like two changes
/// of its source. So a scan that meets one is read to its end, and once more.
struct DuplicateIndex {
    private var lastOrdinals: [RecordKey: Int] = [:]
    private var hashes: Set<UInt64> = []

    /// Whether any key came twice.
    var isEmpty: Bool { lastOrdinals.isEmpty }

    /// Remembers a record whose key's hash was seen before.
    mutating func note(_ key: RecordKey, hash: UInt64, ordinal: Int) {
        lastOrdinals[key] = max(ordinal, lastOrdinals[key] ?? 0)
        hashes.insert(hash)
    }

    /// Whether a later record of the same key stands in place of this one.
    func isSuperseded(_ record: Int, of batch: borrowing RecordBatch, schema: RecordSchema) -> Bool {
        guard hashes.contains(batch.keyHashes[record]) else { return false }
        guard let last = lastOrdinals[batch.key(of: record, schema: schema)] else { return false }
        return batch.origins[record].ordinal < last
    }
}
