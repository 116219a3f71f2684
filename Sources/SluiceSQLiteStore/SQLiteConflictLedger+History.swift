internal import SluiceModel
internal import SluiceSQLite
internal import SluiceStore

/// What runs do to conflicts is written down as the JSON of the row, which SQLite makes and takes apart again.
extension SQLiteConflictLedger {
    private static let changing = [
        "kind", "base", "local", "remote", "policy", "status", "resolution", "who", "note", "first_run", "last_run",
        "seen", "other_source",
    ]
    private static let json = "json_object(" + changing.map { "'\($0)', \($0)" }.joined(separator: ", ") + ")"

    /// The number of the next conflict: above those that are there and those that were withdrawn, which people may have
    /// written down.
    static let nextID = """
        (SELECT max(coalesce((SELECT max(id) FROM _sluice_conflicts), 0), coalesce((SELECT CAST(value AS INTEGER)
        FROM _sluice_schema WHERE kind = 'withdrawn' AND name = 'conflict'), 0)) + 1)
        """

    /// A conflict's row before it is changed: the text that tells all of it, and whether it is open.
    struct Kept {
        let text: String
        let isOpen: Bool
    }

    func kept(_ id: Int64) throws(SQLiteError) -> Kept? {
        let statement = try connection.prepare(
            "SELECT \(Self.json), status = 'open' FROM _sluice_conflicts WHERE id = ?1")
        statement.bind(id, at: 1)
        guard try statement.step() else { return nil }
        return Kept(text: statement.string(0) ?? "", isOpen: statement.integer(1) != 0)
    }

    /// Writes down what happened to a conflict.
    func note(_ id: Int64, before: Kept?) throws {
        guard recorder.isRecording, let after = try kept(id), let entry = try entry(id: id) else { return }
        if before?.text == after.text { return }
        let action: String
        switch (before?.isOpen, after.isOpen) {
        case (nil, _): action = "opened"
        case (true?, false): action = "closed"
        case (false?, true): action = "reopened"
        case (true?, true), (false?, false): action = "changed"
        }
        try recorder.note(change(of: entry, id, action: action, old: before?.text, new: after.text))
    }

    private func change(
        of entry: ConflictEntry, _ id: Int64, action: String, old: String?, new: String?
    ) -> RecordedEntry {
        RecordedEntry(
            id: 0, run: 0, subject: .conflict, entry: id,
            mapping: entry.mapping,
            key: entry.key, field: entry.field, kind: entry.kind, action: action, old: old, new: new)
    }

    func takeBack(_ change: RecordedEntry) throws -> Bool {
        try translated {
            let now = try kept(change.entry)
            if now?.text == change.old { return true }
            guard now?.text == change.new else { return false }
            guard let old = change.old else { return try withdraw(change.entry) }
            if try hasSuccessor(change, old) { return false }
            if now == nil { try insert(change, old) } else { try restore(change.entry, old) }
            try note(change.entry, before: now)
            return true
        }
    }

    /// Whether another conflict over the same field is open by now.
    private func hasSuccessor(_ change: RecordedEntry, _ old: String) throws(SQLiteError) -> Bool {
        try connection.integer(
            """
            SELECT count(*) FROM _sluice_conflicts WHERE pipeline = ?1 AND stream = ?2 AND entity = ?3 AND key = ?4
            AND coalesce(field, '') = ?5 AND status = 'open' AND id <> ?6 AND ?7 ->> '$.status' = 'open'
            """,
            [
                SQLiteValue(change.mapping.pipeline), SQLiteValue(change.mapping.stream),
                SQLiteValue(change.mapping.entity), SQLiteValue(change.key), SQLiteValue(change.field ?? ""),
                .integer(change.entry), SQLiteValue(old),
            ]) != 0
    }

    private func withdraw(_ id: Int64) throws -> Bool {
        let entry = try entry(id: id)
        let before = try kept(id)
        try connection.run("DELETE FROM _sluice_conflicts WHERE id = ?1", [.integer(id)])
        try connection.run(
            """
            INSERT INTO _sluice_schema (kind, name, value) VALUES ('withdrawn', 'conflict', ?1)
            ON CONFLICT DO UPDATE SET value = excluded.value
            WHERE CAST(value AS INTEGER) < CAST(excluded.value AS INTEGER)
            """, [SQLiteValue(String(id))])
        if recorder.isRecording, let entry {
            try recorder.note(change(of: entry, id, action: "withdrawn", old: before?.text, new: nil))
        }
        return true
    }

    private func restore(_ id: Int64, _ old: String) throws(SQLiteError) {
        let assignments = Self.changing.map { "\($0) = ?2 ->> '$.\($0)'" }.joined(separator: ", ")
        try connection.run(
            "UPDATE _sluice_conflicts SET \(assignments) WHERE id = ?1", [.integer(id), SQLiteValue(old)])
    }

    private func insert(_ change: RecordedEntry, _ old: String) throws(SQLiteError) {
        let values = Self.changing.map { "?7 ->> '$.\($0)'" }.joined(separator: ", ")
        try connection.run(
            """
            INSERT INTO _sluice_conflicts (id, pipeline, stream, entity, key, field, \
            \(Self.changing.joined(separator: ", "))) VALUES (?1, ?2, ?3, ?4, ?5, ?6, \(values))
            """,
            [
                .integer(change.entry), SQLiteValue(change.mapping.pipeline), SQLiteValue(change.mapping.stream),
                SQLiteValue(change.mapping.entity), SQLiteValue(change.key), SQLiteValue(change.field),
                SQLiteValue(old),
            ])
    }
}
