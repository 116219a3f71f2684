internal import SluiceMerge
internal import SluiceStore

/// Records that others belong to: they cannot go before those, nor where one of those stays.
extension RunUndo {
    /// A row that goes once it is known what becomes of those that belong to it.
    struct Removal {
        let name: Name
        let key: RecordKey
        let change: RecordChange
        /// The base that the run left.
        let base: BaseImage?
    }

    /// Deletes a row that the run made.
    ///
    /// - Parameters:
    ///   - key: The record's key.
    ///   - kept: What becomes of its base.
    ///   - change: What people are told.
    ///   - name: The record.
    ///   - table: Its table.
    /// - Throws: `StoreError`.
    func remove(
        _ key: RecordKey, _ kept: RecordWrite.KeptBase?, _ change: RecordChange, _ name: Name, _ table: Table
    ) throws {
        var removal = RecordWrite(key: key, row: .delete, base: nil)
        removal.keptBase = kept
        if try children(of: name.mapping).isEmpty { return try write(removal, change, name, table) }
        removals.append(Removal(name: name, key: key, change: change, base: try table.records.baseImage(key)))
        removal.row = .none
        try write(removal, nil, name, table)
    }

    /// Deletes the rows that others belonged to, those that belong to others first.
    func undoRemovals() throws {
        var heights: [RecordMapping: Int] = [:]
        for removal in removals where heights[removal.name.mapping] == nil {
            heights[removal.name.mapping] = try height(of: removal.name.mapping)
        }
        let sorted = removals.enumerated().sorted {
            (heights[$0.element.name.mapping] ?? 0, $0.offset) < (heights[$1.element.name.mapping] ?? 0, $1.offset)
        }
        for (_, removal) in sorted {
            guard let table = try table(removal.name.mapping) else { continue }
            guard try children(of: removal.name.mapping).contains(where: { try $0.hasRows(under: removal.key) }) else {
                try write(RecordWrite(key: removal.key, row: .delete, base: nil), removal.change, removal.name, table)
                continue
            }
            if let base = removal.base {
                var write = RecordWrite(key: removal.key, row: .none, base: nil)
                write.keptBase = .restore(base)
                try self.write(write, nil, removal.name, table)
            }
            leave(
                removal.name, RecordChange(action: .conflict, kind: .heldBelow, key: removal.key, fields: []), table)
        }
        removals.removeAll()
    }

    /// The tables of what belongs to the records of a mapping.
    private func children(of mapping: RecordMapping) throws -> [any RecordTable] {
        if let known = childTables[mapping] { return known }
        let found = try store.children(of: mapping).compactMap { try table($0)?.records }
        childTables[mapping] = found
        return found
    }

    /// How many steps down from a mapping's records there are others that belong to them.
    private func height(of mapping: RecordMapping) throws -> Int {
        try store.children(of: mapping).reduce(0) { max($0, try height(of: $1) + 1) }
    }
}
