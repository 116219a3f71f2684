package import SluiceModel
package import SluiceStore

/// The quarantine of a store on SQL.
package final class SQLQuarantineLedger: QuarantineLedger {
    private static let columns =
        "id, pipeline, stream, entity, key, record_hash, reason, pointer, value, message, record, first_run, last_run, status"
    private let database: any SQLDatabase
    private let recorder: any ChangeNoting
    /// What is known of edits that wait here.
    private let held: HeldEdits?
    private var table: String { database.ledger("quarantine") }

    /// Makes a ledger.
    ///
    /// - Parameters:
    ///   - database: The database.
    ///   - recorder: Writes down what runs change.
    ///   - held: What tables know of edits that wait in the ledger, and look for again once entries of them change.
    package init(_ database: any SQLDatabase, recorder: any ChangeNoting, held: HeldEdits? = nil) {
        (self.database, self.recorder, self.held) = (database, recorder, held)
    }

    private func names(_ mapping: RecordMapping) -> [FieldValue] {
        [FieldValue(mapping.pipeline), FieldValue(mapping.stream), FieldValue(mapping.entity)]
    }

    // MARK: Writing

    package func put(_ entry: QuarantineEntry) throws -> Int64 {
        if let found = try same(as: entry), let id = found.id {
            if found.record != entry.record || found.message != entry.message { try update(id, entry) }
            return id
        }
        let id = (try database.integer("SELECT max(id) FROM \(table)") ?? 0) + 1
        try database.run(
            """
            INSERT INTO \(table) (pipeline, stream, entity, key, record_hash, reason, pointer, value,
            message, record, first_run, last_run, status, id)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, 'open', ?13)
            """,
            names(entry.mapping) + [
                FieldValue(entry.key), .integer(entry.recordHash), FieldValue(entry.reason),
                database.shown(entry.pointer),
                database.shown(entry.value), database.shown(entry.message), .blob(entry.record),
                FieldValue(entry.firstRun),
                FieldValue(entry.lastRun), .integer(id),
            ])
        try note(id, before: nil)
        return id
    }

    package func refresh(id: Int64, _ entry: QuarantineEntry) throws -> Int64 {
        guard try same(as: entry) == nil else { return try put(entry) }
        try database.run(
            "UPDATE \(table) SET entity = ?2, key = ?3, reason = ?4 WHERE id = ?1",
            [.integer(id), FieldValue(entry.entity), FieldValue(entry.key), FieldValue(entry.reason)])
        try update(id, entry)
        return id
    }

    /// The open entry of the same record and reason.
    private func same(as entry: QuarantineEntry) throws -> QuarantineEntry? {
        try entries(
            """
            WHERE pipeline = ?1 AND stream = ?2 AND entity = ?3 AND \(database.quarantined.column) = ?4 AND reason = ?5
            AND status = 'open'
            """,
            names(entry.mapping) + [
                entry.key.map { FieldValue($0) } ?? database.quarantined.hash(entry.recordHash),
                FieldValue(entry.reason),
            ]
        ).first
    }

    private func update(_ id: Int64, _ entry: QuarantineEntry) throws {
        try database.run(
            """
            UPDATE \(table) SET record_hash = ?2, pointer = ?3, value = ?4, message = ?5, record = ?6,
            last_run = ?7 WHERE id = ?1
            """,
            [
                .integer(id), .integer(entry.recordHash), database.shown(entry.pointer), database.shown(entry.value),
                database.shown(entry.message), .blob(entry.record), FieldValue(entry.lastRun),
            ])
    }

    package func close(id: Int64, run: Int64?) throws { try end(id, .closed, run) }

    package func drop(id: Int64, run: Int64) throws { try end(id, .dropped, run) }

    private func end(_ id: Int64, _ status: QuarantineStatus, _ run: Int64?) throws {
        let before = recorder.isRecording ? try self.status(id) : nil
        try database.run(
            "UPDATE \(table) SET status = ?3, last_run = ?2 WHERE id = ?1",
            [.integer(id), FieldValue(run), FieldValue(status.rawValue)])
        held?.reconsider()
        try note(id, before: before)
    }

    // MARK: Reading

    package func openRecords(ofStreams streams: Set<String>, pipeline: String) throws -> Int {
        let (isStream, values) = database.isAny("stream", of: streams, from: 2)
        return Int(
            clamping: try database.integer(
                """
                SELECT count(*) FROM (SELECT DISTINCT stream, entity, \(database.quarantined.column) AS record
                FROM \(table) WHERE status = 'open' AND pipeline = ?1 AND \(isStream)
                AND substr(reason, 1, \(QuarantineEntry.typeChange.utf8.count)) <> ?\(2 + values.count)) AS found
                """, [FieldValue(pipeline)] + values + [FieldValue(QuarantineEntry.typeChange)]) ?? 0)
    }

    package func openTypeChanges(ofStreams streams: Set<String>, pipeline: String) throws -> Int {
        let (isStream, values) = database.isAny("stream", of: streams, from: 2)
        return Int(
            clamping: try database.integer(
                """
                SELECT count(*) FROM \(table) WHERE status = 'open' AND pipeline = ?1 AND \(isStream)
                AND substr(reason, 1, \(QuarantineEntry.typeChange.utf8.count)) = ?\(2 + values.count)
                """, [FieldValue(pipeline)] + values + [FieldValue(QuarantineEntry.typeChange)]) ?? 0)
    }

    package func openKeys(of source: RecordMapping) throws -> [(id: Int64, key: String?)] {
        try database.rows(
            """
            SELECT id, key FROM \(table) WHERE pipeline = ?1 AND stream = ?2 AND entity = ?3 AND status = 'open'
            AND substr(reason, 1, \(QuarantineEntry.typeChange.utf8.count)) <> ?4
            """, names(source) + [FieldValue(QuarantineEntry.typeChange)]
        ).map { ($0[0].number ?? 0, $0[1].string) }
    }

    package func openKeys(of source: RecordMapping, besides reasons: Set<String>) throws -> [String] {
        let (isOther, values) = database.isAny("reason", of: reasons, from: 5)
        return try database.rows(
            """
            SELECT key FROM \(table) WHERE pipeline = ?1 AND stream = ?2 AND entity = ?3 AND status = 'open'
            AND key IS NOT NULL AND substr(reason, 1, \(QuarantineEntry.typeChange.utf8.count)) <> ?4
            AND NOT (\(isOther) AND pointer = '')
            """, names(source) + [FieldValue(QuarantineEntry.typeChange)] + values
        ).compactMap { $0[0].string }
    }

    package func open(_ selection: QuarantineSelection, pipeline: String) throws -> [String: [Int64]] {
        let isMeant = selection.reason == nil ? "" : " AND reason = ?2"
        let rows = try database.rows(
            """
            SELECT id, stream FROM \(table) WHERE pipeline = ?1 AND status = 'open'\(isMeant)
            ORDER BY coalesce(last_run, 0), id
            """, [FieldValue(pipeline)] + (selection.reason.map { [FieldValue($0)] } ?? []))
        var ids: [String: [Int64]] = [:]
        for row in rows {
            guard let id = row[0].number, selection.ids?.contains(id) ?? true else { continue }
            ids[row[1].string ?? "", default: []].append(id)
        }
        return ids
    }

    package func entries(of mapping: RecordMapping, key: String) throws -> [QuarantineEntry] {
        try entries(
            "WHERE pipeline = ?1 AND stream = ?2 AND entity = ?3 AND key = ?4 ORDER BY id",
            names(mapping) + [FieldValue(key)])
    }

    package func list(includingClosed: Bool) throws -> [QuarantineEntry] {
        try entries(includingClosed ? "ORDER BY id" : "WHERE status = 'open' ORDER BY id", [])
    }

    package func entry(id: Int64) throws -> QuarantineEntry? { try entries("WHERE id = ?1", [.integer(id)]).first }

    package func entries(renewedBy run: Int64) throws -> [QuarantineEntry] {
        try entries("WHERE last_run = ?1 AND first_run < ?1 AND status = 'open' ORDER BY id", [.integer(run)])
    }

    private func entries(_ condition: String, _ values: [FieldValue]) throws -> [QuarantineEntry] {
        try database.rows("SELECT \(Self.columns) FROM \(table) \(condition)", values).map { row in
            QuarantineEntry(
                id: row[0].number, pipeline: row[1].string ?? "", stream: row[2].string ?? "",
                entity: row[3].string ?? "", key: row[4].string, recordHash: row[5].number ?? 0,
                reason: row[6].string ?? "", pointer: row[7].string ?? "", value: row[8].string,
                message: row[9].string ?? "", record: row[10].bytes ?? [], firstRun: row[11].number,
                lastRun: row[12].number, status: QuarantineStatus(rawValue: row[13].string ?? "") ?? .closed)
        }
    }

    // MARK: History

    // What runs do to the quarantine is written down as the entry's status; what it says of the record is news, and stays.

    private func status(_ id: Int64) throws -> String? {
        try database.rows("SELECT status FROM \(table) WHERE id = ?1", [.integer(id)]).first?.first?.string
    }

    /// Writes down what happened to an entry.
    private func note(_ id: Int64, before: String?) throws {
        guard recorder.isRecording, let entry = try entry(id: id), entry.status.rawValue != before else { return }
        let action = before == nil ? "opened" : entry.isOpen ? "reopened" : entry.status.rawValue
        try recorder.note(
            RecordedEntry(
                subject: .quarantine, entry: id, mapping: entry.mapping, key: entry.key, field: nil,
                kind: entry.reason, action: action, old: before, new: entry.status.rawValue))
    }

    package func takeBack(_ change: RecordedEntry) throws -> Bool {
        // An entry keeps its number: what was put there is let go rather than forgotten.
        let old = change.old ?? QuarantineStatus.closed.rawValue
        let now = try status(change.entry)
        if now == old { return true }
        guard now == change.new, let entry = try entry(id: change.entry) else { return false }
        // What is not back in its row would be nowhere else.
        if entry.changedField != nil && old == QuarantineStatus.closed.rawValue { return false }
        // What is back in its row since waits no longer.
        if entry.changedField != nil && old == QuarantineStatus.open.rawValue && entry.lastRun != change.run {
            return false
        }
        // The same record may be there for the same reason under another number by now.
        if try old == QuarantineStatus.open.rawValue && same(as: entry) != nil { return false }
        try database.run(
            "UPDATE \(table) SET status = ?2 WHERE id = ?1", [.integer(change.entry), FieldValue(old)])
        if entry.changedField != nil { held?.forget() }
        try note(change.entry, before: now)
        return true
    }
}
