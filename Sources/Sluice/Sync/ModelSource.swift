internal import SluiceDecode
internal import SluiceJSON
internal import SluiceModel
internal import SluicePipeline

/// A model as a source fills it: what a pipeline file says of an entity and its stream, made of a struct.
struct ModelSource {
    let pipeline: PipelineDefinition
    let stream: StreamDefinition
    let entity: EntityDefinition
    let schema: RecordSchema
    let description: ModelDescription
    /// What properties have of which a source says nothing.
    private let defaults: [BoxedValue]
    /// Whether what the call says of conflicts goes before what models say.
    private let forgetsPolicies: Bool

    /// Makes the definitions.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - source: The source.
    ///   - options: How records are merged.
    ///   - precedence: The sources whose values go before those of others, the first of which goes before all.
    /// - Throws: ``SluiceError`` where the path of the records is none, or the store cannot hold a default.
    init<M: PersistentModel>(
        _ model: M.Type, from source: Source, _ options: SyncOptions, precedence: [Source]
    ) throws {
        description = M.model.description
        if description.hasNoIdentifier {
            throw SluiceError(
                .refused,
                "Records of \(description.entity) have no identifier, so what a source says of them cannot be merged. Insert them, or let all their values identify them: `identifier: .content`.",
                entity: description.entity)
        }
        defaults = try Self.defaults(of: model)
        let own = Self.entity(description, defaults) { field in field.json }.leading(by: description)
        let within = try Self.within(description)
        var stream = StreamDefinition(
            name: source.stream ?? description.table, entity: description.entity,
            format: options.format == .json ? .json : .jsonl, deleteMissing: SluicePipeline.DeleteRule(options.missing))
        if let text = options.records {
            do throws(JSONPathError) { stream.records = try JSONPath(parsing: text) } catch {
                throw SluiceError(.invalidJSON, "The path `\(text)` of the records is none: \(error.message)")
            }
        }
        stream.entries = options.entries
        // A stream that is named after the table was, too.
        if stream.name == description.table { stream.renamedFrom = description.formerTable }
        stream.writeMode = WriteMode(options.mode)
        stream.onDuplicate = StreamDefinition.DuplicateRule(options.onDuplicate)
        stream.decidesDuplicates = true
        stream.schemaContract = SchemaContract(fields: .ignore, types: .coerce)
        self.stream = stream
        var pipeline = PipelineDefinition(
            name: source.pipeline, file: description.place, source: SourceDefinition(base: .file("/")),
            entities: [own] + within, streams: [stream])
        forgetsPolicies = options.onConflict != nil
        if let policy = options.onConflict {
            pipeline.conflictPolicy = ConflictPolicy(policy)
            for index in pipeline.entities.indices { pipeline.entities[index].forgetPolicies() }
        }
        let table = description.table
        pipeline.precedence = precedence.map { "\($0.pipeline)/\($0.stream ?? table)" }
        self.pipeline = pipeline
        entity = pipeline.entities[0]
        schema = RecordSchema(pipeline: pipeline, stream: stream, entity: entity)
    }

    /// The pipeline whose first entity has values of the model as records, as a store keeps them: a member for each column, under its
    /// name. What they do not say, they leave as it is. So it is with the records within them.
    ///
    /// - Throws: ``SluiceError`` where the store cannot hold a default.
    func ofStoredValues() throws -> PipelineDefinition {
        var entity = Self.entity(description, defaults, Self.storedPlace).leading(by: description, isStored: true)
        for index in entity.fields.indices where !entity.primaryKey.contains(entity.fields[index].name) {
            entity.fields[index].mayBeLeftOut = true
        }
        var stored = pipeline
        stored.entities = [entity] + (try Self.within(description, isStored: true))
        for index in stored.entities.indices { stored.entities[index].unsaidMember = SaidProperties.unsaidMember }
        if forgetsPolicies {
            for index in stored.entities.indices { stored.entities[index].forgetPolicies() }
        }
        return stored
    }

    private static func storedPlace(_ field: ModelDescription.Field) -> JSONPath? {
        field.json == nil ? nil : JSONPath(steps: [.name(field.name)], text: field.name)
    }

    /// The entities of the records that stand within a model's as objects: those by value, and what stands within these.
    ///
    /// - Parameters:
    ///   - description: The model.
    ///   - isStored: Whether records are values as a store keeps them.
    /// - Returns: The entities.
    /// - Throws: ``SluiceError`` where the store cannot hold a default.
    private static func within(_ description: ModelDescription, isStored: Bool = false) throws -> [EntityDefinition] {
        var found: [EntityDefinition] = []
        var names: Set<String> = [description.entity]
        func visit(_ description: ModelDescription) throws {
            let leading = description.fields.compactMap(\.reference) + description.relationships
            for relationship in leading where relationship.isByValue {
                guard let target = relationship.target, names.insert(target.modelDescription.entity).inserted else {
                    continue
                }
                let inner = target.modelDescription
                let own = entity(inner, try defaults(of: target)) { isStored ? storedPlace($0) : $0.json }
                found.append(own.leading(by: inner, isStored: isStored))
                try visit(inner)
            }
        }
        try visit(description)
        return found
    }

    /// What the properties of a model have of which a source says nothing.
    ///
    /// - Throws: ``SluiceError`` where the store cannot hold it.
    static func defaults(of model: any PersistentModel.Type) throws -> [BoxedValue] {
        let description = model.modelDescription
        var record = BoxedRecord(description)
        do throws(BoxError) { try model.boxDefaults(into: &record) } catch {
            throw SluiceError(
                .box, "The default of \(description.entity) cannot be stored: \(error.description).",
                entity: description.entity, field: error.property)
        }
        record.complete()
        return record.values
    }

    private static func entity(
        _ description: ModelDescription, _ defaults: [BoxedValue], _ path: (ModelDescription.Field) -> JSONPath?
    ) -> EntityDefinition {
        var entity = EntityDefinition(
            name: description.entity, table: description.table,
            primaryKey: description.identifiers.map { description.fields[$0].name },
            unique: description.unique.map { group in group.map { description.fields[$0].name } }, fields: [])
        entity.renamedFrom = description.formerEntity
        entity.tableRenamedFrom = description.formerTable
        description.rules.apply(to: &entity, description.fields)
        for (field, value) in zip(description.fields, defaults) {
            if field.isImplied {
                entity.fields.append(
                    FieldDefinition(
                        name: field.name, column: field.column, origin: .content, type: field.fieldType,
                        isRequired: true))
            }
            guard let place = path(field) else { continue }
            var definition = FieldDefinition(
                name: field.name, column: field.column, origin: .path(place), type: field.fieldType,
                isRequired: !field.isOptional)
            definition.renamedFrom = field.formerName
            // Values of a program have a member for each part.
            definition.partDepth = place.steps.count > field.partDepth ? field.partDepth : 0
            if value != .null {
                definition.defaultJSON = FieldJSON.text(FieldValue(value), type: field.fieldType)
                (definition.onMissing, definition.defaultFillsGap) = (.default, !field.rules.saysWhatIsMissing)
            }
            field.rules.apply(to: &definition)
            if let target = field.reference?.target?.modelDescription,
                let key = target.identifiers.first.map({ target.fields[$0] })
            {
                let keyPath = path(key) ?? JSONPath(steps: [.name(key.name)], text: key.name)
                definition.origin = .reference(path: place, key: keyPath)
                definition.reference = field.name
                var reference = ReferenceDefinition(
                    name: field.name, path: place, target: target.entity, count: .one, fields: [field.name])
                reference.targetTable = target.table
                reference.targetKey = [
                    FieldDefinition(name: key.name, column: key.column, origin: .path(keyPath), type: key.fieldType)
                ]
                // What is a record by value comes along where the source sends it as an object.
                reference.upsert = field.reference?.isByValue == true
                entity.references.append(reference)
            }
            entity.fields.append(definition)
        }
        return entity
    }
}

extension EntityDefinition {
    /// Leaves all conflicts to the pipeline's policy.
    fileprivate mutating func forgetPolicies() {
        conflictRules = ConflictRules()
        for index in fields.indices { fields[index].onConflict = nil }
    }

    /// The same with what leads to several records by pairs: a list of keys, or of objects that have them.
    ///
    /// - Parameters:
    ///   - description: The model.
    ///   - isStored: Whether records are values as a store keeps them, which have a list under its own name.
    /// - Returns: The entity.
    fileprivate func leading(by description: ModelDescription, isStored: Bool = false) -> EntityDefinition {
        var entity = self
        for (index, relationship) in description.relationships.enumerated() {
            guard let target = relationship.target?.modelDescription, let said = relationship.json,
                case .table(let table, let owners, let targets, _) = try? LinkDescription(description, index, target),
                target.identifierOutsideJSON == nil
            else { continue }
            let keys = target.identifiers.map { target.fields[$0] }
            let paths = keys.compactMap { key in
                isStored ? JSONPath(steps: [.name(key.name)], text: key.name) : key.json
            }
            let place = isStored ? JSONPath(steps: [.name(relationship.name)], text: relationship.name) : said
            let isOfElements = place.steps.last == .wildcard || !place.isPlain
            let path =
                isOfElements ? place : JSONPath(steps: place.steps + [.wildcard], text: place.text + "[*]")
            var field = FieldDefinition(
                name: relationship.name, column: relationship.name,
                origin: .references(path: path, keys: paths), type: .json)
            field.comparison = .set
            field.keepsBase = .full
            field.reference = relationship.name
            field.renamedFrom = relationship.formerName
            var reference = ReferenceDefinition(
                name: relationship.name, path: path, target: target.entity, count: .many, fields: [field.name])
            reference.targetTable = target.table
            reference.targetKey = zip(keys, paths).map { key, path in
                FieldDefinition(name: key.name, column: key.column, origin: .path(path), type: key.fieldType)
            }
            reference.upsert = relationship.isByValue
            reference.merge = relationship.rules.merge
            // What the source alone says is its own.
            if reference.merge == .replace { field.owner = .remote }
            reference.link = LinkDefinition(table: table, ownerColumns: owners, targetColumns: targets)
            entity.fields.append(field)
            entity.references.append(reference)
        }
        return entity
    }
}

extension ModelDescription.Field {
    /// The type of what the column holds.
    var fieldType: FieldType { FieldType(rawValue: type?.name ?? "string") ?? .string }
}

extension SluicePipeline.DeleteRule {
    fileprivate init(_ rule: SyncOptions.MissingRule) {
        let limit: Limit =
            switch rule.maximum {
            case .count(let count): .count(count)
            case .percent(let percent): .percent(percent)
            }
        let mode: Mode =
            switch rule.deletion {
            case nil: .ignore
            case .hard: .hard
            case .soft: .soft
            }
        self.init(mode: mode, maximum: limit, minimumRecords: rule.minimumRecords)
        confirmation = .scans(0)
    }
}

extension WriteMode {
    fileprivate init(_ mode: SyncOptions.Mode) {
        self =
            switch mode {
            case .merge: .merge
            case .append: .append
            case .insertOnly: .insertOnly
            case .replace: .replace
            }
    }
}

extension StreamDefinition.DuplicateRule {
    fileprivate init(_ rule: SyncOptions.DuplicateRule) {
        self =
            switch rule {
            case .last: .last
            case .first: .first
            case .quarantine: .quarantine
            case .fail: .fail
            }
    }
}

extension ConflictPolicy {
    fileprivate init(_ policy: SyncOptions.ConflictPolicy) {
        self =
            switch policy {
            case .manual: .manual
            case .newestWins: .newestWins
            case .localWins: .localWins
            case .remoteWins: .remoteWins
            case .fail: .fail
            }
    }
}
