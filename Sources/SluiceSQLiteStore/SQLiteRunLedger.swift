internal import SluiceSQLStore
internal import SluiceSQLite
internal import SluiceStore

/// The runs of an SQLite store.
final class SQLiteRunLedger: RunLedger {
    private static let columns =
        "id, pipeline, command, status, started_at, finished_at, inserted, updated, deleted, unchanged, kept_local, conflicts, quarantined, error"
    private let connection: Connection
    private let path: String

    init(connection: Connection, path: String) {
        self.connection = connection
        self.path = path
    }

    /// Where the state holds what became of records that stand within others: `run 7` ⇥ `Comment` ⇥ `3 0 1 12 0 0 0 0 0`.
    private static func part(of run: Int64) -> String { "run \(run)" }

    /// Where the state holds that a run began of which nothing else is kept: `run begun` ⇥ `at` ⇥ `2026-01-02T03:04:05Z`.
    private static let begun = "run begun"

    func beginnings(of pipeline: String) throws -> String? {
        try translated {
            let rows = try connection.rows(
                "SELECT value FROM _sluice_state WHERE pipeline = ?1 AND stream = '' AND part = ?2",
                [SQLiteValue(pipeline), SQLiteValue(Self.begun)])
            if case .text(let bytes)? = rows.first?.first { return String(decoding: bytes, as: UTF8.self) }
            return nil
        }
    }

    func setBeginnings(of pipeline: String, from known: String?, to text: String?) throws {
        let its = "WHERE pipeline = ?1 AND stream = '' AND part = ?2 AND value = coalesce(?3, value)"
        let values = [SQLiteValue(pipeline), SQLiteValue(Self.begun), SQLiteValue(known)]
        try translated {
            guard let text else {
                try connection.run("DELETE FROM _sluice_state \(its)", values)
                return
            }
            if known != nil {
                try connection.run("UPDATE _sluice_state SET value = ?4 \(its)", values + [SQLiteValue(text)])
                return
            }
            try connection.run(
                """
                INSERT INTO _sluice_state (pipeline, stream, part, name, value)
                SELECT ?1, '', ?2, 'at', ?3 WHERE EXISTS (SELECT 1 FROM _sluice_runs)
                ON CONFLICT (pipeline, stream, part, name) DO UPDATE SET value = excluded.value
                """, [SQLiteValue(pipeline), SQLiteValue(Self.begun), SQLiteValue(text)])
        }
    }

    func nextID() throws -> Int64 {
        try translated {
            guard try StoreFormat.storedVersion(connection) != nil else { return 1 }
            return (try connection.integer("SELECT max(id) FROM _sluice_runs") ?? 0) + 1
        }
    }

    func record(_ run: RunEntry) throws {
        try translated {
            try connection.run(
                """
                INSERT OR REPLACE INTO _sluice_runs (\(Self.columns), undoes, undone_by, changes, warnings,
                conflicts_written, deletes_refused, records_read)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21)
                """,
                [
                    .integer(run.id), SQLiteValue(run.pipeline), SQLiteValue(run.command), SQLiteValue(run.status),
                    SQLiteValue(run.startedAt), SQLiteValue(run.finishedAt), SQLiteValue(run.inserted),
                    SQLiteValue(run.updated), SQLiteValue(run.deleted), SQLiteValue(run.unchanged),
                    SQLiteValue(run.keptLocal), SQLiteValue(run.conflicts), SQLiteValue(run.quarantined),
                    SQLiteValue(run.error), run.undoes.map { .integer($0) } ?? .null,
                    run.undoneBy.map { .integer($0) } ?? .null, SQLiteValue(run.changes?.rawValue),
                    SQLiteValue(RunWarning.text(of: run.warnings)), SQLiteValue(run.conflictsWritten),
                    SQLiteValue(run.deletesRefused), run.recordsRead.map { SQLiteValue($0) } ?? .null,
                ])
            try connection.run(
                "DELETE FROM _sluice_state WHERE pipeline = ?1 AND stream = '' AND part = ?2",
                [SQLiteValue(run.pipeline), SQLiteValue(Self.part(of: run.id))])
            try settleBeginnings(by: run)
            for (entity, counts) in run.within {
                try keep(counts.text, of: run.pipeline, part: Self.part(of: run.id), name: entity)
            }
            for (name, value) in run.notes() {
                try keep(value, of: run.pipeline, part: Self.part(of: run.id), name: name)
            }
        }
    }

    /// The commands of runs over what their sources said, as SQL.
    private static let sourceCommands = "'run', 'apply'"

    private func keep(_ value: String, of pipeline: String, part: String, name: String) throws {
        try connection.run(
            "INSERT INTO _sluice_state (pipeline, stream, part, name, value) VALUES (?1, '', ?2, ?3, ?4)",
            [SQLiteValue(pipeline), SQLiteValue(part), SQLiteValue(name), SQLiteValue(value)])
    }

    func recordUndone(_ run: Int64, by other: Int64?) throws {
        try translated {
            try connection.run(
                "UPDATE _sluice_runs SET undone_by = ?2 WHERE id = ?1",
                [.integer(run), other.map { .integer($0) } ?? .null])
        }
    }

    func list(pipeline: String?, limit: Int, among filter: RunFilter) throws -> [RunEntry] {
        try runs(["(?1 IS NULL OR pipeline = ?1)"], of: pipeline, limit: limit, among: filter)
    }

    func latest(of pipeline: String, limit: Int, among filter: RunFilter) throws -> [RunEntry] {
        try runs(["pipeline = ?1", "command IN (\(Self.sourceCommands))"], of: pipeline, limit: limit, among: filter)
    }

    private func runs(
        _ conditions: [String], of pipeline: String?, limit: Int, among filter: RunFilter
    ) throws -> [RunEntry] {
        let all = conditions + ["(?3 IS NULL OR started_at >= ?3)"] + (try self.conditions(of: filter))
        return try runs(
            "WHERE \(all.joined(separator: " AND ")) ORDER BY id DESC LIMIT ?2",
            [SQLiteValue(pipeline), SQLiteValue(limit), SQLiteValue(filter.since)])
    }

    private func conditions(of filter: RunFilter) throws -> [String] {
        var conditions: [String] = []
        if filter.isSuccess {
            conditions += [
                "status = 'succeeded'",
                """
                NOT EXISTS (SELECT 1 FROM _sluice_state AS s WHERE s.pipeline = _sluice_runs.pipeline AND s.stream = ''
                    AND s.part = 'run ' || _sluice_runs.id AND s.name = '\(RunNote.scope.rawValue)')
                """,
            ]
        }
        if filter.isReading {
            let isKept = try translated { try StoreFormat.hasRecordsRead(connection) }
            conditions.append(isKept ? "records_read IS NOT NULL" : "0")
        }
        if filter.isFailure { conditions.append("status <> 'succeeded'") }
        let hasUndo = try translated { try StoreFormat.hasHistory(connection) }
        if filter.leavesOutUndone && hasUndo { conditions.append("undone_by IS NULL") }
        return conditions
    }

    func entry(id: Int64) throws -> RunEntry? { try runs("WHERE id = ?1", [.integer(id)]).first }

    private func runs(_ condition: String, _ values: [SQLiteValue]) throws -> [RunEntry] {
        try translated {
            let later = try StoreFormat.hasHistory(connection) ? "undoes, undone_by, changes" : "NULL, NULL, NULL"
            let warnings = try StoreFormat.hasWarnings(connection) ? "warnings" : "NULL"
            let partial = try StoreFormat.hasPartialCounts(connection) ? "conflicts_written, deletes_refused" : "0, 0"
            let read = try StoreFormat.hasRecordsRead(connection) ? "records_read" : "NULL"
            let statement = try connection.prepare(
                "SELECT \(Self.columns), \(later), \(warnings), \(partial), \(read) FROM _sluice_runs \(condition)")
            for (index, value) in values.enumerated() { statement.bind(value, at: index + 1) }
            var runs: [RunEntry] = []
            while try statement.step() { runs.append(Self.run(statement)) }
            let within = try connection.prepare(
                "SELECT name, value FROM _sluice_state WHERE pipeline = ?1 AND stream = '' AND part = ?2")
            for index in runs.indices {
                within.bind(runs[index].pipeline, at: 1)
                within.bind(Self.part(of: runs[index].id), at: 2)
                var notes: [(String, String)] = []
                while try within.step() {
                    guard let name = within.string(0), let value = within.string(1) else { continue }
                    if let counts = RunCounts(value) {
                        runs[index].within[name] = counts
                    } else {
                        notes.append((name, value))
                    }
                }
                for (name, value) in notes { runs[index].accept(note: name, value) }
                within.reset()
            }
            return runs
        }
    }

    private static func run(_ statement: Statement) -> RunEntry {
        func number(_ column: Int) -> Int64? { statement.isNull(column) ? nil : statement.integer(column) }
        var run = RunEntry(
            id: statement.integer(0), pipeline: statement.string(1) ?? "", command: statement.string(2) ?? "",
            status: statement.string(3) ?? "", startedAt: statement.string(4) ?? "")
        run.finishedAt = statement.string(5)
        run.inserted = Int(statement.integer(6))
        run.updated = Int(statement.integer(7))
        run.deleted = Int(statement.integer(8))
        run.unchanged = Int(statement.integer(9))
        run.keptLocal = Int(statement.integer(10))
        run.conflicts = Int(statement.integer(11))
        run.quarantined = Int(statement.integer(12))
        run.error = statement.string(13)
        run.undoes = number(14)
        run.undoneBy = number(15)
        run.changes = statement.string(16).flatMap { RunChanges(rawValue: $0) }
        run.warnings = RunWarning.list(statement.string(17) ?? "")
        run.conflictsWritten = Int(statement.integer(18))
        run.deletesRefused = Int(statement.integer(19))
        run.recordsRead = number(20).map { Int(clamping: $0) }
        return run
    }

    func pipelines() throws -> [String] {
        try translated {
            try connection.rows("SELECT DISTINCT pipeline FROM _sluice_runs ORDER BY pipeline").map { row in
                if case .text(let bytes) = row[0] { return String(decoding: bytes, as: UTF8.self) }
                return ""
            }
        }
    }

    private func translated<R>(_ body: () throws -> R) throws -> R {
        do { return try body() } catch let error as SQLiteError { throw StoreError(error, path: path) }
    }
}

extension RunWarning {
    /// What stands between two warnings: ASCII's record separator.
    private static let separator: Character = "\u{1E}"

    /// What stands before each record that a warning is about: ASCII's unit separator.
    private static let unit: Character = "\u{1F}"

    /// Warnings as one text: of each the code, a line feed and the message. Where it is about records, then the entity,
    /// how many are not named, and the keys of those that are. Nil where there are none.
    fileprivate static func text(of warnings: [RunWarning]) -> String? {
        if warnings.isEmpty { return nil }
        return warnings.map(\.text).joined(separator: String(separator))
    }

    /// Reads such a text; what is no warning is left out.
    fileprivate static func list(_ text: String) -> [RunWarning] {
        text.split(separator: separator).compactMap { warning in
            let parts = warning.split(separator: "\n", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            let units = parts[1].split(separator: unit, omittingEmptySubsequences: false).map(String.init)
            var read = RunWarning(code: String(parts[0]), message: units[0])
            guard units.count > 2, let unlisted = Int(units[2]) else { return read }
            (read.entity, read.keys, read.unlisted) = (units[1], Array(units[3...]), unlisted)
            return read
        }
    }

    private var text: String {
        var units = [message]
        if let entity { units += [entity, String(unlisted)] + keys }
        let all = units.map { $0.filter { $0 != Self.separator && $0 != Self.unit } }
        return "\(code)\n" + all.joined(separator: String(Self.unit))
    }
}

extension RunCounts {
    private static var parts: [WritableKeyPath<RunCounts, Int>] {
        [
            \.inserted, \.updated, \.deleted, \.unchanged, \.keptLocal, \.conflicts, \.quarantined,
            \.conflictsWritten, \.deletesRefused,
        ]
    }
    /// How many counts older stores have: the first ones.
    private static let oldParts = 7

    /// The counts in the order in which the table of runs has them.
    fileprivate var text: String { Self.parts.map { String(self[keyPath: $0]) }.joined(separator: " ") }

    /// Reads counts; nil where they are none.
    fileprivate init?(_ text: String) {
        let numbers = text.split(separator: " ").compactMap { Int($0) }
        guard numbers.count == Self.parts.count || numbers.count == Self.oldParts else { return nil }
        self.init()
        for (part, number) in zip(Self.parts, numbers) { self[keyPath: part] = number }
    }
}
