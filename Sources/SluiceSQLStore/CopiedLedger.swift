/// A ledger that has the same columns in every kind of database.
package struct CopiedLedger: Sendable {
    /// Its name behind `_sluice_`.
    package let name: String
    /// Its columns.
    package let columns: [String]
    /// The columns that hold values of any type, which each kind keeps in its own way.
    var packed: Set<String> = []

    /// All but the runs, which each kind keeps in its own way, and the notes, in which names are changed.
    package static let all = [
        CopiedLedger(name: "state", columns: ["pipeline", "stream", "part", "name", "value"]),
        CopiedLedger(
            name: "conflicts",
            columns: [
                "id", "pipeline", "stream", "entity", "key", "field", "kind", "base", "local", "remote", "policy",
                "status", "resolution", "who", "note", "first_run", "last_run", "seen", "other_source",
            ]),
        CopiedLedger(
            name: "quarantine",
            columns: [
                "id", "pipeline", "stream", "entity", "key", "record_hash", "reason", "pointer", "value", "message",
                "record", "first_run", "last_run", "status",
            ]),
        CopiedLedger(
            name: "changes",
            columns: [
                "id", "run", "kind", "pipeline", "stream", "entity", "key", "action", "field", "class", "entry", "old",
                "new", "row",
            ], packed: ["old", "new"]),
        CopiedLedger(name: "pending", columns: ["table", "key", "field", "target_key", "rule"]),
        CopiedLedger(name: "scans", columns: ["pipeline", "stream", "run", "pages", "state"]),
        CopiedLedger(name: "scan_pages", columns: ["pipeline", "stream", "page", "request", "keys", "quarantined"]),
        CopiedLedger(name: "credentials", columns: ["name", "sealed", "given_at"]),
        CopiedLedger(name: "schedule", columns: ["pipeline", "due", "retry_at", "late", "settled"]),
        CopiedLedger(
            name: "schedule_runs",
            columns: [
                "pipeline", "due", "attempt", "started", "terminated_after", "killed_after", "ended", "outcome",
            ]),
        CopiedLedger(name: "schedule_marks", columns: ["pipeline", "decided", "forgotten"]),
    ]

    /// The columns by which rows of the store's own tables are told apart.
    static let keys: [(name: String, key: [String])] = [
        ("schema", ["kind", "name"]), ("runs", ["id"]), ("state", ["pipeline", "stream", "part", "name"]),
        ("conflicts", ["id"]), ("quarantine", ["id"]), ("changes", ["id"]),
        ("pending", ["table", "key", "field", "target_key"]), ("scans", ["pipeline", "stream"]),
        ("scan_pages", ["pipeline", "stream", "page"]), ("credentials", ["name"]), ("schedule", ["pipeline", "due"]),
        ("schedule_runs", ["pipeline", "due", "attempt"]), ("schedule_marks", ["pipeline"]),
    ]

    /// The tables of a store that are copied in another way, or hold nothing between transactions.
    package static let others: Set<String> = [
        "schema", "runs", "run_entities", "run_warnings", "run_warning_keys", "returned",
    ]
}
