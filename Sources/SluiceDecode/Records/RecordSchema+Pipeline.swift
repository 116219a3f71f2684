package import SluiceModel
package import SluicePipeline

extension RecordSchema {
    /// Makes the schema of an entity as a stream of a pipeline fills it.
    package init(pipeline: PipelineDefinition, stream: StreamDefinition, entity: EntityDefinition) {
        let names = entity.fields.map(\.name)
        self.init(
            pipeline: pipeline.name, stream: stream.name, entity: entity.name, table: entity.table,
            fields: entity.fields.map {
                Field(name: $0.name, column: $0.column, type: $0.type, owner: $0.owner)
            },
            keyFields: entity.primaryKey.compactMap { names.firstIndex(of: $0) },
            unique: entity.unique.map { group in group.compactMap { names.firstIndex(of: $0) } })
        formerly.pipeline = pipeline.renamedFrom
        formerly.stream = stream.renamedFrom
        formerly.entity = entity.renamedFrom
        formerly.table = entity.tableRenamedFrom
        let byKind = entity.conflictRules.byKind.map { ($0.rawValue, $1) }
        policies = ConflictPolicies(layers: [
            ConflictPolicies.Layer(
                fallback: entity.conflictRules.fallback, byKind: Dictionary(uniqueKeysWithValues: byKind)),
            ConflictPolicies.Layer(fallback: pipeline.conflictPolicy),
        ])
        for (index, field) in entity.fields.enumerated() {
            fields[index].formerNames = [field.renamedFrom].compactMap { $0 } + field.derivedFormerNames
            fields[index].comparison = field.comparison
            fields[index].allowed = Set(field.values.map { Array($0.utf8) })
            fields[index].redaction = field.redaction
            fields[index].isRequired = !field.mayBeNull
            fields[index].defaultFillsGap = field.defaultFillsGap
            fields[index].baseKeeping =
                field.comparison.mergesWithin ? .full : field.keepsBase ?? entity.keepsBase ?? pipeline.keepsBase
            guard let policy = field.onConflict else { continue }
            let layers = [ConflictPolicies.Layer(fallback: policy)] + policies.layers
            fields[index].policies = ConflictPolicies(layers: layers)
        }
        for reference in entity.references {
            let positions = reference.fields.compactMap { names.firstIndex(of: $0) }
            let link = reference.link.map {
                RecordLink(table: $0.table, ownerColumns: $0.ownerColumns, targetColumns: $0.targetColumns)
            }
            var known = RecordReference(
                name: reference.name, fields: positions, target: reference.targetTable,
                targetColumns: reference.targetKey.map(\.column), link: link,
                onDangling: RecordReference.DanglingRule(rawValue: reference.onDangling.rawValue) ?? .defer)
            known.targetTypes = reference.targetKey.map(\.type)
            references.append(known)
            for position in positions where link != nil {
                fields[position].isLink = true
                fields[position].addsOnly = reference.merge == .addOnly
            }
        }
        if let owner = pipeline.owner(of: entity) {
            var known = RecordReference(
                name: owner.name,
                fields: entity.fields.indices.filter {
                    if case .parentKey = entity.fields[$0].origin { true } else { false }
                },
                target: owner.table, targetColumns: owner.keyColumns, onDangling: .owner)
            known.targetTypes = known.fields.map { fields[$0].type }
            references.append(known)
        }
        newestField = entity.newestField.flatMap { names.firstIndex(of: $0) }
        hasContentKey = entity.hasContentKey
        deletesSoftly = pipeline.marksDeleted(by: stream)
        auditsInserts = entity.history == .changes
        follow(stream.writeMode)
    }
}

extension PipelineDefinition {
    /// Whether rows whose records a stream loses, or states to be deleted, are marked. One that neither deletes nor marks what is missing
    /// goes by the others of its table.
    fileprivate func marksDeleted(by stream: StreamDefinition) -> Bool {
        switch stream.deleteMissing.mode {
        case .soft: return true
        case .hard: return false
        case .ignore, .report: break
        }
        guard let table = entity(named: stream.entity)?.table else { return false }
        return streams.contains { $0.deleteMissing.mode == .soft && entity(named: $0.entity)?.table == table }
    }

    /// The entity whose records an entity's belong to, so that they cannot be without them; nil where there is none.
    fileprivate func owner(of entity: EntityDefinition) -> EntityDefinition? {
        guard let owner = entity.parent.flatMap({ self.entity(named: $0) }),
            owner.children.contains(where: { $0.entity == entity.name && $0.onParentDelete == .cascade })
        else { return nil }
        return owner
    }
}

extension EntityDefinition {
    /// The columns of the identifier, in its order.
    fileprivate var keyColumns: [String] {
        primaryKey.compactMap { name in fields.first { $0.name == name }?.column }
    }
}
