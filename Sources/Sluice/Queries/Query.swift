/// A question to a store about the records of one model.
///
/// It is a value: narrowing it makes another one.
///
/// ```swift
/// let cheap = Book.where { $0.price < 10 }.order(by: \.title).limit(20)
/// ```
public struct Query<M: PersistentModel>: Sendable {
    private var condition: SQLExpression?
    private var orders: [SQLExpression] = []
    private var limitCount: Int?
    private var offsetCount = 0
    /// Whether the values remember what they were.
    private(set) var remembersOrigin = true
    private var includesDeleted = false
    /// Is told of records that cannot be read and are passed over; nil where one of them ends the query.
    private(set) var tellOfUnreadable: (@Sendable (SluiceError) -> Void)?
    /// What brings records along.
    var inclusions: [@Sendable (inout [M], Reader) throws -> Void] = []

    init(_ condition: SQLExpression? = nil) { self.condition = condition }

    // MARK: Narrowing

    /// Only records that fulfil a condition as well.
    public func `where`(_ body: (M.Paths) -> Condition<M>) -> Query { `where`(body(M.path)) }

    /// Only records that fulfil a condition as well.
    public func `where`(_ other: Condition<M>) -> Query {
        var query = self
        query.condition = condition.map { "(" + $0 + " AND " + other.expression + ")" } ?? other.expression
        return query
    }

    func having(key: M.Identifier) throws -> Query { having(key: try key.key(of: M.model.description)) }

    func having(key: [BoxedValue]) -> Query {
        let description = M.model.description
        let root = PathScope(root: description)
        let matches = zip(description.keyColumns, key).map { column, value in
            SQLExpression(column: column, in: root) + " = " + SQLExpression(value)
        }
        return `where`(Condition("(" + .joined(matches, " AND ") + ")"))
    }

    /// Ordered by a path, after what it is ordered by already. Records that are alike then come in the order of their keys.
    public func order<Value>(by path: KeyPath<M.Paths, Path<M, Value>>, _ order: QueryOrder = .ascending) -> Query {
        var query = self
        query.orders.append(order.applied(to: M.path[keyPath: path].expression))
        return query
    }

    /// Ordered by what is computed of a record, after what it is ordered by already.
    ///
    /// ```swift
    /// Book.all.order(by: { $0.price * $0.pages }, .descending)
    /// ```
    @_disfavoredOverload
    public func order<Value>(by body: (M.Paths) -> Path<M, Value>, _ order: QueryOrder = .ascending) -> Query {
        ordered(by: [order.applied(to: body(M.path).expression)])
    }

    /// A reference has no order.
    @_documentation(visibility: internal)
    @available(*, unavailable, message: "order by a property of what the reference leads to, as in `\\.author.name`")
    public func order<Target>(
        by path: KeyPath<M.Paths, ToOnePath<M, Target>>, _ order: QueryOrder = .ascending
    ) -> Query { self }

    /// Ordered by what is computed of records.
    func ordered(by expressions: [SQLExpression]) -> Query {
        var query = self
        query.orders += expressions
        return query
    }

    /// At most so many records.
    ///
    /// - Parameters:
    ///   - count: The most records to give.
    ///   - offset: How many to pass over.
    /// - Returns: The narrower query.
    public func limit(_ count: Int, offset: Int = 0) -> Query {
        var query = self
        query.limitCount = max(0, count)
        query.offsetCount = max(0, offset)
        return query
    }

    /// The first of its records alone, if it has any.
    var first: Query {
        var query = self
        query.limitCount = min(limitCount ?? 1, 1)
        return query
    }

    /// Whether it has one record at most.
    var isSingle: Bool { limitCount.map { $0 <= 1 } ?? false }

    /// Values that do not remember what they were: faster, and saving one reads its row.
    public func withoutOrigin() -> Query {
        var query = self
        query.remembersOrigin = false
        return query
    }

    /// Also records that are marked as deleted.
    public func includingDeleted() -> Query {
        var query = self
        query.includesDeleted = true
        return query
    }

    /// Passes over records that cannot be read, as after somebody wrote a text that is none of an enum; else one of them ends the
    /// query.
    ///
    /// - Parameter tell: Is told of each of them. They count for ``limit(_:offset:)``.
    /// - Returns: The query.
    public func skippingUnreadable(_ tell: @escaping @Sendable (SluiceError) -> Void = { _ in }) -> Query {
        var query = self
        query.tellOfUnreadable = tell
        return query
    }

    // MARK: SQL

    /// What will run, with `?` in the place of each value.
    public var sql: String { statement(deletionMark: nil).sql }

    private var description: ModelDescription { M.model.description }

    /// The statement that gives records.
    func statement(deletionMark mark: String?) -> SQLExpression {
        let root = PathScope(root: description)
        let columns = description.fields.map { SQLExpression(column: $0.column, in: root) }
        let keys = description.keyColumns.map { SQLExpression(column: $0, in: root) }
        let order = SQLExpression(sql: " ORDER BY ") + .list(orders + keys)
        return "SELECT " + .list(columns) + source(mark, orders) + order + limits
    }

    /// The statement that gives something computed of the records.
    func statement(selecting selection: SQLExpression, deletionMark mark: String?) -> SQLExpression {
        if limitCount == nil && offsetCount == 0 { return "SELECT " + selection + source(mark, [selection]) }
        let keys = description.keyColumns.map { SQLExpression(column: $0, in: PathScope(root: description)) }
        return "SELECT " + selection + " FROM (SELECT 1" + source(mark, orders)
            + SQLExpression(sql: " ORDER BY ") + .list(orders + keys) + limits + ")"
    }

    /// The statement that gives values, of records or of groups of them.
    func statement(
        columns: [SQLExpression], groups: [SQLExpression], having: SQLExpression?,
        orders ownOrders: [SQLExpression] = [],
        isDistinct: Bool = false, deletionMark mark: String?
    ) -> SQLExpression {
        let root = PathScope(root: description)
        let keys = description.keyColumns.map { SQLExpression(column: $0, in: root) }
        let isAggregate = !groups.isEmpty || (columns + ownOrders).contains(where: \.isAggregate)
        var narrowed = self
        if isAggregate && (limitCount != nil || offsetCount > 0) {
            // What is limited are records and not groups.
            narrowed = Query(("(" + .list(keys) + ") IN (" + self.keys(deletionMark: mark) + ")"))
            narrowed.includesDeleted = true
        }
        let others = columns + groups + ownOrders + (having.map { [$0] } ?? []) + (isAggregate ? [] : orders)
        let source = narrowed.source(mark, others)
        // Rows are alike where their values mean the same.
        let selected = isDistinct ? "DISTINCT " + .list(columns.map(\.compared)) : SQLExpression.list(columns)
        var statement = "SELECT " + selected + source
        if !groups.isEmpty { statement = statement + " GROUP BY " + .list(groups) }
        if let having { statement = statement + " HAVING " + having }
        if !isAggregate {
            let order = orders + ownOrders + (isDistinct ? columns.map(\.compared) : keys)
            return statement + " ORDER BY " + .list(order) + limits
        }
        return groups.isEmpty ? statement : statement + " ORDER BY " + .list(ownOrders + groups)
    }

    /// The statement that gives keys.
    func keys(deletionMark mark: String?) -> SQLExpression {
        let keys = description.keyColumns.map { SQLExpression(column: $0, in: PathScope(root: description)) }
        return "SELECT " + .list(keys) + source(mark, orders) + SQLExpression(sql: " ORDER BY ")
            + .list(orders + keys) + limits
    }

    private var limits: SQLExpression {
        guard limitCount != nil || offsetCount > 0 else { return "" }
        return " LIMIT " + SQLExpression(.integer(Int64(limitCount ?? -1))) + " OFFSET "
            + SQLExpression(.integer(Int64(offsetCount)))
    }

    private func source(_ mark: String?, _ others: [SQLExpression]) -> SQLExpression {
        let root = PathScope(root: description)
        var conditions = condition.map { [$0] } ?? []
        if let mark, !includesDeleted { conditions.append(SQLExpression(column: mark, in: root) + " IS NULL") }
        let filter = SQLExpression.joined(conditions, " AND ")
        let joins = (filter + .list(others)).joins(of: root.root).map(\.sql).joined()
        let from = " FROM \(SQLIdentifier.quoted(description.table))\(joins)"
        return SQLExpression(sql: from) + (conditions.isEmpty ? "" : " WHERE " + filter)
    }
}

/// In which direction records are ordered, and how texts are compared.
public struct QueryOrder: Sendable, Hashable {
    /// How texts are compared.
    public enum TextComparison: Sendable {
        /// Letter by letter, capital letters before small ones.
        case exact
        /// Upper and lower case are the same, folded as Unicode says.
        case caseInsensitive
    }

    private let isDescending: Bool
    private let texts: TextComparison

    /// The least first, and those without a value before them.
    public static let ascending = ascending(.exact)
    /// The greatest first, and those without a value behind them.
    public static let descending = descending(.exact)

    /// The least first, and those without a value before them.
    public static func ascending(_ texts: TextComparison) -> QueryOrder {
        QueryOrder(isDescending: false, texts: texts)
    }
    /// The greatest first, and those without a value behind them.
    public static func descending(_ texts: TextComparison) -> QueryOrder {
        QueryOrder(isDescending: true, texts: texts)
    }

    func applied(to expression: SQLExpression) -> SQLExpression {
        let compared: SQLExpression =
            switch texts {
            case .exact: expression.compared
            case .caseInsensitive: "sluice_fold(" + expression + ")"
            }
        return compared + SQLExpression(sql: isDescending ? " DESC" : "")
    }
}

extension PersistentModel {
    /// All records.
    public static var all: Query<Self> { Query() }

    /// The records that fulfil a condition.
    public static func `where`(_ body: (Paths) -> Condition<Self>) -> Query<Self> { Query().where(body) }

    /// The records of which something is true.
    public static func `where`(_ body: (Paths) -> Path<Self, Bool>) -> Query<Self> { Query().where(body) }

    /// The records of which something is true, and not nothing.
    public static func `where`(_ body: (Paths) -> Path<Self, Bool?>) -> Query<Self> { Query().where(body) }

    /// All records in an order.
    public static func order<Value>(
        by path: KeyPath<Paths, Path<Self, Value>>, _ order: QueryOrder = .ascending
    ) -> Query<Self> { Query().order(by: path, order) }

    /// A reference has no order.
    @_documentation(visibility: internal)
    @available(*, unavailable, message: "order by a property of what the reference leads to, as in `\\.author.name`")
    public static func order<Target>(
        by path: KeyPath<Paths, ToOnePath<Self, Target>>, _ order: QueryOrder = .ascending
    ) -> Query<Self> { Query() }

    /// All records in an order of what is computed of them.
    @_disfavoredOverload
    public static func order<Value>(
        by body: (Paths) -> Path<Self, Value>, _ order: QueryOrder = .ascending
    ) -> Query<Self> { Query().order(by: body, order) }
}
