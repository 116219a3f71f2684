package import SluiceModel
internal import SluicePlans
package import SluiceReconcile
package import SluiceStore

/// What belongs to a record whose deletion somebody decides, as the store alone knows it.
extension ChildRows {
    /// The rows that belong to the records of a mapping.
    ///
    /// - Parameters:
    ///   - mapping: What the records are.
    ///   - store: Knows what belongs to them.
    /// - Returns: One for each table of children.
    /// - Throws: `StoreError`.
    package static func all(of mapping: RecordMapping, in store: any RecordStore) throws -> [ChildRows] {
        try store.children(of: mapping).compactMap { child in
            let table = try store.knownTable(pipeline: child.pipeline, stream: child.stream, entity: child.entity)
            return try table.map { table in
                ChildRows(
                    table, otherSources: try OtherSourceLedger(of: table.schema, in: store),
                    below: try all(of: child, in: store))
            }
        }
    }

    /// The rows that people added below each of some records, as they call them.
    package func additions(under owners: [RecordKey]) throws -> [[String]] {
        try all(under: owners) { key, schema, condition, _ in
            condition == .added ? "\(FieldJSON.object(key: key, schema: schema)) of `\(schema.table)`" : nil
        }
    }

    /// Deletes what belongs to some records, as the records themselves are deleted; what was to be decided about it is no more.
    ///
    /// - Parameters:
    ///   - owners: The records.
    ///   - deletion: How they are deleted.
    ///   - run: The number of the run.
    ///   - counts: Grows by what is deleted, entity by entity.
    ///   - store: Has the conflicts.
    /// - Returns: Why one of them cannot go, as sentences; nil where all are gone. Others may be gone before it, so the caller
    ///   takes back what was written.
    /// - Throws: `StoreError`.
    package func delete(
        under owners: [RecordKey], as deletion: RecordWrite.Row, run: Int64, counts: inout [String: RunCounts],
        in store: any RecordStore
    ) throws -> String? {
        if owners.isEmpty { return nil }
        var writer = writer(in: store, run: run)
        // Of a list that is one value the record's key names the conflict.
        let lists = owners.map { FieldJSON.object(key: $0, schema: table.schema) }
        let asked = try store.conflicts.open(of: table.schema.source, keys: lists)
        let over = lists.flatMap { asked[ExactText($0)] ?? [] }
        _ = try writer.conflicts.apply(over.map { .close($0, as: .obsolete, since: .ownerDeleted) })
        var keys = try table.liveKeys(under: owners).flatMap { $0 }
        // What others gave goes as well.
        if !otherSources.isEmpty { keys = Set(keys).union(try table.rowKeys(under: owners).flatMap { $0 }).sorted() }
        for rows in below {
            let reason = try rows.delete(under: keys, as: deletion, run: run, counts: &counts, in: store)
            if let reason { return reason }
        }
        // Where a row takes others with it, what they hold is read after that.
        for some in table.changesOtherRows ? keys.map({ [$0] }) : [keys] where !some.isEmpty {
            let plans = try self.plans(deleting: some, as: deletion, run: run, in: store)
            for index in try writer.write(plans) { writer.postpone(plans[index]) }
            for (plan, ending) in try writer.finish().plans {
                guard let reason = ending.reason(table.schema) else { continue }
                let name = FieldJSON.object(key: plan.key, schema: table.schema)
                return "\(table.schema.entity) \(name), which belongs to it, cannot be deleted. \(reason)"
            }
            _ = try writer.settle(plans)
            for plan in plans where plan.write?.row.deletes == true {
                counts[table.schema.entity, default: RunCounts()].deleted += 1
            }
        }
        return nil
    }

    /// Plans to delete records that belong to one which is deleted. Nothing about them is asked any more.
    private func plans(
        deleting keys: [RecordKey], as deletion: RecordWrite.Row, run: Int64, in store: any RecordStore
    ) throws -> [RecordPlan] {
        let (bases, rows) = try (table.baseRows(keys), table.localRows(keys))
        let others = try otherSources.records(keys)
        let names = keys.map { FieldJSON.object(key: $0, schema: table.schema) }
        let open = try store.conflicts.open(of: table.schema.source, keys: names)
        return keys.indices.map { index in
            var base = bases[index]
            base?.state = .remoteTombstone
            base?.isOpen = false
            base?.lastRun = run
            var plan = RecordPlan(
                writing: RecordWrite(key: keys[index], row: rows[index] == nil ? .none : deletion, base: base))
            plan.conflicts = (open[ExactText(names[index])] ?? []).map {
                .close($0, as: .obsolete, since: .ownerDeleted)
            }
            plan.withdrawn = (others[index], .remoteTombstone)
            return plan
        }
    }
}

extension RecordWrite.Row {
    /// Whether the row is there no longer.
    package var deletes: Bool {
        switch self {
        case .delete, .markDeleted: true
        case .none, .insert, .update, .set, .restore: false
        }
    }
}
