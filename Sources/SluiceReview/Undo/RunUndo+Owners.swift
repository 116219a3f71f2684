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

    /// Has deletions wait for the records that their rows belong to.
    func setAside(_ deletions: [(change: RecordedChange, key: RecordKey)], _ table: ReviewTable) throws {
        for (change, key) in deletions {
            ownerless.append(change)
            awaitingOwners.formUnion(try names(of: key, change.mapping, table))
        }
    }

    /// Those of some changes that are taken back now. What the run did to a row before it deleted it is taken back once the
    /// row is there again.
    func beforeOwners(_ changes: ArraySlice<RecordedChange>) -> ArraySlice<RecordedChange> {
        if !mayFindOwners || awaitingOwners.isEmpty { return changes }
        let areWaiting = changes.map { awaitingOwners.contains(Name(mapping: $0.mapping, key: $0.key)) }
        let marked = zip(changes, areWaiting)
        ownerless += marked.filter { $1 }.map(\.0)
        return marked.filter { !$1 }.map(\.0)[...]
    }

    /// Takes back deletions of what belonged to records that came back only after them, and what came before these.
    ///
    /// - Parameter isLast: Whether no further records come back, so that what still belongs to none stays deleted.
    /// - Throws: `StoreError`.
    func undoOwnerless(isLast: Bool = false) throws {
        // One that waits for a value of another row comes back once that is gone.
        mayFindOwners = !isLast
        if ownerless.isEmpty { return }
        let some = ownerless
        ownerless.removeAll()
        awaitingOwners.removeAll()
        // What others belong to comes back before them.
        let ordered = try some.enumerated().map { (depth: -(try height(of: $1.mapping)), place: $0, change: $1) }
        try undo(ordered.sorted { ($0.depth, $0.place) < ($1.depth, $1.place) }.map(\.change))
    }

    /// Whether what each of some records belongs to has a row; true of those that belong to nothing.
    func haveOwners(_ keys: [RecordKey], _ table: ReviewTable) throws -> [Bool] {
        let schema = table.schema
        guard let owner = schema.references.first(where: { $0.onDangling == .owner }), !keys.isEmpty else {
            return keys.map { _ in true }
        }
        let sources = try store.sources(of: owner.target)
        let own = sources.first { $0.pipeline == schema.pipeline && $0.stream == schema.stream }
        guard let source = own ?? sources.first, let records = try self.table(source)?.records else {
            return keys.map { _ in true }
        }
        let owners = keys.map { key in
            RecordKey(
                owner.fields.compactMap { field in schema.keyFields.firstIndex(of: field).map { key.values[$0] } })
        }
        return try records.wholeRows(owners).map { $0 != nil }
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
        var rest = sorted.map(\.element.1)[...]
        while let first = rest.first {
            // A row that goes may take others with it.
            let isAlone = try table(first.name.mapping)?.records.changesOtherRows ?? true
            let some = isAlone ? rest.prefix(1) : rest.prefix { $0.name.mapping == first.name.mapping }
            try undoRemovals(Array(some.prefix(Self.chunk)), first.name.mapping)
            rest = rest.dropFirst(min(some.count, Self.chunk))
        }
        removals.removeAll()
    }

    /// Deletes rows of one table that others belonged to, as far as none does any more.
    private func undoRemovals(_ some: [Removal], _ mapping: RecordMapping) throws {
        guard let table = try table(mapping) else { return }
        let areHeld = try haveRowsBelow(some.map(\.key), mapping)
        let (gone, held) = (zip(some, areHeld).filter { !$1 }.map(\.0), zip(some, areHeld).filter { $1 }.map(\.0))
        let planner = planner(of: table)
        let deletions = zip(gone, try table.records.wholeRows(gone.map(\.key))).map { removal, row in
            UndoPlan(
                RecordWrite(undoing: removal.key, row: .delete, removal.kept),
                change: planner.deletion(of: removal.key, row))
        }
        try carryOut(deletions, gone.map(\.name), table)
        let back = held.filter { $0.base != nil }
        try carryOut(
            back.compactMap { removal in
                removal.base.map { UndoPlan(RecordWrite(undoing: removal.key, row: .none, .restore($0))) }
            }, back.map(\.name), table)
        for removal in held {
            skip(
                removal.name, RecordChange(action: .conflict, kind: .heldBelow, key: removal.key, fields: []), table)
        }
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
