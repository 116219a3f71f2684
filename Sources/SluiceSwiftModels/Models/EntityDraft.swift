internal import SluiceModel
internal import SluicePipeline

/// A table as all pipelines that fill it have it together.
struct EntityDraft {
    /// A field, and whether every pipeline has it and requires it.
    struct Field {
        var definition: FieldDefinition
        var isRequired: Bool
    }

    let name: String
    let table: String
    /// The files of the pipelines.
    private(set) var sources: [String]
    /// What each file calls the entities that fill it, in the order of the files.
    private(set) var entityNames: [SwiftModel.EntityName]
    let primaryKey: [String]
    private(set) var unique: [[String]]
    private(set) var fields: [Field]
    private(set) var references: [ReferenceDefinition]
    private(set) var children: [ChildDefinition]
    /// The entity whose child it is; nil where it is none's.
    let parent: String?
    let conflictRules: ConflictRules
    let newestField: String?
    let history: EntityDefinition.History
    private(set) var notes: [SwiftModelNote] = []

    init(_ entity: EntityDefinition, in file: String) {
        name = entity.name
        table = entity.table
        sources = file.isEmpty ? [] : [file]
        entityNames = file.isEmpty ? [] : [SwiftModel.EntityName(file: file, name: entity.name)]
        primaryKey = entity.primaryKey
        unique = entity.unique
        fields = entity.fields.map { Field(definition: $0, isRequired: $0.isRequired) }
        references = entity.references
        children = entity.children
        parent = entity.parent
        (conflictRules, newestField, history) = (entity.conflictRules, entity.newestField, entity.history)
    }

    /// Adds what another pipeline says of the table.
    mutating func add(_ entity: EntityDefinition, in file: String) {
        if !file.isEmpty {
            sources.append(file)
            entityNames.append(SwiftModel.EntityName(file: file, name: entity.name))
        }
        for field in entity.fields {
            guard let index = fields.firstIndex(where: { ColumnName.areSame($0.definition.column, field.column) })
            else {
                // Rows of the other pipelines do not have it.
                fields.append(Field(definition: field, isRequired: entity.primaryKey.contains(field.name)))
                references += entity.references.filter { reference in
                    reference.fields.contains(field.name) && !references.contains { $0.name == reference.name }
                }
                continue
            }
            fields[index].isRequired = fields[index].isRequired && field.isRequired
            if fields[index].definition.type != field.type {
                notes.append(
                    SwiftModelNote(
                        file: file, entity: name, field: field.name,
                        message:
                            "It is of the type `\(field.type.rawValue)` here and `\(fields[index].definition.type.rawValue)` in `\(sources.first ?? "")`, which counts."
                    ))
            }
        }
        for index in fields.indices
        where !entity.fields.contains(where: { ColumnName.areSame($0.column, fields[index].definition.column) }) {
            fields[index].isRequired = primaryKey.contains(fields[index].definition.name)
        }
        unique = unique.filter { group in entity.unique.contains { Set($0) == Set(group) } }
        children += entity.children.filter { child in !children.contains { $0.entity == child.entity } }
    }

    /// Whether a name is that of the entity, or of its table.
    func isNamed(_ name: String) -> Bool { name == self.name || name.lowercased() == table.lowercased() }

    /// The field of a name.
    func field(_ name: String) -> FieldDefinition? { fields.first { $0.definition.name == name }?.definition }

    /// The fields of the primary key, in its order.
    var keyFields: [FieldDefinition] { primaryKey.compactMap(field) }

    /// The reference that a field holds, alone or with others; nil where it holds none.
    func reference(of field: FieldDefinition) -> ReferenceDefinition? {
        references.first { $0.fields.contains(field.name) }
    }
}
