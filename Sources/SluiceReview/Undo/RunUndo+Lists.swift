internal import SluiceDecode
internal import SluiceMerge
internal import SluiceModel
internal import SluiceReconcile
internal import SluiceReport
internal import SluiceStore
internal import SluiceSystem

/// Lists with an order (`ordered`): each is one value, which is set back as a whole or left as a whole, with all that belongs to its
/// elements.
extension RunUndo {
    /// What the run changed of a list.
    private struct ChangedList {
        let owner: RecordKey
        /// The records of the list, and of what belongs to its elements, that the run changed.
        var keys: [RecordMapping: Set<RecordKey>] = [:]
        /// Whether it changed rows, and not bases alone.
        var hasRows = false
    }

    /// Finds the lists that the run changed and that were touched since, and leaves them.
    func leaveTouchedLists() throws {
        listRoots = try findListRoots()
        if listRoots.isEmpty { return }
        for (name, list) in try changedLists().sorted(by: { $0.key < $1.key }) {
            try cancellation.check()
            guard try isTouched(list, of: name.mapping), let table = try table(name.mapping) else { continue }
            leftLists.insert(name)
            skip(name, RecordChange(action: .conflict, kind: .merge, key: list.owner, fields: []), table)
        }
    }

    /// Whether a record is an element of a list that is left as it is, or belongs to one.
    func isInLeftList(_ key: RecordKey, _ mapping: RecordMapping) throws -> Bool {
        if leftLists.isEmpty { return false }
        return try list(around: key, mapping).map { leftLists.contains($0.name) } ?? false
    }

    // MARK: Where lists are

    /// The outermost list in which records of each mapping stand; mappings whose records stand in none are left out.
    private func findListRoots() throws -> [RecordMapping: RecordMapping] {
        let mappings = try store.mappings(pipeline: target.pipeline, entity: nil)
        var roots: [RecordMapping: RecordMapping] = [:]
        func descend(_ mapping: RecordMapping, _ root: RecordMapping?) throws {
            let isList = try root == nil && table(mapping).map { Self.isOfList($0.schema) } ?? false
            let root = isList ? mapping : root
            if let root { roots[mapping] = root }
            for child in try store.children(of: mapping) { try descend(child, root) }
        }
        let below = Set(try mappings.flatMap { try store.children(of: $0) })
        for mapping in mappings where !below.contains(mapping) { try descend(mapping, nil) }
        return roots
    }

    /// Whether records are elements that are told apart by their places in a list.
    private static func isOfList(_ schema: RecordSchema) -> Bool {
        guard schema.isOwned, schema.keyFields.count > 1, let last = schema.keyFields.last else { return false }
        return schema.fields[last].name == "position" && schema.fields[last].type == .int
    }

    /// The outermost list in which a record stands; nil where it stands in none.
    private func list(around key: RecordKey, _ mapping: RecordMapping) throws -> (name: Name, owner: RecordKey)? {
        guard let root = listRoots[mapping], let table = try table(root) else { return nil }
        let owner = RecordKey(Array(key.values.prefix(table.schema.keyFields.count - 1)))
        return (Name(mapping: root, key: FieldJSON.object(key: owner, schema: table.schema)), owner)
    }

    // MARK: What became of them

    /// The lists that the run changed.
    private func changedLists() throws -> [Name: ChangedList] {
        var lists: [Name: ChangedList] = [:]
        func record(_ key: RecordKey, _ mapping: RecordMapping, hasRow: Bool) throws {
            guard let (name, owner) = try list(around: key, mapping) else { return }
            lists[name, default: ChangedList(owner: owner)].keys[mapping, default: []].insert(key)
            if hasRow { lists[name]?.hasRows = true }
        }
        var last: Int64?
        while true {
            let changes = try store.changes.records(
                run: target.id, order: .newestFirst, beyond: last, limit: Self.chunk)
            guard let oldest = changes.last else { break }
            last = oldest.id
            for change in changes where listRoots[change.mapping] != nil && !change.isOfLinks {
                guard let table = try table(change.mapping), let key = json.key(change.key, schema: table.schema)
                else { continue }
                try record(key, change.mapping, hasRow: change.action != .base)
            }
        }
        for mapping in listRoots.keys {
            guard let table = try table(mapping) else { continue }
            var last: RecordKey?
            while true {
                let keys = try table.records.keys(firstWrittenBy: target.id, after: last, limit: Self.chunk)
                guard let newest = keys.last else { break }
                last = newest
                for key in keys { try record(key, mapping, hasRow: true) }
            }
        }
        return lists
    }

    /// Whether a list, or something that belongs to its elements, was touched after the run.
    private func isTouched(_ list: ChangedList, of root: RecordMapping) throws -> Bool {
        for mapping in listRoots.keys.sorted(by: { $0.path < $1.path }) where listRoots[mapping] == root {
            guard let table = try table(mapping) else { continue }
            let (live, rows) = try (
                table.records.liveKeys(under: [list.owner])[0], table.records.rowKeys(under: [list.owner])[0]
            )
            var keys = (list.keys[mapping] ?? []).union(live).union(rows)
            if mapping == root { keys.formUnion(try endedElements(of: list.owner, beyond: keys, table)) }
            let all = keys.sorted()
            for start in stride(from: 0, to: all.count, by: Self.chunk) {
                let some = Array(all[start..<min(start + Self.chunk, all.count)])
                // What a decision leaves may differ from what the source says, and so does what people write.
                if try areTouched(some, table, byPeople: list.hasRows && !target.isDecision) { return true }
            }
        }
        return false
    }

    /// Elements at the end of a list that are known and there no more: a later run may have taken them away.
    private func endedElements(
        of owner: RecordKey, beyond keys: Set<RecordKey>, _ table: ReviewTable
    ) throws -> [RecordKey] {
        let places = keys.compactMap { key in
            if case .integer(let place)? = key.values.last { place } else { nil }
        }
        var position = (places.max() ?? -1) + 1
        var ended: [RecordKey] = []
        while true {
            let some = (position..<position + 10).map { RecordKey(owner.values + [.integer($0)]) }
            let known = zip(some, try table.records.baseImages(some)).filter { $1 != nil }.map(\.0)
            ended += known
            if known.count < some.count { return ended }
            position += 10
        }
    }

    /// Whether a later run changed some records, or people did.
    private func areTouched(_ keys: [RecordKey], _ table: ReviewTable, byPeople: Bool) throws -> Bool {
        let bases = try table.records.baseImages(keys)
        if bases.contains(where: { $0?.lastRun ?? 0 > target.id }) { return true }
        if try areHeldSince(keys, table).contains(true) { return true }
        // What other sources give no base of this one tells.
        if !byPeople || !table.otherSources.isEmpty { return false }
        let planner = planner(of: table)
        return try zip(bases, table.records.wholeRows(keys)).contains { base, row in
            let isMarked = row?.columns.contains { table.records.marksDeletion($0.name) && !$0.value.isNull } ?? false
            guard let row, !isMarked else { return base?.state == .live }
            guard let base, base.state == .live else { return true }
            return planner.isEdited(row, base)
        }
    }
}
