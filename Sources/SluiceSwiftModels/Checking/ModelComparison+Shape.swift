internal import SluiceSwift

/// Whether properties lead to one record or to several, as the pipeline has it.
extension ModelComparison {
    /// Tells of a property that leads to one record, where the pipeline leads to several.
    ///
    /// - Returns: Whether there is one.
    mutating func tellOfOne(
        _ property: SwiftModel.Property, _ reference: SwiftModel.Reference, in model: FoundModel, _ entity: SwiftModel
    ) -> Bool {
        let field = model.model.fields.first {
            $0.reference != nil && ($0.name == property.storeName || $0.property == property.name)
        }
        guard let field, let written = model.property(field.property) else { return false }
        add(
            .relationshipShape, .error, model, at: written.typeRange?.lowerBound ?? written.nameRange.lowerBound,
            "`\(model.model.type).\(field.property)` leads to one record, and the pipeline to several.",
            help: "Let it be `Refs<\(reference.target)>`.", sources: entity.places(of: property))
        return true
    }

    /// Tells of a property that leads to several records, where the pipeline leads to one.
    ///
    /// - Returns: Whether there is one.
    mutating func tellOfSeveral(
        _ property: SwiftModel.Property, in model: FoundModel, _ entity: SwiftModel
    ) -> Bool {
        guard let reference = property.reference else { return false }
        let found = model.model.relationships.first { isMeant($0, property) }
        guard let found, let written = model.property(found.property) else { return false }
        add(
            .relationshipShape, .error, model, at: written.typeRange?.lowerBound ?? written.nameRange.lowerBound,
            "`\(model.model.type).\(found.property)` leads to several records, and the pipeline to one.",
            help: "Let it be `Ref<\(reference.target)>\(property.isOptional ? "?" : "")`.",
            sources: entity.places(of: property))
        return true
    }

    /// Whether the other side is the key of the parent.
    private func isOfChildren(_ reference: SwiftModel.Reference) -> Bool {
        let target = expected.first { $0.type == reference.target }
        return target?.properties.contains { $0.name == reference.inverse && $0.reference != nil && !$0.isToMany }
            == true
    }

    private func isMeant(_ found: ModelDeclaration.Relationship, _ property: SwiftModel.Property) -> Bool {
        found.name == property.storeName || found.property == property.name
    }

    /// Where the links are kept, and that what runs fill has no order.
    mutating func compareLinks(
        _ model: FoundModel, _ places: [SwiftModel.Place], _ written: TypeDeclaration.Property,
        _ found: ModelDeclaration.Relationship, _ reference: SwiftModel.Reference
    ) {
        if isOfChildren(reference), let target = self.model(named: found.target)?.model,
            !target.fields.contains(where: {
                $0.reference != nil && ($0.property == found.inverse || $0.name == found.inverse)
            })
        {
            return add(
                .relationshipShape, .error, model, at: written.nameRange.lowerBound,
                "`\(model.model.type).\(found.property)` is kept in a table of pairs, and the pipeline keeps the key of the parent in each record.",
                help: "Let it be `Refs<\(reference.target)>`, with the `Ref` that leads back as its inverse.",
                sources: places)
        }
        if !found.isByValue && !found.type.contains("OrderedRefs<") { return }
        add(
            .relationshipShape, .warning, model, at: written.typeRange?.lowerBound ?? written.nameRange.lowerBound,
            "`\(model.model.type).\(found.property)` has an order, which the pipeline does not keep.",
            help: "A `Refs<\(reference.target)>` has none.", sources: places)
    }

    /// Tells of a property that leads to several records by a table that no pipeline fills.
    mutating func tellOfUnfilled(
        _ found: ModelDeclaration.Relationship, in model: FoundModel, _ entity: SwiftModel
    ) {
        if entity.properties.contains(where: { isMeant(found, $0) }) { return }
        if let inverse = found.inverse, let target = self.model(named: found.target)?.model {
            // The other side says how it is kept.
            if target.fields.contains(where: { $0.reference != nil && ($0.property == inverse || $0.name == inverse) })
            {
                return
            }
            let other = target.relationships.first { $0.property == inverse || $0.name == inverse }
            let known = expected.first { $0.table.lowercased() == target.table.lowercased() }?.properties ?? []
            if let other, known.contains(where: { isMeant(other, $0) }) { return }
        }
        guard let written = model.property(found.property) else { return }
        add(
            .fieldExtra, .note, model, at: written.nameRange.lowerBound,
            "No pipeline fills the links of `\(model.model.type).\(found.property)`.")
    }

    /// What has to lead somewhere cannot be let go of.
    mutating func checkRelease(_ model: FoundModel, _ found: ModelDeclaration.Relationship) {
        guard found.deleteRule == "nullify", let inverse = found.inverse,
            let target = self.model(named: found.target)?.model, let written = model.property(found.property),
            let back = target.fields.first(where: {
                $0.reference != nil && ($0.property == inverse || $0.name == inverse)
            }), !back.isOptional
        else { return }
        add(
            .relationshipDeleteRule, .error, model, at: place(of: "deleteRule", in: written),
            "`\(model.model.type).\(found.property)` would let go of records that have to have a `\(back.property)`.",
            help: "Take `.cascade` or `.deny`, or let `\(target.type).\(back.property)` be optional.")
    }
}
