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
    private let canonical: CanonicalRecord
    package let below: [ChildRows]

    /// - Parameters:
    ///   - table: The table of the children.
    ///   - otherSources: The other sources of the table.
    ///   - below: The rows of their own children.
    package init(_ table: any RecordTable, otherSources: OtherSourceLedger, below: [ChildRows]) {
        self.otherSources = otherSources
        self.table = table
        self.below = below
        canonical = CanonicalRecord(schema: table.schema)
    }

    /// Looks at the rows of the children of some records, and at those of theirs.
    ///
    /// - Parameter owners: The records' keys.
    /// - Returns: The worst for each of them.
    /// - Throws: `StoreError`.
    package func conditions(under owners: [RecordKey]) throws -> [ChildrenState] {
        var worst = [ChildrenState](repeating: .clean, count: owners.count)
        let keys = try table.rowKeys(under: owners)
        let all = keys.flatMap { $0 }
        if all.isEmpty { return worst }
        var conditions = try self.conditions(of: all)
        for rows in below { conditions = zip(conditions, try rows.conditions(under: all)).map { max($0, $1) } }
        var next = 0
        for (index, keys) in keys.enumerated() {
            worst[index] = conditions[next..<next + keys.count].max() ?? .clean
            next += keys.count
        }
        return worst
    }

    /// What people did to the rows below a record, as far as it can be told later whether it is still the same.
    ///
    /// - Parameters:
    ///   - children: The rows of the record's children.
    ///   - owner: The record's key.
    /// - Returns: How many rows are edited or added, and a mark that changes with them; nil where none is.
    /// - Throws: `StoreError`.
    package static func edits(in children: [ChildRows], under owner: RecordKey) throws -> String? {
        var (count, hash) = (0, UInt64(0))
        for rows in children { try rows.addEdits(under: owner, count: &count, hash: &hash) }
        if count == 0 { return nil }
        let digits = String(hash, radix: 16)
        return
            "\(count) \(Plural.word(count, "row", "rows")) (\(String(repeating: "0", count: 16 - digits.count))\(digits))"
    }

    private func addEdits(under owner: RecordKey, count: inout Int, hash: inout UInt64) throws {
        let keys = try table.rowKeys(under: owner)
        if keys.isEmpty { return }
        let rows = try table.localRows(keys)
        for (index, condition) in try conditions(of: keys).enumerated() {
            if condition != .clean, let row = rows[index] {
                count += 1
                hash = KeyHash.combine(hash, FieldDigest.text(Array(canonical.object(row).utf8)))
            }
            for rows in below { try rows.addEdits(under: keys[index], count: &count, hash: &hash) }
        }
    }

    /// Looks at one row, and not at what belongs to it.
    package func condition(of key: RecordKey) throws -> ChildrenState { try conditions(of: [key])[0] }

    private func conditions(of keys: [RecordKey]) throws -> [ChildrenState] {
        let bases = try table.baseRows(keys).map { $0.flatMap { $0.state.isLive ? $0 : nil } }
        let others = otherSources.isEmpty ? keys.map { _ in [] } : try otherSources.records(keys)
        let rows = try table.localRows(keys)
        let policy = table.schema.policies.policy(for: RowKind.editDelete.rawValue, newest: .unknown)
        let edited = policy == .remoteWins ? ChildrenState.edited : .held
        return try keys.indices.map { index in
            if bases[index] == nil && !others[index].contains(where: \.isLive) { return .added }
            guard let local = rows[index] else { return .clean }
            let known = bases[index]?.entries ?? table.schema.fields.map { _ in .none }
            let entries = canonical.recognised(known, local: local) { _ in nil }
            let isEdited = RecordMerge.isEdited(
                base: canonical.sides(of: entries), local: canonical.sides(of: local), schema: table.schema,
                claims: otherSources.others.claims(of: others[index], beside: bases[index]))
            return try isEdited || otherSources.haveEdits(keys[index], others[index]) ? edited : .clean
        }
    }
}
