package import SluiceModel
internal import SluiceStore

/// The keys of the pages of a scan that are merged and kept.
package final class EarlierKeys {
    /// All of them.
    package private(set) var seen: SeenKeys

    package init(schema: RecordSchema, room: SpillableHashes.Room) {
        seen = SeenKeys(schema: schema, room: room)
    }

    /// Adds the keys of a page, each in eight bytes.
    ///
    /// - Throws: ``SyncError`` where the disk does not take them.
    package func add(_ words: [UInt64]) throws {
        for word in words { seen.insert(word: word) }
        try seen.makeRoom()
    }

    /// All keys, with those of the last page.
    package func with(_ words: [UInt64]) throws -> SeenKeys {
        var all = seen
        for word in words { all.insert(word: word) }
        try all.finish()
        return all
    }
}
