internal import SluiceMerge
package import SluiceModel
package import SluiceStore

/// The rows of children, looked at before the row that they belong to is deleted.
package struct OwnedRows {
    /// What is known of the rows of one record's children.
    package enum Condition: Int, Comparable {
        /// They are what their source said.
        case clean
        /// A person changed some of them.
        case edited
        /// A person added some, which nothing may delete.
        case added

        package static func < (left: Condition, right: Condition) -> Bool { left.rawValue < right.rawValue }
    }

    package let table: any RecordTable
    /// The other sources of the table.
    package let siblings: SiblingSources
    private let canonical: CanonicalRecord
    package let below: [OwnedRows]

    /// - Parameters:
    ///   - table: The table of the children.
    ///   - siblings: The other sources of the table.
    ///   - below: The rows of their own children.
    package init(_ table: any RecordTable, siblings: SiblingSources, below: [OwnedRows]) {
        self.siblings = siblings
        self.table = table
        self.below = below
        canonical = CanonicalRecord(schema: table.schema)
    }

    /// Looks at the rows of a record's children, and at those of theirs.
    package func condition(under owner: RecordKey) throws -> Condition {
        var worst = Condition.clean
        for key in try table.rowKeys(under: owner) {
            worst = max(worst, try condition(of: key))
            for rows in below { worst = max(worst, try rows.condition(under: key)) }
            if worst == .added { break }
        }
        return worst
    }

    /// Looks at one row, and not at what belongs to it.
    package func condition(of key: RecordKey) throws -> Condition {
        let base = try table.baseRow(key).flatMap { $0.state.isLive ? $0 : nil }
        let others = siblings.isEmpty ? [] : try siblings.records(key)
        if base == nil && !others.contains(where: \.isLive) { return .added }
        guard let local = try table.localRow(key) else { return .clean }
        let entries = canonical.recognised(base?.entries ?? table.schema.fields.map { _ in .none }, local: local) {
            _ in nil
        }
        let isEdited = RecordMerge.isEdited(
            base: canonical.sides(of: entries), local: canonical.sides(of: local), schema: table.schema,
            claims: siblings.claims(of: others))
        return try isEdited || siblings.haveEdits(key, others) ? .edited : .clean
    }
}
