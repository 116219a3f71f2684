internal import SluiceSQLite

/// The records that properties of many others hold by value, read together: one statement for each property and level.
///
/// What it lacks is looked up by itself, which says also what is wrong with it.
struct NestedRecords {
    /// `[BoxedValue: Value]`, by the fields that lead there.
    private var single: [Int: Any] = [:]
    /// `[[BoxedValue]: [Value]]` by the relationships, with an empty list for each owner of none.
    private var lists: [Int: Any] = [:]

    /// No records.
    init() {}

    /// Takes a record that a field leads to by a key.
    mutating func put(_ value: some PersistentModel, _ field: Int, _ key: BoxedValue) { single[field] = [key: value] }

    /// Takes the records that a relationship of an owner has, in their order.
    mutating func put(_ values: [some PersistentModel], _ relationship: Int, of owner: [BoxedValue]) {
        lists[relationship] = [owner: values]
    }

    /// The record that a field leads to by a key.
    func record<Value>(_ type: Value.Type, _ field: Int, _ key: BoxedValue) -> Value? {
        (single[field] as? [BoxedValue: Value])?[key]
    }

    /// The records that a relationship of an owner has, in their order.
    func records<Value>(_ type: Value.Type, _ relationship: Int, _ owner: [BoxedValue]) -> [Value]? {
        (lists[relationship] as? [[BoxedValue]: [Value]])?[owner]
    }

    /// Reads the records of the rows of a model; nil where one row at most leads to them: looking them up by themselves costs as
    /// little.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - rows: The statement of the rows with some columns.
    ///   - reader: Reads them.
    /// - Throws: ``SluiceError``.
    init?<M: PersistentModel>(
        of model: M.Type, _ rows: ([SQLExpression]) -> SQLExpression, _ reader: Reader
    ) throws {
        let description = M.model.description
        let fields = description.fields.indices.filter { description.fields[$0].reference?.isByValue == true }
        let relationships = description.relationships.indices.filter { description.relationships[$0].isByValue }
        if fields.isEmpty && relationships.isEmpty { return nil }
        let root = PathScope(root: description)
        let names = description.keyColumns + fields.map { description.fields[$0].column }
        var owners: [[BoxedValue]] = []
        var keys = fields.map { _ in Set<BoxedValue>() }
        try reader.run(rows(names.map { SQLExpression(column: $0, in: root) }), description) { statement in
            let values = names.indices.map { StoredColumn(statement: statement, index: $0).value }
            let count = description.keyColumns.count
            owners.append(Array(values.prefix(count)))
            for (place, value) in values.dropFirst(count).enumerated() where !value.isNull { keys[place].insert(value) }
            return true
        }
        if owners.count < 2 { return nil }
        // Where one of them cannot be read, each record looks up its own, and says it of itself.
        for (place, field) in fields.enumerated() {
            guard let target = description.fields[field].reference?.target else { continue }
            single[field] = try? reader.single(target, keys[place])
        }
        for relationship in relationships {
            guard let target = description.relationships[relationship].target else { continue }
            lists[relationship] = try? reader.lists(target, owners, M.self, relationship)
        }
    }
}

extension NestedRecords: NestedSource {
    func record<Value: PersistentModel>(
        _ type: Value.Type, of owner: any PersistentModel.Type, _ field: Int, _ key: BoxedValue
    ) -> Value? { record(type, field, key) }

    func records<Value: PersistentModel>(
        _ type: Value.Type, of owner: any PersistentModel.Type, _ relationship: Int, _ key: [BoxedValue]
    ) -> [Value] { records(type, relationship, key) ?? [] }
}

extension Reader: NestedSource {
    func record<Value: PersistentModel>(
        _ type: Value.Type, of owner: any PersistentModel.Type, _ field: Int, _ key: BoxedValue
    ) throws -> Value? {
        if let value = nested[ObjectIdentifier(owner)]?.record(type, field, key) { return value }
        return try first(Value.all.having(key: [key]))
    }

    func records<Value: PersistentModel>(
        _ type: Value.Type, of owner: any PersistentModel.Type, _ relationship: Int, _ key: [BoxedValue]
    ) throws -> [Value] {
        if let values = nested[ObjectIdentifier(owner)]?.records(type, relationship, key) { return values }
        let link = try LinkDescription(owner.modelDescription, relationship, Value.model.description)
        return try fetch(Query<Value>(link.members(of: key)).ordered(by: link.positions(of: key)))
    }
}

extension Reader {
    /// Reads rows of a model, whose records by value are read before.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - rows: The statement of the rows with some columns; nil where there is one row at most.
    ///   - body: Reads the rows.
    /// - Throws: What the body throws; what is wrong with records by value it meets again, where they are needed.
    func withNested<M: PersistentModel>(
        _ model: M.Type, _ rows: (([SQLExpression]) -> SQLExpression)?, _ body: () throws -> Void
    ) throws {
        let key = ObjectIdentifier(model)
        let outer = nested[key]
        defer { nested[key] = outer }
        nested[key] = rows.flatMap { try? NestedRecords(of: model, $0, self) }
        try body()
    }

    /// The records of keys that have one column.
    fileprivate func single<Target: PersistentModel>(_ type: Target.Type, _ keys: Set<BoxedValue>) throws -> Any {
        let description = Target.model.description
        var found: [BoxedValue: Target] = [:]
        for (identifier, value) in try records(type, boxed: keys.map { [$0] }) {
            if let key = try identifier.key(of: description).first { found[key] = value }
        }
        return found
    }

    /// The lists of owners.
    fileprivate func lists<Target: PersistentModel>(
        _ type: Target.Type, _ owners: [[BoxedValue]], _ owner: any PersistentModel.Type, _ relationship: Int
    ) throws -> Any {
        let found: Members<Target> = try members(
            of: owners.map { Refs<Target>.Owner(key: $0, type: owner, relationship: relationship) },
            owner.modelDescription, isOrdered: true)
        return Dictionary(zip(found.keys, found.lists)) { first, _ in first }
    }
}
