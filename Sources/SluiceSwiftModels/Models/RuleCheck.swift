internal import SluiceDiagnostics
internal import SluiceModel
internal import SluicePipeline
internal import SluicePipelineFiles

/// Finds rules of a configuration that are about nothing, or that cannot be followed.
struct RuleCheck {
    private(set) var problems: [Diagnostic] = []
    private let drafts: [EntityDraft]
    private let models: [SwiftModel]

    /// Checks rules.
    ///
    /// - Parameters:
    ///   - configuration: The rules.
    ///   - drafts: The tables of the pipelines.
    ///   - models: The models that were made by the rules.
    init(_ configuration: SwiftConfiguration, _ drafts: [EntityDraft], _ models: [SwiftModel]) {
        (self.drafts, self.models) = (drafts, models)
        var used: [String: String] = [:]
        var types: [String: String] = [:]
        for rule in configuration.entities {
            guard let draft = drafts.first(where: { $0.isNamed(rule.name) }) else {
                let names = drafts.map(\.name)
                problems.append(
                    rule.place.problem(
                        "unknown_entity", "Unknown entity", "No pipeline has an entity or a table `\(rule.name)`.",
                        suggestion: Suggestion.nearest(to: rule.name, among: names + drafts.map(\.table)),
                        help: "The entities are \(Self.list(names))."))
                continue
            }
            if let other = used.updateValue(rule.name, forKey: draft.table.lowercased()) {
                problems.append(
                    rule.place.problem(
                        "duplicate_name", "Duplicate name",
                        "`\(other)` and `\(rule.name)` are both the entity `\(draft.name)`.",
                        help: "Put what is said of it under one of the two."))
            }
            if let name = rule.swiftName, let other = types.updateValue(rule.name, forKey: name) {
                problems.append(duplicate(name, other, rule.name, at: rule.place.member("swift_name") ?? rule.place))
            }
            guard let model = models.first(where: { $0.table == draft.table }) else {
                problems.append(
                    rule.place.problem(
                        "idle_rule", "Rule without an effect", "The entity `\(draft.name)` has no model.",
                        severity: .warning, help: "`sluice generate swift` says why."))
                continue
            }
            check(rule, draft, model)
        }
    }

    private func duplicate(
        _ name: String, _ first: String, _ second: String, at place: SwiftConfiguration.Place
    ) -> Diagnostic {
        place.problem(
            "duplicate_name", "Duplicate name", "`\(first)` and `\(second)` are both called `\(name)`.",
            help: "Give one of them another name.")
    }

    private mutating func check(_ rule: SwiftConfiguration.EntityRule, _ draft: EntityDraft, _ model: SwiftModel) {
        var names: [String: String] = [:]
        for (own, name, place) in rule.names {
            if let other = names.updateValue(own, forKey: name) {
                problems.append(duplicate(name, other, own, at: place))
            }
        }
        for field in rule.fields { check(field, draft, model) }
        for relationship in rule.relationships where relationship.deleteRule == "nullify" {
            let property = model.properties.first { $0.storeName == relationship.name }
            // Children have the key of their parent.
            guard let property, property.isToMany, property.reference?.via == nil, property.field == nil,
                let back = models.first(where: { $0.type == property.reference?.target })?.properties.first(where: {
                    $0.name == property.reference?.inverse && !$0.isToMany && !$0.isOptional
                })
            else { continue }
            problems.append(
                (relationship.place.member("delete_rule") ?? relationship.place).problem(
                    "invalid_value", "Invalid value",
                    "The records of `\(relationship.name)` have to have a `\(back.storeName)` and cannot be let go of.",
                    help: "Take `cascade` or `deny`."))
        }
        let relationships = model.properties.filter { $0.reference != nil }.map(\.storeName)
        for relationship in rule.relationships where !relationships.contains(relationship.name) {
            problems.append(
                relationship.place.problem(
                    "unknown_relationship", "Unknown relationship",
                    "Nothing of `\(draft.name)` that leads to other records is called `\(relationship.name)`.",
                    suggestion: Suggestion.nearest(to: relationship.name, among: relationships),
                    help: relationships.isEmpty
                        ? "The entity leads nowhere." : "The relationships are \(Self.list(relationships))."))
        }
    }

    private mutating func check(_ rule: SwiftConfiguration.FieldRule, _ draft: EntityDraft, _ model: SwiftModel) {
        guard let field = draft.fields.first(where: { rule.isAbout($0.definition) }), !field.definition.isLink else {
            let names = draft.fields.filter { !$0.definition.isLink }.map(\.definition.name)
            let isRelationship = model.properties.contains { $0.reference != nil && $0.storeName == rule.name }
            problems.append(
                rule.place.problem(
                    "unknown_field", "Unknown field", "The entity `\(draft.name)` has no field `\(rule.name)`.",
                    suggestion: Suggestion.nearest(to: rule.name, among: names),
                    help: isRelationship
                        ? "It leads to other records: say it under `relationships`."
                        : "The fields are \(Self.list(names))."))
            return
        }
        let property = model.properties.first { $0.field == field.definition.name }
        let isKey = draft.identifies(field.definition)
        if let property, property.reference != nil {
            problems.append(
                rule.place.problem(
                    "invalid_value", "Invalid value", "`\(rule.name)` leads to other records.",
                    help: "Say it under `relationships`, as `\(property.storeName)`."))
        } else if rule.isSkipped, isKey {
            problems.append(
                rule.place.problem(
                    "invalid_value", "Invalid value",
                    "`\(rule.name)` identifies the records of `\(draft.name)`, so that no model can leave it out.",
                    help: "Leave out `skip`."))
        } else if rule.ignoresOptionality, draft.primaryKey.contains(field.definition.name) || field.isRequired {
            problems.append(
                (rule.place.member("optional") ?? rule.place).problem(
                    "idle_rule", "Rule without an effect", "The pipeline has a value of `\(rule.name)` in each record.",
                    severity: .warning, help: "Leave `optional` out."))
        }
        guard let type = rule.swiftType, rule.storage == nil, let stored = property?.fieldType,
            let misfit = SwiftFieldType.misfit(type, stored)
        else { return }
        problems.append(
            (rule.place.member("swift_type") ?? rule.place).problem(
                "invalid_value", "Invalid value", misfit.detail, help: misfit.help))
    }

    private static func list(_ names: [String]) -> String { names.map { "`\($0)`" }.joined(separator: ", ") }
}

extension SwiftConfiguration.EntityRule {
    /// The names of properties, each with what has it and where that is said.
    fileprivate var names: [(own: String, name: String, place: SwiftConfiguration.Place)] {
        func place(_ value: SwiftConfiguration.Place) -> SwiftConfiguration.Place {
            value.member("swift_name") ?? value
        }
        return fields.compactMap { rule in rule.swiftName.map { (rule.name, $0, place(rule.place)) } }
            + relationships.compactMap { rule in rule.swiftName.map { (rule.name, $0, place(rule.place)) } }
    }

    /// The names of properties that are said.
    var propertyNames: Set<String> { Set(names.map(\.name)) }

    /// What is said of a field.
    func field(_ definition: FieldDefinition) -> SwiftConfiguration.FieldRule? {
        fields.first { $0.isAbout(definition) }
    }

    /// What is said of what leads to other records.
    func relationship(_ name: String) -> SwiftConfiguration.RelationshipRule? {
        relationships.first { $0.name == name }
    }
}

extension SwiftConfiguration.FieldRule {
    /// Whether it means a field.
    fileprivate func isAbout(_ definition: FieldDefinition) -> Bool {
        name == definition.name || ColumnName.areSame(name, definition.column)
    }
}

extension SwiftPropertyRule {
    /// What a rule says of a property; nothing where there is none.
    init(_ rule: SwiftConfiguration.FieldRule?) {
        hasName = rule?.swiftName != nil
        hasType = rule?.swiftType != nil
        storage = rule?.storage
        ignoresOptionality = rule?.ignoresOptionality ?? false
    }
}
