internal import SluiceServeModel
internal import SluiceStore

/// The schemas that the answers of the API are made of.
enum APISchemas {
    static let all: [(String, Schema)] = [
        ("Problem", problem), ("Run", run), ("Pipeline", pipeline), ("HistoryRun", historyRun), ("Change", change),
        ("Conflict", conflict), ("QuarantinedRecord", quarantined), ("PipelineProblem", pipelineProblem),
        ("Worker", worker),
    ]

    private static let worker = Schema.object([
        ("id", .text), ("place", .text), ("slots", .integer), ("started_at", .moment), ("seen_at", .moment),
        ("lease_seconds", .optional(.integer)), ("late", .flag),
        (
            "runs",
            .array(
                .object([
                    ("pipeline", .text), ("due", .optional(.moment)), ("since", .moment), ("helps", .flag),
                ]))
        ),
    ])

    private static let problem = Schema.object([
        (
            "error",
            .object([("code", .text), ("message", .text)])
        )
    ])

    private static let counts = Schema.object(
        [
            ("insert", .integer), ("update", .integer), ("delete", .integer), ("unchanged", .integer),
            ("kept_local", .integer), ("conflict", .integer), ("conflict_written", .integer),
            ("quarantined", .integer), ("delete_refused", .integer),
        ], optional: [("stale", .integer), ("delete_reported", .integer), ("duplicates", .integer)])

    private static let run = Schema.object(
        [
            ("id", .text), ("pipeline", .text), ("kind", .choice(["run", "plan"])),
            (
                "state",
                .choice(["waiting", "running"] + ServedRun.Outcome.allCases.map(\.rawValue) + ["unknown"])
            ),
            ("service_run", .optional(.integer)), ("store_run", .optional(.integer)), ("due", .optional(.moment)),
            ("attempt", .integer), ("who", .optional(.text)), ("started_at", .optional(.moment)),
            ("ended_at", .optional(.moment)), ("seconds", .optional(.number)), ("exit_code", .optional(.integer)),
            ("error", .optional(.text)),
            (
                "progress",
                .optional(
                    .object([
                        ("stream", .optional(.text)), ("pages", .integer), ("bytes", .integer), ("records", .integer),
                        ("text", .text),
                    ]))
            ),
            ("summary", .optional(counts)),
        ],
        optional: [
            ("entities", .any), ("history", .named("HistoryRun")), ("documents", .array(.choice(["log", "report"]))),
        ])

    private static let pipelineProblem = Schema.object(
        [
            ("code", .text), ("severity", .choice(["error", "warning", "note"])), ("message", .text),
            ("summary", .text),
            ("detail", .text),
        ],
        optional: [
            ("file", .text), ("line", .integer), ("column", .integer), ("suggestion", .text), ("help", .text),
            ("note", .text),
        ])

    private static let pipeline = Schema.object([
        ("name", .text), ("description", .optional(.text)), ("file", .text),
        ("problems", .array(.named("PipelineProblem"))), ("outdated", .flag), ("store", .text),
        ("schedule", .optional(.text)), ("next_due", .optional(.moment)), ("late_since", .optional(.moment)),
        ("left_out", .optional(.text)),
        ("running", .optional(.named("Run"))), ("waiting", .array(.named("Run"))),
        ("last_run", .optional(.named("HistoryRun"))),
        (
            "last_success",
            .optional(
                .object([("run", .integer), ("finished_at", .optional(.moment)), ("age_seconds", .optional(.integer))]))
        ),
        ("open_conflicts", .integer), ("records_in_conflict", .integer), ("quarantined", .integer),
        ("usual_duration_seconds", .optional(.integer)), ("usual_records_read", .optional(.integer)),
        ("notes", .array(.text)),
    ])

    private static let historyRun = Schema.object(
        [
            ("run", .integer), ("pipeline", .text), ("command", .text), ("status", .text), ("started_at", .moment),
            ("finished_at", .optional(.moment)), ("duration_seconds", .optional(.integer)), ("summary", counts),
            ("error", .optional(.text)), ("undoes", .optional(.integer)), ("undone_by", .optional(.integer)),
            ("changes_kept", .flag),
        ],
        optional: [
            ("scope", .text), ("who", .text), ("records_read", .integer), ("filtered", .integer),
            ("suspected", .integer), ("linked", .integer), ("unlinked", .integer), ("entities", .any),
            ("problems", .array(.any)),
        ])

    private static let change = Schema.object([
        ("run", .integer), ("stream", .text), ("entity", .text), ("table", .optional(.text)), ("key", .any),
        ("action", .text), ("kind", .optional(.text)),
        (
            "fields",
            .array(
                .object(
                    [],
                    optional: [
                        ("field", .text), ("column", .text), ("class", .text), ("old", .any), ("new", .any),
                    ]))
        ),
    ])

    private static let conflict = Schema.object(
        [
            ("id", .integer), ("kind", .text), ("entity", .text), ("key", .any), ("field", .optional(.text)),
            ("policy", .text), ("status", .choice(["open", "auto", "resolved", "obsolete", "converged"])),
            ("pipeline", .text), ("stream", .text), ("first_run", .optional(.integer)),
            ("last_run", .optional(.integer)), ("seen", .integer),
        ],
        optional: [
            ("base", .any), ("local", .any), ("remote", .any), ("no_base", .text), ("note", .text), ("who", .text),
            ("resolution", .text), ("ended", .choice(ConflictEnd.names)), ("mark", .text),
        ])

    private static let quarantined = Schema.object(
        [
            ("id", .integer), ("stream", .text), ("reason", .text), ("pointer", .text), ("value", .any),
            ("message", .text), ("entity", .text), ("key", .any), ("pipeline", .text),
            ("status", .choice(["open", "closed", "dropped"])), ("first_run", .optional(.integer)),
            ("last_run", .optional(.integer)),
        ], optional: [("record", .any)])
}
