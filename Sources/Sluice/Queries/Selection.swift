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
    private var orders: [SQLExpression] = []
    private var isDistinct = false
    /// Why there is nothing to give or to group by; nil where there is.
    private let refusal: String?

    /// Makes a selection. Its groups are nil where it has none.
    fileprivate init(_ query: Query<M>, _ columns: [SQLExpression], groups: [SQLExpression]?) {
        self.query = query
        self.columns = columns
        self.groups = groups ?? []
        let isEmpty = columns.isEmpty || groups?.isEmpty == true
        refusal =
            isEmpty
            ? "Each thing that is selected or grouped by is a property, or computed of properties. Of a reference take a property of what it leads to, as in `$0.author.id`; of a list what it comes to, as in `$0.books.count`."
            : nil
    }

    /// Refuses a selection of nothing.
    fileprivate func check() throws(SluiceError) {
        if let refusal { throw SluiceError(.invalidSQL, refusal, entity: M.model.description.entity) }
    }

    /// Only groups for which a condition holds.
    public func having(_ body: (M.Paths) -> Condition<M>) -> Selection {
        var selection = self
        let added = body(M.path).expression
        selection.condition = condition.map { "(" + $0 + " AND " + added + ")" } ?? added
        return selection
    }

    /// In an order of what the rows or groups come to, after what they are ordered by already. Those that are alike then come in the
    /// order that they have by themselves.
    ///
    /// ```swift
    /// Book.group(by: \.kind) { ($0.kind, $0.count()) }.order(by: { $0.count() }, .descending)
    /// ```
    public func order<Key>(by body: (M.Paths) -> Path<M, Key>, _ order: QueryOrder = .ascending) -> Selection {
        var selection = self
        selection.orders.append(order.applied(to: body(M.path).expression))
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
            columns: columns, groups: groups, having: condition, orders: orders, isDistinct: isDistinct,
            deletionMark: mark)
    }
}

/// The pieces of SQL that a closure gives, in their order.
private func expressions<M, each Value>(_ body: (M.Paths) -> (repeat Path<M, each Value>)) -> [SQLExpression] {
    let paths = body(M.path)
    var expressions: [SQLExpression] = []
    for path in repeat each paths { expressions.append(path.expression) }
    return expressions
}

extension Query {
    /// Some values of each record, or what they come to.
    public func select<each Value: StoredValue>(
        _ body: (M.Paths) -> (repeat Path<M, each Value>)
    ) -> Selection<M, repeat each Value> { Selection(self, expressions(body), groups: nil) }

    /// What the records of each group come to.
    ///
    /// - Parameters:
    ///   - key: What the records of a group have in common.
    ///   - body: The values to give of each group.
    /// - Returns: The selection, in the order of the groups.
    public func group<Key, each Value: StoredValue>(
        by key: KeyPath<M.Paths, Path<M, Key>>, _ body: (M.Paths) -> (repeat Path<M, each Value>)
    ) -> Selection<M, repeat each Value> {
        let group = M.path[keyPath: key].expression.compared
        return Selection(self, expressions(body), groups: [group])
    }

    /// What the records of each group come to, which have several properties in common.
    ///
    /// - Parameters:
    ///   - first: What the records of a group have in common.
    ///   - second: What else they have in common.
    ///   - others: What they have in common besides.
    ///   - body: The values to give of each group.
    /// - Returns: The selection, in the order of the groups: by the first property, then by the second.
    public func group<First, Second, each Other, each Value: StoredValue>(
        by first: KeyPath<M.Paths, Path<M, First>>, _ second: KeyPath<M.Paths, Path<M, Second>>,
        _ others: repeat KeyPath<M.Paths, Path<M, each Other>>,
        select body: (M.Paths) -> (repeat Path<M, each Value>)
    ) -> Selection<M, repeat each Value> {
        let root = M.path
        var groups = [root[keyPath: first].expression, root[keyPath: second].expression]
        for other in repeat each others { groups.append(root[keyPath: other].expression) }
        return Selection(self, expressions(body), groups: groups.map(\.compared))
    }

    /// What the records of each group come to, which have in common what is computed of them: one thing, or several in a tuple.
    ///
    /// ```swift
    /// Book.group(by: { ($0.kind, $0.author.name) }) { ($0.kind, $0.author.name, $0.price.sum()) }
    /// ```
    ///
    /// - Parameters:
    ///   - keys: What the records of a group have in common.
    ///   - body: The values to give of each group.
    /// - Returns: The selection, in the order of the groups: by the first thing, then by the second.
    @_disfavoredOverload
    public func group<each Key, each Value: StoredValue>(
        by keys: (M.Paths) -> (repeat Path<M, each Key>), _ body: (M.Paths) -> (repeat Path<M, each Value>)
    ) -> Selection<M, repeat each Value> {
        let groups = expressions(keys).map(\.compared)
        return Selection(self, expressions(body), groups: groups)
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

    /// What the records of each group come to, which have several properties in common.
    public static func group<First, Second, each Other, each Value: StoredValue>(
        by first: KeyPath<Paths, Path<Self, First>>, _ second: KeyPath<Paths, Path<Self, Second>>,
        _ others: repeat KeyPath<Paths, Path<Self, each Other>>,
        select body: (Paths) -> (repeat Path<Self, each Value>)
    ) -> Selection<Self, repeat each Value> {
        Query<Self>().group(by: first, second, repeat each others, select: body)
    }

    /// What the records of each group come to, which have in common what is computed of them: one thing, or several in a tuple.
    @_disfavoredOverload
    public static func group<each Key, each Value: StoredValue>(
        by keys: (Paths) -> (repeat Path<Self, each Key>), _ body: (Paths) -> (repeat Path<Self, each Value>)
    ) -> Selection<Self, repeat each Value> { Query<Self>().group(by: keys, body) }
}

// MARK: What is no property

// A closure that gives anything else is taken for one that gives nothing: the compiler warns of it, and the store refuses it.
extension Query {
    /// There is nothing to group by.
    @_disfavoredOverload
    @_documentation(visibility: internal)
    @available(
        *, deprecated,
        message:
            "group by properties, or what is computed of them: `$0.author.id` of a reference, `$0.books.count` of a list"
    )
    public func group<each Value: StoredValue>(
        by keys: (M.Paths) -> Void, _ body: (M.Paths) -> (repeat Path<M, each Value>)
    ) -> Selection<M, repeat each Value> { Selection(self, expressions(body), groups: []) }

    /// A reference has no path of its own.
    @_documentation(visibility: internal)
    @available(*, unavailable, message: "group by a property of what the reference leads to, as in `\\.author.id`")
    public func group<Target, each Value: StoredValue>(
        by key: KeyPath<M.Paths, ToOnePath<M, Target>>, _ body: (M.Paths) -> (repeat Path<M, each Value>)
    ) -> Selection<M, repeat each Value> { Selection(self, expressions(body), groups: []) }
}

extension PersistentModel {
    /// There is nothing to group by.
    @_disfavoredOverload
    @_documentation(visibility: internal)
    @available(
        *, deprecated,
        message:
            "group by properties, or what is computed of them: `$0.author.id` of a reference, `$0.books.count` of a list"
    )
    public static func group<each Value: StoredValue>(
        by keys: (Paths) -> Void, _ body: (Paths) -> (repeat Path<Self, each Value>)
    ) -> Selection<Self, repeat each Value> { Selection(all, expressions(body), groups: []) }

    /// A reference has no path of its own.
    @_documentation(visibility: internal)
    @available(*, unavailable, message: "group by a property of what the reference leads to, as in `\\.author.id`")
    public static func group<Target, each Value: StoredValue>(
        by key: KeyPath<Paths, ToOnePath<Self, Target>>, _ body: (Paths) -> (repeat Path<Self, each Value>)
    ) -> Selection<Self, repeat each Value> { Selection(all, expressions(body), groups: []) }
}

extension Reader {
    /// The values of a selection.
    ///
    /// - Throws: ``SluiceError``; with ``SluiceError/Code/unbox`` where a column holds what its type cannot.
    public func fetch<M, each Value>(_ selection: Selection<M, repeat each Value>) throws -> [(repeat each Value)] {
        try selection.check()
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
