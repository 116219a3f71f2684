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
        var keys = Set<Target.Identifier>()
        for index in values.indices { keys.insert(values[index][keyPath: path].key) }
        let found = try reader.included(Target.self, keys)
        let none = Included<Target>(values: [])
        for index in values.indices { values[index][keyPath: path].bring(from: found, or: none) }
    }

    /// Brings the records along.
    public static func includeOptional<M: PersistentModel>(
        in values: inout [M], _ path: WritableKeyPath<M, Ref?>, _ reader: Reader
    ) throws {
        var keys = Set<Target.Identifier>()
        for index in values.indices {
            if let key = values[index][keyPath: path]?.key { keys.insert(key) }
        }
        let found = try reader.included(Target.self, keys)
        let none = Included<Target>(values: [])
        for index in values.indices { values[index][keyPath: path]?.bring(from: found, or: none) }
    }
}

extension Refs: Relation {
    /// Brings the records along.
    public static func include<M: PersistentModel>(
        in values: inout [M], _ path: WritableKeyPath<M, Refs>, _ reader: Reader
    ) throws {
        let owners = values.map { $0[keyPath: path].owner }
        let found = try reader.members(of: owners, M.model.description)
        for index in values.indices {
            if let place = found.places[index] { values[index][keyPath: path].bring(found.lists[place]) }
        }
    }
}

extension OrderedRefs: Relation {
    /// Brings the records along.
    public static func include<M: PersistentModel>(
        in values: inout [M], _ path: WritableKeyPath<M, OrderedRefs>, _ reader: Reader
    ) throws {
        let owners = values.map { $0[keyPath: path].owner }
        let found = try reader.members(of: owners, M.model.description, isOrdered: true)
        for index in values.indices {
            if let place = found.places[index] { values[index][keyPath: path].bring(found.lists[place]) }
        }
    }
}

/// The records that many others lead to.
struct Members<Target: PersistentModel> {
    /// The lists of records.
    var lists: [[Target]] = []
    /// The keys of what leads to each list.
    var keys: [[BoxedValue]] = []
    /// Where the list of each owner is; nil for what is none.
    var places: [Int?] = []
}

extension Reader {
    /// The records that many others lead to, in one statement, by the keys of these.
    ///
    /// - Parameters:
    ///   - owners: What leads to them; nil for what leads nowhere.
    ///   - model: The model of these.
    ///   - isOrdered: Whether they come in the order of the pairs, and not of their keys.
    /// - Returns: The records.
    /// - Throws: ``SluiceError``.
    func members<Target: PersistentModel>(
        of owners: [Refs<Target>.Owner?], _ model: ModelDescription, isOrdered: Bool = false
    ) throws -> Members<Target> {
        var members = Members<Target>()
        var numbers = KeyNumbers(capacity: owners.count)
        members.places = owners.map { $0.map { numbers.number(of: $0.key) } }
        members.keys = numbers.keys
        guard let first = owners.lazy.compactMap({ $0 }).first else { return members }
        let description = Target.model.description
        let link = try LinkDescription(model, first.relationship, description)
        let mark = mark(description)
        let identifiers = description.identifiers
        // Numbers are sorted here: for SQLite each pair would be a row with all columns.
        let sorts = !isOrdered && identifiers.count == 1 && description.fields[identifiers[0]].type == .int
        func statement(_ columns: [SQLExpression]) -> SQLExpression {
            link.members(
                ofAll: numbers.keys, selecting: columns, deletionMark: mark, isOrdered: isOrdered, isSorted: !sorts)
        }
        var collector = MemberCollector<Target>(keyColumns: identifiers, owners: numbers)
        let root = PathScope(root: description)
        try withNested(Target.self, statement) {
            let columns = description.columns.map { SQLExpression(column: $0, in: root) }
            let owner = columns.count..<(columns.count + first.key.count)
            try run(statement(columns), description) { statement in
                try collector.take(statement, owner) { try value(of: statement) }
                return true
            }
        }
        members.lists = collector.lists(sorting: sorts)
        return members
    }
}

extension LinkDescription {
    /// The statement that gives the members of many owners: some of their columns, and behind them the owner's key.
    func members(
        ofAll owners: [[BoxedValue]], selecting columns: [SQLExpression], deletionMark mark: String?, isOrdered: Bool,
        isSorted: Bool
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
        var condition = "(" + .list(ownerColumns) + ") IN " + SQLExpression(differentKeys: owners, ownerColumns.count)
        if let mark { condition = condition + " AND " + SQLExpression(column: mark, in: root) + " IS NULL" }
        let keys = target.keyColumns.map { SQLExpression(column: $0, in: root) }
        let rows = "SELECT " + .list(columns + ownerColumns) + " FROM " + from + " WHERE " + condition
        return isSorted ? rows + " ORDER BY " + .list(orders + keys) : rows
    }
}

extension Reader {
    /// The records of keys, in one statement, as properties have those that were brought along.
    func included<Target: PersistentModel>(
        _ type: Target.Type, _ keys: Set<Target.Identifier>
    ) throws -> [Target.Identifier: Included<Target>] {
        var found: [Target.Identifier: Included<Target>] = [:]
        found.reserveCapacity(keys.count)
        try visit(type, keys) { found[$0] = Included(values: [$1]) }
        return found
    }

    /// The records of keys, in one statement; those that are not there are left out.
    func records<Target: PersistentModel>(
        _ type: Target.Type, _ keys: some Collection<Target.Identifier>
    ) throws -> [Target.Identifier: Target] {
        var found: [Target.Identifier: Target] = [:]
        try visit(type, keys) { found[$0] = $1 }
        return found
    }

    /// The same for keys as the store keeps them.
    func records<Target: PersistentModel>(
        _ type: Target.Type, boxed keys: [[BoxedValue]]
    ) throws -> [Target.Identifier: Target] {
        var found: [Target.Identifier: Target] = [:]
        try visit(type, boxed: keys) { found[$0] = $1 }
        return found
    }

    private func visit<Target: PersistentModel>(
        _ type: Target.Type, _ keys: some Collection<Target.Identifier>, _ body: (Target.Identifier, Target) -> Void
    ) throws {
        let description = Target.model.description
        try visit(type, boxed: try keys.map { try $0.key(of: description) }, body)
    }

    private func visit<Target: PersistentModel>(
        _ type: Target.Type, boxed keys: [[BoxedValue]], _ body: (Target.Identifier, Target) -> Void
    ) throws {
        if keys.isEmpty { return }
        let description = Target.model.description
        let root = PathScope(root: description)
        let columns = description.keyColumns.map { SQLExpression(column: $0, in: root) }
        let query = Query<Target>("(" + .list(columns) + ") IN " + SQLExpression(keys: keys, columns.count))
        for value in try fetch(query) {
            if let key = value.savedIdentifier { body(key, value) }
        }
    }

    /// The records of keys; those that are not there are left out.
    ///
    /// - Throws: ``SluiceError``.
    public func find<M: PersistentModel>(
        _ type: M.Type, _ identifiers: some Collection<M.Identifier>
    ) throws -> [M.Identifier: M] { try records(type, identifiers) }
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
