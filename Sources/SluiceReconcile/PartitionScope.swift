package import SluiceDecode
package import SluiceModel
package import SluicePipeline
package import SluiceStore

/// Which records may count as gone although not every partition was read: those whose fields say that they belong to
/// one that was, or to one that is not there any more.
package struct PartitionScope {
    /// A field that is made of what tells partitions apart.
    private struct Mark {
        var position: Int
        var field: FieldDefinition
        var template: TextTemplate
    }

    private let marks: [Mark]
    private let canonical: CanonicalRecord
    private let schema: RecordSchema
    private var read: Set<[FieldSide]> = []
    private var unread: Set<[FieldSide]> = []
    /// Whether a record of no known partition is gone.
    private let strayIsGone: Bool

    /// Nil where no field tells the partitions apart.
    ///
    /// - Parameters:
    ///   - result: What became of the partitions.
    ///   - entity: What its records are.
    ///   - schema: The schema of its table.
    ///   - keyIsStable: Whether a parent with another key is another parent.
    package init?(
        _ result: PartitionResult, entity: EntityDefinition, schema: RecordSchema, keyIsStable: Bool
    ) {
        let shape = result.plan.shape
        let keys = Set(shape.keyPositions)
        marks = entity.fields.compactMap { field in
            guard case .template(let template) = field.origin, field.map.isEmpty, field.redaction == nil,
                let position = schema.fields.firstIndex(where: { $0.name == field.name })
            else { return nil }
            let variables = template.parts.compactMap(\.variable)
            let isMark = variables.allSatisfy { shape.position(of: $0).map(keys.contains) ?? false }
            if variables.isEmpty || !isMark || template.parts.contains(.fileStem) { return nil }
            return Mark(position: position, field: field, template: template)
        }
        if marks.isEmpty { return nil }
        self.schema = schema
        canonical = CanonicalRecord(schema: schema)
        let missing = result.unread
        strayIsGone = result.plan.isExhaustive && (keyIsStable || missing.isEmpty)
        let left = Set(missing)
        let reader = ConstantReader()
        for partition in missing { if let sides = sides(of: partition, reader) { unread.insert(sides) } }
        for partition in result.plan.asked where !left.contains(partition) {
            if let sides = sides(of: partition, reader) { read.insert(sides) }
        }
    }

    private func sides(of partition: Partition, _ reader: ConstantReader) -> [FieldSide]? {
        var sides: [FieldSide] = []
        for mark in marks {
            let text = mark.template.filled(fileStem: "", partition: partition)
            guard let value = try? reader.read(FieldJSON.quoted(text), for: mark.field).value else { return nil }
            sides.append(canonical.side(of: value, field: mark.position))
        }
        return sides
    }

    /// Whether a record that was not seen may count as gone.
    ///
    /// - Parameters:
    ///   - key: Its key.
    ///   - base: What the source said of it.
    /// - Returns: False also where its partition is not known.
    package func covers(_ key: RecordKey, _ base: BaseRow?) -> Bool {
        guard let base else { return false }
        let said = canonical.sides(of: base.entries)
        let sides = marks.map { mark in
            schema.keyFields.firstIndex(of: mark.position)
                .map { canonical.side(of: key.values[$0], field: mark.position) } ?? said[mark.position]
        }
        let isKnown = sides.allSatisfy { if case .value = $0 { true } else { false } }
        if !isKnown || unread.contains(sides) { return false }
        return read.contains(sides) || strayIsGone
    }
}
