internal import SluiceMerge
internal import SluiceStore
internal import SluiceSystem

/// Records that the run changed, as its changes tell.
extension RunUndo {
    func undoRecords() throws {
        var last: Int64?
        while true {
            let changes = try store.changes.records(
                run: target.id, order: .newestFirst, beyond: last, limit: Self.chunk)
            guard let oldest = changes.last else { return }
            last = oldest.id
            for change in changes {
                try cancellation.check()
                try undo(change)
            }
        }
    }

    private func undo(_ change: RecordedChange) throws {
        let name = Name(mapping: change.mapping, key: change.key)
        if leftRecords.contains(name) { return }
        guard let table = try table(change.mapping), let key = json.key(change.key, schema: table.schema) else {
            return leave(name)
        }
        if change.baseBefore == nil && change.action != .insert { adopted.insert(name) }
        let base = try table.records.baseImage(key)
        if change.action == .base { return try writeBase(change, key, base: base, name, table) }
        let now = try table.records.wholeRow(key)
        let local: LocalRow = now.map { .present(isEdited: isTouched(change, $0, base, table)) } ?? .absent
        let decision =
            isWaiting(name)
            ? .left(.merge)
            : UndoMerge.row(wasThere: change.action != .insert, wasLeft: change.action != .delete, now: local)
        switch decision {
        case .nothing: try writeBase(change, key, base: base, name, table)
        case .mergeFields: try mergeFields(change, key, row: now, base: base, name, table)
        case .delete:
            try write(
                record(key, row: .delete, newBase(change, now: base)),
                RecordChange(
                    action: .delete, kind: .delete, key: key, fields: fields(of: now, table) { $0.local = $1 }),
                name, table)
        case .restore:
            guard let row = change.row else { return leave(name) }
            try write(
                record(key, row: .restore(row), newBase(change, now: base)),
                RecordChange(
                    action: .insert, kind: .resurrect, key: key,
                    fields: fields(of: row, table) { ($0.remote, $0.result) = ($1, $1) }),
                name, table)
        case .left(let kind):
            let fields = touched(change, now, table)
            leave(name, RecordChange(action: .conflict, kind: kind, key: key, fields: fields), table.schema)
        }
    }

    /// What was touched of a record that is left: base is what the run wrote, local what is there, remote what was before.
    private func touched(_ change: RecordedChange, _ now: RowImage?, _ table: Table) -> [RecordChange.Field] {
        var said: [BaseEntry]?
        if change.action == .insert, change.row == nil, let after = change.baseAfter {
            said = table.entries(of: after)
        }
        return table.schema.fields.enumerated().compactMap { index, field in
            let column = change.columns.first { $0.isField && $0.name == field.name }
            let row = change.row?[field.column]
            var told = RecordChange.Field(
                index: index, fieldClass: .localOverride, base: column?.new, local: now?[field.column],
                remote: column?.old, result: now?[field.column])
            switch change.action {
            case .insert: (told.base, told.remote) = (row ?? said?[index].value, nil)
            case .delete: (told.base, told.remote) = (nil, row)
            case .update where column == nil: return nil
            case .update, .base: break
            }
            let other = told.base ?? told.remote
            if change.action != .update, let local = told.local, let other,
                table.canonical.side(of: local, field: index) == table.canonical.side(of: other, field: index)
            {
                return nil
            }
            return told.local == nil && other == nil ? nil : told
        }
    }

    // MARK: Bases

    private func newBase(_ change: RecordedChange, now: BaseImage?, left: Set<Int> = []) -> RecordWrite.KeptBase? {
        switch UndoMerge.base(
            before: change.baseBefore, after: change.baseAfter, now: now, left: left, run: run)
        {
        case .keep: nil
        case .remove: .remove
        case .restore(let image): .restore(image)
        }
    }

    private func record(_ key: RecordKey, row: RecordWrite.Row, _ base: RecordWrite.KeptBase?) -> RecordWrite {
        var write = RecordWrite(key: key, row: row, base: nil)
        write.keptBase = base
        return write
    }

    private func writeBase(
        _ change: RecordedChange, _ key: RecordKey, base: BaseImage?, _ name: Name, _ table: Table
    ) throws {
        guard let kept = newBase(change, now: base) else { return }
        try write(record(key, row: .none, kept), nil, name, table)
    }

    // MARK: Rows

    /// Whether a row is neither the one that the run left nor, if it left none, the one that was before.
    private func isTouched(_ change: RecordedChange, _ now: RowImage, _ base: BaseImage?, _ table: Table) -> Bool {
        // An insert is taken back whole, so a later run that changed its base has touched it.
        if change.action == .insert, change.baseBefore == nil, let after = change.baseAfter, let base,
            !base.saysTheSame(as: after)
        {
            return true
        }
        if let row = change.row {
            return row.columns.contains { column in
                guard let value = now[column.name] else { return false }
                return side(value, column.name, table) != side(column.value, column.name, table)
            }
        }
        guard let after = change.baseAfter else { return true }
        return isEdited(now, after, table)
    }

    /// Whether a row holds something else than its source said.
    func isEdited(_ row: RowImage, _ base: BaseImage, _ table: Table) -> Bool {
        let local = table.schema.fields.map { row[$0.column] ?? .null }
        return RecordMerge.isEdited(
            base: table.canonical.sides(of: table.entries(of: base)), local: table.canonical.sides(of: local),
            schema: table.schema)
    }

    /// A value as it is compared: in the form of its field's type, or as it is where no field fills the column.
    private func side(_ value: FieldValue, _ column: String, _ table: Table) -> FieldSide {
        let field = table.schema.fields.firstIndex { $0.column.lowercased() == column.lowercased() }
        if let field { return table.canonical.side(of: value, field: field) }
        return value.isNull ? .null : .value(KeyHash.valueHash(value))
    }

    /// The fields of a row as they are told, each with its value put where it belongs.
    func fields(
        of row: RowImage?, _ table: Table, _ place: (inout RecordChange.Field, FieldValue) -> Void
    ) -> [RecordChange.Field] {
        guard let row else { return [] }
        return table.schema.fields.enumerated().compactMap { index, field in
            guard let value = row[field.column] else { return nil }
            var told = RecordChange.Field(
                index: index, fieldClass: .unchanged, base: nil, local: nil, remote: nil, result: nil)
            place(&told, value)
            return told
        }
    }

    private func mergeFields(
        _ change: RecordedChange, _ key: RecordKey, row: RowImage?, base: BaseImage?, _ name: Name, _ table: Table
    ) throws {
        var written: [RowImage.Column] = []
        var told: [RecordChange.Field] = []
        var left: Set<String> = []
        var leftSlots: Set<Int> = []
        for column in change.columns {
            let index = column.isField ? table.schema.fields.firstIndex { $0.name == column.name } : nil
            let place = index.map { table.schema.fields[$0].column } ?? column.name
            guard index != nil || !column.isField, let now = row?[place] else {
                left.insert(column.name)
                note("\(name.mapping.entity) \(name.key): `\(column.name)` has no column any more.")
                continue
            }
            let decision = UndoMerge.field(
                wrote: side(column.new, place, table), now: side(now, place, table),
                before: side(column.old, place, table))
            if decision.takesRemote { written.append(RowImage.Column(name: place, value: column.old)) }
            if decision.settlement == .open {
                left.insert(column.name)
                if let slot = index.flatMap(table.slot) { leftSlots.insert(slot) }
            }
            guard let index, decision.fieldClass != .converged else { continue }
            told.append(
                RecordChange.Field(
                    index: index, fieldClass: decision.fieldClass, base: column.new, local: now, remote: column.old,
                    result: decision.takesRemote ? column.old : now))
        }
        let kept = newBase(change, now: base, left: leftSlots)
        let isTold = !told.isEmpty || !written.isEmpty || !left.isEmpty
        if written.isEmpty && kept == nil && !isTold { return }
        let news = RecordChange(
            action: left.isEmpty ? .update : .conflict, kind: left.isEmpty ? .update : .merge, key: key, fields: told)
        try write(
            record(key, row: written.isEmpty ? .none : .set(written), kept), isTold ? news : nil, left: left, name,
            table)
    }
}
