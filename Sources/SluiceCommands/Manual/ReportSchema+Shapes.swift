/// What reports for programs are made of: `docs/report.md` says the same for people.
extension ReportSchema {
    /// The document.
    static let document: [Key] = [
        .always("format", .constant("sluice.report/1"), "sluice.report/1."),
        .always("pipelines", .list(.one("report")), "A report for each pipeline, in the order in which they ran."),
        .sometimes("import", .one("import"), "What import found in the document; left out by other commands."),
        .sometimes("events", .list(.text), "In a notice: what it tells of; else left out."),
        .sometimes("text", .text, "In a notice: the same in sentences; else left out."),
    ]

    /// The objects within it, by name.
    static let shapes: [(name: String, keys: [Key])] = [
        (
            "change",
            [
                .always("entity", .text, "Its entity."),
                .always("table", .text, "Its table."),
                .always("key", .object, "What identifies it."),
                .always("action", .text, "insert, update, delete, conflict or kept_local."),
                .always("kind", .text, "How base, local and remote relate, such as insert, merge, edit_delete."),
                .sometimes(
                    "deletion", .text, "Of a record that is gone: hard, soft, report or suspected; else left out."),
                .sometimes(
                    "missed_scans", .count,
                    "Of a suspected record: how many complete scans in a row lacked it; else left out."),
                .sometimes("scans_left", .count, "How many more must lack it before it counts as gone; else left out."),
                .sometimes(
                    "again", .flag,
                    "Of a record that the run wrote before, by an earlier page that had it as well or before another stream of its table was read: true; else left out. It is counted once."
                ),
                .always("fields", .list(.one("changed_field")), "The fields that changed or are in conflict."),
            ]
        ),
        (
            "changed_field",
            [
                .always("field", .text, "Its name."),
                .always(
                    "class", .text,
                    "How the three sides relate, such as remote_update, local_override, edit_edit, merged."),
                .sometimes(
                    "other_source", .text, "The other source of a disagreement, pipeline/stream; else left out."),
                .sometimes("base", .value, "What the source said before; left out where that is not known."),
                .sometimes("local", .value, "What the store held before; left out of an insert."),
                .sometimes("remote", .value, "What the source says now; left out where it says nothing."),
                .sometimes("result", .value, "What the store holds then; left out of a delete."),
            ]
        ),
        (
            "conflict",
            [
                .always("id", .optional(.count), "Its number; null in a plan."),
                .always(
                    "kind", .text,
                    "add_add, edit_edit, clear_edit, edit_clear, disagreement or unique_collision of a field; edit_delete or delete_edit of a record; edit_edit of a list with ordered: true."
                ),
                .always("entity", .text, "The entity."),
                .always(
                    "key", .object, "What identifies the record; of a list the part of the key that its elements share."
                ),
                .always("field", .optional(.text), "The field; null for a record or a list as a whole."),
                .sometimes(
                    "base", .value,
                    "What the source said before, of a list an array of its elements as rows without the shared key, of a record a row in lists of a store's open conflicts; left out where that is not known."
                ),
                .sometimes(
                    "no_base", .text,
                    "Why base is not known: never: the source gave no value before; too_long: it is over 1 KiB; digest: by keep_base: digest; earlier: it was read before keep_base: full; too_long_or_digest: it is over 1 KiB, or was read under keep_base: digest. Left out where there is a base, and where nobody knows."
                ),
                .sometimes(
                    "local", .value,
                    "What the store holds, of a record a row, of a list an array as in base; left out if there is none."
                ),
                .sometimes(
                    "remote", .value,
                    "What the source says, of a record a row, of a list an array as in base; left out if there is none."
                ),
                .sometimes("paths", .list(.value), "Where within a JSON value both sides differ; left out elsewhere."),
                .always(
                    "policy", .text,
                    "The policy that applies: manual, remote_wins, local_wins, newest_wins, fail or precedence."),
                .always(
                    "status", .text,
                    "open; auto: a policy decided; resolved: a person did; converged: both sides say the same; obsolete: it is over without a decision."
                ),
                .sometimes(
                    "ended", .text,
                    "Of an obsolete one why it is over: source_reverted: the source took its change back; redacted: `redact` no longer tells the source's values apart; local_reverted: the change here was taken back; listed_again: the source lists the record again; row_returned: the row is here again; gone_at_source: the source has the record no longer; row_deleted: the row was deleted here; owner_deleted: the record that it belongs to was deleted; record_conflict or list_conflict: the record or list as a whole is in conflict; other_source: another source of the table settled it; merged: the changes of both sides are merged; unmanaged: its pipeline no longer fills it. Left out elsewhere, and where the store does not know it."
                ),
                .sometimes(
                    "sources", .one("conflict_sources"),
                    "Of a disagreement: which source gave which side; else left out."),
                .sometimes(
                    "note", .text,
                    "Of an open one what stands in the way or what was changed within the record, of a resolved one what the person wrote; else left out."
                ),
                .sometimes("resolution", .text, "What was decided: local, remote, base or set; else left out."),
                .sometimes("who", .text, "Who decided; else left out."),
            ]
        ),
        (
            "conflict_sources",
            [
                .always("local", .text, "The source of the local value, pipeline/stream."),
                .always("remote", .text, "The source of the remote value, pipeline/stream."),
            ]
        ),
        (
            "continued_lists",
            [
                .always("count", .count, "Lists that have more than their record shows."),
                .always("failed", .count, "Lists whose rest could not be read."),
            ]
        ),
        (
            "counts",
            [
                .always("insert", .count, "Records that are new in the store, or back in it."),
                .always("update", .count, "Records of whose row something was written."),
                .always("delete", .count, "Rows that were deleted, or marked as deleted."),
                .always(
                    "unchanged", .count,
                    "Records of which the source says what it said before, or what the store holds already."),
                .always("kept_local", .count, "Records whose change was not taken, since the local value stands."),
                .always("conflict", .count, "Records that have an open conflict after the run."),
                .always(
                    "conflict_written", .count,
                    "Of those in conflict, the records that were written in part: in fields that nobody has to decide about."
                ),
                .always("quarantined", .count, "Records that were not written."),
                .always(
                    "delete_refused", .count,
                    "Rows that are gone from the source and stay, since a safety guard or the table refused the delete."
                ),
                .sometimes(
                    "stale", .count,
                    "Records that are left as they are, since a saved plan does not show them as they are now; left out where there are none."
                ),
                .sometimes(
                    "delete_reported", .count,
                    "Rows that are gone from the source and stay, since `delete_missing` is `report`; left out where there are none."
                ),
                .sometimes(
                    "duplicates", .count, "Records whose key came again; left out where there are none."),
            ]
        ),
        (
            "cursor",
            [
                .always("start", .optional(.text), "Where it was read from; null for the beginning."),
                .always("end", .optional(.text), "Up to where; null if no end was asked for."),
                .always("next", .optional(.text), "Where the next run begins."),
            ]
        ),
        (
            "finding",
            [
                .always("value", .text, "What was found, in a few words."),
                .sometimes("type", .text, "Of a paginator: its type in a pipeline; else left out."),
                .always("certainty", .text, "certain, likely or unsure."),
                .always("evidence", .list(.value), "The reasons."),
            ]
        ),
        (
            "edits",
            [
                .always("rows", .count, "Rows with edited values."),
                .always("values", .count, "These values."),
                .always("deleted", .count, "Rows that were deleted here."),
                .always("added", .count, "Rows that were added here."),
                .sometimes(
                    "missing", .count,
                    "Tables and columns that are missing, of which nobody knows what was changed in them; else left out."
                ),
            ]
        ),
        (
            "import",
            [
                .always("records", .text, "The path to the records."),
                .always(
                    "entries", .optional(.text), "The key that takes the names of a map's members; null for a list."),
                .always("reason", .text, "Why the records are there."),
                .always("sample", .count, "How many records were looked at."),
                .sometimes("paginator", .one("finding"), "How pages lead on; left out for a single document."),
                .always("key", .list(.value), "The fields that identify a record."),
                .always("key_reason", .text, "Why these."),
                .always("fields", .list(.one("imported_field")), "The fields."),
            ]
        ),
        (
            "imported_field",
            [
                .always("field", .text, "Its name."),
                .always("from", .text, "The path of its value in a record."),
                .always("type", .text, "Its type."),
                .sometimes("absent", .count, "How many of these do not have its key."),
                .sometimes("format", .text, "The `format` by which its times are read; left out where it is RFC 3339."),
                .always("empty", .count, "How many records have no value for it."),
                .always("example", .optional(.text), "A value, as text."),
            ]
        ),
        (
            "open_besides",
            [
                .always("conflict", .count, "Records with an open conflict."),
                .always("quarantined", .count, "Records in quarantine."),
                .sometimes(
                    "type_changed", .count,
                    "Values in quarantine that did not fit their column's new type; left out where there are none."),
            ]
        ),
        (
            "partitions",
            [
                .always("count", .count, "How many there are."),
                .always("asked", .count, "How many were asked for."),
                .always("failed", .count, "How many of these could not be read."),
            ]
        ),
        (
            "problem",
            [
                .always("code", .text, "Its kind, such as deletes_refused or incomplete_scan."),
                .always("severity", .choice(["error", "warning", "note"]), "error, warning or note."),
                .always("message", .text, "What is wrong and what to do, in sentences."),
                .sometimes("stream", .text, "The stream that it is about; left out if it is about the run."),
                .sometimes("entity", .text, "The entity of keys; else left out."),
                .sometimes(
                    "keys", .list(.value), "The first records that it is about, a key each; left out if there are none."
                ),
            ]
        ),
        (
            "quarantined_record",
            [
                .always("id", .optional(.count), "Its number; null in a plan."),
                .always("stream", .text, "The stream."),
                .always(
                    "reason", .text,
                    "Why: type_mismatch, missing_key, missing_value, not_allowed, not_an_object, invalid_json, invalid_row, jq_failed, lossy_number, unique_collision, unmet_reference, constraint, key_taken or duplicate."
                ),
                .always("pointer", .text, "The JSON pointer of the value in the record; empty for the record."),
                .always("value", .value, "That value; null if there is none."),
                .always("message", .text, "What is wrong and what to do, in sentences."),
                .always("entity", .text, "The entity."),
                .always("key", .optional(.object), "What identifies the record; null if that cannot be read."),
            ]
        ),
        (
            "refused_retry",
            [
                .always("id", .count, "The number of the entry."),
                .always("reason", .text, "Why, as the end of a sentence."),
            ]
        ),
        (
            "report",
            [
                .always("pipeline", .text, "Its name."),
                .always("command", .text, "plan, run, apply or undo."),
                .always(
                    "status", .text,
                    "succeeded; partial: some streams failed, or records were not as a saved plan found them; refused: a safety guard refused a part; failed; interrupted; locked."
                ),
                .always(
                    "run", .optional(.count),
                    "The number of the run; null in a plan, and where the store has no such run: a first run that fails makes no store, and one that finds it in use leaves nothing there."
                ),
                .sometimes("undoes", .count, "The run that undo reverts; left out otherwise."),
                .sometimes(
                    "left", .count,
                    "How many records undo left as they are, since they were changed after the run; left out otherwise."
                ),
                .sometimes(
                    "left_entries", .count,
                    "How many conflicts and entries of the quarantine undo left as they are; left out otherwise."
                ),
                .sometimes(
                    "withdrawn_conflicts", .list(.value),
                    "The numbers of the conflicts that undo took back; left out otherwise."),
                .sometimes("against", .text, "The recording that plan --against compared with; left out otherwise."),
                .sometimes("saved_as", .text, "The file that the plan was saved to; left out otherwise."),
                .sometimes(
                    "saved_plan", .one("saved_plan"),
                    "What became of the plan that apply carried out; left out otherwise."),
                .always("started_at", .time, "When it began."),
                .always("finished_at", .time, "When it ended."),
                .always(
                    "schema_changes", .list(.one("schema_change")), "What is changed in tables, indexes and views."),
                .always("streams", .list(.one("stream")), "One for each stream, in the order of the pipeline."),
                .always("summary", .one("counts"), "The counts of all streams' own records."),
                .sometimes(
                    "linked", .count,
                    "How many references had waited for records that are there now; left out where there are none."),
                .sometimes(
                    "unlinked", .count,
                    "How many rows lost a reference, since its record goes or is not there; they count by what became of their own records besides. Left out where there are none."
                ),
                .sometimes(
                    "entities", .byName("counts"),
                    "The counts of records that stand within others; left out where there are none."),
                .sometimes(
                    "open_besides", .one("open_besides"),
                    "What waits for people besides the records that the run met; left out where there is nothing."
                ),
                .sometimes(
                    "edits", .one("edits"),
                    "What people changed of the pipeline's records, in a plan; else left out."),
                .sometimes(
                    "retry", .one("retry"),
                    "What became of the records that quarantine retry tried; left out otherwise."),
                .always(
                    "changes", .list(.one("change")),
                    "Inserts, updates, deletes and conflicts, record by record; --changes N limits them."),
                .always("changes_truncated", .flag, "Whether changes or kept_local lacks some."),
                .always(
                    "kept_local", .list(.one("change")),
                    "Records whose change at the source was not taken, since the local value stands."),
                .always("conflicts", .list(.one("conflict")), "Conflicts that the run opened, changed or closed."),
                .always("quarantine", .list(.one("quarantined_record")), "Records that the run put into quarantine."),
                .always("problems", .list(.one("problem")), "Errors, warnings and notes."),
            ]
        ),
        (
            "retry",
            [
                .always("left", .count, "Records that left the quarantine."),
                .always("stayed", .count, "Records that still do not fit."),
                .always("refused", .list(.one("refused_retry")), "Records that could not be tried."),
            ]
        ),
        (
            "saved_plan",
            [
                .always("file", .text, "Its file."),
                .always("started_at", .time, "When it was made."),
                .always("planned", .count, "How many changes it has."),
                .always("made", .count, "How many of them were made as planned."),
                .always("moved", .count, "How many records were not as the plan found them."),
            ]
        ),
        (
            "schema_change",
            [
                .always("table", .text, "The table."),
                .always(
                    "change", .text,
                    "create_table, add_column, create_index, add_foreign_key, adopt_table, rename_table, rename_column, rename_source, change_type, change_key, spell_keys, change_reference, quarantine_values, restore_values, drop_index, forget_source, redact_values, leave_column, leave_table, close_conflicts, leave_out_view, leave_out_foreign_key, leave_out_index, leave_out_object, restore_object."
                ),
                .always("sql", .text, "The statement, its short form, or the name that the change is about."),
                .sometimes(
                    "statements", .list(.text),
                    "The statements that the change runs on tables of people, in their order; one that runs for many rows, with values that Sluice makes, once, behind a comment that says so. Empty where it runs none; left out in the history, which does not keep them."
                ),
                .sometimes(
                    "rows", .count,
                    "How many rows the change touches: of change_type those whose value is written anew, of leave_column those with a value in the column, of close_conflicts the conflicts, of add_column, rename_column and drop_index all rows of the table. Left out where it is not counted."
                ),
                .sometimes(
                    "examples", .list(.text),
                    "Of quarantine_values: the first values, each with the row that has it and what it would become. Left out elsewhere."
                ),
                .sometimes(
                    "redacted", .object,
                    "Of redact_values: how many places hold a clear value that is replaced: rows, base (what the source said last), conflicts, history and quarantine; and edited_rows, which hold what people wrote and stay. Left out elsewhere."
                ),
            ]
        ),
        (
            "stream",
            [
                .always("stream", .text, "Its name."),
                .always("entity", .text, "The entity of its records."),
                .always("complete", .flag, "Whether all of it was read, whatever becomes of what it lacks."),
                .sometimes(
                    "partitions", .one("partitions"),
                    "Of a stream with parent or for_each: how many requests it was divided into; else left out."),
                .sometimes(
                    "continued_lists", .one("continued_lists"),
                    "The lists within records whose pages were read one after the other; left out where there are none."
                ),
                .sometimes(
                    "rests", .one("continued_lists"),
                    "The same under its name of earlier versions, which goes with the next one."),
                .always("requests", .count, "HTTP requests, without retries."),
                .always("pages", .count, "Pages that were read."),
                .sometimes(
                    "resumed_at_page", .count,
                    "The page at which it went on where an earlier run was broken off; else left out."),
                .sometimes("next_page", .count, "The page at which the next run goes on; left out if it begins anew."),
                .always("bytes", .count, "Bytes that were read, unpacked."),
                .always("not_modified", .count, "Pages that are as before, by the source's own word."),
                .always("retries", .count, "Requests that were repeated."),
                .always("read", .count, "Records that were read."),
                .always("filtered", .count, "Records that filter left out."),
                .always("duplicates", .count, "Records whose key came again."),
                .always("quarantined", .count, "Records that were not written."),
                .sometimes(
                    "missing", .count,
                    "Records that the scan did not list and that stay for the time being; left out if 0."),
                .sometimes(
                    "gone_kept", .count,
                    "Of the kept_local those that were not read: they are gone, and a policy keeps their rows; left out if 0."
                ),
                .sometimes("unmapped_keys", .count, "Keys of records that no field takes; left out if 0."),
                .sometimes("unmapped", .list(.value), "The first of these keys, as paths."),
                .always("summary", .one("counts"), "The counts of its records."),
                .sometimes(
                    "entities", .byName("counts"),
                    "The counts of records that stand within its own; left out where there are none."),
                .sometimes("cursor", .one("cursor"), "Of an incremental stream: what was asked for; else left out."),
            ]
        ),
    ]
}
