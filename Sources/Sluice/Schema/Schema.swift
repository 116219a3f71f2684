internal import SluiceModel

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
        schema.references = description.fields.enumerated().compactMap { index, field in
            guard let target = field.reference?.target?.modelDescription else { return nil }
            return RecordReference(
                name: field.name, fields: [index], target: target.table, targetColumns: target.keyColumns)
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
                    case .table(let name, let owners, let targets, _) = try? LinkDescription(owner, index, target),
                    !tables.contains(where: { $0.name.lowercased() == name.lowercased() })
                else { continue }
                tables.append(LinkTable(name: name, sides: [(owner, owners), (target, targets)]))
            }
        }
        return tables
    }
}

/// A table of pairs.
struct LinkTable {
    let name: String
    let sides: [(model: ModelDescription, columns: [String])]

    /// What makes it where it is missing.
    var sql: [String] {
        var definitions: [String] = []
        for side in sides {
            for (column, field) in zip(side.columns, side.model.identifiers) {
                let type = FieldType(rawValue: side.model.fields[field].type?.name ?? "") ?? .string
                definitions.append("\(SQLIdentifier.quoted(column)) \(Self.sqliteType(type)) NOT NULL")
            }
        }
        definitions.append("PRIMARY KEY (\(SQLIdentifier.list(sides.flatMap(\.columns))))")
        for side in sides {
            definitions.append(
                "FOREIGN KEY (\(SQLIdentifier.list(side.columns))) REFERENCES \(SQLIdentifier.quoted(side.model.table)) (\(SQLIdentifier.list(side.model.keyColumns))) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED"
            )
        }
        let table = SQLIdentifier.quoted(name)
        let index = SQLIdentifier.quoted((["\(name)"] + sides[1].columns).joined(separator: "_"))
        return [
            "CREATE TABLE IF NOT EXISTS \(table) (\(definitions.joined(separator: ", "))) STRICT, WITHOUT ROWID",
            "CREATE INDEX IF NOT EXISTS \(index) ON \(table) (\(SQLIdentifier.list(sides[1].columns)))",
        ]
    }

    private static func sqliteType(_ type: FieldType) -> String {
        switch type {
        case .int, .bool: "INTEGER"
        case .double: "REAL"
        case .bytes: "BLOB"
        default: "TEXT"
        }
    }
}
