internal import SluiceDiagnostics
internal import SluiceJSON
internal import SluiceMerge
internal import SluiceModel
internal import SluiceStore

/// Columns of ledgers against what they may hold.
extension StoreChecker {
    /// What the values of a ledger's column must be.
    private enum Form {
        /// One of some names.
        case one(of: [String])
        /// A JSON text, of a kind where one is said.
        case json(JSONKind?)
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
        LedgerColumn(check: .conflicts, ledger: "conflicts", column: "key", form: .json(.object)),
        LedgerColumn(check: .conflicts, ledger: "conflicts", column: "kind", form: .one(of: ConflictKinds.all)),
        LedgerColumn(
            check: .conflicts, ledger: "conflicts", column: "status",
            form: .one(of: ConflictStatus.allCases.map(\.rawValue))),
        LedgerColumn(
            check: .conflicts, ledger: "conflicts", column: "base", form: .json(nil), rows: "status = 'open'"),
        LedgerColumn(
            check: .conflicts, ledger: "conflicts", column: "local", form: .json(nil), rows: "status = 'open'"),
        LedgerColumn(
            check: .conflicts, ledger: "conflicts", column: "remote", form: .json(nil), rows: "status = 'open'"),
        LedgerColumn(
            check: .quarantine, ledger: "quarantine", column: "status",
            form: .one(of: QuarantineStatus.allCases.map(\.rawValue))),
        LedgerColumn(
            check: .history, ledger: "changes", column: "key", form: .json(.object), rows: "kind = 'record'"),
        LedgerColumn(
            check: .history, ledger: "changes", column: "action",
            form: .one(of: RecordedChange.Action.allCases.map(\.rawValue)), rows: "kind = 'record'"),
    ]

    /// What columns of ledgers hold that this program cannot read.
    func valueFindings() throws -> [StoreFinding] {
        try Self.columns.flatMap { column in
            try database.object("_sluice_" + column.ledger) == .table ? try unreadable(column) : []
        }
    }

    private func unreadable(_ column: LedgerColumn) throws -> [StoreFinding] {
        var (count, examples): (Int, [String]) = (0, [])
        let query =
            "SELECT \(column.column), \(column.name) FROM \(database.ledger(column.ledger)) WHERE \(column.column) IS NOT NULL AND \(column.rows)"
        func note(_ row: [FieldValue]) {
            count += 1
            if examples.count < StoreFinding.listed { examples.append(row[1].string ?? "\(row[1].number ?? 0)") }
        }
        let wanted: String
        switch column.form {
        case .one(let names):
            let known = names.map(SQLText.literal).joined(separator: ", ")
            for row in try database.rows("\(query) AND \(column.column) NOT IN (\(known)) ORDER BY 2") { note(row) }
            wanted = "none of \(names.joined(separator: ", "))"
        case .json(let kind):
            try database.each("\(query) ORDER BY 2", []) { row in
                let root = row[0].string.flatMap { try? JSONDocument($0).root.kind }
                if root == nil || kind.map({ $0 != root }) ?? false { note(row) }
                return true
            }
            wanted = kind.map { "not \($0) in JSON" } ?? "not JSON"
        }
        if count == 0 { return [] }
        let table = "_sluice_" + column.ledger
        return [
            StoreFinding(
                column.check, table: table, count: count,
                message:
                    "\(Plural.of(count, "row", "rows")) of `\(table)` \(Plural.word(count, "holds", "hold")) as `\(column.column)` what is \(wanted).",
                examples: examples,
                remedy: "A hand edited it, or a newer program wrote it. Put the value back, or delete the row.")
        ]
    }
}
