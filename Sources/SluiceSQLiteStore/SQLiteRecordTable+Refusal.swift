internal import SluiceModel
internal import SluiceSQLStore
internal import SluiceSQLite
internal import SluiceStore

/// Rows that a table does not take, or not yet.
extension SQLiteRecordTable {
    /// What an error says of the one row that was to be written.
    ///
    /// - Throws: ``StoreError`` where it is about more than the row: a trigger may also end the transaction.
    @discardableResult
    func refusal(_ error: SQLiteError, of key: RecordKey) throws(StoreError) -> TableRefusal {
        guard error.code.primary == .constraint else { throw StoreError(error, path: path) }
        let refusal = TableRefusal(error)
        if connection.isInTransaction { return refusal }
        throw StoreError(
            .rejected,
            "\(refusal.words(table: schema.table, record: "the record with \(text(key))")) That ended the transaction of the store `\(path)`. \(refusal.remedy)"
        )
    }

    /// A key as people name it, such as `id` 7.
    private func text(_ key: RecordKey) -> String {
        zip(schema.keyFields, key.values).map { field, value in
            "`\(schema.fields[field].name)` \(Self.text(value))"
        }.joined(separator: ", ")
    }

    private static func text(_ value: FieldValue) -> String {
        switch value {
        case .null: return "null"
        case .integer(let value): return String(value)
        case .real(let value): return String(value)
        case .blob(let bytes): return "of \(bytes.count) bytes"
        case .text(let bytes):
            let text = String(decoding: bytes.prefix(60), as: UTF8.self)
            return "\"\(text)\(bytes.count > 60 ? "…" : "")\""
        }
    }

    // MARK: Writes of several statements

    /// Whether one statement may be refused after another one that belongs to the same write was run.
    func hasParts(_ write: RecordWrite) throws(SQLiteError) -> Bool {
        // What leads to a row goes before it does.
        guard case .delete = write.row else { return linksMayRefuse }
        if !links.isEmpty && (constraints.mayRefuse || constraints.isBound || linksMayRefuse || linksAreBound) {
            return true
        }
        if try leads().mayBe { return true }
        return try goingAlong().mayBe
    }

    /// Runs several statements of which none remains where one is refused.
    func wholly(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
        cascaded.beginSavepoint()
        do throws(SQLiteError) {
            try passed { try connection.inSavepoint(body) }
            cascaded.releaseSavepoint()
        } catch {
            cascaded.rollBackToSavepoint()
            pending.forget()
            throw error
        }
    }

    /// Takes references away of which the database would let go in silence with a row.
    func release(_ key: RecordKey) throws(SQLiteError) {
        let references = try leads()
        note(try passed { try references.release([forms.stored(key)]) })
    }

    private func note(_ outcome: ReferenceOutcome) {
        if !outcome.hasWritten { return }
        cascaded.record(outcome)
        pending.forget()
    }

    /// Deletes a row; where foreign keys of references that may be null do not let it go, these are taken away first.
    func removeRow(of key: RecordKey) throws(SQLiteError) {
        do throws(SQLiteError) {
            try removeRowAlone(of: key)
        } catch {
            guard error.isOfForeignKey, connection.isInTransaction else { throw error }
            let references = try leads()
            var outcome = ReferenceOutcome()
            try wholly { () throws(SQLiteError) in
                outcome = try passed { try references.releaseRefusing([forms.stored(key)]) }
                guard outcome.hasWritten else { throw error }
                try removeRowAlone(of: key)
            }
            note(outcome)
        }
    }

    private func removeRowAlone(of key: RecordKey) throws(SQLiteError) {
        bind(row: key, to: deleteRow, at: 1)
        let deleted = try connection.countingDeletes { () throws(SQLiteError) in try run(deleteRow) }
        cascaded.record(deleted, alongWith: schema.table)
    }

    /// The references that the database would let go of with rows of the table.
    private func leads() throws(SQLiteError) -> ReleasedReferences {
        if let released { return released }
        let made = try passed { try ReleasedReferences(to: schema, database: database, recorder: recorder) }
        released = made
        return made
    }

    /// Deletes the rows of records that the database would delete along with a row, so that the history has them.
    ///
    /// - Returns: What the deletion of the row empties in people's own tables.
    func deleteAlong(_ key: RecordKey) throws(SQLiteError) -> [EmptiedPlace: Int] {
        let along = try goingAlong()
        if !along.mayBe { return [:] }
        let emptied = try passed { try along.emptied(with: [forms.stored(key)]) }
        for (place, keys) in try passed({ try along.rows(with: [forms.stored(key)]) }) {
            guard let first = place.layouts.first else { continue }
            let forms = try passed { try ColumnForms(of: first.schema, database) }
            for (layout, keys) in try passed({ try along.records(keys.map { forms.canonical($0) }, of: place) }) {
                let table = try passed {
                    try SQLiteRecordTable(
                        database, layout: layout, recorder: recorder, pending: pending, held: held, cascaded: cascaded)
                }
                for key in keys { try table.perform(place.write(key)) }
            }
            cascaded.record(keys.count, keptOf: place)
        }
        return emptied
    }

    /// The rows of records that the database would delete along with rows of the table.
    private func goingAlong() throws(SQLiteError) -> RowsAlong {
        if let along { return along }
        let made = try passed { try RowsAlong(with: schema, database: database) }
        along = made
        return made
    }
}
