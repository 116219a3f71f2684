internal import SluiceModel
internal import SluiceSQLStore
internal import SluiceSQLite

/// The statement of a view `conflicts_<table>` for SQLite.
enum ConflictViewSQL {
    static func statement(_ name: String, of table: String, _ columns: [ConflictView.Column]) -> String {
        var parts: [String] = []
        for column in columns where column.isKey {
            parts.append("\(member(of: "\"key\"", column)) AS \(SQLName.quoted(column.name))")
        }
        for column in columns where !column.isKey {
            for side in ["base", "local", "remote"] {
                let fields = column.fields.map(SQLText.literal).joined(separator: ", ")
                parts.append(
                    """
                    max(CASE WHEN "field" IN (\(fields)) THEN \(value(of: side, column)) \
                    WHEN "field" IS NULL THEN \(member(of: "\"\(side)\"", column)) END) \
                    AS \(SQLName.quoted("\(side)_\(column.name)"))
                    """)
            }
        }
        parts.append("group_concat(\"id\", ' ') AS \"conflict_ids\"")
        parts.append("\"pipeline\" || '/' || \"stream\" AS \"conflict_source\"")
        parts.append("max(\"other_source\") AS \"conflict_with\"")
        return """
            CREATE VIEW \(SQLName.quoted(name)) AS SELECT \(parts.joined(separator: ",\n    "))
            FROM (SELECT * FROM "_sluice_conflicts" WHERE "status" = 'open' ORDER BY "id")
            WHERE EXISTS (SELECT 1 FROM "_sluice_schema" AS "s" WHERE "s"."kind" = 'mapping'
                AND "s"."name" = "pipeline" || '/' || "stream" || '/' || "entity"
                AND substr("s"."value", instr("s"."value", char(9)) + 1) = \(SQLText.literal(table)))
            GROUP BY "pipeline", "stream", "key" ORDER BY min("id")
            """
    }

    /// A side of a field as the table would hold it: JSON text without its quotes, and for JSON as it is.
    private static func value(of side: String, _ column: ConflictView.Column) -> String {
        column.type == .json
            ? "nullif(\"\(side)\", 'null')"
            : "CASE WHEN json_valid(\"\(side)\") THEN json_extract(\"\(side)\", '$') ELSE \"\(side)\" END"
    }

    /// What an object, a key or a whole record, has for a column.
    private static func member(of object: String, _ column: ConflictView.Column) -> String {
        let values = column.fields.map { field in
            let path = SQLText.literal("$.\"\(field)\"")
            return column.type == .json
                ? "nullif(\(object) -> \(path), 'null')" : "json_extract(\(object), \(path))"
        }
        let value = values.count == 1 ? values[0] : "coalesce(\(values.joined(separator: ", ")))"
        return "CASE WHEN json_valid(\(object)) THEN \(value) END"
    }
}
