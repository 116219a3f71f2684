internal import SluiceMerge
internal import SluiceModel
internal import SluiceReconcile
internal import SluiceStore

/// Records of which other sources of the table speak as well.
extension RunUndo {
    /// Whether another source came to have a record after the run, so that its row is not that run's alone.
    func isHeldSince(_ key: RecordKey, _ table: Table) throws -> Bool { try areHeldSince([key], table)[0] }

    /// Whether another source came to have each of some records.
    func areHeldSince(_ keys: [RecordKey], _ table: Table) throws -> [Bool] {
        if table.siblings.isEmpty { return keys.map { _ in false } }
        return try table.siblings.records(keys).map { others in
            others.contains { $0.isLive && $0.base.lastRun ?? 0 > target.id }
        }
    }

    /// Takes back what another source made in the run in the place of a row that the run deleted: one row all along, which
    /// is as before again.
    ///
    /// - Parameters:
    ///   - change: The deletion.
    ///   - key: The record's key.
    ///   - now: Its row.
    ///   - base: What its source said.
    ///   - name: What it is called.
    ///   - table: Its table.
    /// - Returns: Whether that was so, and nobody touched the row since.
    /// - Throws: `StoreError`.
    func takeBackReplacement(
        of change: RecordedChange, _ key: RecordKey, _ now: RowImage, _ base: BaseImage?, _ name: Name, _ table: Table
    ) throws -> Bool {
        guard let row = change.row.map({ stored($0, table) }), !isWaiting(name), try !isHeldSince(key, table) else {
            return false
        }
        let made = try table.siblings.firstWritten(key, by: target.id)
        if made.isEmpty { return false }
        for (source, own) in made {
            guard let other = try self.table(source), let said = try other.records.baseImage(own),
                said.lastRun == target.id, said.state == .live, !said.isOpen, !isEdited(now, said, other)
            else { return false }
        }
        for (source, own) in made {
            var forgotten = RecordWrite(key: own, row: .none, base: nil)
            forgotten.keptBase = .remove
            _ = try self.table(source)?.records.write(forgotten)
        }
        let written = row.columns.filter { column in now[column.name].map { $0 != column.value } ?? false }
        let back = written.compactMap { table.schema.field(ofColumn: $0.name).map { table.schema.fields[$0].name } }
        let told = fields(of: row, table) { ($0.remote, $0.result) = ($1, $1) }.compactMap { field in
            var field = field
            field.local = now[table.schema.fields[field.index].column]
            (field.base, field.fieldClass) = (field.local, .remoteUpdate)
            return field.local == field.remote ? nil : field
        }
        var write = RecordWrite(key: key, row: written.isEmpty ? .none : .set(written), base: nil)
        write.keptBase = newBase(change, now: base)
        try self.write(
            write, told.isEmpty ? nil : RecordChange(action: .update, kind: .update, key: key, fields: told),
            emptying: emptied(emptied(change), writing: Set(back), table), name, table)
        return true
    }

    /// Leaves the row of such a record.
    func leaveHeld(_ key: RecordKey, _ name: Name, _ table: Table) {
        leave(name, RecordChange(action: .conflict, kind: .heldElsewhere, key: key, fields: []), table)
    }
}
