internal import SluiceDecode
internal import SluiceMerge
internal import SluiceModel
internal import SluicePlans
internal import SluiceStore

/// What belongs to records, as another source gives it, and its lists that are one value each.
extension OtherSourceBases {
    /// What this source says of a list.
    enum ListSaid {
        /// It gives none, or one that gives way.
        case none
        /// The rows are what it says.
        case clean
        /// Something of what it gave was changed here.
        case changed
        /// It gives one about which somebody has to decide.
        case asked
    }

    /// What this source says of each of some lists.
    ///
    /// - Parameters:
    ///   - owners: The records that the lists belong to.
    ///   - conflicts: Where conflicts are kept.
    /// - Returns: One for each list.
    /// - Throws: `StoreError`.
    func said(ofLists owners: [RecordKey], _ conflicts: any ConflictLedger) throws -> [ListSaid] {
        guard let own = own(owners: owners) else { return owners.map { _ in .none } }
        let lists = try elements(under: own)
        let all = lists.flatMap { $0 }
        var rows = try all.isEmpty ? [][...] : table.localRows(all.map(\.key))[...]
        let asked = try self.asked(own, conflicts)
        return lists.indices.map { index in
            let list = zip(lists[index], rows)
            rows = rows.dropFirst(lists[index].count)
            if asked[index] != nil { return .asked }
            if lists[index].isEmpty { return .none }
            return list.allSatisfy { isClean($0.base, $1) } ? .clean : .changed
        }
    }

    /// Whether a row is what this source says of it.
    private func isClean(_ base: BaseRow, _ local: [FieldValue]?) -> Bool {
        guard !base.isOpen, let local else { return false }
        let entries = canonical.recognised(base.entries, local: local) { _ in nil }
        return !RecordMerge.isEdited(
            base: canonical.sides(of: entries), local: canonical.sides(of: local), schema: table.schema)
    }

    /// The open conflict over each of some lists, by the keys as this source has them.
    private func asked(_ own: [RecordKey], _ conflicts: any ConflictLedger) throws -> [ConflictEntry?] {
        let text = ListText(schema: table.schema)
        let names = own.map { text.name(of: $0) }
        let open = try conflicts.open(of: name, keys: names)
        return names.map { open[ExactText($0)]?.first(where: \.isOfList) }
    }

    /// The elements of lists that this source gives, as far as they do not give way, by the keys as it has them.
    private func elements(under own: [RecordKey]) throws -> [[(key: RecordKey, base: BaseRow)]] {
        let keys = try table.liveKeys(under: own)
        let all = keys.flatMap { $0 }
        var bases = try all.isEmpty ? [][...] : table.baseRows(all)[...]
        return keys.map { keys in
            defer { bases = bases.dropFirst(keys.count) }
            return zip(keys, bases).compactMap { key, base in
                base.flatMap { $0.state.isLive ? (key: key, base: $0) : nil }
            }
        }
    }

    /// Whether this source gives any of some lists, or asks about one.
    func givesList(under owners: [RecordKey], _ conflicts: any ConflictLedger) throws -> Bool {
        guard !owners.isEmpty, let own = own(owners: owners) else { return false }
        return try elements(under: own).contains { !$0.isEmpty } || asked(own, conflicts).contains { $0 != nil }
    }

    /// Has lists give way that this source gives, since another one's stand in their place. What it says again of them later is
    /// nothing new.
    ///
    /// - Parameters:
    ///   - owners: The records that the lists belong to.
    ///   - run: The run's number, nil in a plan.
    /// - Returns: The elements that they had, by the keys as the stream has them.
    /// - Throws: `StoreError`.
    func giveWay(under owners: [RecordKey], run: Int64?) throws -> [RecordKey] {
        guard !owners.isEmpty, let own = own(owners: owners) else { return [] }
        let elements = try elements(under: own).flatMap { $0 }
        if elements.isEmpty { return [] }
        let first = Set(own.map(\.firstElement))
        try table.write(
            elements.map { key, base in
                var base = base
                (base.state, base.lastRun) = (.remoteTombstone, run)
                base.givesWay = first.contains(key)
                return RecordWrite(key: key, row: .none, base: base)
            })
        return elements.map { theirs($0.key) }
    }

    /// Whether each of some lists is one that this source gives and that gives way, or about which it asks.
    func isHeir(under owners: [RecordKey], _ conflicts: any ConflictLedger) throws -> [Bool] {
        guard let own = own(owners: owners) else { return owners.map { _ in false } }
        let first = try table.baseRows(own.map(\.firstElement))
        return zip(first, try asked(own, conflicts)).map { $0?.givesWay == true || $1 != nil }
    }

    /// Takes what the stream's source gave for what this one gave last: this one has the records now, as they stand.
    ///
    /// - Parameters:
    ///   - records: The records, each with what the stream's source said of its fields.
    ///   - run: The run's number, nil in a plan.
    /// - Throws: `StoreError`.
    func inherit(_ records: [(key: RecordKey, entries: [BaseEntry])], run: Int64?) throws {
        let keys = records.map { own($0.key) }
        var writes: [RecordWrite] = []
        for (index, known) in try table.baseRows(keys).enumerated() where known?.state.isLive != true {
            var entries = [BaseEntry](repeating: .none, count: table.schema.fields.count)
            for (field, entry) in records[index].entries.enumerated() {
                if let own = source.field(field) { entries[own] = entry }
            }
            // No record equals it, so that the next one is looked at.
            let base = BaseRow(
                rowHash: BaseImage.voidHash, entries: entries, state: .live, isOpen: false,
                firstRun: known?.firstRun ?? run, lastRun: run)
            writes.append(RecordWrite(key: keys[index], row: .none, base: base))
        }
        if !writes.isEmpty { try table.write(writes) }
    }

    /// The children of each of some records that this source gives, with their keys as the stream has them.
    func children(under owners: [RecordKey]) throws -> [[(key: RecordKey, base: BaseRow)]] {
        guard let own = own(owners: owners) else { return owners.map { _ in [] } }
        let keys = try table.liveKeys(under: own)
        var bases = try table.baseRows(keys.flatMap { $0 })[...]
        return keys.map { keys in
            defer { bases = bases.dropFirst(keys.count) }
            return zip(keys, bases).compactMap { key, base in base.map { (theirs(key), $0) } }
        }
    }

    /// Lets the bases of records that belong to some others and have no row say that they are gone.
    ///
    /// - Returns: Whether there are any.
    func forgetAbsent(under owners: [RecordKey], run: Int64?) throws -> Bool {
        guard let own = own(owners: owners) else { return false }
        let keys = try table.liveKeys(under: own).flatMap { $0 }
        if keys.isEmpty { return false }
        let absent = zip(keys, try table.localRows(keys)).filter { $1 == nil }.map(\.0)
        let writes = zip(absent, try table.baseRows(absent)).compactMap { key, base in
            base.map { base in
                var base = base
                (base.state, base.lastRun) = (.remoteTombstone, run)
                return RecordWrite(key: key, row: .none, base: base)
            }
        }
        try table.write(writes)
        return !writes.isEmpty
    }

    /// Whether some element of a list that this source gives has no row.
    func hasMissingElement(under owner: RecordKey) throws -> Bool {
        guard let own = own(owners: [owner]) else { return false }
        let keys = try elements(under: own)[0].map(\.key)
        return try !keys.isEmpty && table.localRows(keys).contains { $0 == nil }
    }

    /// Ends what is asked about lists whose records are gone. What the source says of them in that it said, so that only what it
    /// says anew is news.
    ///
    /// - Parameters:
    ///   - owners: The keys of the records.
    ///   - conflicts: Where conflicts are kept.
    ///   - run: The run's number, nil in a plan.
    /// - Returns: The conflicts over the lists that are open no longer.
    /// - Throws: `StoreError`.
    func withdrawLists(
        under owners: [RecordKey], conflicts: any ConflictLedger, run: Int64?
    ) throws -> [ConflictEntry] {
        guard let own = own(owners: owners) else { return [] }
        let (text, json) = (ListText(schema: table.schema), StoredJSON())
        var over: [ConflictEntry] = []
        for (owner, entry) in zip(own, try asked(own, conflicts)) {
            guard let entry else { continue }
            over.append(entry)
            let said = entry.remote.flatMap { text.elements($0, under: owner, json) } ?? [:]
            for (key, values) in said.sorted(by: { $0.key < $1.key }) {
                let known = try table.baseRow(key)
                var base =
                    known
                    ?? BaseRow(
                        rowHash: 0, entries: table.schema.fields.map { _ in .none }, state: .remoteTombstone,
                        isOpen: false, firstRun: run, lastRun: run)
                base.entries = canonical.entries(
                    listedIn: [AwaitedRemote(field: nil, values: values)], over: base.entries)
                (base.state, base.lastRun) = (.remoteTombstone, run)
                base.rowHash = canonical.rowHash(of: base.entries)
                try table.write(RecordWrite(key: key, row: .none, base: base))
            }
        }
        return over
    }
}

extension RecordKey {
    /// The key of the first element of the list that belongs to the record.
    var firstElement: RecordKey { RecordKey(values + [.integer(0)]) }
}
