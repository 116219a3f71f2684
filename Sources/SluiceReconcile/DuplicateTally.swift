internal import SluiceModel

/// Tells which of the records that share a key differ. It holds one entry for each such key.
package struct DuplicateTally {
    private struct Group {
        let content: UInt64
        var count = 1
        var differs = false
    }

    /// The content of all records that the source calls deleted: whatever else they say, they are alike, and like none
    /// that is there.
    private static let deleted = FieldDigest.text(Array("deleted".utf8))
    private var groups: [RecordKey: Group] = [:]

    /// What a record says, as a hash.
    static func content(of record: Int, in batch: borrowing RecordBatch, schema: RecordSchema) -> UInt64 {
        if batch.deleted.contains(record) { return deleted }
        // Records with one content key are alike, whether a value without content is null or absent.
        return schema.hasContentKey ? 0 : batch.rowHashes[record]
    }

    /// Records a record whose key came more than once.
    ///
    /// - Returns: How many records before it have the key, where these are not all alike; nil where they are.
    mutating func record(_ key: RecordKey, content: UInt64) -> Int? {
        guard var group = groups.removeValue(forKey: key) else {
            groups[key] = Group(content: content)
            return nil
        }
        let others = group.count
        group.count += 1
        group.differs = group.differs || group.content != content
        groups[key] = group
        return group.differs ? others : nil
    }
}
