package import SluiceModel
internal import SluiceStore

/// The keys of the pages of a scan that are merged and kept.
package final class EarlierKeys {
    private let isInteger: Bool
    /// All of them.
    package private(set) var seen: SeenKeys

    package init(schema: RecordSchema, room: SpillableHashes.Room) {
        isInteger = Self.areIntegers(schema)
        seen = SeenKeys(schema: schema, room: room)
    }

    /// Adds the keys of a page, each in eight bytes.
    ///
    /// - Throws: ``SyncError`` where the disk does not take them.
    package func add(_ words: [UInt64]) throws {
        for word in words { seen.insert(word: word, isInteger: isInteger) }
        try seen.makeRoom()
    }

    /// All keys, with those of the last page.
    package func with(_ words: [UInt64]) throws -> SeenKeys {
        var all = seen
        for word in words { all.insert(word: word, isInteger: isInteger) }
        try all.finish()
        return all
    }

    /// Whether the keys of a schema are kept as they are rather than as hashes.
    static func areIntegers(_ schema: RecordSchema) -> Bool {
        schema.keyFields.count == 1 && schema.fields[schema.keyFields[0]].type == .int
    }

    /// A key in eight bytes.
    package static func word(_ key: RecordKey, schema: RecordSchema) -> UInt64 {
        if areIntegers(schema), case .integer(let value)? = key.values.first { return UInt64(bitPattern: value) }
        return KeyHash.hash(key)
    }

    /// The key of a record in eight bytes.
    package static func word(_ record: Int, of batch: borrowing RecordBatch, schema: RecordSchema) -> UInt64 {
        if areIntegers(schema) {
            return UInt64(bitPattern: batch.cells[record &* batch.fieldCount &+ schema.keyFields[0]].payload)
        }
        return batch.keyHashes[record]
    }
}
