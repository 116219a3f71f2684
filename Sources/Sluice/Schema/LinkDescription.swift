/// How the records of one model lead to several of another one: by a column of the other table, or by a table of pairs.
enum LinkDescription: Sendable {
    /// The other table has a column with the owner's key.
    case column(String, target: ModelDescription)
    /// A table has a row for each pair.
    case table(String, ownerColumns: [String], targetColumns: [String], target: ModelDescription)

    /// What is called as it was before, where something was renamed.
    struct Former: OptionSet {
        let rawValue: Int
        static let owner = Former(rawValue: 1)
        static let target = Former(rawValue: 2)
        static let relationship = Former(rawValue: 4)
        static let keys = Former(rawValue: 8)

        /// Each way in which some of it was renamed.
        static let all = (1..<16).map(Former.init(rawValue:))
    }

    /// Finds out how a relationship is stored.
    ///
    /// - Parameters:
    ///   - owner: The model that has the relationship.
    ///   - index: The relationship.
    ///   - target: The model that it leads to.
    ///   - former: What is to be called as it was before.
    /// - Throws: ``SluiceError`` where the two sides do not say it.
    init(
        _ owner: ModelDescription, _ index: Int, _ target: ModelDescription, calling former: Former = []
    ) throws(SluiceError) {
        let relationship = owner.relationships[index]
        if let inverse = relationship.inverse, let field = target.field(named: inverse),
            target.fields[field].reference != nil
        {
            self = .column(target.fields[field].column, target: target)
            return
        }
        func name(_ relationship: ModelDescription.Relationship) -> String {
            former.contains(.relationship) ? relationship.formerName ?? relationship.name : relationship.name
        }
        func keys(_ model: ModelDescription) -> [String] {
            former.contains(.keys) ? model.formerKeyColumns : model.keyColumns
        }
        let ownEntity = former.contains(.owner) ? owner.formerEntity ?? owner.entity : owner.entity
        let otherEntity = former.contains(.target) ? target.formerEntity ?? target.entity : target.entity
        var via = relationship.via
        var isOwner = via != nil
        if via == nil, let inverse = relationship.inverse, let other = target.relationship(named: inverse) {
            via = target.relationships[other].via
            let ownName = "\(ownEntity).\(name(relationship))"
            let otherName = "\(otherEntity).\(name(target.relationships[other]))"
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
        let back = relationship.inverse.flatMap { target.relationship(named: $0) }.map { target.relationships[$0] }
        let entities = isOwner ? (ownEntity, otherEntity) : (otherEntity, ownEntity)
        let sides = isOwner ? (owner, target) : (target, owner)
        let title = isOwner ? name(relationship) : name(back ?? relationship)
        let isSelf = owner.table.lowercased() == target.table.lowercased()
        let owning = keys(sides.0).map { "\(SnakeCase.of(entities.0))_\($0)" }
        let other = keys(sides.1).map { "\(isSelf ? title : SnakeCase.of(entities.1))_\($0)" }
        self = .table(
            via ?? "\(SnakeCase.of(entities.0))_\(title)", ownerColumns: isOwner ? owning : other,
            targetColumns: isOwner ? other : owning, target: target)
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
