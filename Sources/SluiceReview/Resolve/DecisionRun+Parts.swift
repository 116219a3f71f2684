internal import SluiceDecode
internal import SluiceJSON
internal import SluiceModel
internal import SluicePlans
internal import SluiceReconcile
internal import SluiceStore

/// Records that are parts of others, as a program's models say it: what went with a record comes back with it.
extension DecisionRun {
    /// Brings back the parts of records that came back, as their source gave them last.
    ///
    /// - Parameters:
    ///   - owners: The records.
    ///   - table: Their table.
    /// - Throws: `StoreError`.
    func reviveParts(of owners: [RecordKey], _ table: ReviewTable) throws {
        if parts.isEmpty || owners.isEmpty { return }
        for reference in table.schema.references {
            guard parts.contains(columns(of: reference, table.schema)) else { continue }
            let source = table.schema.source
            let mapping = try store.sources(of: reference.target).first {
                $0.pipeline == source.pipeline && $0.stream == source.stream
            }
            guard let mapping, let target = try self.table(mapping) else { continue }
            var known: Set<RecordKey> = []
            let listed = try table.records.baseRows(owners)
                .flatMap { $0.map { keys(of: reference, in: $0, target.schema) } ?? [] }
                .filter { known.insert($0).inserted }
            try reviveParts(of: revive(listed, target), target)
        }
    }

    /// What leads to the records of a reference.
    private func columns(of reference: RecordReference, _ schema: RecordSchema) -> PartColumns {
        if let link = reference.link { return PartColumns(link.table, link.targetColumns) }
        return PartColumns(schema.table, reference.fields.map { schema.fields[$0].column })
    }

    /// The keys of the records that a reference leads to by what a base keeps.
    private func keys(of reference: RecordReference, in base: BaseRow, _ target: RecordSchema) -> [RecordKey] {
        let values = reference.fields.map { base.entries[$0].value }
        if reference.link != nil { return keys(in: values.first ?? nil, target) }
        let key = values.compactMap { $0 }.filter { !$0.isNull }
        return key.count == target.keyFields.count ? [RecordKey(key)] : []
    }

    /// The keys in a list as a base keeps it.
    private func keys(in list: FieldValue?, _ schema: RecordSchema) -> [RecordKey] {
        guard case .text(let bytes)? = list, let root = try? JSONDocument(String(decoding: bytes, as: UTF8.self)).root
        else {
            return []
        }
        return root.elements.compactMap { element -> RecordKey? in
            let isGroup = schema.keyFields.count > 1
            let members = isGroup ? element.elements : [element]
            guard members.count == schema.keyFields.count else { return nil }
            let values = zip(members, schema.keyFields).compactMap { member, field in
                json.value(
                    String(decoding: member.json, as: UTF8.self), type: schema.fields[field].type, isKey: true)
            }
            return values.count == members.count ? RecordKey(values) : nil
        }
    }

    /// Brings back those of some records that have no row although their source has them.
    ///
    /// - Returns: The keys of those that came back.
    private func revive(_ keys: [RecordKey], _ table: ReviewTable) throws -> [RecordKey] {
        if keys.isEmpty { return [] }
        let (bases, rows) = try (table.records.baseRows(keys), table.records.localRows(keys))
        let names = keys.map { FieldJSON.object(key: $0, schema: table.schema) }
        let open = try store.conflicts.open(of: table.schema.source, keys: names)
        let others = try table.otherSources.records(keys)
        let planner = RecordPlanner(
            schema: table.schema, sources: table.otherSources.others, run: entry.id, time: time)
        let plans = keys.indices.compactMap { index -> RecordPlan? in
            guard rows[index] == nil, let base = bases[index], [.live, .localTombstone].contains(base.state) else {
                return nil
            }
            var facts = RecordFacts(key: keys[index], base: base)
            facts.conflicts = open[ExactText(names[index])] ?? []
            facts.awaited = table.canonical.awaited(facts.conflicts)
            facts.others = others[index]
            return planner.revival(facts, ordinal: nil, isWanted: false)
        }
        if plans.isEmpty { return [] }
        for index in try table.writer.write(plans) { table.writer.postpone(plans[index]) }
        // What the table does not take stays away: the record itself came back.
        let refused = try table.writer.finish().plans.filter { $0.ending.reason(table.schema) != nil }.map(\.plan.key)
        let back = plans.filter { !refused.contains($0.key) }
        _ = try table.writer.settle(back)
        for plan in back { plan.write?.row.count(in: &entry.within[table.schema.entity, default: RunCounts()]) }
        return back.map(\.key)
    }
}
