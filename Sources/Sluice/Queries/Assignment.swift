/// A new value for a column of all records of a query.
public struct Assignment<M: PersistentModel>: Sendable {
    /// The position of the field; -1 where it is none.
    let field: Int
    /// The value.
    let value: SQLExpression

    /// What a statement says of it.
    var expression: SQLExpression {
        SQLExpression(sql: SQLIdentifier.quoted(M.model.description.fields[field].column) + " = ") + value
    }

    /// Refuses what may not be written, or not as this.
    func check(_ description: ModelDescription) throws(SluiceError) {
        guard description.fields.indices.contains(field) else {
            throw SluiceError(
                .invalidSQL,
                "`set` changes a property of \(description.entity), and nothing that is computed or led to.",
                entity: description.entity)
        }
        if let error = value.refusal { throw SluiceError(error, entity: description.entity) }
        try description.checkIsWritable(field, of: nil)
        let target = description.fields[field]
        let start = "\(description.entity), property `\(target.property)`"
        if target.reference?.isByValue == true {
            throw SluiceError(
                .refused, "\(start) is a record by value, which `set` does not change: save the value that holds it.",
                entity: description.entity, field: target.property)
        }
        if value.values.first == .null && !target.takesNull {
            throw SluiceError(
                .refused, "\(start) is not optional, so it cannot be nil.", entity: description.entity,
                field: target.property)
        }
        if let boxed = value.values.first { try description.check(boxed, field, of: nil) }
    }
}

extension Path where Value: StoredValue {
    /// Gives the column a value.
    public func set(_ value: Value) -> Assignment<M> { Assignment(field: index, value: bound(value)) }
}
