internal import SluiceMerge
internal import SluiceModel
internal import SluiceReconcile
internal import SluiceStore

/// What was touched since the run.
extension RunUndo {
    /// Whether a row is neither the one that the run left nor, if it left none, the one that was before.
    func isTouched(_ change: RecordedChange, _ now: RowImage, _ base: BaseImage?, _ table: Table) -> Bool {
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
        RecordMerge.isEdited(
            base: table.canonical.sides(of: table.entries(of: base)),
            local: table.canonical.sides(of: row.values(of: table.schema)), schema: table.schema)
    }

    /// A value as it is compared: in the form of its field's type, or as it is where no field fills the column.
    func side(_ value: FieldValue, _ column: String, _ table: Table) -> FieldSide {
        let field = table.schema.field(ofColumn: column)
        if let field { return table.canonical.side(of: table.schema.stored(value, field: field), field: field) }
        return value.isNull ? .null : .value(KeyHash.valueHash(value))
    }

    /// A row as it may come back: what was kept before a field was redacted does not.
    func stored(_ row: RowImage, _ table: Table) -> RowImage {
        var row = row
        for (index, column) in row.columns.enumerated() {
            let field = table.schema.field(ofColumn: column.name)
            if let field { row.columns[index].value = table.schema.stored(column.value, field: field) }
        }
        return row
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

    /// What was touched of a record that is left: base is what the run wrote, local what is there, remote what was before.
    func touched(_ change: RecordedChange, _ now: RowImage?, _ table: Table) -> [RecordChange.Field] {
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

    /// The fields of a row that hold something else than the source said.
    func edited(_ row: RowImage, _ said: [BaseEntry], _ table: Table) -> [RecordChange.Field] {
        let sides = table.canonical.sides(of: said)
        return table.schema.fields.enumerated().compactMap { index, field in
            let local = row[field.column] ?? .null
            let base = sides[index] == .nothing ? field.unsaid : sides[index]
            if table.canonical.side(of: local, field: index) == base { return nil }
            return RecordChange.Field(
                index: index, fieldClass: .localOverride, base: said[index].value, local: local, remote: nil,
                result: local)
        }
    }
}
