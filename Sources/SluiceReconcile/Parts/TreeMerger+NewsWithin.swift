internal import SluiceDecode
internal import SluiceModel

/// What waited with conflicts over records that are here again.
extension TreeMerger {
    /// Merges what waited with conflicts that ended since their records are here again, and was not listed once more with them.
    ///
    /// - Parameter found: What stands within the records of the present batch.
    /// - Throws: `StoreError`.
    mutating func takeEndedNews(besides found: [NestedBatch]) throws {
        guard let tree else { return }
        var ended = Set(main.ended)
        main.ended.removeAll()
        for part in parts.indices {
            ended.formUnion(parts[part].ended)
            parts[part].ended.removeAll()
        }
        if ended.isEmpty { return }
        // Records within others come with these, so that something can be asked about them.
        var owners = parts.map { _ in Set<RecordKey>() }
        let listed = found.indices.map { isChild($0) ? listings(in: found[$0], $0) : [:] }
        for part in parts.indices.reversed() where isChild(part) {
            if parts[part].newsWithin.isEmpty && owners[part].isEmpty { continue }
            let lists = try parts[part].lists(
                waitingWith: ended, owner: schema(above: part), isList: tree.parts[part].isOrdered,
                including: owners[part]
            ) { listed.isEmpty ? false : isListed($0, part, listed) }
            for scope in lists.scopes { delayChildren(scope, of: lists.records, part) }
            if let owner = tree.parts[part].owner, isChild(owner) { owners[owner].formUnion(lists.scopes.map(\.owner)) }
        }
    }

    /// Whether the lists of a batch say what the source says of a record, or of one that it is within.
    private func isListed(_ key: RecordKey, _ part: Int, _ listed: [[RecordKey: StreamMerger.Listing]]) -> Bool {
        if let list = listed[part][key.beginning(schema(above: part))] {
            if tree?.parts[part].isOrdered == true || list.isWhole || list.keys.contains(key) { return true }
        }
        guard let owner = tree?.parts[part].owner, isChild(owner) else { return false }
        let within = key.beginning(parts[owner].schema)
        // Of a record that is listed the lists within it tell.
        let list = listed[owner][within.beginning(schema(above: owner))]
        return list?.keys.contains(within) == true ? false : isListed(within, owner, listed)
    }
}
