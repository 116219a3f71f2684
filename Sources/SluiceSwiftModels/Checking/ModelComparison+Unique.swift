internal import SluicePipeline
internal import SluiceSwift

/// What properties, alone or together, have only once.
extension ModelComparison {
    /// Compares what is unique. What fewer properties have only once, more of them have only once too.
    mutating func compareUnique(_ model: FoundModel, _ entity: SwiftModel) {
        var fields: [String: ModelDeclaration.Field] = [:]
        for property in entity.properties where !property.isToMany {
            fields[property.name] = field(for: property, in: model)
        }
        /// The struct's properties of a group of the pipeline; nil where it leaves one out.
        func known(_ names: [String]) -> [String]? {
            let found = names.compactMap { fields[$0]?.property }
            return found.count == names.count ? found : nil
        }
        let own = UniqueGroups(
            key: model.model.identifiers.map(\.property),
            model.model.unique + model.model.fields.filter(\.isUnique).map { [$0.property] })
        let single = entity.properties.filter(\.isUnique).map { [$0.name] }
        let wanted = UniqueGroups(
            key: known(entity.identifiers.map(\.name)) ?? [], (single + entity.unique).compactMap(known))
        for group in wanted.groups(missingIn: own) { tellOfMissing(group, model, entity, fields) }
        for group in own.groups(missingIn: wanted) { tellOfExtra(group, model, entity, fields) }
    }

    private mutating func tellOfMissing(
        _ group: [String], _ model: FoundModel, _ entity: SwiftModel, _ fields: [String: ModelDeclaration.Field]
    ) {
        if group.count > 1 {
            return add(
                .fieldUnique, .warning, model, at: model.place(of: "unique"),
                "The pipeline has `unique` for the columns of \(UniqueGroups.list(group)) of `\(model.model.type)` together, and the model does not say so.",
                edits: ModelEdits(model).addUnique(group), sources: entity.places)
        }
        guard let (property, written) = single(group, model, entity, fields),
            fields[property.name]?.reference == nil
        else { return }
        add(
            .fieldUnique, .warning, model, at: written.nameRange.lowerBound,
            "The pipeline has `unique` for the column of `\(model.model.type).\(group[0])`, and the model does not say so.",
            edits: ModelEdits(model).set(nil, ".unique", in: "Attribute", of: written),
            sources: entity.places(of: property))
    }

    private mutating func tellOfExtra(
        _ group: [String], _ model: FoundModel, _ entity: SwiftModel, _ fields: [String: ModelDeclaration.Field]
    ) {
        // A run never writes a property of the program's own.
        let filled = Set(fields.values.map(\.property))
        let isFilled = filled.isSuperset(of: group)
        if Set(group).count > 1 {
            return add(
                .fieldUnique, isFilled ? .error : .note, model, at: model.place(of: "unique"),
                isFilled
                    ? "\(UniqueGroups.problem(group, of: model.model.type))."
                    : "\(UniqueGroups.text(group, of: model.model.type)), and the pipeline does not say so.",
                help: isFilled ? "Add them to `unique` of the entity, or leave the group out." : nil,
                sources: entity.places)
        }
        guard let (property, written) = single(group, model, entity, fields) else { return }
        add(
            .fieldUnique, .error, model, at: written.nameRange.lowerBound,
            "\(UniqueGroups.problem(group, of: model.model.type)).",
            help: "Add it to `unique` of the entity, or leave `.unique` out.", sources: entity.places(of: property))
    }

    /// The only property of a group, as both sides have it; nil where one of them has none.
    private func single(
        _ group: [String], _ model: FoundModel, _ entity: SwiftModel, _ fields: [String: ModelDeclaration.Field]
    ) -> (SwiftModel.Property, TypeDeclaration.Property)? {
        guard let property = entity.properties.first(where: { fields[$0.name]?.property == group[0] }),
            let written = model.property(group[0])
        else { return nil }
        return (property, written)
    }
}
