extension Transaction {
    /// Deletes a record, by the rules of what it leads to.
    ///
    /// - Parameters:
    ///   - value: The record.
    ///   - mode: Whether its row goes, or stays and is marked.
    /// - Returns: Whether there was one. What the value remembers is forgotten.
    /// - Throws: ``SluiceError``, with ``SluiceError/Code/denied`` where a relationship forbids it; nothing is deleted then.
    @discardableResult
    public func delete<M: PersistentModel>(_ value: inout M, _ mode: DeleteMode = .hard) throws -> Bool {
        if M.model.description.hasNoIdentifier { throw SluiceError(unidentified: M.model.description) }
        guard let key = value.heldIdentifier else { return false }
        let isDeleted = try delete(M.self, key, mode)
        guard let before = value.storedOrigin else { return isDeleted }
        var copy = value
        copy.storedOrigin = Origin()
        value.storedOrigin = Origin(deleting: copy, in: writePart, after: before)
        return isDeleted
    }

    /// Deletes the record of an identifier, by the rules of what it leads to.
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - identifier: The identifier.
    ///   - mode: Whether its row goes, or stays and is marked.
    /// - Returns: Whether there was one.
    /// - Throws: ``SluiceError``.
    @discardableResult
    public func delete<M: PersistentModel>(
        _ type: M.Type, _ identifier: M.Identifier, _ mode: DeleteMode = .hard
    ) throws -> Bool {
        try deleteAll(M.all.having(key: identifier), mode) > 0
    }

    /// Deletes the records of a query, by the rules of what they lead to. Marked ones take those along by `.cascade` that can be
    /// marked as well; what leads to them, and their pairs, stay.
    ///
    /// - Parameters:
    ///   - query: The records.
    ///   - mode: Whether their rows go, or stay and are marked.
    /// - Returns: How many there were, without those that went with them.
    /// - Throws: ``SluiceError``.
    @discardableResult
    public func deleteAll<M: PersistentModel>(_ query: Query<M>, _ mode: DeleteMode = .hard) throws -> Int {
        let description = M.model.description
        let keys = try keys(query)
        if keys.isEmpty { return 0 }
        let leads = !description.relationships.isEmpty || description.fields.contains { $0.reference != nil }
        try whole(manyRows: leads) {
            var deletion = Deletion(self, mode)
            try deletion.collect(description, keys)
            try deletion.perform()
        }
        return keys.count
    }

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
    /// - Throws: ``SluiceError``.
    @discardableResult
    public func restore<M: PersistentModel>(_ type: M.Type, _ identifier: M.Identifier) throws -> Bool {
        let description = M.model.description
        guard let mark = mark(description) else { return false }
        let query = try M.all.having(key: identifier)
        let keys = try keys(query.includingDeleted())
        if try keys.isEmpty || exists(query) { return false }
        touch(description, Set(keys))
        let columns = try LinkTable.columns(of: description.table, connection)
        let marks = [mark] + ["_deleted_by_run"].filter { columns.contains($0) }
        let clearing = marks.map { SQLExpression(sql: "\(SQLIdentifier.quoted($0)) = NULL") }
        try run(
            SQLExpression(sql: "UPDATE \(SQLIdentifier.quoted(description.table)) SET ") + .list(clearing) + " WHERE "
                + Self.matches(description.keyColumns, keys[0]), description)
        return true
    }

    private func keys<M: PersistentModel>(_ query: Query<M>) throws -> [[BoxedValue]] {
        let description = M.model.description
        var keys: [[BoxedValue]] = []
        try run(query.keys(deletionMark: mark(description)), description) { statement in
            keys.append(description.identifiers.indices.map { StoredColumn(statement: statement, index: $0).value })
            return true
        }
        return keys
    }
}
