internal import SluiceMerge
internal import SluiceModel
internal import SluicePlans
internal import SluiceReport
internal import SluiceStore

/// Records that others belong to: they cannot go before those, nor where one of those stays.
extension RunUndo {
    /// A row that goes once those that belong to it have gone.
    struct Removal {
        let name: Name
        let key: RecordKey
        /// What becomes of its base then.
        let kept: RecordWrite.KeptBase?
        /// The base that comes back where the row stays.
        let base: BaseImage?
    }

    /// The mappings whose records the run may have made: those whose records belong to others come first.
    func mappingsFromBelow() throws -> [RecordMapping] {
        let heights = try store.mappings(pipeline: target.pipeline, entity: nil).enumerated().map {
            (mapping: $1, height: try height(of: $1), place: $0)
        }
        return heights.sorted { ($0.height, $0.place) < ($1.height, $1.place) }.map(\.mapping)
    }

    /// Deletes the rows that others belonged to, those that belong to others first.
    func undoRemovals() throws {
        let heights = try removals.map { try height(of: $0.name.mapping) }
        let sorted = zip(heights, removals).enumerated().sorted {
            ($0.element.0, $0.offset) < ($1.element.0, $1.offset)
        }
        for (_, (_, removal)) in sorted {
            let (name, key) = (removal.name, removal.key)
            guard let table = try table(name.mapping) else { continue }
            if try !hasRowsBelow(key, name.mapping) {
                try delete(key, removal.kept, name, table)
                continue
            }
            if let base = removal.base {
                try carryOut([UndoPlan(RecordWrite(undoing: key, row: .none, .restore(base)))], [name], table)
            }
            leave(name, RecordChange(action: .conflict, kind: .heldBelow, key: key, fields: []), table)
        }
        removals.removeAll()
    }

    private func delete(
        _ key: RecordKey, _ kept: RecordWrite.KeptBase?, _ name: Name, _ table: ReviewTable
    ) throws {
        let change = planner(of: table).deletion(of: key, try table.records.wholeRow(key))
        try carryOut([UndoPlan(RecordWrite(undoing: key, row: .delete, kept), change: change)], [name], table)
    }

    private func hasRowsBelow(_ key: RecordKey, _ mapping: RecordMapping) throws -> Bool {
        try haveRowsBelow([key], mapping)[0]
    }

    /// Whether others belong to each of some records.
    func haveRowsBelow(_ keys: [RecordKey], _ mapping: RecordMapping) throws -> [Bool] {
        var found = keys.map { _ in false }
        for child in try children(of: mapping) {
            found = zip(found, try child.hasRows(under: keys)).map { $0 || $1 }
        }
        return found
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
        if let known = heights[mapping] { return known }
        let height = try store.children(of: mapping).reduce(0) { max($0, try self.height(of: $1) + 1) }
        heights[mapping] = height
        return height
    }
}
