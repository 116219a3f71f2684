internal import SluiceMerge
internal import SluiceModel
internal import SluiceSQLite
internal import SluiceStore

/// A record before something of it is written.
struct RecordSnapshot {
    /// Nil where there is no row, or where none is written.
    var row: RowImage?
    var base: BaseImage?
}

extension RecordWrite {
    var removesBase: Bool { if case .remove? = keptBase { true } else { false } }
}

extension RecordWrite.Row {
    package var isNone: Bool { if case .none = self { true } else { false } }
}

/// What a write changed is seen by comparing what was there with what is there: so it holds whatever was written, and
/// whatever a trigger made of it.
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
        try translated { () throws(SQLiteError) in
            var rows: [RowImage?] = []
            for key in keys { rows.append(try row(key)) }
            return rows
        }
    }

    func snapshot(_ write: RecordWrite) throws(SQLiteError) -> RecordSnapshot {
        RecordSnapshot(row: write.row.isNone ? nil : try row(write.key), base: try image(write.key))
    }

    /// The base that a write leaves, nil where it leaves the one that is there or none.
    ///
    /// - Parameters:
    ///   - write: What is written.
    ///   - old: The base that is there, from which what the pipeline no longer asks for is taken.
    /// - Returns: The base as it is written.
    func newBase(of write: RecordWrite, over old: BaseImage?) -> BaseImage? {
        if case .restore(let image)? = write.keptBase { return image }
        return write.base.map { base in
            var fields = layout.fieldOfSlot[...]
            // What its source was not asked for yet stays beyond the end.
            while let last = fields.last, base.unasked.contains(last), base.entries[last] == .none {
                fields.removeLast()
            }
            return BaseImage(
                rowHash: base.rowHash, state: base.state, isOpen: base.isOpen, firstRun: base.firstRun,
                lastRun: base.lastRun,
                slots: fields.indices.map { slot in
                    let field = fields[slot]
                    return field < 0 ? keptEntry(slot, of: write, over: old) : base.entries[field]
                }, missedScans: base.missedScans)
        }
    }

    /// The base of a record, where something of it is to be kept that no field of the pipeline gives.
    func keptBase(of key: RecordKey) throws(SQLiteError) -> BaseImage? {
        layout.keptSlots.isEmpty ? nil : try image(key)
    }

    /// What a base keeps in a slot without a field. A row that is made anew has nothing in the slot's column.
    private func keptEntry(_ slot: Int, of write: RecordWrite, over old: BaseImage?) -> BaseEntry {
        if case .insert = write.row, layout.mark == nil { return .none }
        guard let old, layout.keptSlots.contains(slot), old.slots.indices.contains(slot) else { return .none }
        return old.slots[slot]
    }

    /// Writes down what a write changed.
    func note(_ write: RecordWrite, before: RecordSnapshot) throws(SQLiteError) {
        let after = RecordSnapshot(
            row: write.row.isNone ? nil : try row(write.key),
            base: write.removesBase ? nil : newBase(of: write, over: before.base) ?? before.base)
        var action = RecordedChange.Action.base
        var columns: [RecordedChange.Column] = []
        var whole: RowImage?
        switch (before.row, after.row) {
        case (nil, let row?):
            action = .insert
            if before.base == nil, let base = after.base, base.firstRun == recorder.run, !base.isOpen {
                // Its base tells of it, so nothing has to. One that is open may also have become so later.
                if !schema.auditsInserts { return }
                columns = changed(from: nil, to: row, by: write)
            } else {
                whole = row
            }
        case (let row?, nil):
            action = .delete
            whole = row
        case (let old?, let new?):
            columns = changed(from: old, to: new, by: write)
            if !columns.isEmpty { action = .update }
        case (nil, nil): break
        }
        if action == .base && before.base == after.base { return }
        try recorder.note(
            write.key, schema, action: action, kind: write.kind, base: (veiled(before.base), veiled(after.base)),
            row: whole.map { veiled($0) }, columns: columns)
    }

    /// Writes down an inserted record of a batch, for entities that want it.
    func noteInsert(_ record: Int, of batch: borrowing RecordBatch, run: Int64?) throws(SQLiteError) {
        let write = insertion(of: batch, record: record, run: run)
        guard case .insert(let values) = write.row else { return }
        let row = RowImage(zip(schema.fields, values).map { RowImage.Column(name: $0.column, value: $1) })
        try recorder.note(
            write.key, schema, action: .insert, kind: .insert, base: (nil, veiled(newBase(of: write, over: nil))),
            row: nil,
            columns: changed(from: nil, to: row, by: write))
    }

    private func changed(
        from old: RowImage?, to new: RowImage, by write: RecordWrite
    ) -> [RecordedChange.Column] {
        var classes: [Int: FieldClass] = [:]
        if case .update(let fields, _) = write.row {
            for (field, fieldClass) in zip(fields, write.classes) { classes[field] = fieldClass }
        }
        return new.columns.indices.compactMap { index in
            let (name, value) = (new.columns[index].name, new.columns[index].value)
            // The columns of both are those of the table, in its order.
            let before = old?.columns[index].value ?? .null
            if value == before { return nil }
            guard let field = schema.field(ofColumn: name) else {
                return RecordedChange.Column(name: name, isField: false, fieldClass: nil, old: before, new: value)
            }
            return RecordedChange.Column(
                name: schema.fields[field].name, isField: true, fieldClass: classes[field]?.rawValue,
                old: schema.stored(before, field: field), new: schema.stored(value, field: field))
        }
    }

    // MARK: Redaction

    /// A row without clear values of redacted fields, which people may have written or which are older than that.
    private func veiled(_ row: RowImage) -> RowImage {
        if !hasRedaction { return row }
        var row = row
        for (index, column) in row.columns.enumerated() {
            if let field = schema.field(ofColumn: column.name) {
                row.columns[index].value = schema.stored(column.value, field: field)
            }
        }
        return row
    }

    /// A base without such values.
    private func veiled(_ image: BaseImage?) -> BaseImage? {
        guard hasRedaction, var image else { return image }
        for (slot, field) in layout.fieldOfSlot.enumerated() where field >= 0 && slot < image.slots.count {
            guard case .value(let value) = image.slots[slot] else { continue }
            let stored = schema.stored(value, field: field)
            if stored == value { continue }
            image.slots[slot] = BaseEntry(value: stored, digest: KeyHash.valueHash(stored))
        }
        return image
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

    private func row(_ key: RecordKey) throws(SQLiteError) -> RowImage? {
        let (columns, select) = try wholeStatement()
        bind(row: key, to: select, at: 1)
        defer { select.reset() }
        guard try select.step() else { return nil }
        var image = layout.forms.canonical(
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
            let value = try link.read(key, mayWait: try !pending.isEmpty())
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
        let made = (columns, try connection.prepare(TableSQL(layout: layout).selectWhole(columns)))
        whole = made
        return made
    }
}
