package import SluiceModel

/// The keys that a scan gave more than once, and what becomes of their records.
///
/// Duplicates are settled before the merge, since a record that is merged twice in one run would look like two changes
/// of its source. So a scan that meets one is read to its end, and once more.
package struct DuplicateIndex {
    /// What becomes of one record.
    package enum Verdict {
        /// It is merged.
        case stands
        /// Another record of its key was counted, so this one is a duplicate.
        case superseded
        /// It is quarantined with all others of its key.
        case disputed
    }

    /// For each key the record that stands.
    private var standing: [RecordKey: Int] = [:]
    /// For each key of which no record stands the first record of each content, in the order of the source.
    private var disputes: [RecordKey: [Int]] = [:]
    /// The hashes of all those keys, and maybe of others.
    private var hashes: Set<UInt64> = []
    /// Whether there are hashes whose records have to be looked for.
    package private(set) var hasSuspects = false

    /// Makes a value of its parts.
    package init(hasSuspects: Bool = false) {
        self.hasSuspects = hasSuspects
    }

    /// Whether any key came twice.
    package var isEmpty: Bool { hashes.isEmpty }

    /// Remembers a record whose key's hash was seen before; the last one of a key stands.
    package mutating func record(_ key: RecordKey, hash: UInt64, ordinal: Int) {
        standing[key] = max(ordinal, standing[key] ?? 0)
        hashes.insert(hash)
    }

    /// Remembers that records came with one hash, though not which.
    mutating func suspect(_ hash: UInt64) {
        hasSuspects = true
        hashes.insert(hash)
    }

    /// Whether the key of a record may have come more than once.
    package func mayRepeat(_ record: Int, in batch: borrowing RecordBatch) -> Bool {
        hashes.contains(batch.keyHashes[record])
    }

    /// Lets another record of a key stand.
    package mutating func choose(_ ordinal: Int, of key: RecordKey) { standing[key] = ordinal }

    /// Lets no record of a key stand.
    package mutating func dispute(_ key: RecordKey, contents: [Int]) {
        standing[key] = nil
        disputes[key] = contents
    }

    /// What becomes of a record.
    package func verdict(on record: Int, of batch: borrowing RecordBatch, schema: RecordSchema) -> Verdict {
        guard mayRepeat(record, in: batch) else { return .stands }
        let key = batch.key(of: record, schema: schema)
        let ordinal = batch.origins[record].ordinal
        if let chosen = standing[key] { return ordinal == chosen ? .stands : .superseded }
        guard let contents = disputes[key] else { return .stands }
        return contents.first == ordinal ? .disputed : .superseded
    }

    /// The records that are quarantined together with a disputed one: the first of each content.
    package func contents(of key: RecordKey) -> [Int] { disputes[key] ?? [] }
}
