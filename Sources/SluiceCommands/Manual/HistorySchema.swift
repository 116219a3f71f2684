/// The JSON Schema of what `history` tells: `docs/report.md` says the same for people.
package enum HistorySchema {
    /// The schema as indented JSON (JSON Schema 2020-12), with a line break at its end.
    package static func jsonSchema() -> String {
        DocumentSchema(
            id: "urn:sluice:history:1", title: "Sluice history",
            help: "What history writes with --format json. Keys may be added within this version.",
            document: document, shapes: shapes
        ).json
    }

    private static let document: [DocumentSchema.Key] = [
        .always("format", .constant("sluice.history/1"), "sluice.history/1."),
        .always("store", .optional(.text), "The store; null where the pipelines fill several."),
        .sometimes("since", .text, "The time of --since; left out without it."),
        .sometimes(
            "runs", .list(.one("run")), "The runs, the newest first; of history RUN that one; left out with --trends."),
        .sometimes("runs_truncated", .flag, "Whether --limit left some out; only in the list."),
        .sometimes("trends", .list(.one("trend")), "What the runs of each pipeline were like; only with --trends."),
        .sometimes(
            "schema_changes", .list(.one("schema_change")),
            "How tables followed the pipeline, as far as undo takes it back; only in history RUN, left out where there are none."
        ),
        .sometimes("changes", .list(.one("change")), "What the run did to records; only in history RUN."),
        .sometimes("changes_truncated", .flag, "Whether --limit left some out; only in history RUN."),
        .sometimes(
            "entries", .list(.one("entry")),
            "What the run did to conflicts, to the quarantine and to what is remembered of streams; only in history RUN."
        ),
        .sometimes("entries_truncated", .flag, "Whether --limit left some out; only in history RUN."),
    ]

    private static let shapes: [(name: String, keys: [DocumentSchema.Key])] = [
        ("change", change),
        ("changed_field", changedField),
        ("counts", ReportSchema.keys(of: "counts")),
        ("entry", entry),
        ("problem", ReportSchema.keys(of: "problem")),
        ("run", run),
        ("schema_change", ReportSchema.keys(of: "schema_change")),
        ("trend", trend),
    ]

    private static let run: [DocumentSchema.Key] = [
        .always("run", .count, "Its number."),
        .always("pipeline", .text, "The pipeline."),
        .sometimes("store", .text, "The store that has it, where the pipelines fill several; else left out."),
        .always("command", .text, "run, apply, undo, retry, resolve or drop."),
        .sometimes(
            "scope", .text,
            "The streams of --stream or the entity of --entity, or recording with --replay; else left out."),
        .sometimes("who", .text, "Who asked for an undo, retry, resolve or drop; else left out."),
        .always("status", .text, "As in a report."),
        .always("started_at", .time, "When it began."),
        .always("finished_at", .optional(.time), "When it ended; null while it runs."),
        .always("duration_seconds", .optional(.count), "How long it took; null while it runs."),
        .sometimes("records_read", .count, "How many records it read; left out unless it read all that there are."),
        .sometimes(
            "filtered", .count,
            "How many records it read and left out: by a filter, or since they are older than the cursor. Left out if none."
        ),
        .sometimes(
            "suspected", .count,
            "How many rows were missing in what it read, and are gone once further scans miss them too; left out if none."
        ),
        .always("summary", .one("counts"), "Its counts."),
        .sometimes("linked", .count, "How many references it linked that had waited; left out if none."),
        .sometimes(
            "unlinked", .count,
            "How many rows lost a reference, since its record goes or is not there; they count by what became of their own records besides. Left out where there are none."
        ),
        .sometimes(
            "entities", .byName("counts"),
            "The counts of records that stand within others; left out if none changed."),
        .always("error", .optional(.text), "What went wrong."),
        .always("undoes", .optional(.count), "The run that it reverts."),
        .always("undone_by", .optional(.count), "The run that reverted it."),
        .always("changes_kept", .flag, "Whether the store still knows what it changed."),
        .sometimes(
            "schema_changes", .list(.one("schema_change")),
            "How tables followed the pipeline, as in history RUN; only in the list, left out where there are none."),
        .sometimes("problems", .list(.one("problem")), "Its warnings; left out if there are none."),
    ]

    private static let trend: [DocumentSchema.Key] = [
        .always("pipeline", .text, "The pipeline."),
        .sometimes("store", .text, "Its store, where the pipelines fill several; else left out."),
        .always("runs", .count, "How many runs over its source there were."),
        .always("failures", .count, "How many of them did not succeed."),
        .always(
            "median_duration_seconds", .optional(.count), "How long the others took; null if there are none."),
        .always(
            "median_records_read", .optional(.count),
            "How many records they read, of those that read all there is; null if there are none."),
    ]

    private static let change: [DocumentSchema.Key] = [
        .always("run", .count, "The run."),
        .always("stream", .text, "The stream."),
        .always("entity", .text, "The entity."),
        .always("table", .optional(.text), "The table; null if the store does not know it any more."),
        .always("key", .object, "What identifies the record."),
        .always(
            "action", .choice(["insert", "update", "delete", "base"]),
            "base: only what the store remembers of the source changed."),
        .always(
            "kind", .optional(.text),
            "How base, local and remote relate; link or unlink where references were linked or taken away; null where that is not known."
        ),
        .sometimes(
            "again", .flag,
            "Of a record that the run had written before, as a later page had it as well: true; else left out. It is counted once."
        ),
        .always("fields", .list(.one("changed_field")), "The values that changed."),
        .sometimes("page", .text, "The page that says it, without secrets; left out where no page does."),
    ]

    private static let changedField: [DocumentSchema.Key] = [
        .sometimes("field", .text, "The field; left out of a column that no field fills."),
        .sometimes("column", .text, "That column; else left out."),
        .sometimes("class", .text, "How the three sides relate; left out where that is not known."),
        .sometimes("old", .value, "What it held before; left out of an insert."),
        .sometimes("new", .value, "What it holds since; left out of a delete."),
    ]

    private static let entry: [DocumentSchema.Key] = [
        .always("run", .count, "The run."),
        .sometimes("conflict", .count, "The number of the conflict; else left out."),
        .sometimes("quarantine", .count, "The number of the record in quarantine; else left out."),
        .sometimes("state", .text, "What is remembered of a stream, such as its cursor; else left out."),
        .always("action", .text, "opened, changed, closed, reopened or withdrawn."),
        .always("stream", .text, "The stream."),
        .sometimes("entity", .text, "The entity; left out of a state."),
        .sometimes("key", .optional(.object), "What identifies the record; left out of a state."),
        .sometimes("field", .optional(.text), "The field of a conflict; left out of a state."),
        .sometimes("kind", .text, "The kind of the conflict, or the reason of the quarantine; left out of a state."),
        .sometimes("ended", .text, "Of a conflict that closed without a decision why, as in a report; else left out."),
        .sometimes("note", .text, "Of a conflict that the run decided what the person wrote; else left out."),
        .sometimes(
            "remote_before", .value,
            "Of a conflict that changed what the source had said; left out where it is the same."
        ),
        .sometimes("remote", .value, "What it says since; likewise."),
        .sometimes("old", .optional(.text), "Of a state: what it was; else left out."),
        .sometimes("new", .optional(.text), "Of a state: what it is since; else left out."),
    ]
}
