internal import SluiceDecode
internal import SluiceModel
internal import SluicePlans
internal import SluiceStore

/// Open conflicts over lists that people end in the table. A stream that asks for changes alone does not show their records again.
extension TreeMerger {
    /// Has lists merged once more by what their source said last, which their conflicts keep, where they are not as these show them.
    ///
    /// - Returns: Whether there are any.
    /// - Throws: `StoreError`.
    mutating func delayMetLists() throws -> Bool {
        var isAny = false
        for part in parts.indices where isChild(part) && tree?.parts[part].isOrdered == true && !undecided[part].isEmpty
        {
            let lists = try parts[part].listsMet(by: undecided[part].all)
            let rows = try table(above: part).localRows(lists.scopes.map(\.owner))
            for (scope, row) in zip(lists.scopes, rows) where row != nil {
                delayChildren(scope, of: lists.records, part)
                isAny = true
            }
        }
        return isAny
    }
}

extension StreamMerger {
    /// The lists of which people changed something since their conflicts were brought up to date, as their source would list them.
    ///
    /// - Parameter conflicts: Open conflicts over lists of the table.
    /// - Returns: The lists.
    /// - Throws: `StoreError`.
    fileprivate func listsMet(by conflicts: [ConflictEntry]) throws -> NestedBatch {
        let (text, json) = (ListText(schema: schema), StoredJSON())
        var lists = NestedBatch(fieldCount: schema.fields.count)
        let open = conflicts.compactMap { conflict in
            text.owner(named: conflict.key, json).map { (owner: $0, conflict: conflict) }
        }.sorted { $0.owner < $1.owner }
        let keys = try context.table.rowKeys(under: open.map(\.owner))
        var rows = try context.table.localRows(keys.flatMap { $0 })[...]
        for ((owner, conflict), keys) in zip(open, keys) {
            let held = zip(keys, rows.prefix(keys.count)).compactMap { key, row in row.map { (key: key, values: $0) } }
            rows = rows.dropFirst(keys.count)
            guard !json.same(text.local(held), conflict.local), let remote = conflict.remote,
                let elements = text.elements(remote, under: owner, json)
            else { continue }
            let first = lists.records.count
            for (key, values) in elements.sorted(by: { $0.key < $1.key }) {
                canonical.append(
                    key, saying: values, to: &lists.records, origin: RecordOrigin(page: 0, ordinal: Self.unread))
            }
            lists.scopes.append(
                NestedBatch.Scope(owner: owner, rows: first..<lists.records.count, ordinal: Self.unread))
        }
        return lists
    }
}
