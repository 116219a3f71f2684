internal import SluiceSQLite

extension Transaction {
    /// Refuses a value with parts of its own that are those of another record already: saving them would change that record.
    ///
    /// A part is a record of a list by value that goes with its owner. One that was read, and one that has the values which are there,
    /// is meant.
    func refuseParts<M: PersistentModel>(of value: M) throws {
        let description = M.model.description
        let lists = description.relationships.indices.filter {
            description.relationships[$0].isByValue && description.relationships[$0].deleteRule == .cascade
        }
        if lists.isEmpty { return }
        let record: BoxedRecord
        do throws(BoxError) { record = try BoxedRecord(whole: value) } catch {
            throw SluiceError(error, entity: description.entity)
        }
        let owner = value.savedIdentifier == nil ? nil : record.key
        for index in lists {
            guard let made = record.within?.made[index], !made.isEmpty else { continue }
            for part in record.within?.lists[index] ?? [] where made.contains(part.key) {
                try refuse(part, of: description, index, owner)
            }
        }
    }

    private func refuse(
        _ part: BoxedRecord, of description: ModelDescription, _ index: Int, _ owner: [BoxedValue]?
    ) throws {
        let relationship = description.relationships[index]
        guard let target = relationship.target?.modelDescription,
            case .table(let table, let owners, let targets, _) = try LinkDescription(description, index, target)
        else { return }
        var other: [BoxedValue]?
        var isOwn = false
        try run(
            SQLExpression(sql: "SELECT \(SQLIdentifier.list(owners)) FROM \(SQLIdentifier.quoted(table)) WHERE ")
                + Self.matches(targets, part.key), description
        ) { statement in
            let key = owners.indices.map { StoredColumn(statement: statement, index: $0).value }
            if key == owner { isOwn = true } else { other = other ?? key }
            return true
        }
        guard let other, !isOwn else { return }
        let columns = target.fields.map(\.column)
        var values: [BoxedValue] = []
        try run(
            SQLExpression(
                sql: "SELECT \(SQLIdentifier.list(columns)) FROM \(SQLIdentifier.quoted(target.table)) WHERE ")
                + Self.matches(target.keyColumns, part.key), target
        ) { statement in
            values = columns.indices.map { StoredColumn(statement: statement, index: $0).value }
            return false
        }
        if values.isEmpty || values == part.values { return }
        func text(_ key: [BoxedValue]) -> String { key.map(\.text).joined(separator: ", ") }
        let identifier = owner.map(text)
        let name = [description.entity, identifier].compactMap { $0 }.joined(separator: " ")
        throw SluiceError(
            .exists,
            "\(name), property `\(relationship.property)`: \(target.entity) \(text(part.key)) is there already, with other values, and belongs to \(description.entity) \(text(other)). Give the new one another identifier, or read that one and save it by itself.",
            entity: description.entity, identifier: identifier, field: relationship.property)
    }
}
