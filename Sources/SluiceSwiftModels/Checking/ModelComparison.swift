internal import SluiceJSON
internal import SluiceModel
package import SluiceSwift

/// Compares models of Swift files with what pipelines say.
package struct ModelComparison {
    /// What differs, file by file, in the order of the places.
    package private(set) var findings: [ModelFinding] = []
    let expected: [SwiftModel]
    let models: ModelSet
    /// The compositions of the files by their names.
    let compositions: [String: CompositionDeclaration]
    private var found: [FoundModel] { models.models }
    let configuration: SwiftConfiguration?
    private let command: ModelCommandLine

    /// Compares.
    ///
    /// - Parameters:
    ///   - expected: What the pipelines say.
    ///   - found: The models of the files.
    ///   - compositions: The compositions of the files.
    ///   - configuration: How models are to be made; nil where their files say it.
    ///   - command: What writes models, for remedies.
    package init(
        _ expected: [SwiftModel], _ found: [FoundModel], _ compositions: [CompositionDeclaration],
        _ configuration: SwiftConfiguration?, _ command: ModelCommandLine
    ) {
        self.expected = expected
        self.compositions = Dictionary(compositions.map { ($0.type, $0) }) { first, _ in first }
        models = ModelSet(found)
        (self.configuration, self.command) = (configuration, command)
        for model in found {
            for problem in model.problems {
                add(.unreadable, .error, model, at: problem.offset, problem.message + ".")
            }
        }
        let readable = found.filter(\.problems.isEmpty)
        var matched: Set<Int> = []
        for model in readable {
            guard let index = match(model) else {
                add(
                    .modelUnmatched, .note, model, at: model.declaration.nameRange.lowerBound,
                    "No pipeline fills the table `\(model.model.table)` of `\(model.model.type)`.")
                continue
            }
            if !matched.insert(index).inserted {
                let other = readable.first { match($0) == index }
                add(
                    .modelDuplicate, .error, model, at: model.declaration.nameRange.lowerBound,
                    "`\(model.model.type)` and `\(other?.model.type ?? "")` are both models of the entity `\(expected[index].entity)`.",
                    sources: expected[index].places)
                continue
            }
            compare(model, expected[index])
        }
        for (index, model) in expected.enumerated() where !matched.contains(index) {
            findings.append(
                ModelFinding(
                    code: .modelMissing, severity: .warning, file: model.sources.first ?? "", offset: nil,
                    detail: "The entity `\(model.entity)` has no model of the table `\(model.table)`.",
                    help: "`\(command.text)` writes it.", edits: [], sources: []))
        }
        findings.sort { ($0.file, $0.offset ?? -1, $0.code.rawValue) < ($1.file, $1.offset ?? -1, $1.code.rawValue) }
    }

    mutating func add(
        _ code: ModelFinding.Code, _ severity: ModelFinding.Severity, _ model: FoundModel, at offset: Int,
        _ detail: String, help: String? = nil, edits: [SourceEdit] = [], sources: [SwiftModel.Place] = []
    ) {
        findings.append(
            ModelFinding(
                code: code, severity: severity, file: model.file, offset: offset, detail: detail, help: help,
                edits: edits, sources: sources))
    }

    /// The position of the entity that a model is of: by its table, else by its name.
    private func match(_ model: FoundModel) -> Int? {
        expected.firstIndex { $0.table.lowercased() == model.model.table.lowercased() }
            ?? expected.firstIndex { entity in
                entity.entity == model.model.entity
                    && !found.contains { $0.model.table.lowercased() == entity.table.lowercased() }
            }
    }

    func model(named type: String) -> FoundModel? { models.model(named: type) }

    private func column(of field: ModelDeclaration.Field) -> String { models.column(of: field) }

    // MARK: A model

    private mutating func compare(_ model: FoundModel, _ entity: SwiftModel) {
        let place = model.declaration.nameRange.lowerBound
        if model.model.table.lowercased() != entity.table.lowercased() {
            return add(
                .modelUnmatched, .error, model, at: place,
                "`\(model.model.type)` has the table `\(model.model.table)`, and the entity `\(entity.entity)` the table `\(entity.table)`.",
                help: "Name it: `@PersistentModel(table: \(SwiftLiteral.quoted(entity.table)))`.",
                sources: entity.places)
        }
        if entity.hasNameByRule, model.model.type != entity.type {
            add(
                .fieldName, .error, model, at: place,
                "`\(model.model.type)` is called `\(entity.type)` by the configuration.",
                help: "Rename it, or change `swift_name`.", sources: entity.places)
        }
        compareNames(model, entity)
        compareKeys(model, entity)
        if !entity.sources.isEmpty { compareRules(model, entity) }
        compareUnique(model, entity)
        var used: Set<String> = []
        for property in entity.properties where !property.isToMany {
            if let field = field(for: property, in: model) {
                used.insert(field.property)
                FieldComparisonPass(model, entity, field, property).run(&self)
            } else if tellOfSeveral(property, in: model, entity) {
                continue
            } else if !property.isIdentifier && !compareParts(property, of: model, entity) {
                add(
                    .fieldMissing, severity(model, entity), model, at: place,
                    "`\(model.model.type)` has no property of the column `\(property.column ?? "")`.",
                    sources: entity.places)
            }
        }
        for field in model.model.fields where !used.contains(field.property) {
            guard let written = model.property(field.property) else { continue }
            if entity.skippedColumns.contains(where: { ColumnName.areSame($0, column(of: field)) }) {
                add(
                    .fieldExtra, .warning, model, at: written.nameRange.lowerBound,
                    "The configuration has `\(model.model.type)` leave out the column `\(column(of: field))` of `\(field.property)`.",
                    help: "Remove the property, or leave out `skip`.", sources: entity.places)
                continue
            }
            // A row of a run could not be read.
            let isNeeded = !entity.sources.isEmpty && !field.takesNull && !field.isIdentifier
            add(
                .fieldExtra, isNeeded ? .error : severity(model, entity), model, at: written.nameRange.lowerBound,
                "No pipeline fills the column `\(column(of: field))` of `\(model.model.type).\(field.property)`\(isNeeded ? ", which takes no null" : "").",
                help: isNeeded ? "Make it optional, or add the field." : nil)
        }
        compareRelationships(model, entity)
        if !model.model.hasOrigin, model.options.hasOrigin, configuration?.options.hasOrigin != false {
            add(
                .originMissing, .warning, model, at: place,
                "`\(model.model.type)` does not remember what was read, so that saving a value takes back what a run changed meanwhile.",
                help: "Add `var origin = Origin()`.", edits: ModelEdits(model).addOrigin(), sources: entity.places)
        }
    }

    private mutating func compareKeys(_ model: FoundModel, _ entity: SwiftModel) {
        let own = model.model.identifiers.map { column(of: $0).lowercased() }
        let wanted = entity.identifiers.compactMap(\.column)
        let identification: ModelDeclaration.Identification = entity.isIdentifiedByContent ? .content : .property
        if own == wanted.map({ $0.lowercased() }), model.model.identification == identification { return }
        let offset =
            model.model.identifiers.first.flatMap { model.property($0.property) }?.nameRange.lowerBound
            ?? model.declaration.nameRange.lowerBound
        let list = model.model.identifiers.map { "`\(column(of: $0))`" }.joined(separator: ", ")
        let identity =
            switch model.model.identification {
            case .property: "The columns \(list) identify"
            case .content: "All values together identify"
            case .none: "Nothing identifies"
            }
        let other =
            entity.isIdentifiedByContent
            ? "a hash of their values" : wanted.map { "`\($0)`" }.joined(separator: ", ")
        add(
            .fieldKey, .error, model, at: offset,
            "\(identity) a `\(model.model.type)`, and the pipeline identifies its records by \(other).",
            help: entity.isIdentifiedByContent ? "Say so: `@PersistentModel(identifier: .content)`." : nil,
            sources: entity.places)
    }

    /// What one side alone has of a record that all its values identify is another record for the other.
    private func severity(_ model: FoundModel, _ entity: SwiftModel) -> ModelFinding.Severity {
        model.model.identification == .content && entity.isIdentifiedByContent ? .error : .note
    }

    /// The property of a file that is meant: by its column, else by its name in the store or in Swift.
    func field(for property: SwiftModel.Property, in model: FoundModel) -> ModelDeclaration.Field? {
        let fields = model.model.fields
        let columns = Set(fields.map { column(of: $0).lowercased() })
        if let column = property.column,
            let field = fields.first(where: { ColumnName.areSame(self.column(of: $0), column) })
        {
            return field
        }
        func isFree(_ field: ModelDeclaration.Field) -> Bool { !columns.contains(property.column?.lowercased() ?? "") }
        return fields.first { $0.name == property.storeName && isFree($0) }
            ?? fields.first { $0.property == property.name && isFree($0) }
    }

    // MARK: What leads to several records

    private mutating func compareRelationships(_ model: FoundModel, _ entity: SwiftModel) {
        for property in entity.properties where property.isToMany {
            guard let reference = property.reference else { continue }
            let found =
                model.model.relationships.first { $0.name == property.storeName }
                ?? model.model.relationships.first { $0.property == property.name }
            guard let found, let written = model.property(found.property) else {
                if tellOfOne(property, reference, in: model, entity) { continue }
                add(
                    .relationshipMissing, .note, model, at: model.declaration.nameRange.lowerBound,
                    "`\(model.model.type)` has no property that leads to the `\(reference.target)` of `\(property.name)`.",
                    sources: entity.places)
                continue
            }
            if property.rule.hasName, found.property != property.name {
                add(
                    .fieldName, .error, model, at: written.nameRange.lowerBound,
                    "`\(model.model.type).\(found.property)` is called `\(property.name)` by the configuration.",
                    help: "Rename it, or change `swift_name`.", sources: entity.places)
            }
            compareTarget(model, entity.places(of: property), written, found, reference)
            compareRule(model, entity.places(of: property), written, found, reference)
            compareLinks(model, entity.places(of: property), written, found, reference)
            compareRules(model, entity, found, property, written)
            if let via = reference.via, found.via != via {
                add(
                    .relationshipVia, .error, model, at: place(of: "via", in: written),
                    "The links of `\(model.model.type).\(found.property)` are in \(found.via.map { "`\($0)`" } ?? "a table that the library names"), and the pipeline keeps them in `\(via)`.",
                    edits: ModelEdits(model).set("via", SwiftLiteral.quoted(via), in: "Relationship", of: written),
                    sources: entity.places)
            }
        }
        for relationship in model.model.relationships {
            checkInverse(model, relationship)
            checkRelease(model, relationship)
            tellOfUnfilled(relationship, in: model, entity)
        }
        for field in model.model.fields { if let reference = field.reference { checkInverse(model, reference) } }
    }

    func place(of label: String, in property: TypeDeclaration.Property) -> Int {
        property.attribute("Relationship")?.arguments.first { $0.label == label }?.range.lowerBound
            ?? property.nameRange.lowerBound
    }

    /// The tables that a property and the pipeline lead to, where they differ.
    func leadsElsewhere(
        _ found: ModelDeclaration.Relationship, _ reference: SwiftModel.Reference
    ) -> (own: String, table: String)? {
        guard let table = expected.first(where: { $0.type == reference.target })?.table,
            let own = model(named: found.target)?.model.table, table.lowercased() != own.lowercased()
        else { return nil }
        return (own, table)
    }

    fileprivate mutating func compareTarget(
        _ model: FoundModel, _ places: [SwiftModel.Place], _ written: TypeDeclaration.Property,
        _ found: ModelDeclaration.Relationship, _ reference: SwiftModel.Reference
    ) {
        guard let (target, table) = leadsElsewhere(found, reference) else { return }
        add(
            .relationshipTarget, .error, model, at: written.typeRange?.lowerBound ?? written.nameRange.lowerBound,
            "`\(model.model.type).\(found.property)` leads to the table `\(target)`, and the pipeline to `\(table)`.",
            sources: places)
    }

    fileprivate mutating func compareRule(
        _ model: FoundModel, _ places: [SwiftModel.Place], _ written: TypeDeclaration.Property,
        _ found: ModelDeclaration.Relationship, _ reference: SwiftModel.Reference
    ) {
        if found.deleteRule == reference.deleteRule { return }
        add(
            .relationshipDeleteRule, .error, model, at: place(of: "deleteRule", in: written),
            "The delete rule of `\(model.model.type).\(found.property)` is `.\(found.deleteRule)`, and that of the pipeline `.\(reference.deleteRule)`.",
            edits: ModelEdits(model).set("deleteRule", ".\(reference.deleteRule)", in: "Relationship", of: written),
            sources: places)
    }

    /// An inverse that names no property of the other side.
    private mutating func checkInverse(_ model: FoundModel, _ relationship: ModelDeclaration.Relationship) {
        guard let inverse = relationship.inverse, let target = self.model(named: relationship.target)?.model,
            let written = model.property(relationship.property)
        else { return }
        let names = target.relationships + target.fields.compactMap(\.reference)
        if names.contains(where: { $0.property == inverse || $0.name == inverse }) { return }
        add(
            .relationshipInverse, .error, model, at: place(of: "inverse", in: written),
            "`\(model.model.type).\(relationship.property)` names `\(inverse)` as its inverse, which is no relationship of `\(target.type)`."
        )
    }

    // MARK: A field

    /// Compares one property with one field.
    fileprivate struct FieldComparisonPass {
        let model: FoundModel
        let entity: SwiftModel
        let field: ModelDeclaration.Field
        let property: SwiftModel.Property

        init(
            _ model: FoundModel, _ entity: SwiftModel, _ field: ModelDeclaration.Field, _ property: SwiftModel.Property
        ) {
            (self.model, self.entity, self.field, self.property) = (model, entity, field, property)
        }

        private var name: String { "`\(model.model.type).\(field.property)`" }

        func run(_ comparison: inout ModelComparison) {
            guard let written = model.property(field.property) else { return }
            compareName(&comparison, written)
            compareColumn(&comparison, written)
            compareType(&comparison, written)
            compareOptional(&comparison, written)
            comparison.comparePolicy(model, entity, field, property, written)
            if !entity.sources.isEmpty { comparison.compareRules(model, entity, field, property, written) }
            compareJSON(&comparison, written)
            compareDefault(&comparison, written)
        }

        private func report(
            _ comparison: inout ModelComparison, _ code: ModelFinding.Code, _ severity: ModelFinding.Severity,
            at offset: Int, _ detail: String, help: String? = nil, edits: [SourceEdit] = []
        ) {
            comparison.add(
                code, severity, model, at: offset, detail, help: help, edits: edits,
                sources: entity.places(of: property))
        }

        /// Where an argument stands, else the property's name.
        private func place(_ label: String, _ written: TypeDeclaration.Property) -> Int {
            written.attribute("Attribute")?.arguments.first { $0.label == label }?.range.lowerBound
                ?? written.nameRange.lowerBound
        }

        /// Without a rule, a property may have any name that leads to its column.
        private func compareName(_ comparison: inout ModelComparison, _ written: TypeDeclaration.Property) {
            guard property.rule.hasName, field.property != property.name else { return }
            report(
                &comparison, .fieldName, .error, at: written.nameRange.lowerBound,
                "\(name) is called `\(property.name)` by the configuration.",
                help: "Rename it, or change `swift_name`.")
        }

        private func compareColumn(_ comparison: inout ModelComparison, _ written: TypeDeclaration.Property) {
            guard let column = property.column else { return }
            // The column is named after what it leads to.
            if let found = field.reference, let reference = property.reference,
                comparison.leadsElsewhere(found, reference) != nil
            {
                return
            }
            let own = comparison.column(of: field)
            let edits = ModelEdits(model)
            if ColumnName.areSame(own, column) {
                // The hash is made of the values under their names.
                guard entity.isIdentifiedByContent, model.model.identification == .content, !entity.sources.isEmpty,
                    field.name != property.storeName
                else { return }
                return report(
                    &comparison, .fieldName, .error, at: written.nameRange.lowerBound,
                    "\(name) is called `\(field.name)` in the store, and the pipeline makes the hash of a record of its value as `\(property.storeName)`.",
                    edits: edits.set(
                        "persistentName", SwiftLiteral.quoted(property.storeName),
                        in: property.reference == nil ? "Attribute" : "Relationship", of: written))
            }
            if property.reference == nil, field.reference == nil, field.column == nil, column == property.storeName {
                return report(
                    &comparison, .fieldName, .error, at: place("persistentName", written),
                    "\(name) is stored as `\(own)`, and the pipeline fills the column `\(column)`.",
                    edits: edits.set("persistentName", SwiftLiteral.quoted(column), in: "Attribute", of: written))
            }
            report(
                &comparison, .fieldColumn, .error, at: place("column", written),
                "\(name) has the column `\(own)`, and the pipeline fills `\(column)`.",
                edits: edits.set("column", SwiftLiteral.quoted(column), in: "Attribute", of: written))
        }

        private func compareType(_ comparison: inout ModelComparison, _ written: TypeDeclaration.Property) {
            let place = written.typeRange?.lowerBound ?? written.nameRange.lowerBound
            if let found = field.reference {
                if let reference = property.reference {
                    comparison.compareTarget(model, entity.places(of: property), written, found, reference)
                    comparison.compareRule(model, entity.places(of: property), written, found, reference)
                }
                return
            }
            guard let type = property.fieldType else { return }
            if let detail = storageDifference {
                return report(
                    &comparison, .fieldStorage, .error, at: self.place("storageMethod", written),
                    "\(name) is stored \(detail).")
            }
            if property.rule.hasType {
                if Self.plain(SwiftType.wrapped(field.type)) == Self.plain(property.type) { return }
                return report(
                    &comparison, .fieldType, .error, at: place,
                    "\(name) has the type `\(SwiftType.wrapped(field.type))`, and the configuration gives it `\(property.type)`."
                )
            }
            switch field.storage {
            case .transformed: return
            case .codable:
                if type == .json { return }
                return report(
                    &comparison, .fieldStorage, .error, at: self.place("storageMethod", written),
                    "\(name) is stored as JSON, and the pipeline fills its column with the type `\(type.rawValue)`.")
            case .value, .raw: break
            }
            let own = SwiftType.wrapped(field.type)
            if SwiftFieldType.misfit(own, type) == nil { return }
            report(
                &comparison, .fieldType, .error, at: place,
                "\(name) has the type `\(own)`, and the pipeline fills its column with the type `\(type.rawValue)`.",
                help: "A `\(SwiftFieldType.preferred(type))` holds its values.")
        }

        /// How the model stores the property and how the configuration has it, where it says so and they differ.
        private var storageDifference: String? {
            switch (property.rule.storage, field.storage) {
            // Both keep the raw value of a type that has one.
            case (nil, _), (.raw, .raw), (.raw, .value), (.codable, .codable): return nil
            case (.transformed(let wanted), .transformed(let own)) where Self.plain(wanted) == Self.plain(own):
                return nil
            case (.raw, _): return "otherwise, and the configuration has its raw value stored"
            case (.codable, _): return "otherwise, and the configuration has it stored as JSON (`.codable`)"
            case (.transformed(let wanted), _): return "otherwise, and the configuration has `\(wanted)` transform it"
            }
        }

        /// A type's name without what stands before it.
        private static func plain(_ type: String) -> String { type.split(separator: ".").last.map(String.init) ?? type }

        private func compareOptional(_ comparison: inout ModelComparison, _ written: TypeDeclaration.Property) {
            let place = written.typeRange?.lowerBound ?? written.nameRange.lowerBound
            if property.isIdentifier {
                guard field.isOptional, !field.isGenerated else { return }
                return report(
                    &comparison, .fieldOptional, .error, at: place,
                    "\(name) identifies records and is optional; a key is never null.")
            }
            guard property.isOptional, !field.takesNull else { return }
            if property.rule.ignoresOptionality { return }
            report(
                &comparison, .fieldOptional, .error, at: place,
                "The pipeline does not require `\(property.field ?? property.storeName)`, and \(name) takes no null.",
                help: "Make it optional, or add `required: true` to the field.",
                edits: ModelEdits(model).makeOptional(written))
        }

        private func compareJSON(_ comparison: inout ModelComparison, _ written: TypeDeclaration.Property) {
            guard let json = property.json else { return }
            let own: JSONPath? =
                switch field.json {
                case nil: nil
                case .key(let key): JSONPath(steps: [.name(key)], text: key)
                case .path(let path): try? JSONPath(parsing: path)
                }
            guard let own, own.steps != (try? JSONPath(parsing: json))?.steps else { return }
            report(
                &comparison, .fieldJSON, .warning, at: place("json", written),
                "\(name) is read from `\(own.text)` of JSON, and the pipeline reads `\(json)`.",
                edits: ModelEdits(model).set("json", SwiftLiteral.quoted(json), in: "Attribute", of: written))
        }

        private func compareDefault(_ comparison: inout ModelComparison, _ written: TypeDeclaration.Property) {
            guard let value = property.initialValue, !property.isIdentifier, value != "nil" else { return }
            // The cases of a program's own enum may have other names.
            if property.enumeration != nil && field.initialValue != nil { return }
            if let own = field.initialValue, ModelComparison.isSame(own, value) { return }
            report(
                &comparison, .fieldDefault, .warning,
                at: written.valueRange?.lowerBound ?? written.nameRange.lowerBound,
                "The pipeline's default of \(name) is `\(value)`, and the model \(field.initialValue.map { "has `\($0)`" } ?? "has none").",
                edits: property.enumeration == nil ? ModelEdits(model).setValue(value, of: written) : [])
        }
    }

    /// Whether two literals mean the same.
    private static func isSame(_ left: String, _ right: String) -> Bool {
        if left == right { return true }
        func number(_ text: String) -> Double? { Double(text.filter { $0 != "_" }) }
        if let left = number(left), let right = number(right) { return left == right }
        guard let left = SwiftLiteral.string(left), let right = SwiftLiteral.string(right) else { return false }
        return left.utf8.elementsEqual(right.utf8)
    }
}
