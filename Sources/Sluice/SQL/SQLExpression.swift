/// A piece of SQL with the values that are bound to it, and the joins that its columns need.
struct SQLExpression: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    private(set) var sql: String
    private(set) var values: [BoxedValue] = []
    /// The scopes of its columns.
    private(set) var scopes: Set<PathScope> = []
    /// How its values are ordered and compared, where that is not as SQLite does by itself.
    var collation: String?
    /// Whether it says something of several rows.
    var isAggregate = false
    /// The column, where it is one and nothing else.
    private(set) var column: String?
    /// Whether it is a column that holds what `Codable` or a transform makes of values.
    var isEncoded = false
    /// The full-text indexes that it needs.
    var searches: Set<TextSearch> = []
    /// Why a value in it cannot be stored, and so cannot be asked for; the statement is refused then.
    private(set) var refusal: BoxError?

    init(stringLiteral sql: String) { self.sql = sql }

    init(sql: String) { self.sql = sql }

    /// A value, bound.
    init(_ value: BoxedValue) {
        sql = "?"
        values = [value]
    }

    /// A value of the program, bound.
    ///
    /// - Parameters:
    ///   - property: The property that it is compared with or set to; nil where it is none.
    ///   - box: The value as it is stored.
    init(of property: String? = nil, _ box: () throws(BoxError) -> BoxedValue) {
        do throws(BoxError) { self.init(try box()) } catch {
            self.init(refusal: error.at(property))
        }
    }

    /// What stands for a value that cannot be stored.
    init(refusal: BoxError) {
        self.init(.null)
        self.refusal = refusal
    }

    /// A column of a scope.
    init(column: String, in scope: PathScope) {
        sql = "\(SQLIdentifier.quoted(scope.alias)).\(SQLIdentifier.quoted(column))"
        scopes = [scope]
        self.column = column
    }

    static func + (left: SQLExpression, right: SQLExpression) -> SQLExpression {
        var result = left
        result.sql += right.sql
        result.values += right.values
        result.scopes.formUnion(right.scopes)
        result.collation = left.collation ?? right.collation
        result.isAggregate = left.isAggregate || right.isAggregate
        result.column = nil
        result.isEncoded = false
        result.searches.formUnion(right.searches)
        result.refusal = left.refusal ?? right.refusal
        return result
    }

    static func joined(_ parts: [SQLExpression], _ separator: String) -> SQLExpression {
        guard let first = parts.first else { return "" }
        return parts.dropFirst().reduce(first) { $0 + SQLExpression(sql: separator) + $1 }
    }

    static func list(_ parts: [SQLExpression]) -> SQLExpression { joined(parts, ", ") }

    /// The joins that a query over a root needs for this, those that lead to others first.
    func joins(of root: String) -> [PathScope.Join] {
        let all = scopes.filter { $0.root == root }.flatMap(\.joins)
        return Set(all).sorted { ($0.alias.utf8.count, $0.alias) < ($1.alias.utf8.count, $1.alias) }
    }

    /// The same within a query of its own, over a root: its joins are made, and what is left needs those of queries around.
    func closed(over root: String) -> SQLExpression {
        var result = self
        result.scopes = scopes.filter { $0.root != root }
        return result
    }

    /// The same, compared as the values mean.
    var compared: SQLExpression {
        guard let collation else { return self }
        var result = self
        result.sql += " COLLATE \(collation)"
        return result
    }
}
