internal import SluiceDecode
internal import SluiceModel
internal import SluicePipeline
internal import SluicePlans
internal import SluiceStore

/// The fields that are made of what tells partitions apart.
struct PartitionMarks {
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
        let toldByKey = told(marks.filter { schema.keyFields.contains($0.position) })
        areOfKey = toldByKey == told(marks)
        keyTellsAll = toldByKey.isSuperset(of: keys)
    }

    var isEmpty: Bool { marks.isEmpty }
    /// Whether a record of another partition has another key.
    let areOfKey: Bool
    /// Whether the key of a record says which partition it belongs to.
    let keyTellsAll: Bool

    /// The positions of the fields.
    var fields: [Int] { marks.map(\.position) }

    /// What the source said of these fields of a record last.
    func sides(of key: RecordKey, _ base: BaseRow) -> [FieldSide] {
        let said = canonical.sides(of: base.entries)
        return marks.map { Coverage.Scope.side($0.position, key, said, canonical) }
    }

    /// What a record says in these fields where they are parts of its key (``areOfKey``).
    func sides(of key: RecordKey) -> [FieldSide] {
        let nothing = [FieldSide](repeating: .nothing, count: canonical.schema.fields.count)
        return marks.map { Coverage.Scope.side($0.position, key, nothing, canonical) }
    }

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
