extension Transaction {
    /// Deletes a record, by the rules of what it leads to.
    ///
    /// - Parameters:
    ///   - value: The record.
    ///   - mode: Whether its row goes, or stays and is marked.
    /// - Returns: Whether there was one. What the value remembers is forgotten, and of the records within it what those remember whose
    ///   rows went along: `insert` inserts all of it anew.
    /// - Throws: ``SluiceError``, with ``SluiceError/Code/denied`` where a relationship forbids it; nothing is deleted then.
    @discardableResult
    public func delete<M: PersistentModel>(_ value: inout M, _ mode: DeleteMode = .hard) throws -> Bool {
        if M.model.description.hasNoIdentifier { throw SluiceError(unidentified: M.model.description) }
        guard let key = value.heldIdentifier else { return false }
        let isDeleted = try delete(M.self, key, mode)
        // What is marked has its parts, marked or not.
        if mode == .hard { try forgetWithin(&value) }
        forgetAlone(&value)
        return isDeleted
    }

    /// Forgets what a value knows of its record, where that was deleted, and what those within it know of theirs.
    func forget<M: PersistentModel>(_ value: inout M) throws {
        try forgetWithin(&value)
        let description = M.model.description
        guard let key = try value.heldIdentifier?.key(of: description) else { return }
        if deleted[description.lowercasedTable]?.contains(key) == true { forgetAlone(&value) }
    }

    private func forgetWithin(_ value: inout some PersistentModel) throws {
        let around = isForgetting
        isForgetting = true
        defer { isForgetting = around }
        try value.saveNested(in: self)
    }

    private func forgetAlone(_ value: inout some PersistentModel) {
        guard let before = value.storedOrigin else { return }
        var copy = value
        copy.storedOrigin = Origin()
        value.storedOrigin = Origin(deleting: copy, in: writePart, of: home, after: before)
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
