internal import SluiceSQLite

/// A property that leads to records, which a query can bring along: `Ref`, an optional one, or `Refs`.
public protocol Relation: Sendable {
    /// Brings the records along, in one statement, however many values there are.
    ///
    /// - Parameters:
    ///   - values: The values that lead to them.
    ///   - path: The property.
    ///   - reader: Reads them.
    /// - Throws: ``SluiceError``.
    static func include<M: PersistentModel>(
        in values: inout [M], _ path: WritableKeyPath<M, Self>, _ reader: Reader
    ) throws
}

/// A property that leads to one record at most.
public protocol ToOneRelation: Relation {
    /// The same for a property that may lead nowhere.
    static func includeOptional<M: PersistentModel>(
        in values: inout [M], _ path: WritableKeyPath<M, Self?>, _ reader: Reader
    ) throws
}

extension Optional: Relation where Wrapped: ToOneRelation {
    /// Brings the records along.
    public static func include<M: PersistentModel>(
        in values: inout [M], _ path: WritableKeyPath<M, Wrapped?>, _ reader: Reader
    ) throws {
        try Wrapped.includeOptional(in: &values, path, reader)
    }
}

extension Ref: ToOneRelation {
    /// Brings the records along.
    public static func include<M: PersistentModel>(
        in values: inout [M], _ path: WritableKeyPath<M, Ref>, _ reader: Reader
    ) throws {
        let found = try reader.records(Target.self, values.map { $0[keyPath: path].key })
        for index in values.indices {
            let ref = values[index][keyPath: path]
            values[index][keyPath: path] = ref.bringing(found[ref.key])
        }
    }

    /// Brings the records along.
    public static func includeOptional<M: PersistentModel>(
        in values: inout [M], _ path: WritableKeyPath<M, Ref?>, _ reader: Reader
    ) throws {
        let found = try reader.records(Target.self, values.compactMap { $0[keyPath: path]?.key })
        for index in values.indices {
            guard let ref = values[index][keyPath: path] else { continue }
            values[index][keyPath: path] = ref.bringing(found[ref.key])
        }
    }
}

extension Refs: Relation {
    /// Brings the records along.
    public static func include<M: PersistentModel>(
        in values: inout [M], _ path: WritableKeyPath<M, Refs>, _ reader: Reader
    ) throws {
        let owners = values.compactMap { $0[keyPath: path].owner }
        let found: [[BoxedValue]: [Target]] = try reader.members(of: owners, M.model.description)
        for index in values.indices {
            guard let owner = values[index][keyPath: path].owner else { continue }
            values[index][keyPath: path] = values[index][keyPath: path].bringing(found[owner.key] ?? [])
        }
    }
}

extension OrderedRefs: Relation {
    /// Brings the records along.
    public static func include<M: PersistentModel>(
        in values: inout [M], _ path: WritableKeyPath<M, OrderedRefs>, _ reader: Reader
    ) throws {
        let owners = values.compactMap { $0[keyPath: path].owner }
        let found: [[BoxedValue]: [Target]] = try reader.members(of: owners, M.model.description, isOrdered: true)
        for index in values.indices {
            guard let owner = values[index][keyPath: path].owner else { continue }
            values[index][keyPath: path] = values[index][keyPath: path].bringing(found[owner.key] ?? [])
        }
    }
}

extension Reader {
    /// The records that many others lead to, in one statement, by the keys of these.
    ///
    /// - Parameters:
    ///   - owners: What leads to them.
    ///   - model: The model of these.
    ///   - isOrdered: Whether they come in the order of the pairs, and not of their keys.
    /// - Returns: The records.
    /// - Throws: ``SluiceError``.
    func members<Target: PersistentModel>(
        of owners: [Refs<Target>.Owner], _ model: ModelDescription, isOrdered: Bool = false
    ) throws -> [[BoxedValue]: [Target]] {
        guard let relationship = owners.first?.relationship else { return [:] }
        let description = Target.model.description
        let link = try LinkDescription(model, relationship, description)
        var found: [[BoxedValue]: [Target]] = [:]
        let keys = owners.map(\.key)
        let mark = mark(description)
        func statement(_ columns: [SQLExpression]) -> SQLExpression {
            link.members(ofAll: keys, selecting: columns, deletionMark: mark, isOrdered: isOrdered)
        }
        let root = PathScope(root: description)
        try withNested(Target.self, statement) {
            let columns = description.fields.map { SQLExpression(column: $0.column, in: root) }
            try run(statement(columns), description) { statement in
                let owner = (0..<(keys.first?.count ?? 0)).map {
                    StoredColumn(statement: statement, index: columns.count + $0).value
                }
                found[owner, default: []].append(try value(of: statement))
                return true
            }
        }
        return found
    }
}

extension LinkDescription {
    /// The statement that gives the members of many owners: some of their columns, and behind them the owner's key.
    func members(
        ofAll owners: [[BoxedValue]], selecting columns: [SQLExpression], deletionMark mark: String?, isOrdered: Bool
    ) -> SQLExpression {
        let target: ModelDescription
        var from: SQLExpression
        let ownerColumns: [SQLExpression]
        var orders: [SQLExpression] = []
        switch self {
        case .column(let column, let model):
            target = model
            from = SQLExpression(sql: SQLIdentifier.quoted(model.table))
            ownerColumns = [SQLExpression(column: column, in: PathScope(root: model))]
        case .table(let table, let owning, let targeting, let model):
            target = model
            let pairs = SQLIdentifier.quoted("\(model.table)|pairs")
            ownerColumns = owning.map { SQLExpression(sql: "\(pairs).\(SQLIdentifier.quoted($0))") }
            if isOrdered {
                let position = SQLExpression(sql: "\(pairs).\(SQLIdentifier.quoted(LinkOrder.column))")
                orders = [position + " IS NULL", position]
            }
            let matches = zip(targeting, model.keyColumns).map { column, key in
                SQLExpression(sql: "\(pairs).\(SQLIdentifier.quoted(column)) = ")
                    + SQLExpression(column: key, in: PathScope(root: model))
            }
            from =
                SQLExpression(
                    sql:
                        "\(SQLIdentifier.quoted(model.table)) JOIN \(SQLIdentifier.quoted(table)) AS \(pairs) ON ")
                + .joined(matches, " AND ")
        }
        let root = PathScope(root: target)
        var condition = "(" + .list(ownerColumns) + ") IN " + SQLExpression(keys: owners, ownerColumns.count)
        if let mark { condition = condition + " AND " + SQLExpression(column: mark, in: root) + " IS NULL" }
        let keys = target.keyColumns.map { SQLExpression(column: $0, in: root) }
        return "SELECT " + .list(columns + ownerColumns) + " FROM " + from + " WHERE " + condition + " ORDER BY "
            + .list(orders + keys)
    }
}

extension Reader {
    /// The records of keys, in one statement; those that are not there are left out.
    func records<Target: PersistentModel>(
        _ type: Target.Type, _ keys: [Target.Identifier]
    ) throws -> [Target.Identifier: Target] {
        let description = Target.model.description
        return try records(type, boxed: try keys.map { try $0.key(of: description) })
    }

    /// The same for keys as the store keeps them.
    func records<Target: PersistentModel>(
        _ type: Target.Type, boxed keys: [[BoxedValue]]
    ) throws -> [Target.Identifier: Target] {
        if keys.isEmpty { return [:] }
        let description = Target.model.description
        let root = PathScope(root: description)
        let columns = description.keyColumns.map { SQLExpression(column: $0, in: root) }
        let query = Query<Target>("(" + .list(columns) + ") IN " + SQLExpression(keys: keys, columns.count))
        var found: [Target.Identifier: Target] = [:]
        for value in try fetch(query) {
            if let key = value.savedIdentifier { found[key] = value }
        }
        return found
    }

    /// The records of keys; those that are not there are left out.
    ///
    /// - Throws: ``SluiceError``.
    public func find<M: PersistentModel>(
        _ type: M.Type, _ identifiers: some Collection<M.Identifier>
    ) throws -> [M.Identifier: M] { try records(type, Array(identifiers)) }
}

extension Query {
    /// Brings along the records that properties lead to: one statement for each property, however many records there are.
    ///
    /// ```swift
    /// let books = try await store.fetch(Book.all.including(\.author, \.tags))
    /// print(books[0].author?.value?.name ?? "", books[0].tags.values ?? [])
    /// ```
    public func including<each Property: Relation>(
        _ paths: repeat any WritableKeyPath<M, each Property> & Sendable
    ) -> Query {
        var query = self
        for path in repeat each paths { query.include(path) }
        return query
    }

    /// Records by value come along by themselves.
    @_documentation(visibility: internal)
    @available(*, unavailable, message: "records by value are read with their owner: there is nothing to include")
    public func including<Part: PersistentModel>(_ path: any WritableKeyPath<M, [Part]> & Sendable) -> Query { self }

    /// Records by value come along by themselves.
    @_documentation(visibility: internal)
    @available(*, unavailable, message: "records by value are read with their owner: there is nothing to include")
    public func including<Part: PersistentModel>(_ path: any WritableKeyPath<M, Part?> & Sendable) -> Query { self }

    private mutating func include<Property: Relation>(_ path: any WritableKeyPath<M, Property> & Sendable) {
        inclusions.append { values, reader in try Property.include(in: &values, path, reader) }
    }
}

extension PersistentModel {
    /// All records with those that properties lead to; see ``Query/including(_:)``.
    public static func including<each Property: Relation>(
        _ paths: repeat any WritableKeyPath<Self, each Property> & Sendable
    ) -> Query<Self> { Query<Self>().including(repeat each paths) }

    /// Records by value come along by themselves.
    @_documentation(visibility: internal)
    @available(*, unavailable, message: "records by value are read with their owner: there is nothing to include")
    public static func including<Part: PersistentModel>(
        _ path: any WritableKeyPath<Self, [Part]> & Sendable
    ) -> Query<Self> { Query() }

    /// Records by value come along by themselves.
    @_documentation(visibility: internal)
    @available(*, unavailable, message: "records by value are read with their owner: there is nothing to include")
    public static func including<Part: PersistentModel>(
        _ path: any WritableKeyPath<Self, Part?> & Sendable
    ) -> Query<Self> { Query() }
}
