package import SluiceDiagnostics
internal import SluiceJSON
internal import SluiceModel
package import SluicePipeline
internal import SluiceSwift

/// Makes Swift models of the entities of pipelines.
package struct SwiftModelMaker {
    /// The models, sorted by their types.
    package private(set) var models: [SwiftModel] = []
    /// What the models do not say.
    package private(set) var notes: [SwiftModelNote] = []
    /// What is wrong with the configuration's rules.
    package private(set) var problems: [Diagnostic] = []
    private let configuration: SwiftConfiguration
    private var drafts: [EntityDraft] = []
    /// The types, by the tables in lower case.
    private var types: [String: String] = [:]

    /// Makes models.
    ///
    /// - Parameters:
    ///   - pipelines: The pipelines; several that fill one table make one model of it.
    ///   - configuration: What differs from what follows of the pipelines.
    package init(_ pipelines: [PipelineDefinition], _ configuration: SwiftConfiguration = SwiftConfiguration()) {
        self.configuration = configuration
        for pipeline in pipelines {
            for var entity in pipeline.entities {
                // What the pipeline says of all, an entity says that says nothing.
                if pipeline.conflictPolicy != .manual, entity.conflictRules.fallback == nil {
                    entity.conflictRules.fallback = pipeline.conflictPolicy
                }
                add(entity, in: pipeline.file)
            }
        }
        notes = drafts.flatMap(\.notes)
        nameTypes(drafts.filter { canBeModel($0) })
        models = drafts.compactMap { draft in
            types[draft.table.lowercased()].map { model(of: draft, type: $0) }
        }
        addInverses()
        models.sort { $0.type < $1.type }
        problems = RuleCheck(configuration, drafts, models).problems
    }

    /// Names the types: those of rules first, and the others around them.
    private mutating func nameTypes(_ drafts: [EntityDraft]) {
        var taken: Set<String> = []
        for draft in drafts {
            guard let name = rule(of: draft)?.swiftName else { continue }
            taken.insert(name)
            types[draft.table.lowercased()] = name
        }
        for draft in drafts where types[draft.table.lowercased()] == nil {
            types[draft.table.lowercased()] = SwiftName.unique(SwiftName.type(draft.name), in: &taken)
        }
    }

    private func rule(of draft: EntityDraft) -> SwiftConfiguration.EntityRule? {
        configuration.entities.first { draft.isNamed($0.name) }
    }

    private mutating func add(_ entity: EntityDefinition, in file: String) {
        if let index = drafts.firstIndex(where: { $0.table.lowercased() == entity.table.lowercased() }) {
            drafts[index].add(entity, in: file)
        } else {
            drafts.append(EntityDraft(entity, in: file))
        }
    }

    private mutating func record(_ draft: EntityDraft, _ field: String?, _ message: String) {
        notes.append(
            SwiftModelNote(file: draft.sources.first ?? "", entity: draft.name, field: field, message: message))
    }

    private mutating func canBeModel(_ draft: EntityDraft) -> Bool {
        if draft.primaryKey.isEmpty {
            record(draft, nil, "There is no model: nothing identifies its records.")
            return false
        }
        guard draft.isIdentifiedByContent else { return true }
        if let obstacle = draft.contentObstacle {
            record(
                draft, nil,
                "There is no model: its records are identified by a hash of their values, and \(obstacle), which a struct does not make."
            )
            return false
        }
        if draft.sources.isEmpty {
            record(
                draft, nil,
                "Its records are identified by a hash of their values and the names of their columns; a pipeline whose fields have other names makes another hash."
            )
        }
        return true
    }

    private func draft(entity name: String) -> EntityDraft? { drafts.first { $0.name == name } }

    // MARK: What can be led to

    /// The column that identifies the records of an entity, where one alone does and leads nowhere itself.
    private func singleKey(of draft: EntityDraft) -> FieldDefinition? {
        guard types[draft.table.lowercased()] != nil, draft.primaryKey.count == 1, let key = draft.keyFields.first,
            draft.reference(of: key) == nil, draft.parent == nil, !draft.isIdentifiedByContent
        else { return nil }
        return key
    }

    /// The parent to which the key of a child leads; nil where it cannot.
    private func parent(of draft: EntityDraft) -> (draft: EntityDraft, field: FieldDefinition)? {
        guard let parent = draft.parent.flatMap({ self.draft(entity: $0) }), let key = singleKey(of: parent),
            let field = draft.keyFields.first, case .parentKey(0) = field.origin,
            field.column == "\(SnakeCase.convert(parent.name))_\(key.column)"
        else { return nil }
        return (parent, field)
    }

    // MARK: A model

    private mutating func model(of draft: EntityDraft, type: String) -> SwiftModel {
        let rule = rule(of: draft)
        var names = rule?.propertyNames ?? []
        var typeNames: Set<String> = ["Paths", "Identifier"]
        var skippedColumns: [String] = []
        var properties: [SwiftModel.Property] = []
        var done: Set<String> = []
        let isIdentifiedByContent = draft.isIdentifiedByContent
        for field in draft.fields
        where !field.definition.isLink && !(isIdentifiedByContent && draft.isContentKey(field.definition)) {
            if let reference = draft.reference(of: field.definition), reference.count == .one,
                let property = property(field, reference, in: draft, &names)
            {
                if done.insert(reference.name).inserted { properties.append(property) }
            } else if let parent = parent(of: draft), parent.field.name == field.definition.name {
                properties.append(parentProperty(parent.draft, field, in: draft, &names))
            } else {
                let own = rule?.field(field.definition)
                if own?.isSkipped == true, !draft.identifies(field.definition) {
                    skippedColumns.append(field.definition.column)
                } else {
                    properties.append(plain(field, own, in: draft, &names, &typeNames))
                }
            }
        }
        for reference in draft.references where reference.count == .many {
            if let property = links(reference, in: draft, &names) { properties.append(property) }
        }
        for child in draft.children {
            if let property = children(child, in: draft, &names) { properties.append(property) }
        }
        if isIdentifiedByContent {
            // A record with another value is another record.
            for index in properties.indices { properties[index].isConstant = properties[index].initialValue == nil }
        }
        // Without a field that is left out, a group would be stricter than the table.
        let unique = draft.unique.compactMap { group -> [String]? in
            let found = group.compactMap { name in properties.first { $0.field == name }?.name }
            return found.count == group.count ? found : nil
        }
        for group in unique where group.count == 1 {
            if let index = properties.firstIndex(where: { $0.name == group[0] }) { properties[index].isUnique = true }
        }
        var model = SwiftModel(
            entity: draft.name, type: type, table: draft.table, sources: draft.sources, properties: properties,
            unique: unique.filter { $0.count > 1 }, hasNameByRule: rule?.swiftName != nil,
            skippedColumns: skippedColumns, isIdentifiedByContent: isIdentifiedByContent)
        model.entityNames = draft.entityNames
        model.rules = rules(of: draft, properties)
        if model.rules[.newest] == nil {
            // Without the property, nothing is newer.
            func known(_ rules: MergeRules) -> MergeRules {
                rules.filter { $0.key != .onConflict || $0.value != ConflictPolicy.newestWins.rawValue }
            }
            model.rules = known(model.rules)
            for index in model.properties.indices {
                model.properties[index].rules = known(model.properties[index].rules)
            }
        }
        return model
    }

    /// How the records of a table are merged, as far as a struct says it.
    private mutating func rules(of draft: EntityDraft, _ properties: [SwiftModel.Property]) -> MergeRules {
        if draft.conflictRules.byKind.values.contains(where: { $0 != draft.conflictRules.fallback }) {
            record(
                draft, nil, "A struct has one policy for all kinds of conflicts; the pipeline has one for each kind.")
        }
        var rules: MergeRules = [:]
        rules[.onConflict] = draft.conflictRules.fallback?.rawValue
        if let newest = draft.newestField { rules[.newest] = properties.first { $0.field == newest }?.name }
        if draft.history != .none { rules[.history] = draft.history.rawValue }
        return rules
    }

    private mutating func plain(
        _ field: EntityDraft.Field, _ rule: SwiftConfiguration.FieldRule?, in draft: EntityDraft,
        _ names: inout Set<String>, _ typeNames: inout Set<String>
    ) -> SwiftModel.Property {
        let definition = field.definition
        let isKey = draft.primaryKey.contains(definition.name)
        let name = rule?.swiftName ?? SwiftName.unique(SwiftName.property(definition.name), in: &names)
        let type = rule?.swiftType ?? configuration.types[definition.storedType]
        var property = SwiftModel.Property(
            name: name, type: type ?? Self.type(of: definition), isOptional: !isKey && !field.isRequired,
            isConstant: isKey,
            storeName: definition.name, column: definition.column, fieldType: definition.storedType,
            json: json(of: definition, in: draft), field: definition.name)
        property.isIdentifier = isKey
        property.line = definition.line
        // Tables of a store say nothing of a source.
        if !isKey, !draft.sources.isEmpty { property.rules = definition.mergeRules }
        if definition.redaction != nil {
            property.isOptional = true
        } else if definition.type == .enumeration, !definition.values.isEmpty, rule?.swiftType == nil {
            let type = SwiftName.unique(SwiftName.type(definition.name), in: &typeNames)
            property.enumeration = SwiftName.enumeration(type, definition.values)
            property.type = type
        }
        if !isKey, definition.redaction == nil, let json = definition.defaultJSON {
            property.initialValue = SwiftDefault.literal(json, definition.type, property.enumeration)
            // A type of a program's own has no literal that is known.
            if !SwiftFieldType.known.contains(property.type), property.enumeration == nil {
                property.initialValue = nil
            }
        }
        property.rule = SwiftPropertyRule(rule)
        if let reference = draft.reference(of: definition), reference.count == .one {
            if reference.fields.count > 1 { property.json = nil }
            record(
                draft, definition.name,
                "It is the key and no `Ref`: several fields identify `\(reference.target)`, or it has no model.")
        }
        return property
    }

    /// The type of a plain field's property.
    private static func type(of field: FieldDefinition) -> String {
        field.redaction == nil ? SwiftFieldType.preferred(field.type) : "String"
    }

    /// Where JSON has a field; notes what a struct does not say of it.
    private mutating func json(of field: FieldDefinition, in draft: EntityDraft) -> String? {
        var reasons: [String] = []
        switch field.origin {
        case .template: reasons.append("what it is made of (`value`)")
        case .program: reasons.append("its program (`expr`)")
        default: break
        }
        if !field.map.isEmpty { reasons.append("its `map`") }
        if !field.formats.isEmpty { reasons.append("its `format`") }
        if field.timezone != nil { reasons.append("its `timezone`") }
        if field.redaction != nil { reasons.append("its `redact`") }
        if !reasons.isEmpty {
            record(draft, field.name, "A struct does not say \(reasons.joined(separator: ", ")); the pipeline does.")
        }
        // Tables of a store say nothing of a source.
        if draft.sources.isEmpty { return nil }
        switch field.origin {
        case .path(let path), .reference(let path, _): return path.isSingular ? Self.written(path) : nil
        case .template, .program, .content, .references, .parentKey, .position: return nil
        }
    }

    /// A path as a model says it: the field's name may be a key that is none by itself, such as `first name`.
    private static func written(_ path: JSONPath) -> String {
        (try? JSONPath(parsing: path.text))?.steps == path.steps ? path.text : JSONPath(steps: path.steps).text
    }

    // MARK: What leads to others

    private mutating func property(
        _ field: EntityDraft.Field, _ reference: ReferenceDefinition, in draft: EntityDraft, _ names: inout Set<String>
    ) -> SwiftModel.Property? {
        guard reference.fields.count == 1, let target = self.draft(entity: reference.target),
            let key = singleKey(of: target), let type = types[target.table.lowercased()]
        else { return nil }
        let definition = field.definition
        let isKey = draft.primaryKey.contains(definition.name)
        // A column `author_id` is named after what it leads to.
        let suffix = "_" + key.column
        let isNamedAfterColumn =
            reference.name == definition.column && reference.name.hasSuffix(suffix)
            // The hash of a record is made of the pipeline's names.
            && !(draft.isIdentifiedByContent && !draft.sources.isEmpty)
        let storeName =
            isNamedAfterColumn && reference.name.count > suffix.count
            ? String(reference.name.dropLast(suffix.count)) : reference.name
        let rule = rule(of: draft)?.relationship(storeName)
        var property = SwiftModel.Property(
            name: rule?.swiftName ?? SwiftName.unique(SwiftName.property(storeName), in: &names), type: "Ref<\(type)>",
            isOptional: !isKey && !field.isRequired, isConstant: isKey, storeName: storeName,
            column: definition.column, fieldType: definition.type, json: json(of: definition, in: draft),
            field: definition.name)
        property.isIdentifier = isKey
        property.line = definition.line
        if !isKey { property.rules = definition.mergeRules.filter { MergeRule.ofReferences.contains($0.key) } }
        property.reference = SwiftModel.Reference(target: type, deleteRule: rule?.deleteRule ?? "nullify", via: nil)
        property.rule.hasName = rule?.swiftName != nil
        return property
    }

    private func parentProperty(
        _ parent: EntityDraft, _ field: EntityDraft.Field, in draft: EntityDraft, _ names: inout Set<String>
    ) -> SwiftModel.Property {
        let type = types[parent.table.lowercased()] ?? ""
        let name = SnakeCase.convert(parent.name)
        let rule = rule(of: draft)?.relationship(name)
        var property = SwiftModel.Property(
            name: rule?.swiftName ?? SwiftName.unique(SwiftName.property(name), in: &names), type: "Ref<\(type)>",
            isOptional: false, isConstant: true, storeName: name, column: field.definition.column,
            fieldType: field.definition.type,
            field: field.definition.name)
        property.isIdentifier = true
        property.reference = SwiftModel.Reference(target: type, deleteRule: rule?.deleteRule ?? "nullify", via: nil)
        property.rule.hasName = rule?.swiftName != nil
        return property
    }

    private mutating func links(
        _ reference: ReferenceDefinition, in draft: EntityDraft, _ names: inout Set<String>
    ) -> SwiftModel.Property? {
        guard let link = reference.link, let target = self.draft(entity: reference.target),
            let type = types[target.table.lowercased()]
        else { return nil }
        // What the library calls the columns of such a table.
        let isSelf = target.table.lowercased() == draft.table.lowercased()
        let other = isSelf ? reference.name : SnakeCase.convert(target.name)
        let owners = draft.keyFields.map { "\(SnakeCase.convert(draft.name))_\($0.column)" }
        let targets = target.keyFields.map { "\(other)_\($0.column)" }
        if link.ownerColumns != owners || link.targetColumns != targets {
            record(
                draft, reference.name, "There is no property: the columns of `\(link.table)` have names of their own.")
            return nil
        }
        let rule = rule(of: draft)?.relationship(reference.name)
        var property = SwiftModel.Property(
            name: rule?.swiftName ?? SwiftName.unique(SwiftName.property(reference.name), in: &names),
            type: "Refs<\(type)>",
            isOptional: false, isConstant: false, storeName: reference.name, column: nil, fieldType: nil,
            field: reference.name)
        property.reference = SwiftModel.Reference(
            target: type, deleteRule: rule?.deleteRule ?? "nullify", via: link.table)
        if reference.merge != .set { property.rules[.merge] = reference.merge.rawValue }
        property.rule.hasName = rule?.swiftName != nil
        return property
    }

    private mutating func children(
        _ child: ChildDefinition, in draft: EntityDraft, _ names: inout Set<String>
    ) -> SwiftModel.Property? {
        guard let own = self.draft(entity: child.entity), let type = types[own.table.lowercased()],
            parent(of: own) != nil, child.onParentDelete == .cascade
        else {
            record(
                draft, child.name,
                "There is no property: the key of `\(child.entity)` is no single reference, or its rows stay without their parent."
            )
            return nil
        }
        let rule = rule(of: draft)?.relationship(child.name)
        var property = SwiftModel.Property(
            name: rule?.swiftName ?? SwiftName.unique(SwiftName.property(child.name), in: &names),
            type: "Refs<\(type)>",
            isOptional: false, isConstant: false, storeName: child.name, column: nil, fieldType: nil, field: nil)
        property.reference = SwiftModel.Reference(target: type, deleteRule: rule?.deleteRule ?? "cascade", via: nil)
        property.rule.hasName = rule?.swiftName != nil
        return property
    }

    // MARK: The other sides

    /// Gives relationships their other sides: links a property of the target, children the reference to their parent.
    private mutating func addInverses() {
        for index in models.indices {
            for position in models[index].properties.indices where models[index].properties[position].isToMany {
                addInverse(of: position, in: index)
            }
        }
    }

    private mutating func addInverse(of position: Int, in index: Int) {
        let property = models[index].properties[position]
        guard let reference = property.reference, reference.inverse == nil,
            let target = models.firstIndex(where: { $0.type == reference.target })
        else { return }
        if reference.via == nil {
            let back = models[target].properties.firstIndex {
                $0.isIdentifier && $0.reference?.target == models[index].type
            }
            guard let back else { return }
            let name = models[target].properties[back].name
            models[index].properties[position].reference?.inverse = name
            models[target].properties[back].reference?.inverse = property.name
            return
        }
        var names = Set(models[target].properties.map(\.name))
        let plain = SwiftName.plural(models[index].type.prefix(1).lowercased() + models[index].type.dropFirst())
        let wanted = SwiftName.property(plain)
        let capital = property.name.prefix(1).uppercased() + property.name.dropFirst()
        let name = names.contains(wanted) ? "\(wanted)Of\(capital)" : wanted
        let unique = SwiftName.unique(name, in: &names)
        let storeName = SnakeCaseName.of(unique)
        let rule = drafts.first { $0.table == models[target].table }.flatMap(self.rule)?.relationship(storeName)
        var back = SwiftModel.Property(
            name: rule?.swiftName ?? unique, type: "Refs<\(models[index].type)>", isOptional: false,
            isConstant: false, storeName: storeName, column: nil, fieldType: nil, field: nil)
        back.reference = SwiftModel.Reference(
            target: models[index].type, inverse: property.name, deleteRule: rule?.deleteRule ?? "nullify", via: nil)
        back.rule.hasName = rule?.swiftName != nil
        models[index].properties[position].reference?.inverse = back.name
        models[target].properties.append(back)
    }
}
