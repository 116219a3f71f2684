internal import SluiceDiagnostics
internal import SluiceMerge
package import SluiceModel
package import SluicePlans
package import SluiceStore

/// The rows of children, looked at before the row that they belong to is deleted.
package struct ChildRows {
    package let table: any RecordTable
    /// The other sources of the table.
    package let otherSources: OtherSourceLedger
    let canonical: CanonicalRecord
    package let below: [ChildRows]
    /// Whether the children of a record are a list that is one value, so that one that was taken out makes another list.
    private let isOrdered: Bool

    /// - Parameters:
    ///   - table: The table of the children.
    ///   - otherSources: The other sources of the table.
    ///   - below: The rows of their own children.
    ///   - isOrdered: Whether the children of a record are a list that is one value.
    package init(
        _ table: any RecordTable, otherSources: OtherSourceLedger, below: [ChildRows], isOrdered: Bool = false
    ) {
        self.otherSources = otherSources
        self.isOrdered = isOrdered
        self.table = table
        self.below = below
        canonical = CanonicalRecord(schema: table.schema)
    }

    /// Looks at the rows of the children of some records, and at those of theirs; also at children without a row, as far as
    /// their deletion counts as an edit of the record.
    ///
    /// - Parameter owners: The keys of the records, which have rows.
    /// - Returns: The worst for each of them.
    /// - Throws: `StoreError`.
    package func conditions(under owners: [RecordKey]) throws -> [ChildrenState] {
        let keys = try table.rowKeys(under: owners)
        var worst = try takenOut(under: owners, rows: keys).map { $0.isEmpty ? ChildrenState.clean : edited }
        let all = keys.flatMap { $0 }
        if all.isEmpty { return worst }
        var conditions = try self.conditions(of: all)
        for rows in below { conditions = zip(conditions, try rows.conditions(under: all)).map { max($0, $1) } }
        var next = 0
        for (index, keys) in keys.enumerated() {
            worst[index] = max(worst[index], conditions[next..<next + keys.count].max() ?? .clean)
            next += keys.count
        }
        return worst
    }

    /// What people did to the rows below records, as far as it can be told later whether it is still the same.
    ///
    /// - Parameters:
    ///   - children: The rows of the records' children.
    ///   - owners: The records' keys.
    /// - Returns: For each record a mark of each row that is edited or added.
    /// - Throws: `StoreError`.
    package static func editMarks(in children: [ChildRows], under owners: [RecordKey]) throws -> [[UInt64]] {
        var marks = [[UInt64]](repeating: [], count: owners.count)
        for rows in children {
            for (index, some) in try rows.editMarks(under: owners).enumerated() { marks[index] += some }
        }
        return marks
    }

    /// A mark of each row below records that is edited or added: each row before those below it.
    private func editMarks(under owners: [RecordKey]) throws -> [[UInt64]] {
        let keys = try table.rowKeys(under: owners)
        let all = keys.flatMap { $0 }
        if all.isEmpty { return owners.map { _ in [] } }
        let (rows, seen) = try (table.localRows(all), look(at: all))
        let within = try below.map { try $0.editMarks(under: all) }
        var marks: [[UInt64]] = []
        var next = 0
        for keys in keys {
            var own: [UInt64] = []
            for index in next..<next + keys.count {
                if seen[index].condition != .clean, let row = rows[index] {
                    // What the pipeline no longer has is told as what others fill is.
                    let filled = table.schema.fields.indices.map { table.schema.fields[$0].isGivenUp ? nil : row[$0] }
                    let mark = FieldDigest.text(Array(canonical.object(filled).utf8))
                    own.append(seen[index].elsewhere.map(\.mark).reduce(mark, KeyHash.combine))
                }
                for marks in within { own += marks[index] }
            }
            next += keys.count
            marks.append(own)
        }
        return marks
    }

    /// Finds the rows below each of some records that are of interest: each row is looked at before those below it.
    ///
    /// - Parameters:
    ///   - owners: The records' keys.
    ///   - find: Says what is of interest about a row, given what people did to it, or about a child that they took out and
    ///     that has none; nil for nothing.
    /// - Returns: What was found of each record.
    /// - Throws: `StoreError`.
    package func all<Found>(
        under owners: [RecordKey],
        _ find: (_ key: RecordKey, _ schema: RecordSchema, _ state: ChildrenState, _ hasRow: Bool) -> Found?
    ) throws -> [[Found]] {
        let keys = try table.rowKeys(under: owners)
        let gone = try takenOut(under: owners, rows: keys)
        let all = keys.flatMap { $0 }
        let conditions = try self.conditions(of: all)
        let within = try below.map { try $0.all(under: all, find) }
        var found: [[Found]] = []
        var rest = all.indices
        for (keys, gone) in zip(keys, gone) {
            var own: [Found] = []
            for index in rest.prefix(keys.count) {
                if let one = find(all[index], table.schema, conditions[index], true) { own.append(one) }
                own += within.flatMap { $0[index] }
            }
            rest = rest.dropFirst(keys.count)
            own += gone.compactMap { find($0, table.schema, edited, false) }
            found.append(own)
        }
        return found
    }

    /// What an edit of a child is to the record that it belongs to.
    private var edited: ChildrenState {
        let policy = table.schema.policies.policy(for: RowKind.editDelete.rawValue, newest: .unknown)
        return policy == .remoteWins ? .edited : .held
    }

    /// The children of some records that were deleted here and whose deletion counts as an edit of their record: the
    /// elements of a list that is one value, and those of others that a decision waits for; whichever source gives them.
    private func takenOut(under owners: [RecordKey], rows: [[RecordKey]]) throws -> [[RecordKey]] {
        func isTakenOut(_ base: BaseRow) -> Bool {
            // One that the source never gave before waits for a unique value, and nobody deleted it.
            base.state.isLive && (isOrdered || base.isOpen) && base.entries.contains { $0 != .none }
        }
        let present = rows.map { Set($0) }
        let own = zip(try table.liveKeys(under: owners), present).map { live, present in
            live.filter { !present.contains($0) }
        }
        let keys = own.flatMap { $0 }
        var bases = keys.isEmpty ? [][...] : try table.baseRows(keys)[...]
        let others = otherSources.isEmpty ? [] : try otherSources.children(under: owners)
        return owners.indices.map { index in
            var taken: Set<RecordKey> = []
            for (key, base) in zip(own[index], bases) where base.map(isTakenOut) ?? false { taken.insert(key) }
            bases = bases.dropFirst(own[index].count)
            if others.isEmpty { return taken.sorted() }
            for child in others[index] where !present[index].contains(child.key) && isTakenOut(child.base) {
                taken.insert(child.key)
            }
            return taken.sorted()
        }
    }

    /// Looks at rows, and not at what belongs to them.
    private func conditions(of keys: [RecordKey]) throws -> [ChildrenState] { try look(at: keys).map(\.condition) }

    /// The same, with what people changed of each row where the stream does not fill it.
    private func look(
        at keys: [RecordKey]
    ) throws -> [(condition: ChildrenState, elsewhere: [EditElsewhere])] {
        // What the source gives no longer and another one still has is there as it gave it last.
        let bases = try table.baseRows(keys).map { $0.flatMap { $0.state == .overruled ? nil : $0 } }
        let others = otherSources.isEmpty ? keys.map { _ in [] } : try otherSources.records(keys)
        let rows = try table.localRows(keys)
        let elsewhere = try otherSources.editsElsewhere(keys.indices.map { (keys[$0], others[$0]) })
        func condition(_ index: Int) -> ChildrenState {
            let isGiven = bases[index]?.state.isLive == true || others[index].contains(where: \.isLive)
            if !isGiven { return .added }
            guard let local = rows[index] else { return .clean }
            let known = bases[index]?.entries ?? table.schema.fields.map { _ in .none }
            let entries = canonical.recognised(known, local: local) { _ in nil }
            let sides = canonical.sides(of: local)
            let isEdited = RecordMerge.isEdited(
                base: canonical.sides(of: entries), local: sides, schema: table.schema,
                claims: otherSources.others.claims(
                    of: others[index], beside: bases[index], canonical))
            return isEdited || !elsewhere[index].isEmpty ? edited : .clean
        }
        return keys.indices.map { (condition($0), elsewhere[$0]) }
    }
}
