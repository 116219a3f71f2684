/// A typed path: a property of a model, what a reference of it leads to, or an expression made of such.
///
/// ```swift
/// Book.where { $0.price > 10 && $0.author.name == "Herbert" }
/// ```
public struct Path<M: PersistentModel, Value>: Sendable {
    /// The position of the field, -1 for an expression.
    let index: Int
    let expression: SQLExpression

    /// A property of a model.
    public init(_ scope: PathScope, _ index: Int) {
        self.index = index
        let field = M.model.description.fields[index]
        var expression = SQLExpression(column: field.column, in: scope)
        expression.collation = field.type.flatMap(Collations.name)
        expression.isEncoded = field.isEncoded
        self.expression = expression
    }

    init(_ expression: SQLExpression, index: Int = -1) {
        self.index = index
        self.expression = expression
    }

    /// The field that it is; nil for an expression.
    private var field: ModelDescription.Field? {
        let fields = M.model.description.fields
        return fields.indices.contains(index) ? fields[index] : nil
    }

    /// The property that it is; nil for an expression.
    var property: String? { field?.property }
    /// The column of that property.
    var column: String? { field?.column }

    /// The name in the store; for an expression its SQL.
    public var raw: String { field?.name ?? expression.sql }
}

/// A path through a reference, to the properties of what it leads to.
@dynamicMemberLookup
public struct ToOnePath<M: PersistentModel, Target: PersistentModel>: Sendable {
    private let scope: PathScope
    private let column: String
    private let name: String
    /// The position of the field that it is; none where it begins in another model.
    private(set) var fieldIndices = 0..<0

    /// A reference of a model.
    public init(_ scope: PathScope, _ index: Int) {
        let field = M.model.description.fields[index]
        self.init(scope, field.column, field.name)
        fieldIndices = index..<index + 1
    }

    private init(_ scope: PathScope, _ column: String, _ name: String) {
        self.scope = scope
        self.column = column
        self.name = name
    }

    var inner: PathScope { scope.following(column, named: name, to: Target.model.description) }

    /// A property of what it leads to; nil where it leads to nothing.
    @_disfavoredOverload
    public subscript<Value>(dynamicMember path: KeyPath<Target.Paths, Path<Target, Value>>) -> Path<M, Value?> {
        Path(Target.Paths(scope: inner)[keyPath: path].expression)
    }

    /// A property of what it leads to that may be nil itself.
    public subscript<Value>(dynamicMember path: KeyPath<Target.Paths, Path<Target, Value?>>) -> Path<M, Value?> {
        Path(Target.Paths(scope: inner)[keyPath: path].expression)
    }

    /// A reference of what it leads to.
    public subscript<Next>(
        dynamicMember path: KeyPath<Target.Paths, ToOnePath<Target, Next>>
    ) -> ToOnePath<M, Next> {
        let next = Target.Paths(scope: inner)[keyPath: path]
        return ToOnePath<M, Next>(next.scope, next.column, next.name)
    }

    /// The records that what it leads to leads to; none where it leads to nothing.
    public subscript<Next>(
        dynamicMember path: KeyPath<Target.Paths, ToManyPath<Target, Next>>
    ) -> ToManyPath<M, Next> {
        ToManyPath<M, Next>(Target.Paths(scope: inner)[keyPath: path], of: Target.model.description)
    }

    /// Lets it lead to the record of a key.
    public func set(_ key: Target.Identifier) -> Assignment<M> { assignment(bound(key)) }

    /// Lets it lead where another reference does, or nowhere.
    public func set(_ reference: Ref<Target>?) -> Assignment<M> {
        assignment(reference.map { bound($0.key) } ?? SQLExpression(of: name) { () throws(BoxError) in .null })
    }

    private func assignment(_ key: SQLExpression) -> Assignment<M> {
        Assignment(field: fieldIndices.first ?? -1, value: key)
    }

    /// The key that the reference holds.
    private var key: SQLExpression { SQLExpression(column: column, in: scope) }

    /// The key of a record that it may lead to.
    private func bound(_ key: Target.Identifier) -> SQLExpression {
        SQLExpression(of: name) { () throws(BoxError) in try key.boxKey().first ?? .null }
    }

    /// Whether it leads to the record of a key.
    public static func == (path: ToOnePath, key: Target.Identifier) -> Condition<M> {
        Condition(path.key + " IS " + path.bound(key))
    }

    /// Whether it leads where another reference does.
    public static func == (path: ToOnePath, reference: Ref<Target>?) -> Condition<M> {
        Condition(path.key + " IS " + (reference.map { path.bound($0.key) } ?? "NULL"))
    }

    /// Whether it leads elsewhere, or nowhere.
    public static func != (path: ToOnePath, key: Target.Identifier) -> Condition<M> {
        Condition(path.key + " IS NOT " + path.bound(key))
    }

    /// Whether it leads elsewhere than another reference does.
    public static func != (path: ToOnePath, reference: Ref<Target>?) -> Condition<M> {
        Condition(path.key + " IS NOT " + (reference.map { path.bound($0.key) } ?? "NULL"))
    }

    /// Whether it leads to the record of one of some keys.
    public func `in`(_ keys: some Sequence<Target.Identifier>) -> Condition<M> { isOne(of: keys.map { $0 }) }
    /// Whether it leads to the record of one of some keys, or nowhere where nil is among them.
    @_disfavoredOverload
    public func `in`(_ keys: some Sequence<Target.Identifier?>) -> Condition<M> { isOne(of: Array(keys)) }
    /// Whether it leads where one of some references does.
    @_disfavoredOverload
    public func `in`(_ references: some Sequence<Ref<Target>>) -> Condition<M> { isOne(of: references.map(\.key)) }
    /// Whether it leads where one of some references does, or nowhere where nil is among them.
    @_disfavoredOverload
    public func `in`(_ references: some Sequence<Ref<Target>?>) -> Condition<M> {
        isOne(of: references.map { $0?.key })
    }

    private func isOne(of keys: [Target.Identifier?]) -> Condition<M> {
        do throws(BoxError) {
            let values = try keys.map { key throws(BoxError) in try key?.boxKey().first ?? .null }
            return Condition(key.isOne(of: values))
        } catch { return Condition(SQLExpression(refusal: error.at(name))) }
    }

    /// A query is no list.
    @available(
        *, unavailable,
        message:
            "`in` takes a list: say what holds of the other record by a path, as in `$0.author.name == \"Ann\"`, or read the keys first, in the same `read`"
    )
    public func `in`<Other>(_ query: Query<Other>) -> Condition<M> { isNil }

    /// Whether it leads nowhere.
    public var isNil: Condition<M> { Condition(key + " IS NULL") }
    /// Whether it leads anywhere.
    public var isNotNil: Condition<M> { Condition(key + " IS NOT NULL") }
}

/// A path to the records that a model leads to.
public struct ToManyPath<M: PersistentModel, Target: PersistentModel>: Sendable {
    private let scope: PathScope
    private let index: Int
    /// The model that has the relationship; nil for that of the path itself.
    private let holder: ModelDescription?
    /// The position of the relationship; nil for one of a record that a reference leads to.
    var relationshipIndex: Int? { holder == nil ? index : nil }
    private var owner: ModelDescription { holder ?? M.model.description }

    /// A relationship of a model.
    public init(_ scope: PathScope, _ index: Int) { (self.scope, self.index, holder) = (scope, index, nil) }

    /// A relationship of a model that references lead to.
    init<Holder>(_ path: ToManyPath<Holder, Target>, of holder: ModelDescription) {
        (scope, index, self.holder) = (path.scope, path.index, path.holder ?? holder)
    }

    private var inner: PathScope {
        let name = owner.relationships[index].name
        return PathScope(root: Target.model.description, alias: "\(scope.alias)/\(name)")
    }

    /// A query within the query around it, over the records that a row leads to.
    private func query(_ selection: SQLExpression, _ condition: SQLExpression?) -> SQLExpression {
        let owner = owner
        let target = Target.model.description
        let inner = inner
        var matches: SQLExpression
        switch try? LinkDescription(owner, index, target) {
        case .column(let column, _):
            matches =
                SQLExpression(column: column, in: inner) + " = "
                + SQLExpression(column: owner.keyColumns.first ?? "", in: scope)
        case .table(let table, let ownerColumns, let targetColumns, _):
            let link = SQLIdentifier.quoted("\(inner.alias)|")
            let pairs =
                zip(ownerColumns, owner.keyColumns).map { column, key in
                    SQLExpression(sql: "\(link).\(SQLIdentifier.quoted(column)) = ")
                        + SQLExpression(column: key, in: scope)
                }
                + zip(targetColumns, target.keyColumns).map { column, key in
                    SQLExpression(sql: "\(link).\(SQLIdentifier.quoted(column)) = ")
                        + SQLExpression(column: key, in: inner)
                }
            matches =
                SQLExpression(sql: "EXISTS (SELECT 1 FROM \(SQLIdentifier.quoted(table)) AS \(link) WHERE ")
                + .joined(pairs, " AND ") + ")"
        case nil: matches = "0"
        }
        if let condition { matches = matches + " AND " + condition }
        let joins = (selection + matches).joins(of: inner.root).map(\.sql).joined()
        let from = "\(SQLIdentifier.quoted(target.table)) AS \(SQLIdentifier.quoted(inner.alias))\(joins)"
        var query = "(SELECT " + selection + SQLExpression(sql: " FROM \(from) WHERE ") + matches + ")"
        query.collation = selection.collation
        // What it says of several rows it says of one row around it.
        query.isAggregate = false
        return query.closed(over: inner.root)
    }

    private func condition(_ body: (Target.Paths) -> Condition<Target>) -> SQLExpression {
        body(Target.Paths(scope: inner)).expression
    }

    /// Whether a condition holds for one of them; false of none.
    public func any(_ body: (Target.Paths) -> Condition<Target>) -> Condition<M> {
        Condition("EXISTS " + query("1", condition(body)))
    }

    /// Whether a condition holds for none of them; true of none.
    public func none(_ body: (Target.Paths) -> Condition<Target>) -> Condition<M> {
        Condition("NOT EXISTS " + query("1", condition(body)))
    }

    /// Whether a condition holds for all of them; true of none.
    public func all(_ body: (Target.Paths) -> Condition<Target>) -> Condition<M> {
        Condition("NOT EXISTS " + query("1", "(" + condition(body) + ") IS NOT TRUE"))
    }

    /// How many there are.
    public var count: Path<M, Int> { Path(query("count(*)", nil)) }

    // MARK: What they come to

    /// What they come to by an aggregate.
    func value<Value, Result>(_ body: (Target.Paths) -> Path<Target, Value>) -> Path<M, Result> {
        Path(query(body(Target.Paths(scope: inner)).expression, nil))
    }

    /// The sum of what is computed of each; nil where there is nothing to sum. That of decimals is exact.
    ///
    /// ```swift
    /// Author.order(by: { $0.books.sum { $0.price * $0.pages } }, .descending)
    /// ```
    public func sum<Value: ArithmeticValue>(
        _ body: (Target.Paths) -> Path<Target, Value>
    ) -> Path<M, Value.Number?> {
        value { Path<Target, Value.Number?>(.sum(Value.storedType, body($0).expression)) }
    }

    /// Only numbers are summed.
    @_disfavoredOverload
    @_documentation(visibility: internal)
    @available(*, unavailable, message: "numbers are summed, and this is none")
    public func sum<Other>(_ body: (Target.Paths) -> Other) -> Path<M, Int?> { Path("NULL") }

    /// The average of what is computed of each; nil where there is nothing.
    public func average<Value: ArithmeticValue>(
        _ body: (Target.Paths) -> Path<Target, Value>
    ) -> Path<M, Double?> where Value.Number: BinaryInteger {
        value { Path<Target, Double?>(.aggregate("avg", body($0).expression)) }
    }

    /// The average of what is computed of each; nil where there is nothing.
    public func average<Value: ArithmeticValue>(
        _ body: (Target.Paths) -> Path<Target, Value>
    ) -> Path<M, Double?> where Value.Number: BinaryFloatingPoint {
        value { Path<Target, Double?>(.aggregate("avg", body($0).expression)) }
    }

    /// Only numbers have an average.
    @_disfavoredOverload
    @_documentation(visibility: internal)
    @available(*, unavailable, message: "numbers have an average, and this is none")
    public func average<Other>(_ body: (Target.Paths) -> Other) -> Path<M, Double?> { Path("NULL") }

    /// The least value that one of them has; nil where none has one.
    @_disfavoredOverload
    public func min<Value: StoredValue>(_ body: (Target.Paths) -> Path<Target, Value>) -> Path<M, Value?> {
        value { body($0).min() }
    }

    /// The least value that one of them has; nil where none has one.
    public func min<Value: StoredValue>(_ body: (Target.Paths) -> Path<Target, Value?>) -> Path<M, Value?> {
        value { body($0).min() }
    }

    /// The greatest value that one of them has; nil where none has one.
    @_disfavoredOverload
    public func max<Value: StoredValue>(_ body: (Target.Paths) -> Path<Target, Value>) -> Path<M, Value?> {
        value { body($0).max() }
    }

    /// The greatest value that one of them has; nil where none has one.
    public func max<Value: StoredValue>(_ body: (Target.Paths) -> Path<Target, Value?>) -> Path<M, Value?> {
        value { body($0).max() }
    }
}

extension PathScope.Join {
    /// The join, which leaves rows that lead to nothing.
    var sql: String {
        " LEFT JOIN \(SQLIdentifier.quoted(table)) AS \(SQLIdentifier.quoted(alias)) ON \(SQLIdentifier.quoted(alias)).\(SQLIdentifier.quoted(keyColumn)) = \(SQLIdentifier.quoted(from)).\(SQLIdentifier.quoted(column))"
    }
}
