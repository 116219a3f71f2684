/// How the store finds the records of a query, by `EXPLAIN QUERY PLAN`.
public struct QueryPlan: Sendable, CustomStringConvertible {
    /// The steps, in SQLite's words.
    public let steps: [String]

    /// Whether each table is searched by an index or its key, so that none is read from end to end.
    public var usesIndex: Bool {
        // The values of a list are no table.
        !steps.isEmpty && !steps.contains { $0.hasPrefix("SCAN") && !$0.hasPrefix("SCAN json_each") }
    }

    /// The steps, one on each line.
    public var description: String { steps.joined(separator: "\n") }
}

extension Reader {
    /// How the store finds the records of a query.
    ///
    /// - Throws: ``SluiceError``.
    public func plan<M>(of query: Query<M>) throws -> QueryPlan {
        let description = M.model.description
        var steps: [String] = []
        let statement = query.statement(deletionMark: mark(description))
        try run(SQLExpression(sql: "EXPLAIN QUERY PLAN ") + statement, description) { statement in
            steps.append(StoredColumn(statement: statement, index: 3).value.text)
            return true
        }
        return QueryPlan(steps: steps)
    }
}
