package import SluiceDecode
package import SluiceModel
package import SluicePipeline
internal import SluicePlans
internal import SluiceStore

/// Which records may count as gone although not every partition was read: those whose fields say that they belong to
/// one that was, or to one that is not there any more. Where a partition could not be read, that holds only as long as
/// no record can have moved into it: as another record, with another key, it would not be missed here.
extension Coverage.Scope {
    /// Nil where no field tells the partitions apart, or where a record may have moved into one that could not be read.
    ///
    /// - Parameters:
    ///   - result: What became of the partitions.
    ///   - entity: What its records are.
    ///   - schema: The schema of its table.
    package init?(_ result: PartitionResult, entity: EntityDefinition, schema: RecordSchema) {
        let marks = PartitionMarks(result.plan.shape, entity: entity, schema: schema)
        if marks.isEmpty { return nil }
        if !marks.areOfKey && result.hiddenCount > 0 || !marks.keyTellsAll && result.plan.mayLackParents { return nil }
        let missing = result.unread
        let left = Set(missing)
        self.init(
            fields: marks.fields,
            read: Set(result.plan.asked.filter { !left.contains($0) }.compactMap(marks.sides)),
            unread: Set(missing.compactMap(marks.sides)),
            takesStrays: result.plan.isExhaustive && (result.plan.keyIsStable || missing.isEmpty))
    }

    /// What a field of a record said last.
    static func side(
        _ field: Int, _ key: RecordKey, _ said: [FieldSide], _ canonical: CanonicalRecord
    ) -> FieldSide {
        canonical.schema.keyFields.firstIndex(of: field)
            .map { canonical.side(of: key.values[$0], field: field) } ?? said[field]
    }

    /// The names of the fields that tell partitions apart.
    ///
    /// - Parameters:
    ///   - shape: What tells partitions apart.
    ///   - entity: What their records are.
    ///   - schema: The schema of its table.
    /// - Returns: Nil where there is none.
    package static func fields(
        _ shape: PartitionShape, entity: EntityDefinition, schema: RecordSchema
    ) -> [String]? {
        let marks = PartitionMarks(shape, entity: entity, schema: schema)
        return marks.isEmpty ? nil : marks.fields.map { schema.fields[$0].name }
    }
}

extension BaseEntry {
    /// What the source said; nil where that is not kept.
    var said: FieldValue? {
        switch self {
        case .value(let value): value
        case .null: .null
        case .none, .digest: nil
        }
    }
}

extension Coverage {
    /// Whether the scan would have seen a record that is still there.
    ///
    /// - Parameters:
    ///   - key: Its key.
    ///   - base: What the source said of it; nil where it never had it.
    ///   - canonical: The schema of its table.
    ///   - local: Its row, which tells values of which the base keeps digests alone; nil where that is not known.
    /// - Returns: False also where its partition is not known, as where no field of its key tells it and the source never had it.
    func covers(
        _ key: RecordKey, _ base: BaseRow?, _ canonical: CanonicalRecord, local: [FieldValue]? = nil
    ) -> Bool {
        if let span, let base, !span.covers(said(span.field, base, canonical, local: local)) { return false }
        guard case .scoped = extent else { return covers { _ in .nothing } }
        let said = base.map { canonical.sides(of: $0.entries) } ?? canonical.schema.fields.map { _ in .nothing }
        return covers { Scope.side($0, key, said, canonical) }
    }

    /// What the source said of a field; nil where nothing tells it.
    private func said(
        _ field: Int, _ base: BaseRow, _ canonical: CanonicalRecord, local: [FieldValue]?
    ) -> FieldValue? {
        let entry = base.entries[field]
        guard case .digest = entry, let value = local?[field],
            canonical.side(of: value, field: field) == canonical.sides(of: base.entries)[field]
        else { return entry.said }
        return value
    }
}
