package import SluiceModel
package import SluiceStore

/// The conflicts of a store on SQL.
package final class SQLConflictLedger: ConflictLedger {
    private static let identity = "id, pipeline, stream, entity, key, field"
    private let database: any SQLDatabase
    private let recorder: any ChangeNoting
    /// Whether the store is known to have a column for the other source; one that is only looked at may be older.
    private var hasOtherSource = false
    private var table: String { database.ledger("conflicts") }

    /// Makes a ledger.
    package init(_ database: any SQLDatabase, recorder: any ChangeNoting) {
        (self.database, self.recorder) = (database, recorder)
    }

    private func names(_ mapping: RecordMapping) -> [FieldValue] {
        [FieldValue(mapping.pipeline), FieldValue(mapping.stream), FieldValue(mapping.entity)]
    }

    // MARK: Reading

    package func open(of mapping: RecordMapping) throws -> [ConflictEntry] {
        try entries(
            "WHERE status = 'open' AND pipeline = ?1 AND stream = ?2 AND entity = ?3 ORDER BY id", names(mapping))
    }

    package func openRecords(of entities: Set<String>, streams: Set<String>, pipeline: String) throws -> Int {
        let (isStream, streams) = database.isAny("stream", of: streams, from: 2)
        let (isEntity, entities) = database.isAny("entity", of: entities, from: 2 + streams.count)
        return Int(
            clamping: try database.integer(
                """
                SELECT count(DISTINCT key) FROM \(table)
                WHERE status = 'open' AND pipeline = ?1 AND \(isStream) AND \(isEntity)
                """, [FieldValue(pipeline)] + streams + entities) ?? 0)
    }

    package func open(of mapping: RecordMapping, key: String) throws -> [ConflictEntry] {
        try entries(of: mapping, key: key, "AND status = 'open'")
    }

    package func open(of mapping: RecordMapping, keys: [String]) throws -> [ExactText: [ConflictEntry]] {
        var found: [ExactText: [ConflictEntry]] = [:]
        // As many at a time as any database takes values.
        for start in stride(from: 0, to: keys.count, by: Self.pace) {
            let some = Set(keys[start..<min(start + Self.pace, keys.count)].map { ExactText($0) }).sorted()
            let places = SQLText.parameters(some.count, from: 4)
            let entries = try entries(
                """
                WHERE pipeline = ?1 AND stream = ?2 AND entity = ?3 AND status = 'open' AND key IN (\(places))
                ORDER BY id
                """, names(mapping) + some.map { FieldValue($0.text) })
            for entry in entries { found[ExactText(entry.key), default: []].append(entry) }
        }
        return found
    }

    private static let pace = 500

    package func entries(of mapping: RecordMapping, key: String) throws -> [ConflictEntry] {
        try entries(of: mapping, key: key, "")
    }

    private func entries(of mapping: RecordMapping, key: String, _ limit: String) throws -> [ConflictEntry] {
        try entries(
            "WHERE pipeline = ?1 AND stream = ?2 AND entity = ?3 AND key = ?4 \(limit) ORDER BY id",
            names(mapping) + [FieldValue(key)])
    }

    package func list(includingClosed: Bool) throws -> [ConflictEntry] {
        try entries(includingClosed ? "ORDER BY id" : "WHERE status = 'open' ORDER BY id", [])
    }

    package func entry(id: Int64) throws -> ConflictEntry? { try entries("WHERE id = ?1", [.integer(id)]).first }

    private func entries(_ condition: String, _ values: [FieldValue]) throws -> [ConflictEntry] {
        try rows(condition, values).map { row in
            let image = ConflictImage(Array(row.dropFirst(6)))
            var entry = ConflictEntry(
                id: row[0].number, pipeline: row[1].string ?? "", stream: row[2].string ?? "",
                entity: row[3].string ?? "", key: row[4].string ?? "", field: row[5].string,
                kind: image["kind"].string ?? "", base: image["base"].string, local: image["local"].string,
                remote: image["remote"].string, policy: image["policy"].string ?? "",
                status: ConflictStatus(rawValue: image["status"].string ?? "") ?? .open,
                firstRun: image["first_run"].number, lastRun: image["last_run"].number,
                seen: Int(clamping: image["seen"].number ?? 0))
            entry.who = image["who"].string
            if entry.status == .obsolete {
                entry.end = image["resolution"].string.flatMap { ConflictEnd(rawValue: $0) }
            } else {
                entry.resolution = image["resolution"].string
            }
            (entry.note, entry.otherSource) = (image["note"].string, image["other_source"].string)
            return entry
        }
    }

    /// Rows of identity and image.
    private func rows(_ condition: String, _ values: [FieldValue]) throws -> [[FieldValue]] {
        if !hasOtherSource {
            hasOtherSource = try database.columnNames(of: "_sluice_conflicts").contains("other_source")
        }
        var columns = ConflictImage.columns
        if !hasOtherSource { columns = columns.map { $0 == "other_source" ? "NULL" : $0 } }
        return try database.rows(
            "SELECT \(Self.identity), \(columns.joined(separator: ", ")) FROM \(table) \(condition)", values)
    }

    // MARK: Writing

    package func insert(_ entry: ConflictEntry) throws -> Int64 {
        let id = try nextID()
        try insert(id, entry.mapping, entry.key, entry.field, ConflictImage(entry))
        try note(id, before: nil)
        return id
    }

    /// The number of the next conflict: above those that are there and those that were withdrawn, which people may have
    /// written down.
    private func nextID() throws -> Int64 {
        let withdrawn = try registry.entry("withdrawn", "conflict").flatMap { Int64($0) } ?? 0
        return max(try database.integer("SELECT max(id) FROM \(table)") ?? 0, withdrawn) + 1
    }

    private var registry: EntityRegistry { EntityRegistry(database: database) }

    private func insert(
        _ id: Int64, _ mapping: RecordMapping, _ key: String?, _ field: String?, _ image: ConflictImage
    ) throws {
        let values =
            [.integer(id)] + names(mapping) + [FieldValue(key), FieldValue(field)] + image.values
        try database.run(
            """
            INSERT INTO \(table) (\(Self.identity), \(ConflictImage.columns.joined(separator: ", ")))
            VALUES (\(SQLText.parameters(values.count)))
            """, values)
    }

    package func update(_ entry: ConflictEntry) throws {
        guard let id = entry.id else { return }
        let before = recorder.isRecording ? try image(id) : nil
        var image = ConflictImage(entry)
        // Who opened it stays.
        if let first = try before ?? self.image(id) { image["first_run"] = first["first_run"] }
        try write(image, of: id)
        try note(id, before: before)
    }

    private func write(_ image: ConflictImage, of id: Int64) throws {
        let assignments = ConflictImage.columns.enumerated().map { "\($1) = ?\($0 + 2)" }
        try database.run(
            "UPDATE \(table) SET \(assignments.joined(separator: ", ")) WHERE id = ?1", [.integer(id)] + image.values)
    }

    // MARK: History

    private func image(_ id: Int64) throws -> ConflictImage? {
        try rows("WHERE id = ?1", [.integer(id)]).first.map { ConflictImage(Array($0.dropFirst(6))) }
    }

    /// Writes down what happened to a conflict.
    private func note(_ id: Int64, before: ConflictImage?) throws {
        guard recorder.isRecording, let after = try image(id), let entry = try entry(id: id) else { return }
        if before == after { return }
        let action: String
        switch (before?.isOpen, after.isOpen) {
        case (nil, _): action = "opened"
        case (true?, false): action = "closed"
        case (false?, true): action = "reopened"
        case (true?, true), (false?, false): action = "changed"
        }
        try recorder.note(change(of: entry, id, action: action, old: before, new: after))
    }

    private func change(
        of entry: ConflictEntry, _ id: Int64, action: String, old: ConflictImage?, new: ConflictImage?
    ) -> RecordedEntry {
        RecordedEntry(
            subject: .conflict, entry: id, mapping: entry.mapping, key: entry.key, field: entry.field,
            kind: entry.kind, action: action, old: old?.json, new: new?.json)
    }

    package func takeBack(_ change: RecordedEntry) throws -> Bool {
        let now = try image(change.entry)
        let (old, new) = (change.old.flatMap { ConflictImage($0) }, change.new.flatMap { ConflictImage($0) })
        if now == old { return true }
        guard now == new else { return false }
        guard let old else { return try withdraw(change.entry) }
        if try hasSuccessor(change, old) { return false }
        if now == nil {
            try insert(change.entry, change.mapping, change.key, change.field, old)
        } else {
            try write(old, of: change.entry)
        }
        try note(change.entry, before: now)
        return true
    }

    /// Whether another conflict over the same field is open by now.
    private func hasSuccessor(_ change: RecordedEntry, _ old: ConflictImage) throws -> Bool {
        guard old.isOpen else { return false }
        return try database.hasRow(
            """
            SELECT 1 FROM \(table) WHERE pipeline = ?1 AND stream = ?2 AND entity = ?3 AND key = ?4
            AND coalesce(field, '') = ?5 AND status = 'open' AND id <> ?6 LIMIT 1
            """,
            names(change.mapping) + [FieldValue(change.key), FieldValue(change.field ?? ""), .integer(change.entry)])
    }

    private func withdraw(_ id: Int64) throws -> Bool {
        let (entry, before) = (try entry(id: id), try image(id))
        try database.run("DELETE FROM \(table) WHERE id = ?1", [.integer(id)])
        let highest = try registry.entry("withdrawn", "conflict").flatMap { Int64($0) } ?? 0
        if id > highest { try registry.put("withdrawn", "conflict", String(id)) }
        if recorder.isRecording, let entry {
            try recorder.note(change(of: entry, id, action: "withdrawn", old: before, new: nil))
        }
        return true
    }
}

extension ConflictImage {
    /// What a conflict says, as it is kept.
    fileprivate init(_ entry: ConflictEntry) {
        self.init(Array(repeating: .null, count: Self.columns.count))
        self["kind"] = FieldValue(entry.kind)
        (self["base"], self["local"], self["remote"]) = (
            FieldValue(entry.base), FieldValue(entry.local), FieldValue(entry.remote)
        )
        (self["policy"], self["status"]) = (FieldValue(entry.policy), FieldValue(entry.status.rawValue))
        // What ended it: a decision, or else what became of its sides.
        self["resolution"] = FieldValue(entry.status == .obsolete ? entry.end?.rawValue : entry.resolution)
        self["who"] = FieldValue(entry.who)
        (self["note"], self["other_source"]) = (FieldValue(entry.note), FieldValue(entry.otherSource))
        (self["first_run"], self["last_run"]) = (FieldValue(entry.firstRun), FieldValue(entry.lastRun))
        self["seen"] = FieldValue(entry.seen)
    }
}
