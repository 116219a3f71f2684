package import SluiceDecode
package import SluiceModel
package import SluicePipeline
package import SluicePlans
package import SluiceStore

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
        if marks.isEmpty || result.plan.mayMislead || result.hiddenCount > 0 && !marks.areOfKey { return nil }
        let missing = result.unread
        let left = Set(missing)
        self.init(
            fields: marks.fields,
            read: Set(result.plan.asked.filter { !left.contains($0) }.compactMap(marks.sides)),
            unread: Set(missing.compactMap(marks.sides)),
            takesStrays: result.plan.isExhaustive && (result.plan.keyIsStable || missing.isEmpty))
    }

    /// The records of partitions that were not read to their ends: nothing is known of these as they are now.
    ///
    /// - Parameters:
    ///   - result: What became of the partitions.
    ///   - entity: What its records are.
    ///   - schema: The schema of its table.
    /// - Returns: Nil where no field tells the partitions apart.
    package static func hidden(
        _ result: PartitionResult, entity: EntityDefinition, schema: RecordSchema
    ) -> Coverage.Scope? {
        let marks = PartitionMarks(result.plan.shape, entity: entity, schema: schema)
        if marks.isEmpty { return nil }
        return Coverage.Scope(
            fields: marks.fields, read: [], unread: Set(result.hidden.compactMap(marks.sides)), takesStrays: false)
    }

    /// Whether a record is of a partition that was not read to its end.
    package func leavesOut(_ key: RecordKey, _ base: BaseRow, _ canonical: CanonicalRecord) -> Bool {
        let said = canonical.sides(of: base.entries)
        return leavesOut { Self.side($0, key, said, canonical) }
    }

    /// What a field of a record said last.
    fileprivate static func side(
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

extension Coverage {
    /// Whether the scan would have seen a record that is still there.
    ///
    /// - Parameters:
    ///   - key: Its key.
    ///   - base: What the source said of it.
    ///   - canonical: The schema of its table.
    /// - Returns: False also where its partition is not known.
    func covers(_ key: RecordKey, _ base: BaseRow?, _ canonical: CanonicalRecord) -> Bool {
        guard case .scoped = extent else { return covers { _ in .nothing } }
        guard let base else { return false }
        let said = canonical.sides(of: base.entries)
        return covers { Scope.side($0, key, said, canonical) }
    }
}

/// The fields that are made of what tells partitions apart.
private struct PartitionMarks {
    private struct Mark {
        var position: Int
        /// What tells partitions apart that it is made of.
        var variables: Set<Int>
        var field: FieldDefinition
        var template: TextTemplate
    }

    private let marks: [Mark]
    private let canonical: CanonicalRecord
    private let reader = ConstantReader()

    init(_ shape: PartitionShape, entity: EntityDefinition, schema: RecordSchema) {
        let keys = Set(shape.keyPositions)
        marks = entity.fields.compactMap { field in
            guard case .template(let template) = field.origin, field.map.isEmpty, field.redaction == nil,
                let position = schema.fields.firstIndex(where: { $0.name == field.name })
            else { return nil }
            let variables = template.parts.compactMap(\.variable)
            let isMark = variables.allSatisfy { shape.position(of: $0).map(keys.contains) ?? false }
            if variables.isEmpty || !isMark || template.parts.contains(.fileStem) { return nil }
            return Mark(
                position: position, variables: Set(variables.compactMap(shape.position)), field: field,
                template: template)
        }
        canonical = CanonicalRecord(schema: schema)
        func told(_ marks: [Mark]) -> Set<Int> { marks.reduce(into: []) { $0.formUnion($1.variables) } }
        areOfKey = told(marks.filter { schema.keyFields.contains($0.position) }) == told(marks)
    }

    var isEmpty: Bool { marks.isEmpty }
    /// Whether a record of another partition has another key.
    let areOfKey: Bool

    /// The positions of the fields.
    var fields: [Int] { marks.map(\.position) }

    /// What the records of a partition have in these fields; nil where that cannot be told.
    func sides(of partition: Partition) -> [FieldSide]? {
        var sides: [FieldSide] = []
        for mark in marks {
            let text = mark.template.filled(fileStem: "", partition: partition)
            guard let value = try? reader.read(FieldJSON.quoted(text), for: mark.field).value else { return nil }
            sides.append(canonical.side(of: value, field: mark.position))
        }
        return sides
    }
}
