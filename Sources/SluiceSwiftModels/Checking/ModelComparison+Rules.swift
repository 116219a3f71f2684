internal import SluiceSwift

/// How records are merged: by a program's own syncs as the model says, by runs as the pipeline says.
extension ModelComparison {
    /// Compares the rules of a model as a whole.
    mutating func compareRules(_ model: FoundModel, _ entity: SwiftModel) {
        var wanted = entity.rules
        // A property may have another name than it would get.
        if let newest = entity.properties.first(where: { $0.name == wanted[.newest] }) {
            wanted[.newest] = field(for: newest, in: model)?.property
        }
        func usual(_ rules: MergeRules) -> MergeRules {
            // What nobody decides, a person does.
            rules.filter { $0.key != .onConflict || $0.value != "manual" }
        }
        // A model's owner is that of its properties.
        compare(usual(model.model.rules), usual(wanted), of: .model, besides: [.owner]) { rule, detail in
            add(
                .modelRule, .error, model, at: model.declaration.nameRange.lowerBound,
                "`\(model.model.type)` \(detail)",
                help: wanted[rule].map {
                    "Write `\(rule.rawValue): \(rule.argument($0))` into `@PersistentModel`, or change the pipeline."
                } ?? "Leave `\(rule.rawValue)` out, or add `\(rule.key)` to the entity.", sources: entity.places)
        }
    }

    /// Compares the rules of a property.
    mutating func compareRules(
        _ model: FoundModel, _ entity: SwiftModel, _ field: ModelDeclaration.Field, _ property: SwiftModel.Property,
        _ written: TypeDeclaration.Property
    ) {
        if field.isIdentifier { return }
        let attribute = written.attribute("Attribute")
        compare(field.rules, property.rules, of: .attribute, besides: []) { rule, detail in
            let edits = (property.rules[rule] ?? rule.usual).map {
                ModelEdits(model).set(rule.rawValue, rule.argument($0), in: "Attribute", of: written)
            }
            let place = attribute?.arguments.first { $0.label == rule.rawValue }?.range.lowerBound
            add(
                rule == .owner ? .fieldOwner : .fieldRule, rule == .owner ? .warning : .error, model,
                at: place ?? written.nameRange.lowerBound, "`\(model.model.type).\(field.property)` \(detail)",
                help: edits == nil ? "Leave `\(rule.rawValue)` out, or add `\(rule.key)` to the field." : nil,
                edits: edits ?? [], sources: entity.places(of: property))
        }
    }

    /// Compares how a list of a source is merged, where the model reads it from JSON.
    mutating func compareRules(
        _ model: FoundModel, _ entity: SwiftModel, _ found: ModelDeclaration.Relationship,
        _ property: SwiftModel.Property, _ written: TypeDeclaration.Property
    ) {
        if found.json == nil { return }
        compare(found.rules, property.rules, of: .relationship, besides: []) { rule, detail in
            let word = property.rules[rule] ?? rule.usual ?? ""
            add(
                .relationshipMerge, .error, model, at: place(of: rule.rawValue, in: written),
                "`\(model.model.type).\(found.property)` \(detail)",
                edits: ModelEdits(model).set(rule.rawValue, rule.argument(word), in: "Relationship", of: written),
                sources: entity.places(of: property))
        }
    }

    /// Tells each rule of which two sides say something else.
    private func compare(
        _ own: MergeRules, _ wanted: MergeRules, of place: MergeRule.Place, besides others: Set<MergeRule>,
        _ tell: (MergeRule, String) -> Void
    ) {
        func words(_ rule: MergeRule, _ word: String?) -> String {
            word.map { "`\(rule.key): \($0)`" } ?? "nothing of `\(rule.key)`"
        }
        for rule in MergeRule.allCases where rule.places.contains(place) && !others.contains(rule) {
            let (own, wanted) = (own[rule] ?? rule.usual, wanted[rule] ?? rule.usual)
            if own == wanted { continue }
            tell(
                rule,
                own.map {
                    "has `\(rule.rawValue): \(rule.argument($0))`, and the pipeline says \(words(rule, wanted))."
                } ?? "says nothing of `\(rule.rawValue)`, and the pipeline says \(words(rule, wanted)).")
        }
    }
}
