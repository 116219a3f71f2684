/// The order of the pairs of a record, where one of the two models has ``OrderedRefs``.
struct LinkOrder {
    /// The column that says at which place a pair stands. Pairs without a place, as other programs may add them, come last.
    static let column = "position"

    /// The columns of the side within whose records places count.
    let side: [String]

    /// The order of a table of pairs; nil where it has none.
    init?(_ owner: ModelDescription, _ index: Int, _ target: ModelDescription, _ link: LinkDescription) {
        guard case .table(_, let owners, let targets, _) = link else { return nil }
        let relationship = owner.relationships[index]
        let back = relationship.inverse.flatMap { target.relationship(named: $0) }.map { target.relationships[$0] }
        if relationship.isOrdered {
            side = owners
        } else if back?.isOrdered == true {
            side = targets
        } else {
            return nil
        }
    }

    /// Puts a pair behind all others of its record.
    ///
    /// - Parameters:
    ///   - table: The table of pairs.
    ///   - pair: Columns and values of the pair.
    /// - Returns: The statement, which does nothing where there is such a pair.
    func inserting(into table: String, _ pair: [(column: String, value: BoxedValue)]) -> SQLExpression {
        let name = SQLIdentifier.quoted(table)
        let position = SQLIdentifier.quoted(Self.column)
        let matches = pair.filter { side.contains($0.column) }.map { part in
            SQLExpression(sql: SQLIdentifier.quoted(part.column) + " = ") + SQLExpression(part.value)
        }
        let columns = SQLIdentifier.list(pair.map(\.column) + [Self.column])
        let last =
            SQLExpression(sql: "(SELECT coalesce(max(\(position)), -1) + 1 FROM \(name) WHERE ")
            + .joined(matches, " AND ") + ")"
        return SQLExpression(sql: "INSERT OR IGNORE INTO \(name) (\(columns)) VALUES (")
            + .list(pair.map { SQLExpression($0.value) } + [last]) + ")"
    }
}

extension LinkDescription {
    /// What the members of an owner are ordered by, over the target's table as the root of a query.
    func positions(of owner: [BoxedValue]) -> [SQLExpression] {
        guard case .table(let table, let ownerColumns, let targetColumns, let target) = self else { return [] }
        let root = PathScope(root: target)
        let owned = zip(ownerColumns, owner).map { column, value in
            SQLExpression(sql: SQLIdentifier.quoted(column) + " = ") + SQLExpression(value)
        }
        let meant = zip(targetColumns, target.keyColumns).map { column, key in
            SQLExpression(sql: SQLIdentifier.quoted(column) + " = ") + SQLExpression(column: key, in: root)
        }
        let position =
            SQLExpression(
                sql:
                    "(SELECT \(SQLIdentifier.quoted(LinkOrder.column)) FROM \(SQLIdentifier.quoted(table)) WHERE ")
            + .joined(owned + meant, " AND ") + ")"
        return [position + " IS NULL", position]
    }
}
