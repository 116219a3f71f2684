internal import SluiceMerge
package import SluiceModel
package import SluiceStore

/// Says what a write changed by comparing what was there with what is there: so it holds whatever was written, and
/// whatever a trigger made of it.
package struct WriteComparison {
    private let layout: TableLayout
    private let hasRedaction: Bool
    private var schema: RecordSchema { layout.schema }

    /// Compares records of a table.
    package init(_ layout: TableLayout) {
        self.layout = layout
        hasRedaction = layout.schema.fields.contains { $0.redaction != nil }
    }

    // MARK: Bases

    /// Whether a base keeps something that no field of the pipeline gives.
    package var keepsSlots: Bool { !layout.keptSlots.isEmpty }

    /// The base that a write leaves, nil where it leaves the one that is there or none.
    ///
    /// - Parameters:
    ///   - write: What is written.
    ///   - old: The base that is there, from which what the pipeline no longer asks for is taken.
    /// - Returns: The base as it is written.
    package func newBase(of write: RecordWrite, over old: BaseImage?) -> BaseImage? {
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

    /// What a base keeps in a slot without a field. A row that is made anew has nothing in the slot's column.
    private func keptEntry(_ slot: Int, of write: RecordWrite, over old: BaseImage?) -> BaseEntry {
        if case .insert = write.row, layout.mark == nil { return .none }
        guard let old, layout.keptSlots.contains(slot), old.slots.indices.contains(slot) else { return .none }
        return old.slots[slot]
    }

    // MARK: Notes

    /// What the history keeps of a write; nil where nothing changed, or where its base tells of it.
    ///
    /// - Parameters:
    ///   - write: What was written.
    ///   - before: What was there.
    ///   - after: The row that is there now; nil where there is none, or none was written.
    ///   - run: The run that wrote it.
    /// - Returns: The note.
    package func note(
        of write: RecordWrite, before: RecordSnapshot, row after: RowImage?, run: Int64?
    ) -> RecordNote? {
        let base = write.removesBase ? nil : newBase(of: write, over: before.base) ?? before.base
        var action = RecordedChange.Action.base
        var columns: [RecordedChange.Column] = []
        var whole: RowImage?
        switch (before.row, after) {
        case (nil, let row?):
            action = .insert
            if before.base == nil, let base, base.firstRun == run, !base.isOpen {
                // Its base tells of it, so nothing has to. One that is open may also have become so later.
                if !schema.auditsInserts { return nil }
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
        if action == .base && before.base == base { return nil }
        columns += emptied(before, action, columns)
        return RecordNote(
            key: write.key, action: action, kind: write.kind?.rawValue, before: redacted(before.base),
            after: redacted(base), row: whole.map { redacted($0) }, columns: columns, page: write.page)
    }

    /// What a write made of references that were null for good, which the row does not tell.
    private func emptied(
        _ before: RecordSnapshot, _ action: RecordedChange.Action, _ changed: [RecordedChange.Column]
    ) -> [RecordedChange.Column] {
        switch action {
        case .insert, .base: []
        case .delete: before.emptied
        case .update:
            before.emptied.filter { column in
                // A key of several fields is one value.
                schema.references.contains { reference in
                    let names = reference.fields.map { schema.fields[$0].name }
                    return names.contains(column.name)
                        && changed.contains { $0.isField && names.contains($0.name) }
                }
            }
        }
    }

    /// What the history keeps of a record that a batch inserted, for entities that want it.
    package func note(ofInsert write: RecordWrite) -> RecordNote? {
        guard case .insert(let values) = write.row else { return nil }
        let row = RowImage(zip(schema.fields, values).map { RowImage.Column(name: $0.column, value: $1) })
        return RecordNote(
            key: write.key, action: .insert, kind: RowKind.insert.rawValue, before: nil,
            after: redacted(newBase(of: write, over: nil)), row: nil, columns: changed(from: nil, to: row, by: write),
            page: write.page)
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
    private func redacted(_ row: RowImage) -> RowImage {
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
    private func redacted(_ image: BaseImage?) -> BaseImage? {
        guard hasRedaction, var image else { return image }
        for (slot, field) in layout.fieldOfSlot.enumerated() where field >= 0 && slot < image.slots.count {
            guard case .value(let value) = image.slots[slot] else { continue }
            let stored = schema.stored(value, field: field)
            if stored == value { continue }
            image.slots[slot] = BaseEntry(value: stored, digest: KeyHash.valueHash(stored))
        }
        return image
    }
}
