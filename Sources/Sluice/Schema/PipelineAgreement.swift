internal import SluiceModel
package import SluicePipeline

/// What a pipeline and models say differently of the tables that both have.
package struct PipelineAgreement {
    /// What differs, as sentences.
    package private(set) var problems: [String] = []

    /// Compares a pipeline with models.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline.
    ///   - schema: The models, with those that they lead to.
    package init(_ pipeline: PipelineDefinition, _ schema: Schema) {
        for model in schema.models {
            let description = model.modelDescription
            let entities = pipeline.entities.filter { $0.table.lowercased() == description.table.lowercased() }
            compareNames(entities, description)
            for entity in entities {
                compare(entity, description)
                requireValues(entity, model)
                compareLinks(entity, description)
            }
            compareUnique(entities, description)
        }
    }

    /// What the source says is kept by the entity's name: another name would begin anew.
    private mutating func compareNames(_ entities: [EntityDefinition], _ model: ModelDescription) {
        guard let entity = entities.first, !entities.contains(where: { $0.name == model.entity }) else { return }
        problems.append(
            "`\(model.typeName)` is the model of the entity `\(model.entity)`, and the pipeline calls the entity of its table `\(entity.table)` `\(entity.name)`: write `@PersistentModel(entity: \"\(entity.name)\")`, or rename the entity with `renamed_from: \(entity.name)`"
        )
    }

    private mutating func compare(_ entity: EntityDefinition, _ model: ModelDescription) {
        let names = "`\(model.typeName)` and the entity `\(entity.name)`"
        let key = entity.primaryKey.compactMap { name in entity.fields.first { $0.name == name }?.column }
        if key.map({ $0.lowercased() }) != model.keyColumns.map({ $0.lowercased() }) {
            problems.append(
                "\(names) are identified by different columns: \(model.keyColumns.joined(separator: ", ")) and \(key.joined(separator: ", "))"
            )
        }
        if model.contentKey != nil && entity.hasContentKey { compareContent(entity, model) }
        for field in entity.fields {
            guard let own = model.fields.first(where: { $0.column.lowercased() == field.column.lowercased() }) else {
                compareReference(field, entity, model)
                continue
            }
            let property = "`\(model.typeName).\(own.property)`"
            if !field.storedType.isHeld(by: own.fieldType) {
                problems.append(
                    "\(property) is of the type `\(own.fieldType.rawValue)`, and the field `\(field.name)` of `\(entity.name)` of the type `\(field.storedType.rawValue)`"
                )
            }
            compareChoices(field, entity, own, of: model)
            if field.mayBeNull && !entity.primaryKey.contains(field.name) && !own.takesNull {
                problems.append(
                    "\(property) is not optional, and the field `\(field.name)` of `\(entity.name)` need not have a value: make it optional, or the field `required`"
                )
            }
        }
    }

    /// What a choice of the file permits, the property has to be able to have.
    private mutating func compareChoices(
        _ field: FieldDefinition, _ entity: EntityDefinition, _ own: ModelDescription.Field, of model: ModelDescription
    ) {
        guard field.type == .enumeration, let reading = own.reading else { return }
        let strange = field.values.filter { value in
            !BoxedValueReader.read([.text(value)]) { reading.reads($0[0]) }
        }
        if strange.isEmpty { return }
        problems.append(
            "`\(model.typeName).\(own.property)` is a `\(reading.name)`, which cannot be \(strange.map { "`\($0)`" }.joined(separator: ", ")), and the `values` of the field `\(field.name)` of `\(entity.name)` have it: take it out of one, or into the other"
        )
    }

    /// An index that the model makes, and of which the file does not know, would end its runs.
    private mutating func compareUnique(_ entities: [EntityDefinition], _ model: ModelDescription) {
        guard let first = entities.first else { return }
        var filled: Set<String> = []
        /// The model's properties of fields of an entity; nil where it leaves one out.
        func known(_ names: [String], of entity: EntityDefinition) -> [String]? {
            let found = names.compactMap { name in
                entity.fields.first { $0.name == name }.flatMap { field in
                    model.fields.first { $0.column.lowercased() == field.column.lowercased() }?.property
                }
            }
            return found.count == names.count ? found : nil
        }
        for entity in entities { filled.formUnion(entity.fields.compactMap { known([$0.name], of: entity)?.first }) }
        let wanted = UniqueGroups(
            key: known(first.primaryKey, of: first) ?? [],
            entities.flatMap { entity in entity.unique.compactMap { known($0, of: entity) } })
        func properties(_ fields: [Int]) -> [String] { fields.map { model.fields[$0].property } }
        let own = UniqueGroups(key: properties(model.identifiers), model.unique.map(properties))
        // A run never writes a property of the program's own.
        for group in own.groups(missingIn: wanted) where filled.isSuperset(of: group) {
            let fields = group.compactMap { property in
                model.fields.first { $0.property == property }.flatMap { own in
                    first.fields.first { $0.column.lowercased() == own.column.lowercased() }?.name
                }
            }
            let text = "[\(fields.joined(separator: ", "))]"
            problems.append(
                "\(UniqueGroups.problem(group, of: model.typeName)): add `\(text)` to `unique` of the entity `\(first.name)`, or leave \(group.count > 1 ? "the group" : "`.unique`") out of the model"
            )
        }
    }

    /// Pairs that the file keeps elsewhere than the model would never be read.
    private mutating func compareLinks(_ entity: EntityDefinition, _ model: ModelDescription) {
        for (index, relationship) in model.relationships.enumerated() {
            guard let target = relationship.target?.modelDescription,
                case .table(let table, let owners, let targets, _) = try? LinkDescription(model, index, target),
                let reference = entity.references.first(where: {
                    $0.name == relationship.name || $0.name == relationship.property
                })
            else { continue }
            let property = "`\(model.typeName).\(relationship.property)`"
            guard let link = reference.link else {
                problems.append(
                    "\(property) leads to several records, and the field `\(reference.name)` of `\(entity.name)` to one: make it `{refs: \(target.entity), from: \(reference.name)[*], via: \(table)}`"
                )
                continue
            }
            func isSame(_ one: [String], _ other: [String]) -> Bool {
                one.map { $0.lowercased() } == other.map { $0.lowercased() }
            }
            if link.table.lowercased() != table.lowercased() {
                problems.append(
                    "\(property) is kept in the table `\(table)`, and the field `\(reference.name)` of `\(entity.name)` in `\(link.table)`: give it `via: \(table)`"
                )
            } else if !isSame(link.ownerColumns, owners) || !isSame(link.targetColumns, targets) {
                let (own, other) = (owners + targets, link.ownerColumns + link.targetColumns)
                problems.append(
                    "\(property) and the field `\(reference.name)` of `\(entity.name)` have other columns in the table `\(table)`: \(own.joined(separator: ", ")) and \(other.joined(separator: ", "))"
                )
            }
        }
    }

    /// A field that has the name of a reference and another column fills nothing that the model sees.
    private mutating func compareReference(
        _ field: FieldDefinition, _ entity: EntityDefinition, _ model: ModelDescription
    ) {
        guard
            let own = model.fields.first(where: {
                $0.reference != nil && ($0.name == field.name || $0.property == field.name)
            }), let target = own.reference?.target?.modelDescription
        else { return }
        problems.append(
            "`\(model.typeName).\(own.property)` has the column `\(own.column)`, and the field `\(field.name)` of `\(entity.name)` fills `\(field.column)`: make it `{ref: \(target.entity), from: \(field.name)}`"
        )
    }

    /// A record without a value that its property needs could not be read.
    private mutating func requireValues(_ entity: EntityDefinition, _ model: any PersistentModel.Type) {
        let description = model.modelDescription
        let columns = Set(entity.fields.map { $0.column.lowercased() })
        for field in description.fields
        where !field.takesNull && !field.isImplied && !columns.contains(field.column.lowercased()) {
            problems.append(
                "`\(description.typeName).\(field.property)` is not optional, and the entity `\(entity.name)` does not fill its column `\(field.column)`: make it optional, or add the field"
            )
        }
    }

    /// The hash of a record is made of all values under their names.
    private mutating func compareContent(_ entity: EntityDefinition, _ model: ModelDescription) {
        let own = Set(model.fields.filter { !$0.isImplied }.map(\.name))
        let wanted = Set(entity.fields.filter { !$0.isContentKey }.map(\.name))
        let single = own.symmetricDifference(wanted).sorted().map { "`\($0)`" }
        if single.isEmpty { return }
        problems.append(
            "All values identify the records of `\(model.typeName)` and of the entity `\(entity.name)`, and one of the two alone has \(single.joined(separator: ", "))"
        )
    }
}
