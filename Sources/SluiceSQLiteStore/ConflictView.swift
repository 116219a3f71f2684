internal import SluiceModel
internal import SluiceSQLite

/// The view `conflicts_<table>`: a row for each record with open conflicts, its three sides beside each other.
///
///     id  base_title  local_title  remote_title  …  conflict_ids  conflict_source  conflict_with
///     1   One         Eins         Uno           …  3             shop/books
///
/// Of a record that is gone on one side, that side is null. `conflict_with` is the source that gave the local value,
/// where two sources disagree. Other mappings of the same table come by themselves, since the view looks them up; only
/// columns and keys are part of its text.
struct ConflictView {
    /// What was found or done.
    enum Outcome {
        case upToDate
        /// Something else of the user's has the name, and that was not told before.
        case nameIsTaken
    }

    private static let registered = "view"
    let connection: Connection
    /// The entity's table.
    let table: String

    static func name(for table: String) -> String { "conflicts_" + table }
    private var name: String { Self.name(for: table) }

    /// Makes the view, or makes it anew where a column came.
    func refresh() throws(SQLiteError) -> Outcome {
        let found = try connection.rows(
            "SELECT type, sql FROM sqlite_schema WHERE name = ?1 COLLATE NOCASE", [SQLiteValue(name)])
        let state = try connection.rows(
            "SELECT value FROM _sluice_schema WHERE kind = ?1 AND name = ?2",
            [SQLiteValue(Self.registered), SQLiteValue(name)]
        ).first?.first
        if let object = found.first, object[0] != SQLiteValue("view") || state != SQLiteValue("made") {
            if state == SQLiteValue("left out") { return .upToDate }
            try register("left out")
            return .nameIsTaken
        }
        let wanted = try statement()
        if found.first?[1] == SQLiteValue(wanted) { return .upToDate }
        if !found.isEmpty { try connection.execute("DROP VIEW \(SQLName.quoted(name))") }
        try connection.execute(wanted)
        if state != SQLiteValue("made") { try register("made") }
        return .upToDate
    }

    /// Drops a view of ours whose name an entity's table needs.
    static func giveUp(_ name: String, _ connection: Connection) throws(SQLiteError) -> Bool {
        let isOurs = try connection.integer(
            "SELECT count(*) FROM _sluice_schema WHERE kind = ?1 AND name = ?2 AND value = 'made'",
            [SQLiteValue(registered), SQLiteValue(name)])
        guard isOurs == 1 else { return false }
        try connection.execute("DROP VIEW \(SQLName.quoted(name))")
        try connection.run(
            "UPDATE _sluice_schema SET value = 'left out' WHERE kind = ?1 AND name = ?2",
            [SQLiteValue(registered), SQLiteValue(name)])
        return true
    }

    /// Drops the view of a table that gets another name.
    func remove() throws(SQLiteError) {
        guard try Self.giveUp(name, connection) else { return }
        try connection.run(
            "DELETE FROM _sluice_schema WHERE kind = ?1 AND name = ?2",
            [SQLiteValue(Self.registered), SQLiteValue(name)])
    }

    private func register(_ state: String) throws(SQLiteError) {
        try connection.run(
            "INSERT OR REPLACE INTO _sluice_schema (kind, name, value) VALUES (?1, ?2, ?3)",
            [SQLiteValue(Self.registered), SQLiteValue(name), SQLiteValue(state)])
    }

    // MARK: The statement

    /// A column of the table and the fields that fill it, more than one where several pipelines do.
    private struct Column {
        let name: String
        let isKey: Bool
        var fields: [String]
        var isJSON: Bool
    }

    private func columns() throws(SQLiteError) -> [Column] {
        let registry = EntityRegistry(connection: connection)
        var columns: [Column] = []
        for mapping in try registry.mappings(of: table) {
            for slot in try registry.slots(of: mapping) {
                if let known = columns.firstIndex(where: { $0.name == slot.column }) {
                    if !columns[known].fields.contains(slot.field) { columns[known].fields.append(slot.field) }
                } else {
                    columns.append(
                        Column(
                            name: slot.column, isKey: slot.keyPosition != nil, fields: [slot.field],
                            isJSON: slot.type == .json))
                }
            }
        }
        return columns
    }

    private func statement() throws(SQLiteError) -> String {
        let columns = try columns()
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
    private func value(of side: String, _ column: Column) -> String {
        column.isJSON
            ? "nullif(\"\(side)\", 'null')"
            : "CASE WHEN json_valid(\"\(side)\") THEN json_extract(\"\(side)\", '$') ELSE \"\(side)\" END"
    }

    /// What an object, a key or a whole record, has for a column.
    private func member(of object: String, _ column: Column) -> String {
        let values = column.fields.map { field in
            let path = SQLText.literal("$.\"\(field)\"")
            return column.isJSON ? "nullif(\(object) -> \(path), 'null')" : "json_extract(\(object), \(path))"
        }
        let value = values.count == 1 ? values[0] : "coalesce(\(values.joined(separator: ", ")))"
        return "CASE WHEN json_valid(\(object)) THEN \(value) END"
    }
}
