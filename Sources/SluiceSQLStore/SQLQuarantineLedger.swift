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

    package func put(_ entries: [QuarantineEntry]) throws -> [Int64] {
        var known = try open(entries)
        var (ids, new, renewed): ([Int64], [Int64], [Int64]) = ([], [], [])
        var now: [Int64: QuarantineEntry] = [:]
        var next: Int64?
        for entry in entries {
            let name = Name(entry)
            if let found = known[name], let id = found.id {
                ids.append(id)
                if found.record == entry.record && found.message == entry.message { continue }
                if now[id] == nil { renewed.append(id) }
                now[id] = entry
            } else if let id = entry.id {
                ids.append(id)
                if now[id] == nil { renewed.append(id) }
                now[id] = entry
            } else {
                let id = try next ?? (database.integer("SELECT max(id) FROM \(table)") ?? 0) + 1
                next = id + 1
                ids.append(id)
                new.append(id)
                now[id] = entry
            }
            known[name] = entry
            known[name]?.id = ids.last
        }
        let entry = { (id: Int64) -> [FieldValue] in now[id].map { self.values(of: $0, id) } ?? [] }
        try database.overwriteRows(renewed.map(entry), Self.written, of: "quarantine")
        try database.insertRows(
            new.map { id in entry(id) + (now[id].map { first in names(first) } ?? []) },
            Self.written + ["pipeline", "stream", "first_run", "status"], into: "quarantine")
        try record(
            new.compactMap { id in now[id].map { (id, $0.mapping, $0.key, $0.reason) } }, as: "opened", before: nil,
            now: .open)
        return ids
    }

    /// What is written of an entry that may be there.
    private static let written = [
        "id", "entity", "key", "reason", "record_hash", "pointer", "value", "message", "record", "last_run",
    ]

    private func values(of entry: QuarantineEntry, _ id: Int64) -> [FieldValue] {
        [
            .integer(id), FieldValue(entry.entity), FieldValue(entry.key), FieldValue(entry.reason),
            .integer(entry.recordHash), database.shown(entry.pointer), database.shown(entry.value),
            database.shown(entry.message), .blob(entry.record), FieldValue(entry.lastRun),
        ]
    }

    /// What a new entry has besides.
    private func names(_ entry: QuarantineEntry) -> [FieldValue] {
        [
            FieldValue(entry.pipeline), FieldValue(entry.stream), FieldValue(entry.firstRun),
            FieldValue(QuarantineStatus.open.rawValue),
        ]
    }

    /// What tells open entries apart: the source, the record and the reason.
    private struct Name: Hashable {
        let mapping: RecordMapping
        /// The key, or the hash of a record without one.
        let key: ExactText?
        let hash: Int64
        let reason: String

        init(_ entry: QuarantineEntry) {
            mapping = entry.mapping
            key = entry.key.map { ExactText($0) }
            hash = entry.key == nil ? entry.recordHash : 0
            reason = entry.reason
        }
    }

    /// The open entries of the records of some, by what tells them apart.
    private func open(_ entries: [QuarantineEntry]) throws -> [Name: QuarantineEntry] {
        var found: [Name: QuarantineEntry] = [:]
        for (mapping, entries) in Dictionary(grouping: entries, by: \.mapping) {
            let records = entries.map { entry in
                entry.key.map { FieldValue($0) } ?? database.quarantined.hash(entry.recordHash)
            }
            try eachPart(of: records) { part in
                let isAny = SQLText.parameters(part.count, from: 4)
                let open = try self.entries(
                    """
                    WHERE pipeline = ?1 AND stream = ?2 AND entity = ?3 AND \(database.quarantined.column) IN (\(isAny))
                    AND status = 'open'
                    """, names(mapping) + part)
                for entry in open { found[Name(entry)] = entry }
            }
        }
        return found
    }

    /// Gives parts of values, each of which is repeated at the end of its part until there are a power of two: so there are few
    /// statements.
    private func eachPart(of values: [FieldValue], _ body: ([FieldValue]) throws -> Void) throws {
        for start in stride(from: 0, to: values.count, by: 512) {
            var part = Array(values[start..<min(start + 512, values.count)])
            while part.count & (part.count - 1) != 0, let last = part.last { part.append(last) }
            try body(part)
        }
    }

    package func close(_ ids: [Int64], run: Int64?) throws { try end(ids, .closed, run) }

    package func drop(id: Int64, run: Int64) throws { try end([id], .dropped, run) }

    /// Has an entry that is closed wait again.
    func reopen(_ id: Int64, run: Int64?) throws { try end([id], .open, run) }

    /// The reason under which a value of a field begins to wait: what an earlier change left of the record stays beside it.
    func freeReason(ofField name: String, of mapping: RecordMapping, key: String) throws -> String {
        let taken = Set(try entries(of: mapping, key: key).filter(\.isOpen).map(\.reason))
        let first = QuarantineEntry.typeChange + name
        if !taken.contains(first) { return first }
        var number = 2
        while taken.contains("\(first):\(number)") { number += 1 }
        return "\(first):\(number)"
    }

    private func end(_ ids: [Int64], _ status: QuarantineStatus, _ run: Int64?) throws {
        if ids.isEmpty { return }
        let before = recorder.isRecording ? try stated(ids) : []
        try database.overwriteRows(
            ids.map { [.integer($0), FieldValue(run), FieldValue(status.rawValue)] }, ["id", "last_run", "status"],
            of: "quarantine")
        held?.reconsider()
        for (old, entries) in Dictionary(grouping: before, by: \.status).sorted(by: { $0.key < $1.key })
        where old != status.rawValue {
            try record(
                entries.map(\.entry), as: status == .open ? "reopened" : status.rawValue, before: old, now: status)
        }
    }

    /// What is noted of entries, with what they are at the moment, by id.
    private func stated(_ ids: [Int64]) throws -> [(entry: Noted, status: String)] {
        var found: [(entry: Noted, status: String)] = []
        try eachPart(of: ids.sorted().map { .integer($0) }) { part in
            let rows = try database.rows(
                """
                SELECT id, pipeline, stream, entity, key, reason, status FROM \(table)
                WHERE id IN (\(SQLText.parameters(part.count))) ORDER BY id
                """, part)
            for row in rows {
                let mapping = RecordMapping(
                    pipeline: row[1].string ?? "", stream: row[2].string ?? "", entity: row[3].string ?? "")
                found.append(
                    ((row[0].number ?? 0, mapping, row[4].string, row[5].string ?? ""), row[6].string ?? ""))
            }
        }
        return found
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

    package func open(of mapping: RecordMapping, keys: [String]) throws -> [ExactText: [QuarantineEntry]] {
        let some = Set(keys.map { ExactText($0) }).sorted().map { FieldValue($0.text) }
        let rows = try database.rows(ofAny: some, after: names(mapping)) { places in
            """
            SELECT \(Self.columns) FROM \(table) WHERE pipeline = ?1 AND stream = ?2 AND entity = ?3
            AND status = 'open' AND key IN (\(places)) ORDER BY id
            """
        }
        return Dictionary(grouping: rows.map(Self.entry)) { ExactText($0.key ?? "") }
    }

    package func list(includingClosed: Bool) throws -> [QuarantineEntry] {
        try entries(includingClosed ? "ORDER BY id" : "WHERE status = 'open' ORDER BY id", [])
    }

    package func entry(id: Int64) throws -> QuarantineEntry? { try entries("WHERE id = ?1", [.integer(id)]).first }

    package func entries(renewedBy run: Int64) throws -> [QuarantineEntry] {
        try entries("WHERE last_run = ?1 AND first_run < ?1 AND status = 'open' ORDER BY id", [.integer(run)])
    }

    private func entries(_ condition: String, _ values: [FieldValue]) throws -> [QuarantineEntry] {
        try database.rows("SELECT \(Self.columns) FROM \(table) \(condition)", values).map(Self.entry)
    }

    private static func entry(_ row: [FieldValue]) -> QuarantineEntry {
        QuarantineEntry(
            id: row[0].number, pipeline: row[1].string ?? "", stream: row[2].string ?? "",
            entity: row[3].string ?? "", key: row[4].string, recordHash: row[5].number ?? 0,
            reason: row[6].string ?? "", pointer: row[7].string ?? "", value: row[8].string,
            message: row[9].string ?? "", record: row[10].bytes ?? [], firstRun: row[11].number,
            lastRun: row[12].number, status: QuarantineStatus(rawValue: row[13].string ?? "") ?? .closed)
    }

    // MARK: History

    // What runs do to the quarantine is written down as the entry's status; what it says of the record is news, and stays.

    private func status(_ id: Int64) throws -> String? {
        try database.rows("SELECT status FROM \(table) WHERE id = ?1", [.integer(id)]).first?.first?.string
    }

    /// What is noted of an entry.
    private typealias Noted = (id: Int64, mapping: RecordMapping, key: String?, reason: String)

    /// Writes down what happened to entries.
    private func record(_ entries: [Noted], as action: String, before: String?, now: QuarantineStatus) throws {
        if !recorder.isRecording || entries.isEmpty { return }
        try recorder.record(
            entries.map { entry in
                RecordedEntry(
                    subject: .quarantine, entry: entry.id, mapping: entry.mapping, key: entry.key, field: nil,
                    kind: entry.reason, action: action, old: before, new: now.rawValue)
            })
    }

    package func revert(_ change: RecordedEntry) throws -> Bool {
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
        if try old == QuarantineStatus.open.rawValue && open([entry])[Name(entry)] != nil { return false }
        try database.run(
            "UPDATE \(table) SET status = ?2 WHERE id = ?1", [.integer(change.entry), FieldValue(old)])
        if entry.changedField != nil { held?.forget() }
        let status = QuarantineStatus(rawValue: old) ?? .closed
        try record(
            [(change.entry, entry.mapping, entry.key, entry.reason)],
            as: status == .open ? "reopened" : status.rawValue, before: now, now: status)
        return true
    }
}
