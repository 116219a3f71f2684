internal import SluiceModel
internal import SluiceSQLStore

/// The statement of a view `conflicts_<table>` for PostgreSQL.
struct PostgresConflictView {
    let database: PostgresDatabase

    func statement(_ name: String, of table: String, _ columns: [ConflictView.Column]) -> String {
        var parts: [String] = []
        for column in columns where column.isKey {
            parts.append("\(member(of: "c.key", column)) AS \(SQLText.quoted(column.name))")
        }
        for column in columns where !column.isKey {
            for side in ["base", "local", "remote"] {
                let fields = column.fields.map(SQLText.literal).joined(separator: ", ")
                parts.append(
                    """
                    max(CASE WHEN c.field IN (\(fields)) THEN \(value(of: "c.\(side)")) \
                    WHEN c.field IS NULL THEN \(member(of: "c.\(side)", column)) END) \
                    AS \(SQLText.quoted(database.derivedName("\(side)_\(column.name)")))
                    """)
            }
        }
        parts.append("string_agg(c.id::text, ' ' ORDER BY c.id) AS conflict_ids")
        parts.append("c.pipeline || '/' || c.stream AS conflict_source")
        parts.append("max(c.other_source) AS conflict_with")
        return """
            CREATE VIEW \(database.table(name)) AS SELECT \(parts.joined(separator: ",\n    "))
            FROM \(database.ledger("conflicts")) AS c
            WHERE c.status = 'open' AND EXISTS (SELECT 1 FROM \(database.ledger("schema")) AS s
                WHERE s.kind = 'mapping' AND s.name = c.pipeline || '/' || c.stream || '/' || c.entity
                AND split_part(s.value, chr(9), 2) = \(SQLText.literal(table)))
            GROUP BY c.pipeline, c.stream, c.key ORDER BY min(c.id)
            """
    }

    /// A side of a field as text: JSON without its quotes.
    private func value(of side: String) -> String {
        "CASE WHEN \(side) LIKE '\"%' THEN \(side)::json #>> '{}' ELSE nullif(\(side), 'null') END"
    }

    /// What an object, a key or a whole record, has for a column, as text.
    private func member(of object: String, _ column: ConflictView.Column) -> String {
        let values = column.fields.map { "\(object)::json ->> \(SQLText.literal($0))" }
        let value = values.count == 1 ? values[0] : "coalesce(\(values.joined(separator: ", ")))"
        return "CASE WHEN \(object) LIKE '{%' THEN \(value) END"
    }
}
