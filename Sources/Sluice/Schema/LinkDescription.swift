/// How the records of one model lead to several of another one: by a column of the other table, or by a table of pairs.
enum LinkDescription: Sendable {
    /// The other table has a column with the owner's key.
    case column(String, target: ModelDescription)
    /// A table has a row for each pair.
    case table(String, ownerColumns: [String], targetColumns: [String], target: ModelDescription)

    /// Finds out how a relationship is stored.
    ///
    /// - Throws: ``SluiceError`` where the two sides do not say it.
    init(_ owner: ModelDescription, _ index: Int, _ target: ModelDescription) throws(SluiceError) {
        let relationship = owner.relationships[index]
        if let inverse = relationship.inverse, let field = target.field(named: inverse),
            target.fields[field].reference != nil
        {
            self = .column(target.fields[field].column, target: target)
            return
        }
        var via = relationship.via
        var isOwner = via != nil
        if via == nil, let inverse = relationship.inverse, let other = target.relationship(named: inverse) {
            via = target.relationships[other].via
            let ownName = "\(owner.entity).\(relationship.name)"
            let otherName = "\(target.entity).\(target.relationships[other].name)"
            isOwner = via == nil && ownName <= otherName
        }
        if relationship.inverse == nil { isOwner = true }
        if relationship.inverse != nil && via == nil
            && target.relationship(named: relationship.inverse ?? "") == nil
        {
            throw SluiceError(
                .invalidModel,
                "`\(owner.typeName).\(relationship.property)` names `\(relationship.inverse ?? "")` as its inverse, which is no relationship of `\(target.typeName)`.",
                entity: owner.entity)
        }
        // The names that pipelines give such tables: see docs/nested-data.md.
        let sides = isOwner ? (owner, target) : (target, owner)
        let name = isOwner ? relationship.name : Self.inverseName(of: relationship, in: target)
        let isSelf = owner.table.lowercased() == target.table.lowercased()
        let owning = sides.0.keyColumns.map { "\(SnakeCase.of(sides.0.entity))_\($0)" }
        let other = sides.1.keyColumns.map { "\(isSelf ? name : SnakeCase.of(sides.1.entity))_\($0)" }
        self = .table(
            via ?? "\(SnakeCase.of(sides.0.entity))_\(name)", ownerColumns: isOwner ? owning : other,
            targetColumns: isOwner ? other : owning, target: target)
    }

    private static func inverseName(
        of relationship: ModelDescription.Relationship, in target: ModelDescription
    ) -> String {
        relationship.inverse.flatMap { target.relationship(named: $0) }.map { target.relationships[$0].name }
            ?? relationship.name
    }

    /// The condition that a row of the target belongs to an owner, over the target's table as the root of a query.
    func members(of owner: [BoxedValue]) -> SQLExpression {
        switch self {
        case .column(let column, let target):
            let root = PathScope(root: target)
            return SQLExpression(column: column, in: root) + " = " + SQLExpression(owner.first ?? .null)
        case .table(let table, let ownerColumns, let targetColumns, let target):
            let root = PathScope(root: target)
            let keys = target.keyColumns.map { SQLExpression(column: $0, in: root) }
            let matches = zip(ownerColumns, owner).map { column, value in
                SQLExpression(sql: SQLIdentifier.quoted(column)) + " = " + SQLExpression(value)
            }
            return "(" + .list(keys) + ") IN (SELECT \(SQLIdentifier.list(targetColumns)) FROM "
                + SQLExpression(sql: SQLIdentifier.quoted(table)) + " WHERE " + .joined(matches, " AND ") + ")"
        }
    }
}
