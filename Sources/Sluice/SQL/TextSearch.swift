/// A full-text index that a query needs: the table of FTS5 that is called after a model's table, with `_fts` behind it.
struct TextSearch: Sendable, Hashable {
    /// The model's table; nil where what is searched is no column.
    let table: String?
    let column: String

    /// The index.
    var index: String { (table ?? "") + "_fts" }

    /// The condition that a row of a scope is found.
    func condition(_ text: String, in scope: PathScope) -> SQLExpression {
        var row = SQLExpression(column: "rowid", in: scope)
        row.searches = [self]
        return row
            + SQLExpression(
                sql:
                    " IN (SELECT rowid FROM \(SQLIdentifier.quoted(index)) WHERE \(SQLIdentifier.quoted(column)) MATCH "
            )
            + SQLExpression(.text(text)) + ")"
    }
}
