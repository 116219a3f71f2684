internal import SluiceMerge

extension SectionSpec {
    /// The keys of a stream.
    public static let stream = SectionSpec(title: "a stream", keys: ownStreamKeys + sharedStreamKeys)

    /// The keys of `defaults`: those of a stream but for its identity.
    public static let defaults = SectionSpec(title: "`defaults`", keys: sharedStreamKeys)

    private static let ownStreamKeys =
        [
            KeySpec(
                "name", .string(.pattern(.streamName)), isRequired: true, example: "issues",
                "The stream's name, unique within the pipeline."),
            KeySpec(
                "renamed_from", .string(.pattern(.streamName)), example: "tickets",
                "The name that the stream had before: what the store keeps under it goes on under the new one."),
            KeySpec(
                "entity", .string(.name), isRequired: true, example: "Issue",
                "The entity that its records are."),
        ] + nestingKeys

    private static let sharedStreamKeys = [
        KeySpec(
            "path", .string(.requestPath), default: "the base URL itself", secrets: .accepted, example: "/issues",
            "The path below the base URL; of a `file:` source a file or glob within the folder, where `**` is any folders."
        ),
        KeySpec(
            "params", .mapping(keys: .name, values: .text(.sentTemplate), minimumCount: 0), default: "{}",
            secrets: .accepted, example: "{state: all}",
            "Query parameters, which win over those of the source. `{{ run.started_at }}` is filled in when the run begins, as RFC 3339, or with `| unix` or `| date`; likewise in `path`, `headers` and `body`."
        ),
        KeySpec(
            "headers", .mapping(keys: .pattern(.token), values: .text(.sentTemplate), minimumCount: 0), default: "{}",
            secrets: .accepted, example: "{Accept: application/json}",
            "Request headers, which win over those of the source."),
        .method, .body,
        KeySpec(
            "format",
            .choice(
                ChoiceSpec(
                    StreamDefinition.Format.allCases.map(\.rawValue),
                    synonyms: ["ndjson": "jsonl", "json_lines": "jsonl"])),
            default: "json", example: "jsonl",
            "How a page is read: as one JSON value (`json`), one on each line (`jsonl`), or rows of cells with commas (`csv`, RFC 4180) or tabs (`tsv`) between them. The first row names the keys; one that is empty becomes `column_N`, and one that comes again gets a number (`name_2`). Cells are texts, which fields turn into their types; `true` and `false` become `bool`. An empty cell, in quotes or not, is null. A row with more or fewer cells than the header is quarantined with its line."
        ),
        KeySpec(
            "records", .string(.recordsPath), default: "`$[*]` for an array, `$` for an object",
            example: "$.items[*]", retiredBy: .recordsProgram,
            "The path to the records of a page."),
        KeySpec(
            "records", .anyOf([.string(.recordsPath), .section(.recordsProgram)]),
            default: "`$[*]` for an array, `$` for an object", example: "$.items[*]", feature: .recordsProgram,
            "The path to the records of a page, or a jq program that yields them."),
        KeySpec(
            "entries", .string(.name), example: "version",
            "The records are the members of an object, and each member's name becomes this key of its record."),
        KeySpec(
            "filter", .string(.program), example: "'.state == \"open\"'", feature: .filter,
            "A jq program over the record; a record for which it is not true is left out."),
        KeySpec(
            "paginator", .variants(.paginator), default: "{type: none}", example: "{type: header_link}",
            "How the next page is found."),
        KeySpec(
            "incremental", .section(.incremental),
            example: "{cursor_field: updated_at, initial_value: 2020-01-01T00:00:00Z}", feature: .incremental,
            "Asks only for what changed since the last run: requests say so with `{{ cursor.start }}`. What a run did not ask for is not gone, so deletes wait for one with `--full`."
        ),
        KeySpec(
            "delete_missing", .anyOf([.choice(.deleteMode), .section(.deleteMissing)]), default: "ignore",
            example: "{mode: hard, max_delete: 5%}",
            "What to do about records that the source no longer has."),
        KeySpec(
            "deleted_when", .string(.program), example: ".deleted == true", feature: .deletedWhen,
            "A jq program over the record; one for which it is true is deleted at the source, so its row is deleted, or marked as deleted where `delete_missing` is `soft`, whichever stream listed it. Another stream that lists it with something new, or again after it had left it out, brings it back. It may have nothing but its key."
        ),
        KeySpec(
            "write_mode",
            .choice(
                ChoiceSpec(
                    StreamDefinition.WriteMode.allCases.map(\.rawValue),
                    synonyms: ["upsert": "merge", "full_refresh": "replace", "insert": "insert_only"])),
            default: "merge", example: "append", feature: .writeMode,
            "How records get into the table. `merge` is the three-way merge. `insert_only` adds those whose key the table does not have, and never touches a row that is there. `append` adds every record once and never looks at its row again; a record that changed is a warning, and one whose key the table has from elsewhere is quarantined. `replace` makes the table what the source says: what was edited or deleted here is put back and reported, and rows that a complete scan did not see are deleted unless `delete_missing` says otherwise."
        ),
        KeySpec(
            "on_duplicate", .choice(ChoiceSpec(StreamDefinition.DuplicateRule.allCases.map(\.rawValue))),
            default: "last", example: "newest", feature: .duplicates,
            "Which of several records of one run with the same key counts, where they differ: the one that was read last or first, the newest by the entity's `newest` (of equals the last; one without a time loses), none because the run fails, or none because all of them are quarantined and the row stays as it is. Without this key, records that differ are a warning with their count and first keys, and `--strict` exits 3; with it, they are a note."
        ),
        KeySpec(
            "schema_contract", .section(.schemaContract), default: "{fields: report, types: coerce}",
            example: "{types: quarantine}", feature: .schemaContract,
            "What happens where the source sends other keys or other types than the fields say."),
    ]
}

extension SectionSpec {
    /// The keys of the long form of `records`.
    public static let recordsProgram = SectionSpec(
        title: "`records`",
        keys: [
            KeySpec(
                "jq", .string(.program), isRequired: true, example: "\".items[] | select(.id)\"",
                "A jq program over the page that yields its records.")
        ])
}

extension KeySpec {
    /// How requests are sent.
    static let method = KeySpec(
        "method", .choice(ChoiceSpec(StreamDefinition.Method.allCases.map(\.rawValue))),
        default: "GET, or POST where there is a `body`", example: "POST", feature: .requestBody,
        "The method of the requests.")

    /// What they send.
    static let body = KeySpec(
        "body", .section(.body), example: "{json: {status: open}}", feature: .requestBody,
        "What the requests send.")
}
