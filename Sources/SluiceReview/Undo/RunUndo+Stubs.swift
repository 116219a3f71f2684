internal import SluiceMerge
internal import SluiceModel
internal import SluicePlans
internal import SluiceReconcile
internal import SluiceStore

/// Rows that the run made for records that others refer to.
///
/// One that stands in the place of a row that the run deleted is the same row, which the run emptied: each field that nobody
/// filled since is set back, and what was filled stays. Row and base go together: of a field that is left the base goes on to say
/// that no source gave it.
extension RunUndo {
    /// What becomes of a row that stands for a record.
    struct Stub {
        /// The row as the run made it.
        let made: RowImage
        /// The columns that are left as they are; nil where the whole row is.
        let left: Set<String>?
        /// The record whose row the run deleted before; nil where it deleted none.
        let deleted: Name?
        /// The base of that once it had forgotten what its source said; nil where it forgot nothing.
        var forgotten: BaseImage?
    }

    /// What becomes of a change of a record for which the run made a row.
    ///
    /// - Parameters:
    ///   - facts: What is known of the record. Of one that is left in part it says so afterwards.
    ///   - planner: Decides about the records of the table.
    ///   - table: Its table.
    /// - Returns: The plan; nil where the change is taken back like any other.
    /// - Throws: `StoreError`.
    func plan(stub facts: inout UndoFacts, _ planner: UndoPlanner, _ table: ReviewTable) throws -> UndoPlan? {
        let change = facts.change
        let nothing = UndoPlan(RecordWrite(undoing: facts.key, row: .none, nil))
        if change.makesStub {
            guard let now = facts.row, let made = change.row else { return nil }
            let deletion = try deletion(before: facts, table)
            let left = deletion.map { planner.filled(now, since: made, before: $0.row) }
            if left == nil && !planner.isTouched(change, now, facts.base) { return nil }
            for name in try names(of: facts.key, change.mapping, table) {
                stubs[name] = Stub(made: made, left: left, deleted: deletion?.name)
            }
            // What becomes of the row is decided where its deletion is taken back.
            return deletion == nil ? nil : nothing
        }
        let name = Name(mapping: change.mapping, key: change.key)
        guard let stub = stubs[name] else { return nil }
        facts.leftSlots = planner.slots(of: stub.left)
        guard stub.deleted == name, facts.row != nil || change.action == .base else { return nil }
        if change.action == .base, stub.forgotten == nil, change.baseBefore?.state == change.baseAfter?.state {
            stubs[name]?.forgotten = change.baseAfter
            return nothing
        }
        guard change.action == .delete else { return nil }
        facts.change = planner.emptying(change, to: stub.made, stub.forgotten)
        return planner.plan(facts)
    }

    /// The row that the run deleted before it made one with its key alone, and whose it was; nil where it deleted none.
    private func deletion(before facts: UndoFacts, _ table: ReviewTable) throws -> (name: Name, row: RowImage)? {
        for name in try names(of: facts.key, facts.change.mapping, table) {
            let changes = try store.changes.records(name.mapping, key: name.key)
            let deletion = changes.last {
                $0.run == target.id && $0.id < facts.change.id && $0.action == .delete && !$0.isOfLinks
            }
            if let row = deletion?.row { return (name, row) }
        }
        return nil
    }

    /// What the sources of a table call a record.
    func names(of key: RecordKey, _ mapping: RecordMapping, _ table: ReviewTable) throws -> [Name] {
        let others = try table.otherSources.names(of: key).compactMap { source, key in
            try self.table(source).map { Name(mapping: source, key: FieldJSON.object(key: key, schema: $0.schema)) }
        }
        return [Name(mapping: mapping, key: FieldJSON.object(key: key, schema: table.schema))] + others
    }
}

extension UndoPlanner {
    /// The columns of a row that were filled with something else than before since a run emptied it.
    ///
    /// - Parameters:
    ///   - now: The row.
    ///   - made: The row as the run left it, with what is not null.
    ///   - before: The row that the run deleted.
    /// - Returns: The columns, in lower case.
    func filled(_ now: RowImage, since made: RowImage, before: RowImage) -> Set<String> {
        let filled = now.columns.filter { column in
            func side(_ value: FieldValue) -> FieldSide { self.side(value, column.name) }
            let (left, old) = (side(made[column.name] ?? unsaid(column.name)), side(before[column.name] ?? .null))
            return left != old && ![left, old].contains(side(column.value))
        }
        var columns = Set(filled.map { $0.name.lowercased() })
        // A key of several fields is set back as a whole or not at all.
        for reference in schema.references {
            let parts = Set(reference.fields.map { schema.fields[$0].column.lowercased() })
            if !columns.isDisjoint(with: parts) { columns.formUnion(parts) }
        }
        return columns
    }

    /// The slots of some columns, nil for all of them.
    func slots(of columns: Set<String>?) -> Set<Int> {
        Set(
            fieldOfSlot.indices.filter { slot in
                let field = fieldOfSlot[slot]
                return columns.map { field >= 0 && $0.contains(schema.fields[field].column.lowercased()) } ?? true
            })
    }

    /// The deletion of a row in whose place the run made one with its key alone: the row was emptied.
    ///
    /// - Parameters:
    ///   - deletion: The deletion.
    ///   - made: The row as the run left it, with what is not null.
    ///   - base: The base as the run left it; nil where that is as the deletion left it.
    /// - Returns: The change that both are together.
    func emptying(_ deletion: RecordedChange, to made: RowImage, _ base: BaseImage?) -> RecordedChange {
        var change = RecordedChange(
            id: deletion.id, run: deletion.run, mapping: deletion.mapping, key: deletion.key, action: .update,
            kind: deletion.kind)
        (change.baseBefore, change.baseAfter, change.emptied) = (
            deletion.baseBefore, base ?? deletion.baseAfter, deletion.emptied
        )
        change.columns = (deletion.row?.columns ?? []).compactMap { column in
            let field = schema.field(ofColumn: column.name)
            let new = made[column.name] ?? unsaid(column.name)
            if side(column.value, column.name) == side(new, column.name) { return nil }
            return RecordedChange.Column(
                name: field.map { schema.fields[$0].name } ?? column.name, isField: field != nil, fieldClass: nil,
                old: column.value, new: new)
        }
        return change
    }

    /// What a row with a key alone has in a column.
    private func unsaid(_ column: String) -> FieldValue {
        schema.field(ofColumn: column).map { schema.fields[$0].isLink } == true ? FieldValue("[]") : .null
    }
}
