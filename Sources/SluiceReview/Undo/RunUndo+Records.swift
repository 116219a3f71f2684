internal import SluiceDecode
internal import SluiceMerge
internal import SluiceModel
internal import SluiceReconcile
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
                try noteAdopted(change)
                tell(more: 1, of: change.mapping)
            }
        }
    }

    /// A base that the run wrote first although it did not write the row, and that is still there, is no insert.
    private func noteAdopted(_ change: RecordedChange) throws {
        guard change.isAdoption, let table = try table(change.mapping),
            let key = json.key(change.key, schema: table.schema), try table.records.baseImage(key) != nil
        else { return }
        adopted.insert(Name(mapping: change.mapping, key: change.key))
    }

    private func undo(_ change: RecordedChange) throws {
        if change.isLink { return try takeBackLink(change) }
        if change.isUnlink { return try linkAgain(change) }
        let name = Name(mapping: change.mapping, key: change.key)
        if leftRecords.contains(name) { return }
        guard let table = try table(change.mapping), let key = json.key(change.key, schema: table.schema) else {
            return leave(name)
        }
        let base = try table.records.baseImage(key)
        if change.action == .base { return try writeBase(change, key, base: base, name, table) }
        let now = try table.records.wholeRow(key)
        if let now, change.action == .delete, try takeBackReplacement(of: change, key, now, base, name, table) {
            return
        }
        let local: LocalRow = now.map { .present(isEdited: isTouched(change, $0, base, table)) } ?? .absent
        let decision =
            isWaiting(name)
            ? .left(.merge)
            : UndoMerge.row(wasThere: change.action != .insert, wasLeft: change.action != .delete, now: local)
        switch decision {
        case .nothing: try writeBase(change, key, base: base, name, table)
        case .mergeFields: try mergeFields(change, key, row: now, base: base, name, table)
        case .delete where try isHeldSince(key, table): leaveHeld(key, name, table)
        case .delete:
            try remove(key, newBase(change, now: base), name, table)
        // Before the run there was no such row either.
        case .restore where try wasMadeByRun(key, name, base, table):
            try writeBase(change, key, base: base, name, table)
        case .restore:
            guard let row = change.row else { return leave(name) }
            let emptied = try emptied(change)
            try write(
                record(key, row: .restore(stored(row, table)), newBase(change, now: base)),
                RecordChange(
                    action: .insert, kind: .insert, key: key,
                    fields: fields(of: held(row, emptied, table), table) {
                        ($0.remote, $0.result) = ($1, $1)
                    }),
                emptying: emptied, name, table)
        case .left(let kind):
            let fields = touched(change, now, table)
            leave(name, RecordChange(action: .conflict, kind: kind, key: key, fields: fields), table)
        }
    }

    /// Whether the run itself had made a row that it deleted later.
    private func wasMadeByRun(_ key: RecordKey, _ name: Name, _ base: BaseImage?, _ table: Table) throws -> Bool {
        var written = try table.siblings.firstWritten(key, by: target.id)
        if base?.firstRun == target.id { written.append((name.mapping, key)) }
        return try written.contains { source, key in
            guard let schema = try self.table(source)?.schema else { return false }
            let changes = try store.changes.records(source, key: FieldJSON.object(key: key, schema: schema))
            // A source that came to a row that was there already tells so.
            return !changes.contains { $0.run == target.id && $0.isAdoption }
        }
    }

    // MARK: Bases

    func newBase(_ change: RecordedChange, now: BaseImage?, left: Set<Int> = []) -> RecordWrite.KeptBase? {
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

    /// The fields of references of which some part was touched since.
    private func tornFields(_ change: RecordedChange, _ row: RowImage?, _ table: Table) -> Set<Int> {
        var torn: Set<Int> = []
        for reference in table.schema.references where reference.fields.count > 1 {
            let isTouched = reference.fields.contains { index in
                let field = table.schema.fields[index]
                guard let now = row?[field.column] else { return true }
                guard let column = change.columns.first(where: { $0.isField && $0.name == field.name }) else {
                    return false
                }
                return UndoMerge.field(
                    wrote: side(column.new, field.column, table), now: side(now, field.column, table),
                    before: side(column.old, field.column, table)
                ).settlement == .open
            }
            if isTouched { torn.formUnion(reference.fields) }
        }
        return torn
    }

    private func mergeFields(
        _ change: RecordedChange, _ key: RecordKey, row: RowImage?, base: BaseImage?, _ name: Name, _ table: Table
    ) throws {
        var written: [RowImage.Column] = []
        var told: [RecordChange.Field] = []
        var left: Set<String> = []
        var leftSlots: Set<Int> = []
        let emptied = try emptied(change)
        var back: Set<String> = []
        let torn = tornFields(change, row, table)
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
            let old = index.map { table.schema.stored(column.old, field: $0) } ?? column.old
            // A key of several fields is set back as a whole or not at all.
            if let index, torn.contains(index), decision.takesRemote {
                left.insert(column.name)
                if let slot = table.slot(of: index) { leftSlots.insert(slot) }
                continue
            }
            if decision.takesRemote { written.append(RowImage.Column(name: place, value: old)) }
            if decision.settlement == .open {
                left.insert(column.name)
                if let slot = index.flatMap(table.slot) { leftSlots.insert(slot) }
            }
            guard let index, decision.fieldClass != .converged else { continue }
            if decision.takesRemote { back.insert(column.name) }
            // What was null for good is null again.
            let before = held(old, index, emptied, table)
            told.append(
                RecordChange.Field(
                    index: index, fieldClass: decision.fieldClass, base: column.new, local: now, remote: before,
                    result: decision.takesRemote ? before : now))
        }
        let kept = newBase(change, now: base, left: leftSlots)
        let isTold = !told.isEmpty || !written.isEmpty || !left.isEmpty
        if written.isEmpty && kept == nil && !isTold { return }
        var news = RecordChange(
            action: left.isEmpty ? .update : .conflict, kind: left.isEmpty ? .update : .merge, key: key, fields: told)
        if left.isEmpty, let mark = written.first(where: { table.records.marksDeletion($0.name) }) {
            // A mark is what stands for the deletion of a row: without it the row is back, with it the row is gone.
            var back = row
            for column in written {
                guard let place = back?.columns.firstIndex(where: { $0.name == column.name }) else { continue }
                back?.columns[place].value = column.value
            }
            news =
                mark.value.isNull
                ? RecordChange(
                    action: .insert, kind: .insert, key: key,
                    fields: fields(of: back, table) { ($0.remote, $0.result) = ($1, $1) })
                : RecordChange(
                    action: .delete, kind: .delete, key: key, fields: fields(of: row, table) { $0.local = $1 },
                    deletion: .soft)
        }
        try write(
            record(key, row: written.isEmpty ? .none : .set(written), kept), isTold ? news : nil, left: left,
            emptying: self.emptied(emptied, writing: back, table), name, table)
    }
}
