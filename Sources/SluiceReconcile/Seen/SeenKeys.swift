package import SluiceModel

/// The keys that a scan has read: integers as they are while that is smaller, else their hashes.
///
/// Two keys with one hash only make a record that is gone look present, so nothing is lost by it.
package struct SeenKeys {
    private let room: SpillableHashes.Room
    private let isInteger: Bool
    /// Nil once keys are hashes.
    private(set) var integers: IntegerSet?
    private var hashes: SpillableHashes

    /// Makes an empty set for the keys of a schema.
    init(schema: RecordSchema, room: SpillableHashes.Room) {
        isInteger = KeyWord.isInteger(schema)
        integers = isInteger ? IntegerSet() : nil
        hashes = SpillableHashes(room: room)
        self.room = room
    }

    /// The hashes where they are in a file, which ``contains(_:)`` does not look at.
    var runs: HashRuns? { hashes.runs }

    /// Adds the key of a record.
    ///
    /// - Returns: Whether it is new, as far as the hashes in memory tell.
    mutating func insert(_ record: Int, of batch: borrowing RecordBatch, schema: RecordSchema) -> Bool {
        integers?.insert(batch.cells[record &* batch.fieldCount &+ schema.keyFields[0]].payload)
            ?? hashes.insert(batch.keyHashes[record])
    }

    /// Adds a key.
    mutating func insert(_ key: RecordKey) {
        if integers != nil, case .integer(let value)? = key.values.first {
            _ = integers?.insert(value)
        } else {
            hashes.insert(KeyHash.hash(key))
        }
    }

    /// Adds a key by its ``KeyWord``.
    mutating func insert(word: UInt64) {
        if !isInteger {
            hashes.insert(word)
        } else {
            insert(RecordKey([.integer(Int64(bitPattern: word))]))
        }
    }

    /// Whether a key was added, as far as hashes tell.
    func contains(_ key: RecordKey) -> Bool {
        guard isInteger else { return hashes.contains(KeyHash.hash(key)) }
        if case .integer(let value)? = key.values.first { return contains(word: UInt64(bitPattern: value)) }
        return false
    }

    /// Whether a key was added, be it in memory or in the file, as far as hashes tell.
    ///
    /// - Throws: What reading the file throws.
    package func containsAnywhere(_ key: RecordKey) throws -> Bool {
        if integers != nil { return contains(key) }
        return try hashes.containsAnywhere(KeyHash.hash(key))
    }

    /// Whether a key was added, as far as hashes tell, by its ``KeyWord``.
    func contains(word: UInt64) -> Bool {
        if let integers { return integers.contains(Int64(bitPattern: word)) }
        return hashes.contains(
            isInteger ? KeyHash.combine(0, FieldDigest.integer(Int64(bitPattern: word))) : word)
    }

    /// Whether the key of a record was added, as far as hashes tell.
    func contains(_ record: Int, of batch: borrowing RecordBatch, schema: RecordSchema) throws -> Bool {
        if let integers {
            return integers.contains(batch.cells[record &* batch.fieldCount &+ schema.keyFields[0]].payload)
        }
        return try hashes.containsAnywhere(batch.keyHashes[record])
    }

    /// Makes room in memory where it is used up. Between two calls every key that comes twice is found at once.
    ///
    /// - Throws: ``SyncError`` where the disk does not take the hashes.
    mutating func makeRoom() throws {
        if let integers, integers.isBetterHashed(limit: room.bytes) { try hash(integers) }
        try hashes.makeRoom()
    }

    /// Goes on with the hashes of integers.
    private mutating func hash(_ integers: IntegerSet) throws {
        self.integers = nil
        var count = 0
        try integers.forEach { value in
            hashes.insert(KeyHash.hash(RecordKey([.integer(value)])))
            count &+= 1
            if count & 0xFFF == 0 { try hashes.makeRoom() }
        }
    }

    /// Whether no key was added.
    var isEmpty: Bool { (integers?.count ?? 0) == 0 && hashes.isEmpty }

    /// Adds the keys of another set of the same schema.
    ///
    /// - Throws: ``SyncError`` where the disk does not take the hashes, and what reading a file throws.
    mutating func formUnion(_ others: SeenKeys) throws {
        var count = 0
        if let integers = others.integers {
            try integers.forEach { value in
                if self.integers?.insert(value) == nil {
                    hashes.insert(KeyHash.combine(0, FieldDigest.integer(value)))
                }
                count &+= 1
                if count & 0xFFF == 0 { try makeRoom() }
            }
        } else {
            if let integers { try hash(integers) }
            try others.hashes.forEach { hash in
                hashes.insert(hash)
                count &+= 1
                if count & 0xFFF == 0 { try hashes.makeRoom() }
            }
        }
        try makeRoom()
    }

    /// Ends the scan.
    ///
    /// - Throws: ``SyncError`` where the disk does not take the hashes.
    mutating func finish() throws { try hashes.finish() }
}
