internal import SluiceModel
internal import SluiceSQLite

/// The models that a store holds, with all that they lead to.
public struct Schema: Sendable {
    /// The models, each once.
    let models: [any PersistentModel.Type]

    /// Makes a schema of models.
    ///
    /// - Parameter models: The models; those that they lead to come along.
    /// - Throws: ``SluiceError`` with ``SluiceError/Code/invalidModel`` and all problems.
    public init(_ models: any PersistentModel.Type...) throws(SluiceError) { try self.init(models) }

    /// Makes a schema of a list of models.
    ///
    /// - Parameter models: The models; those that they lead to come along.
    /// - Throws: ``SluiceError`` with ``SluiceError/Code/invalidModel`` and all problems.
    public init(_ models: [any PersistentModel.Type]) throws(SluiceError) {
        var all: [any PersistentModel.Type] = []
        var waiting = models
        while !waiting.isEmpty {
            let model = waiting.removeFirst()
            if all.contains(where: { $0 == model }) { continue }
            all.append(model)
            let description = model.modelDescription
            waiting += description.fields.compactMap { $0.reference?.target }
            waiting += description.relationships.compactMap(\.target)
        }
        self.models = all
        let problems = SchemaCheck(all.map { $0.modelDescription }).problems
        if problems.isEmpty { return }
        throw SluiceError(
            .invalidModel, "The models do not fit together: \(problems.joined(separator: "; ")).", problems: problems)
    }

    /// The names of the entities, in the order in which they were named or led to.
    public var entities: [String] { models.map { $0.modelDescription.entity } }

    /// The tables of models and of pairs, in lower case.
    var tables: Set<String> {
        Set((models.map { $0.modelDescription.table } + links.map(\.name)).map { $0.lowercased() })
    }

    /// What the planner of tables needs to know.
    var records: [RecordSchema] { models.map { Self.record($0.modelDescription) } }

    private static func record(_ description: ModelDescription) -> RecordSchema {
        let fields = description.fields.map { field in
            RecordSchema.Field(
                name: field.name, column: field.column,
                type: FieldType(rawValue: field.type?.name ?? "string") ?? .string,
                owner: field.isOwnedBySource ? .remote : .shared)
        }
        var schema = RecordSchema(
            pipeline: "", stream: "", entity: description.entity, table: description.table, fields: fields,
            keyFields: description.identifiers, unique: description.unique)
        schema.formerly.entity = description.formerEntity
        schema.formerly.table = description.formerTable
        for (index, field) in description.fields.enumerated() {
            schema.fields[index].formerNames = [field.formerName].compactMap { $0 }
        }
        schema.references = description.fields.enumerated().compactMap { index, field in
            guard let target = field.reference?.target?.modelDescription else { return nil }
            var reference = RecordReference(
                name: field.name, fields: [index], target: target.table, targetColumns: target.keyColumns)
            reference.isRequired = !field.isOptional
            return reference
        }
        return schema
    }

    /// The tables of pairs, each once, with the types of their columns.
    var links: [LinkTable] {
        var tables: [LinkTable] = []
        for model in models {
            let owner = model.modelDescription
            for (index, relationship) in owner.relationships.enumerated() {
                guard let target = relationship.target?.modelDescription,
                    let table = LinkTable(owner, index, target),
                    !tables.contains(where: { $0.name.lowercased() == table.name.lowercased() })
                else { continue }
                tables.append(table)
            }
        }
        return tables
    }

    /// The indexes that the models ask for.
    var indexes: [ColumnIndex] {
        models.flatMap { model in
            let description = model.modelDescription
            return description.fields.filter(\.isIndexed).map {
                ColumnIndex(table: description.table, column: $0.column)
            }
        }
    }

    /// What tables lack that the models need, as sentences.
    func missing(in connection: Connection) throws -> [String] {
        var missing: [String] = []
        let wanted =
            models.map { ($0.modelDescription.table, $0.modelDescription.fields.map(\.column)) }
            + links.map { ($0.name, $0.columns) }
        for (table, columns) in wanted {
            let known = try LinkTable.columns(of: table, connection)
            if known.isEmpty {
                missing.append("there is no table `\(table)`")
            } else {
                missing += columns.filter { !known.contains($0.lowercased()) }.map {
                    "the table `\(table)` has no column `\($0)`"
                }
            }
        }
        if missing.isEmpty {
            missing += try indexes.filter { try !$0.isThere(in: connection) }.map {
                "the table `\($0.table)` has no index on `\($0.column)`"
            }
        }
        return missing
    }
}
