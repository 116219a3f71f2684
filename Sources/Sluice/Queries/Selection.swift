/// A question about values of records, and not about whole records.
///
/// ```swift
/// let counts = try await store.fetch(Book.group(by: \.kind) { ($0.kind, $0.count(), $0.price.sum()) })
/// ```
public struct Selection<M: PersistentModel, each Value: StoredValue>: Sendable {
    private let query: Query<M>
    private let columns: [SQLExpression]
    private let groups: [SQLExpression]
    private var condition: SQLExpression?
    private var isDistinct = false

    init(_ query: Query<M>, _ columns: [SQLExpression], groups: [SQLExpression]) {
        self.query = query
        self.columns = columns
        self.groups = groups
    }

    /// Only groups for which a condition holds.
    public func having(_ body: (M.Paths) -> Condition<M>) -> Selection {
        var selection = self
        let added = body(M.path).expression
        selection.condition = condition.map { "(" + $0 + " AND " + added + ")" } ?? added
        return selection
    }

    /// Rows that are alike once, as by what their values mean. ``Query/limit(_:offset:)`` counts what is left.
    ///
    /// They come in the order of the query and then in that of their values. Order by what is selected: of rows that are alike, any
    /// one stands for all.
    public func distinct() -> Selection {
        var selection = self
        selection.isDistinct = true
        return selection
    }

    /// What will run, with `?` in the place of each value.
    public var sql: String { statement(deletionMark: nil).sql }

    func statement(deletionMark mark: String?) -> SQLExpression {
        query.statement(
            columns: columns, groups: groups, having: condition, isDistinct: isDistinct, deletionMark: mark)
    }
}

extension Query {
    /// Some values of each record, or what they come to.
    public func select<each Value: StoredValue>(
        _ body: (M.Paths) -> (repeat Path<M, each Value>)
    ) -> Selection<M, repeat each Value> {
        let paths = body(M.path)
        var columns: [SQLExpression] = []
        for path in repeat each paths { columns.append(path.expression) }
        return Selection(self, columns, groups: [])
    }

    /// What the records of each group come to.
    ///
    /// - Parameters:
    ///   - key: What the records of a group have in common.
    ///   - body: The values to give of each group.
    /// - Returns: The selection, in the order of the groups.
    public func group<Key, each Value: StoredValue>(
        by key: KeyPath<M.Paths, Path<M, Key>>, _ body: (M.Paths) -> (repeat Path<M, each Value>)
    ) -> Selection<M, repeat each Value> {
        let paths = body(M.path)
        var columns: [SQLExpression] = []
        for path in repeat each paths { columns.append(path.expression) }
        return Selection(self, columns, groups: [M.path[keyPath: key].expression.compared])
    }

    /// What the records of each group come to, which have in common what is computed of them.
    ///
    /// - Parameters:
    ///   - key: What the records of a group have in common.
    ///   - body: The values to give of each group.
    /// - Returns: The selection, in the order of the groups.
    @_disfavoredOverload
    public func group<Key, each Value: StoredValue>(
        by key: (M.Paths) -> Path<M, Key>, _ body: (M.Paths) -> (repeat Path<M, each Value>)
    ) -> Selection<M, repeat each Value> {
        let paths = body(M.path)
        var columns: [SQLExpression] = []
        for path in repeat each paths { columns.append(path.expression) }
        return Selection(self, columns, groups: [key(M.path).expression.compared])
    }
}

extension PersistentModel {
    /// Some values of all records, or what they come to.
    public static func select<each Value: StoredValue>(
        _ body: (Paths) -> (repeat Path<Self, each Value>)
    ) -> Selection<Self, repeat each Value> { Query<Self>().select(body) }

    /// What the records of each group come to.
    public static func group<Key, each Value: StoredValue>(
        by key: KeyPath<Paths, Path<Self, Key>>, _ body: (Paths) -> (repeat Path<Self, each Value>)
    ) -> Selection<Self, repeat each Value> { Query<Self>().group(by: key, body) }

    /// What the records of each group come to, which have in common what is computed of them.
    @_disfavoredOverload
    public static func group<Key, each Value: StoredValue>(
        by key: (Paths) -> Path<Self, Key>, _ body: (Paths) -> (repeat Path<Self, each Value>)
    ) -> Selection<Self, repeat each Value> { Query<Self>().group(by: key, body) }
}

extension Reader {
    /// The values of a selection.
    ///
    /// - Throws: ``SluiceError``; with ``SluiceError/Code/unbox`` where a column holds what its type cannot.
    public func fetch<M, each Value>(_ selection: Selection<M, repeat each Value>) throws -> [(repeat each Value)] {
        let description = M.model.description
        var rows: [(repeat each Value)] = []
        try run(selection.statement(deletionMark: mark(description)), description) { statement in
            var next = 0
            func column() -> StoredColumn {
                defer { next += 1 }
                return StoredColumn(statement: statement, index: next)
            }
            do {
                rows.append((repeat try (each Value).unboxed(column())))
            } catch let error as UnboxError {
                throw SluiceError(
                    .unbox, "A value of a selection of \(description.entity) cannot be read: \(error.description).",
                    entity: description.entity)
            }
            return true
        }
        return rows
    }

    /// The value of a selection of one, as of a sum.
    ///
    /// - Throws: ``SluiceError``, with ``SluiceError/Code/notFound`` where it has no row.
    public func value<M, Value>(_ selection: Selection<M, Value>) throws -> Value {
        guard let first = try fetch(selection).first else {
            throw SluiceError(.notFound, "The selection has no row.", entity: M.model.description.entity)
        }
        return first
    }
}

extension Store {
    /// The values of a selection.
    ///
    /// - Throws: ``SluiceError``.
    public func fetch<M, each Value: Sendable>(
        _ selection: Selection<M, repeat each Value>
    ) async throws -> [(repeat each Value)] { try await read { try $0.fetch(selection) } }

    /// The value of a selection of one, as of a sum.
    ///
    /// - Throws: ``SluiceError``.
    public func value<M, Value: Sendable>(_ selection: Selection<M, Value>) async throws -> Value {
        try await read { try $0.value(selection) }
    }
}
