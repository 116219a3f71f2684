internal import SluiceSQLite

extension TextSearch {
    /// Refuses to search what has no index.
    ///
    /// - Throws: ``SluiceError`` with ``SluiceError/Code/invalidSQL``, which says what makes one.
    func check(in connection: Connection) throws {
        guard let table else {
            throw SluiceError(
                .invalidSQL,
                "`matches(fts:)` searches a property; what is computed of properties has no full-text index.")
        }
        let isThere = try SluiceError.translating {
            try LinkTable.columns(of: index, connection).contains(column.lowercased())
        }
        if isThere { return }
        throw SluiceError(
            .invalidSQL,
            "The table `\(table)` has no full-text index of `\(column)`. Make one with all columns that are searched: `CREATE VIRTUAL TABLE \(SQLIdentifier.quoted(index)) USING fts5(\(SQLIdentifier.quoted(column)), content=\(SQLIdentifier.quoted(table)))`, with triggers that keep it up to date.",
            field: column)
    }
}

extension Path {
    fileprivate func found(_ text: String) -> Condition<M> {
        guard let scope = expression.scopes.first, let column = expression.column else {
            var nowhere: SQLExpression = "0"
            nowhere.searches = [TextSearch(table: nil, column: "")]
            return Condition(nowhere)
        }
        return Condition(TextSearch(table: scope.table, column: column).condition(text, in: scope))
    }
}

extension Path where Value == String {
    /// Whether a full-text search finds it, by the index of FTS5 that is called after the table, such as `books_fts`.
    ///
    /// ```swift
    /// let found = try await store.fetch(Book.where { $0.title.matches(fts: "dune OR ubik") })
    /// ```
    ///
    /// A column without an index is refused when the query runs, with the statement that makes one.
    ///
    /// - Parameter text: Words, phrases and operators, as FTS5 has them. It is bound, and only says what is searched for.
    /// - Returns: The condition.
    public func matches(fts text: String) -> Condition<M> { found(text) }
}

extension Path where Value == String? {
    /// Whether a full-text search finds it; not where there is no value.
    public func matches(fts text: String) -> Condition<M> { found(text) }
}
