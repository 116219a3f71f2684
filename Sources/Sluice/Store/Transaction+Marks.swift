extension Transaction {
    // MARK: What is marked as deleted

    /// Refuses to let a record lead anew to one that is marked as deleted: nobody who reads it would see that one.
    ///
    /// - Parameters:
    ///   - target: The model that is led to.
    ///   - key: The key of what is led to.
    ///   - owner: The model of the record.
    ///   - ownKey: The record's key; nil where several are meant.
    ///   - property: What leads there.
    /// - Throws: ``SluiceError`` with ``SluiceError/Code/dangling``.
    func refuseMarked(
        _ target: ModelDescription, _ key: [BoxedValue], from owner: ModelDescription, _ ownKey: [BoxedValue]?,
        _ property: String
    ) throws {
        guard try isMarked(target, key) else { return }
        let identifier = ownKey.flatMap { $0.contains(.null) ? nil : Self.text($0) }
        let name = [owner.entity, identifier].compactMap { $0 }.joined(separator: " ")
        throw SluiceError(
            .dangling,
            "\(name), property `\(property)` leads to \(target.entity) \(Self.text(key)), which is marked as deleted. Bring that record back by `restore` before, or let the property lead elsewhere.",
            entity: owner.entity, identifier: identifier, field: property)
    }

    /// Refuses references to records that are marked as deleted.
    ///
    /// - Parameters:
    ///   - record: The record as it is to be.
    ///   - fields: The positions of the fields that are written.
    /// - Throws: ``SluiceError`` with ``SluiceError/Code/dangling``.
    func refuseMarked(_ record: BoxedRecord, _ fields: some Sequence<Int>) throws {
        let description = record.description
        for field in fields {
            guard let target = description.fields[field].reference?.target?.modelDescription,
                !record.values[field].isNull
            else { continue }
            try refuseMarked(
                target, [record.values[field]], from: description, record.key, description.fields[field].property)
        }
    }

    /// Refuses to give a reference to a record that is marked as deleted to all records of a query.
    ///
    /// - Parameter change: What becomes of them.
    /// - Throws: ``SluiceError`` with ``SluiceError/Code/dangling``.
    func refuseMarked<M: PersistentModel>(_ change: Assignment<M>) throws {
        let description = M.model.description
        let field = description.fields[change.field]
        guard let target = field.reference?.target?.modelDescription, let key = change.value.values.first, !key.isNull
        else { return }
        try refuseMarked(target, [key], from: description, nil, field.property)
    }

    // MARK: What comes back

    /// Takes the mark away that says of a record that it is deleted, whoever put it there. What was marked with it stays so.
    ///
    /// ```swift
    /// try await store.write { try $0.restore(Book.self, 7) }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - identifier: The record's identifier.
    /// - Returns: Whether there was such a record.
    /// - Throws: ``SluiceError``, with ``SluiceError/Code/unique`` where another record has taken a unique value of it meanwhile.
    @discardableResult
    public func restore<M: PersistentModel>(_ type: M.Type, _ identifier: M.Identifier) throws -> Bool {
        let description = M.model.description
        guard let mark = mark(description) else { return false }
        let key = try identifier.key(of: description)
        guard try isMarked(description, key) else { return false }
        touch(description, [key])
        let columns = try LinkTable.columns(of: description.table, connection)
        let marks = [mark] + ["_deleted_by_run"].filter { columns.contains($0) }
        let clearing = marks.map { SQLExpression(sql: "\(SQLIdentifier.quoted($0)) = NULL") }
        do {
            try run(
                SQLExpression(sql: "UPDATE \(SQLIdentifier.quoted(description.table)) SET ") + .list(clearing)
                    + " WHERE " + Self.matches(description.keyColumns, key), description)
        } catch let error as SluiceError where error.code == .unique {
            let text = Self.text(key)
            let values = error.field.map { "`\($0)`" } ?? "a unique value"
            throw SluiceError(
                .unique,
                "\(description.entity) \(text) is not restored: another record has its \(values) by now. Give that one another value before, or delete it.",
                entity: description.entity, identifier: text, field: error.field)
        }
        return true
    }
}
