extension Store: StoreWorker {
    /// The values of a query.
    ///
    /// - Throws: ``SluiceError``; with ``SluiceError/Code/unbox`` where a record is no such value.
    public func get<E: RecordConvertible>(_ type: E.Type, _ query: Query<E.Record>) async throws -> [E] {
        try await read { reader in try reader.fetch(query).map(RecordConversion.value) }
    }

    /// The value of an identifier; nil where there is none.
    ///
    /// - Throws: ``SluiceError``; with ``SluiceError/Code/unbox`` where the record is no such value.
    public func get<E: RecordConvertible>(_ type: E.Type, _ identifier: E.Record.Identifier) async throws -> E? {
        try await read { reader in try reader.first(E.Record.self, identifier).map(RecordConversion.value) }
    }

    /// Inserts values or writes what differs, all or none; see ``save(_:overwriting:)``.
    ///
    /// - Throws: ``SluiceError``; with ``SluiceError/Code/box`` where a value cannot be kept.
    public func upsert<E: RecordConvertible>(_ values: [E]) async throws {
        var records = try values.map(RecordConversion.record)
        try await save(&records)
    }

    /// Deletes the records of values, all or none, by the rules of what they lead to. What is not there is passed over.
    ///
    /// - Throws: ``SluiceError``, with ``SluiceError/Code/denied`` where a relationship forbids it.
    public func remove<E: RecordConvertible>(_ values: [E]) async throws {
        let records = try values.map(RecordConversion.record)
        try await write { transaction in
            for var record in records { try transaction.delete(&record) }
        }
    }

    /// Deletes the records of a query, by the rules of what they lead to.
    ///
    /// - Throws: ``SluiceError``, with ``SluiceError/Code/denied`` where a relationship forbids it.
    public func removeAll<E: RecordConvertible>(_ type: E.Type, _ query: Query<E.Record>) async throws {
        try await write { transaction in _ = try transaction.deleteAll(query) }
    }

    /// How many records a query has.
    ///
    /// - Throws: ``SluiceError``.
    public func count<E: RecordConvertible>(_ type: E.Type, _ query: Query<E.Record>) async throws -> Int {
        try await count(query)
    }

    /// The values of a query, now and again after each commit that changes them.
    public func values<E: RecordConvertible>(_ type: E.Type, _ query: Query<E.Record>) -> StoreObservation<[E]> {
        StoreObservation(signal) { [self] in
            try await read { reader in
                let records = try reader.fetch(query)
                return StoreObservation.Look(
                    value: try records.map(RecordConversion.value),
                    mark: try records.flatMap { try BoxedRecord(withCompanyOf: $0).rows },
                    tables: reader.takeTables())
            }
        }
    }
}
