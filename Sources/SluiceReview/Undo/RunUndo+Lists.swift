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

        /// The records within elements that matter to whether the list can be set back: those within elements that the run changed, and
        /// those of lists within others of which it changed something. What is within the rest is not touched by that.
        ///
        /// - Parameters:
        ///   - keys: The records.
        ///   - mapping: Their mapping.
        ///   - root: The mapping of the list's elements.
        ///   - elementParts: How many values the key of an element has.
        /// - Returns: Those that matter.
        func concerned(
            among keys: Set<RecordKey>, _ mapping: RecordMapping, of root: RecordMapping, elementParts: Int
        ) -> Set<RecordKey> {
            let elements = self.keys[root] ?? []
            let changed = Set((self.keys[mapping] ?? []).map { $0.values.dropLast() })
            return keys.filter { key in
                elements.contains(RecordKey(Array(key.values.prefix(elementParts))))
                    || changed.contains(key.values.dropLast())
            }
        }
    }

    /// Finds the lists that the run changed and that were touched since, and leaves them.
    func leaveTouchedLists() throws {
        listRoots = try findListRoots()
        if listRoots.isEmpty { return }
        let lists = try changedLists().sorted { $0.key < $1.key }
        for (root, some) in Dictionary(grouping: lists, by: \.key.mapping) {
            for start in stride(from: 0, to: some.count, by: Self.chunk) {
                try cancellation.check()
                try leftLists.formUnion(touched(some[start..<min(start + Self.chunk, some.count)], of: root))
            }
        }
        for (name, list) in lists where leftLists.contains(name) {
            guard let table = try table(name.mapping) else { continue }
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
        // The run wrote the first bases of these, and no rows: there was one already, or people had deleted what they belong to.
        var withoutRows: [RecordMapping: Set<RecordKey>] = [:]
        func record(_ key: RecordKey, _ mapping: RecordMapping, hasRow: Bool) throws {
            guard let (name, owner) = try list(around: key, mapping) else { return }
            lists[name, default: ChangedList(owner: owner)].keys[mapping, default: []].insert(key)
            if hasRow { lists[name]?.hasRows = true }
        }
        try forEachChunk { changes in
            for change in changes where listRoots[change.mapping] != nil && !change.isOfLinks {
                guard let table = try table(change.mapping), let key = json.key(change.key, schema: table.schema)
                else { continue }
                try record(key, change.mapping, hasRow: change.action != .base)
                if change.isAdoption && change.action == .base { withoutRows[change.mapping, default: []].insert(key) }
            }
        }
        for mapping in listRoots.keys {
            guard let table = try table(mapping) else { continue }
            try forEachChunk(insertedIn: table) { keys in
                for key in keys {
                    try record(key, mapping, hasRow: withoutRows[mapping]?.contains(key) != true)
                }
            }
        }
        return lists
    }

    /// A record of a list, or of what belongs to its elements.
    private struct Element {
        let key: RecordKey
        let list: Name
        /// Whether a row that is not as its source said makes the list one that was touched: what a decision leaves may differ from
        /// what the source says, and so does what people write.
        let isCompared: Bool
    }

    /// Those of some lists that were touched after the run, themselves or in something that belongs to their elements.
    private func touched(
        _ lists: ArraySlice<(key: Name, value: ChangedList)>, of root: RecordMapping
    ) throws -> Set<Name> {
        var touched: Set<Name> = []
        for mapping in listRoots.keys.sorted() where listRoots[mapping] == root {
            let rest = lists.filter { !touched.contains($0.key) }
            guard !rest.isEmpty, let table = try table(mapping) else { continue }
            let owners = rest.map(\.value.owner)
            let (live, rows) = try (table.records.liveKeys(under: owners), table.records.rowKeys(under: owners))
            var keys = zip(rest, zip(live, rows)).map { list, known in
                (list.value.keys[mapping] ?? []).union(known.0).union(known.1)
            }
            if mapping != root, let parts = try self.table(root)?.schema.keyFields.count {
                keys = zip(rest, keys).map { list, keys in
                    list.value.concerned(among: keys, mapping, of: root, elementParts: parts)
                }
            } else {
                let ended = try endedElements(of: owners, beyond: keys, table)
                keys = zip(keys, ended).map { $0.union($1) }
            }
            let elements = zip(rest, keys).flatMap { list, keys in
                keys.sorted().map {
                    Element(key: $0, list: list.key, isCompared: list.value.hasRows && !target.isDecision)
                }
            }
            for start in stride(from: 0, to: elements.count, by: Self.chunk) {
                let some = Array(elements[start..<min(start + Self.chunk, elements.count)])
                touched.formUnion(zip(some, try areTouched(some, table)).filter { $1 }.map(\.0.list))
            }
        }
        return touched
    }

    /// Elements at the end of lists that are known and there no more: a later run may have taken them away.
    ///
    /// - Parameters:
    ///   - owners: Whose lists they are.
    ///   - keys: The elements of each list that are known otherwise.
    ///   - table: Their table.
    /// - Returns: Those of each list.
    /// - Throws: `StoreError`.
    private func endedElements(
        of owners: [RecordKey], beyond keys: [Set<RecordKey>], _ table: ReviewTable
    ) throws -> [[RecordKey]] {
        let step: Int64 = 10
        var ended = owners.map { _ in [RecordKey]() }
        var asked = zip(owners.indices, keys).map { list, keys in
            let places = keys.compactMap { key in
                if case .integer(let place)? = key.values.last { place } else { nil }
            }
            return (list: list, from: (places.max() ?? -1) + 1)
        }
        while !asked.isEmpty {
            let wanted = asked.flatMap { list, from in
                (from..<from + step).map { RecordKey(owners[list].values + [.integer($0)]) }
            }
            let known = zip(wanted, try table.records.baseImages(wanted)).map { $1 != nil ? $0 : nil }
            asked = asked.enumerated().compactMap { place, next in
                let some = known[place * Int(step)..<(place + 1) * Int(step)].compactMap { $0 }
                ended[next.list] += some
                return some.count < Int(step) ? nil : (next.list, next.from + step)
            }
        }
        return ended
    }

    /// Whether a later run changed each of some records, or people did.
    private func areTouched(_ elements: [Element], _ table: ReviewTable) throws -> [Bool] {
        let keys = elements.map(\.key)
        let bases = try table.records.baseImages(keys)
        var areTouched = zip(bases, try areHeldSince(keys, table)).map { $1 || $0?.lastRun ?? 0 > target.id }
        // What other sources give no base of this one tells.
        if !table.otherSources.isEmpty { return areTouched }
        let compared = elements.indices.filter { elements[$0].isCompared && !areTouched[$0] }
        let planner = planner(of: table)
        for (place, row) in zip(compared, try table.records.wholeRows(compared.map { keys[$0] })) {
            areTouched[place] = isTouched(row, bases[place], table, planner)
        }
        return areTouched
    }

    /// Whether a row is not what its base says, by people's hands.
    private func isTouched(_ row: RowImage?, _ base: BaseImage?, _ table: ReviewTable, _ planner: UndoPlanner) -> Bool {
        let isMarked = row?.columns.contains { table.records.marksDeletion($0.name) && !$0.value.isNull } ?? false
        guard let row, !isMarked else { return base?.state == .live }
        guard let base, base.state == .live else { return true }
        return planner.isEdited(row, base)
    }
}
