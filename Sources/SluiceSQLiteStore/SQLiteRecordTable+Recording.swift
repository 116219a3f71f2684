internal import SluiceMerge
internal import SluiceModel
internal import SluiceSQLStore
internal import SluiceSQLite
internal import SluiceStore

/// Records before and after they are written, and what is written down of that.
extension SQLiteRecordTable {
    var fieldOfSlot: [Int] { layout.fieldOfSlot }

    func marksDeletion(_ column: String) -> Bool {
        layout.mark != nil && ColumnName.areSame(column, DeletionMark.time)
    }

    func baseImages(_ keys: [RecordKey]) throws -> [BaseImage?] {
        try translated { () throws(SQLiteError) in
            var images: [BaseImage?] = []
            for key in keys { images.append(try image(key)) }
            return images
        }
    }

    func wholeRows(_ keys: [RecordKey]) throws -> [RowImage?] {
        try keys.map { key in
            try translated { () throws(SQLiteError) in try countedRow(key) }
        }
    }

    func snapshot(_ write: RecordWrite) throws(SQLiteError) -> RecordSnapshot {
        if write.row.isNone { return RecordSnapshot(row: nil, base: try image(write.key)) }
        return RecordSnapshot(
            row: try countedRow(write.key), base: try image(write.key),
            emptied: LinkHistory.emptied(try emptied(write.key), of: schema))
    }

    /// The base of a record, where something of it is to be kept that no field of the pipeline gives.
    func keptBase(of key: RecordKey) throws(SQLiteError) -> BaseImage? {
        comparison.keepsSlots ? try image(key) : nil
    }

    /// Writes down what a write changed.
    func record(_ write: RecordWrite, before: RecordSnapshot) throws(SQLiteError) {
        let after = write.row.isNone ? nil : try countedRow(write.key)
        if let note = comparison.note(of: write, before: before, row: after, run: recorder.run) {
            try recorder.record(note, schema)
        }
    }

    /// Writes down an inserted record of a batch, for entities that want it.
    func recordInsert(_ record: Int, of batch: borrowing RecordBatch, run: Int64?) throws(SQLiteError) {
        let write = batch.insertion(of: record, schema: schema, run: run)
        if let note = comparison.note(ofInsert: write) { try recorder.record(note, schema) }
    }

    // MARK: Reading

    private func image(_ key: RecordKey) throws(SQLiteError) -> BaseImage? {
        bind(key, to: selectBase, at: 1)
        defer { selectBase.reset() }
        guard try selectBase.step() else { return nil }
        let first = schema.keyFields.count
        func number(_ column: Int) -> Int64? { selectBase.isNull(column) ? nil : selectBase.integer(column) }
        guard case .blob(let blob) = selectBase.value(first + 1), let slots = BaseCoding.decode(blob, slotCount: 0),
            let state = BaseState(rawValue: Int(truncatingIfNeeded: selectBase.integer(first + 2)))
        else { throw SQLiteError(code: .corrupt, message: "a row of `\(layout.baseTable)` cannot be read") }
        let flags = BaseFlags(selectBase.integer(first + 3))
        return BaseImage(
            rowHash: UInt64(bitPattern: selectBase.integer(first)), state: state,
            isOpen: flags.isOpen, firstRun: number(first + 4), lastRun: number(first + 5),
            slots: slots, missedScans: flags.missedScans)
    }

    /// A row with what counts as held by it while it waits in the quarantine: so the history keeps it.
    private func countedRow(_ key: RecordKey) throws(SQLiteError) -> RowImage? {
        guard var row = try row(key) else { return nil }
        try passed { try held.fill(&row, of: key, schema) }
        return row
    }

    private func row(_ key: RecordKey) throws(SQLiteError) -> RowImage? {
        let (columns, select) = try wholeStatement()
        bind(row: key, to: select, at: 1)
        defer { select.reset() }
        guard try select.step() else { return nil }
        var image = forms.canonical(
            RowImage(columns.indices.map { RowImage.Column(name: columns[$0], value: FieldValue(select.value($0))) }))
        if schema.references.isEmpty { return image }
        let waiting = try waiting(key)
        if !waiting.isEmpty {
            var values = image.values(of: schema)
            fill(&values, with: waiting)
            for field in waiting.keys {
                let name = schema.fields[field].column
                guard let place = image.columns.firstIndex(where: { ColumnName.areSame($0.name, name) }) else {
                    continue
                }
                image.columns[place].value = values[field]
            }
        }
        for link in links {
            let name = schema.fields[link.field].column
            let value = try link.read(key, mayWait: try mayWait())
            image.columns.append(RowImage.Column(name: name, value: value))
        }
        return image
    }

    func wholeStatement() throws(SQLiteError) -> (columns: [String], select: Statement) {
        if let whole { return whole }
        // This leaves out generated columns, which cannot be written. See: sqlite.org/pragma.html#pragma_table_info
        let columns = try connection.rows(
            "SELECT name FROM pragma_table_info(?1) ORDER BY cid", [SQLiteValue(schema.table)]
        ).compactMap { row -> String? in
            if case .text(let name) = row[0] { return String(decoding: name, as: UTF8.self) }
            return nil
        }
        let made = (columns, try connection.prepare(TableSQL(layout, forms).selectWhole(columns)))
        whole = made
        return made
    }
}
