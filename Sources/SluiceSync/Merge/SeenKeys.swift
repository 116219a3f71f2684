internal import SluiceMerge

/// The keys that a scan has read: integers as they are while that is smaller, else their hashes.
///
/// Two keys with one hash only make a record that is gone look present, so nothing is lost by it.
struct SeenKeys {
    private enum Kind {
        case integers(IntegerSet)
        case hashes(HashSet64)
    }

    private var kind: Kind

    /// Makes an empty set for the keys of a schema.
    init(schema: RecordSchema) {
        let isInteger = schema.keyFields.count == 1 && schema.fields[schema.keyFields[0]].type == .int
        kind = isInteger ? .integers(IntegerSet()) : .hashes(HashSet64())
    }

    /// Adds the key of a record.
    ///
    /// - Returns: Whether it is new, as far as hashes tell.
    mutating func insert(_ record: Int, of batch: borrowing RecordBatch, schema: RecordSchema) -> Bool {
        switch kind {
        case .integers:
            insert(integer: batch.cells[record &* batch.fieldCount &+ schema.keyFields[0]].payload)
        case .hashes: insert(hash: batch.keyHashes[record])
        }
    }

    /// Adds a key.
    ///
    /// - Returns: Whether it is new, as far as hashes tell.
    mutating func insert(_ key: RecordKey) -> Bool {
        if case .integers = kind, case .integer(let value)? = key.values.first { return insert(integer: value) }
        return insert(hash: KeyHash.hash(key))
    }

    /// Whether a key was added, as far as hashes tell.
    func contains(_ key: RecordKey) -> Bool {
        switch kind {
        case .integers(let set):
            if case .integer(let value)? = key.values.first { return set.contains(value) }
            return false
        case .hashes(let set): return set.contains(KeyHash.hash(key))
        }
    }

    // The set is taken out of the enum while it changes, or it would be copied.

    private mutating func insert(integer: Int64) -> Bool {
        guard case .integers(var set) = kind else {
            return insert(hash: KeyHash.hash(RecordKey([.integer(integer)])))
        }
        kind = .hashes(HashSet64.empty)
        let isNew = set.insert(integer)
        kind = isNew && set.isSparse ? .hashes(Self.hashes(of: set)) : .integers(set)
        return isNew
    }

    private mutating func insert(hash: UInt64) -> Bool {
        guard case .hashes(var set) = kind else { return true }
        kind = .hashes(HashSet64.empty)
        defer { kind = .hashes(set) }
        return set.insert(hash)
    }

    private static func hashes(of set: IntegerSet) -> HashSet64 {
        var hashes = HashSet64()
        set.forEach { _ = hashes.insert(KeyHash.hash(RecordKey([.integer($0)]))) }
        return hashes
    }
}
