internal import SluiceMerge
internal import SluiceModel
internal import SluicePlans
internal import SluiceReconcile
internal import SluiceStore

/// Records of which other sources of the table speak as well.
extension RunUndo {
    /// Whether another source came to have each of some records after the run, so that its row is not that run's alone.
    func areHeldSince(_ keys: [RecordKey], _ table: ReviewTable) throws -> [Bool] {
        if table.otherSources.isEmpty { return keys.map { _ in false } }
        return try table.otherSources.records(keys).map { others in
            others.contains { $0.isLive && $0.base.lastRun ?? 0 > target.id }
        }
    }

    /// Whether people put something into the row of each of some records where others alone fill the columns.
    func areEditedElsewhere(_ keys: [RecordKey], _ table: ReviewTable) throws -> [Bool] {
        if table.otherSources.isEmpty || keys.isEmpty { return keys.map { _ in false } }
        return try table.otherSources.editsElsewhere(Array(zip(keys, table.otherSources.records(keys)))).map {
            !$0.isEmpty
        }
    }

    /// Takes back what another source made in the run in the place of a row that the run deleted: one row all along, which
    /// is as before again.
    ///
    /// - Parameters:
    ///   - facts: What is known of the deletion's record.
    ///   - now: Its row.
    ///   - planner: Decides about the records of the table.
    ///   - table: Its table.
    /// - Returns: What becomes of the record; nil where it is no such one, or somebody touched the row since.
    /// - Throws: `StoreError`.
    func revertReplacement(
        _ facts: UndoFacts, _ now: RowImage, _ planner: UndoPlanner, _ table: ReviewTable
    ) throws -> UndoPlan? {
        let key = facts.key
        guard let row = facts.change.row.map(planner.stored), !facts.isWaiting, !facts.isHeldSince else { return nil }
        let made = try table.otherSources.firstWritten(key, by: target.id)
        if made.isEmpty { return nil }
        for (source, own) in made {
            guard let other = try self.table(source), let said = try other.records.baseImage(own),
                said.lastRun == target.id, said.state == .live, !said.isOpen,
                !self.planner(of: other).isEdited(now, said)
            else { return nil }
        }
        for (source, own) in made {
            let removal = RecordPlan(writing: RecordWrite(undoing: own, row: .none, .remove))
            _ = try self.table(source)?.writer.write([removal])
        }
        let schema = table.schema
        let written = row.columns.filter { column in now[column.name].map { $0 != column.value } ?? false }
        let told = planner.fields(of: row) { ($0.remote, $0.result) = ($1, $1) }.compactMap { field in
            var field = field
            field.local = now[schema.fields[field.index].column]
            (field.base, field.fieldClass) = (field.local, .remoteUpdate)
            return field.local == field.remote ? nil : field
        }
        let base = planner.newBase(facts.change, now: facts.base)
        var plan = UndoPlan(
            planner.write(key, written.isEmpty ? .none : .set(written), base),
            change: told.isEmpty ? nil : RecordChange(action: .update, kind: .update, key: key, fields: told))
        let back = written.compactMap { column in schema.field(ofColumn: column.name).map { schema.fields[$0].name } }
        plan.record.emptied = planner.emptied(facts.emptied, writing: Set(back))
        return plan
    }
}
