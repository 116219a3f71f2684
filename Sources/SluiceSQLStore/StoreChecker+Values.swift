internal import SluiceDiagnostics
internal import SluiceJSON
internal import SluiceMerge
internal import SluiceModel
internal import SluiceSchedule
internal import SluiceStore

/// Columns of ledgers against what they may hold.
extension StoreChecker {
    /// What the values of a ledger's column must be.
    private enum Form {
        /// One of some names.
        case one(of: [String])
        /// A JSON text, of a kind where one is said.
        case json(JSONKind?)
        /// A time, RFC 3339.
        case time
        /// Seconds since 1970, up to the year 9999.
        case moment
        /// Numbers of eight bytes each.
        case words
        /// What a due time came to.
        case settlement

        /// What else a value is, as the end of a sentence.
        var broken: String {
            switch self {
            case .one(let names): "none of \(names.joined(separator: ", "))"
            case .json(let kind): kind.map { "not \($0) in JSON" } ?? "not JSON"
            case .time: "no time"
            case .moment: "no time in seconds since 1970"
            case .words: "cut off"
            case .settlement: "nothing that a due time comes to"
            }
        }

        /// Whether a value that is not null is as it must be.
        func takes(_ value: FieldValue) -> Bool {
            switch self {
            case .one(let names): return value.string.map(names.contains) ?? false
            case .json(let kind):
                guard let root = value.string.flatMap({ try? JSONDocument($0).root.kind }) else { return false }
                return kind.map { $0 == root } ?? true
            case .time:
                return value.string.map { $0.contains("T") && Timestamp(stored: Array($0.utf8)) != nil } ?? false
            case .moment: return value.number.map { (0...Self.lastMoment).contains($0) } ?? false
            case .words: return value.bytes.map { $0.count.isMultiple(of: 8) } ?? false
            case .settlement: return value.string.map { DueTime.Settlement(text: $0) != nil } ?? false
            }
        }

        /// The last second of the year 9999.
        private static let lastMoment: Int64 = 253_402_300_799
    }

    /// A column of a ledger, and what stands in it.
    private struct LedgerColumn {
        let check: StoreCheck
        let ledger: String
        let column: String
        let form: Form
        /// The rows that it is true of, as a condition.
        var rows = "1 = 1"
        /// What tells the rows apart for people.
        var name = "id"
    }

    private static let columns = [
        LedgerColumn(check: .waiting, ledger: "pending", column: "key", form: .json(.array), name: "key"),
        LedgerColumn(check: .waiting, ledger: "pending", column: "target_key", form: .json(.array), name: "key"),
        LedgerColumn(
            check: .waiting, ledger: "pending", column: "rule", form: .one(of: PendingReferences.kept), name: "key"),
        LedgerColumn(check: .conflicts, ledger: "conflicts", column: "key", form: .json(.object)),
        LedgerColumn(check: .conflicts, ledger: "conflicts", column: "kind", form: .one(of: ConflictKinds.all)),
        LedgerColumn(
            check: .conflicts, ledger: "conflicts", column: "status",
            form: .one(of: ConflictStatus.allCases.map(\.rawValue))),
        LedgerColumn(
            check: .conflicts, ledger: "conflicts", column: "base", form: .json(nil),
            rows: "status IN ('open', 'within')"),
        LedgerColumn(
            check: .conflicts, ledger: "conflicts", column: "local", form: .json(nil),
            rows: "status IN ('open', 'within')"),
        LedgerColumn(
            check: .conflicts, ledger: "conflicts", column: "remote", form: .json(nil),
            rows: "status IN ('open', 'within')"),
        LedgerColumn(check: .conflicts, ledger: "conflicts", column: "policy", form: .one(of: ConflictEntry.policies)),
        LedgerColumn(check: .quarantine, ledger: "quarantine", column: "key", form: .json(.object)),
        LedgerColumn(
            check: .quarantine, ledger: "quarantine", column: "status",
            form: .one(of: QuarantineStatus.allCases.map(\.rawValue))),
        LedgerColumn(
            check: .history, ledger: "changes", column: "key", form: .json(.object), rows: "kind = 'record'"),
        LedgerColumn(
            check: .history, ledger: "changes", column: "action",
            form: .one(of: RecordedChange.Action.allCases.map(\.rawValue)), rows: "kind = 'record'"),
        LedgerColumn(check: .history, ledger: "changes", column: "kind", form: .one(of: RecordedChange.kinds)),
        LedgerColumn(check: .state, ledger: "scans", column: "state", form: .json(.object), name: "stream"),
        LedgerColumn(check: .state, ledger: "scan_pages", column: "keys", form: .words, name: "stream"),
        LedgerColumn(check: .state, ledger: "scan_pages", column: "quarantined", form: .words, name: "stream"),
        LedgerColumn(check: .runs, ledger: "runs", column: "started_at", form: .time),
        LedgerColumn(check: .runs, ledger: "runs", column: "finished_at", form: .time),
        LedgerColumn(
            check: .runs, ledger: "runs", column: "changes", form: .one(of: RunChanges.allCases.map(\.rawValue))),
        LedgerColumn(check: .runs, ledger: "schedule", column: "due", form: .moment, name: "pipeline"),
        LedgerColumn(check: .runs, ledger: "schedule", column: "retry_at", form: .moment, name: "pipeline"),
        LedgerColumn(check: .runs, ledger: "schedule", column: "settled", form: .settlement, name: "pipeline"),
        LedgerColumn(check: .runs, ledger: "schedule_runs", column: "started", form: .moment, name: "pipeline"),
        LedgerColumn(check: .runs, ledger: "schedule_runs", column: "ended", form: .moment, name: "pipeline"),
        LedgerColumn(
            check: .runs, ledger: "schedule_runs", column: "outcome",
            form: .one(of: RunOutcome.allCases.map(\.rawValue)), name: "pipeline"),
        LedgerColumn(check: .runs, ledger: "schedule_marks", column: "decided", form: .moment, name: "pipeline"),
        LedgerColumn(check: .runs, ledger: "schedule_marks", column: "forgotten", form: .moment, name: "pipeline"),
    ]

    /// What columns of ledgers hold that this program cannot read.
    func valueFindings() throws -> [StoreFinding] {
        try Self.columns.flatMap { column -> [StoreFinding] in
            let columns = try database.columnNames(of: "_sluice_" + column.ledger)
            return columns.contains(column.column) ? try unreadable(column) : []
        }
    }

    private func unreadable(_ column: LedgerColumn) throws -> [StoreFinding] {
        var (count, examples): (Int, [String]) = (0, [])
        var conditions = ["\(column.column) IS NOT NULL", column.rows]
        // The database goes through long ledgers itself, where it can.
        if case .one(let names) = column.form {
            conditions.append("\(column.column) NOT IN (\(names.map(SQLText.literal).joined(separator: ", ")))")
        }
        let query =
            "SELECT \(column.column), \(column.name) FROM \(database.ledger(column.ledger)) WHERE \(conditions.joined(separator: " AND "))"
        func note(_ row: [FieldValue]) {
            count += 1
            if examples.count < StoreFinding.listed { examples.append(row[1].string ?? "\(row[1].number ?? 0)") }
        }
        try database.each("\(query) ORDER BY 2", []) { row in
            if !column.form.takes(row[0]) { note(row) }
            return true
        }
        if count == 0 { return [] }
        let table = "_sluice_" + column.ledger
        return [
            StoreFinding(
                column.check, table: table, count: count,
                message:
                    "\(Plural.of(count, "row", "rows")) of `\(table)` \(Plural.word(count, "holds", "hold")) as `\(column.column)` what is \(column.form.broken).",
                examples: examples,
                remedy: "It was edited by hand, or written by a newer version. Put the value back, or delete the row.")
        ]
    }
}
