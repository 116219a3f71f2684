internal import SluiceModel
internal import SluicePipeline

extension SectionSpec {
    /// The keys of a stream.
    package static let stream = SectionSpec(title: "a stream", keys: ownStreamKeys + sharedStreamKeys)

    /// The keys of `defaults`: those of a stream but for its identity.
    package static let defaults = SectionSpec(title: "`defaults`", keys: sharedStreamKeys)

    private static let ownStreamKeys =
        [
            KeySpec(
                "name", .string(.pattern(.streamName)), isRequired: true, example: "issues",
                "The stream's name, unique within the pipeline."),
            KeySpec(
                "renamed_from", .string(.pattern(.streamName)), example: "tickets",
                "The former name of the stream. What the store keeps under that name is kept under the new one."),
            KeySpec(
                "entity", .string(.name), isRequired: true, example: "Issue",
                "The entity of its records."),
        ] + nestingKeys

    private static let sharedStreamKeys = [
        KeySpec(
            "path", .string(.requestPath), default: "the base URL itself", secrets: .accepted, example: "/issues",
            "The path below the base URL. For a `file:` source, a file or glob in the folder; `**` matches any folders."
        ),
        KeySpec(
            "params", .mapping(keys: .name, values: .text(.sentTemplate), minimumCount: 0), default: "{}",
            secrets: .accepted, example: "{state: all}",
            "Query parameters. They override those of the source. `{{ run.started_at }}` is the time at which the run began, in RFC 3339, or with `| unix` or `| date`. It also works in `path`, `headers` and `body`."
        ),
        KeySpec(
            "headers", .mapping(keys: .pattern(.token), values: .text(.sentTemplate), minimumCount: 0), default: "{}",
            secrets: .accepted, example: "{Accept: application/json}",
            "Request headers. They override those of the source."),
        .method, .body,
        KeySpec(
            "format",
            .choice(
                ChoiceSpec(
                    StreamDefinition.Format.allCases.map(\.rawValue),
                    synonyms: ["ndjson": "jsonl", "json_lines": "jsonl"])),
            default: "json", example: "jsonl",
            "The format of a page: one JSON value (`json`), one on each line (`jsonl`), or rows of cells with commas (`csv`, RFC 4180) or tabs (`tsv`) between them. The first row names the keys; an empty name becomes `column_N`, and a repeated one gets a number (`name_2`). Cells are texts, which fields convert to their types; `true` and `false` become `bool`. An empty cell, quoted or not, is null. A row with more or fewer cells than the header is quarantined with its line number."
        ),
        KeySpec(
            "delimiter",
            .choice(
                ChoiceSpec(
                    StreamDefinition.Delimiter.allCases.map(\.rawValue),
                    synonyms: ["\t": "tab", "\\t": "tab", "comma": ",", "semicolon": ";", "pipe": "|"])),
            default: "\",\"", example: "\";\"",
            "What stands between the cells of `csv`. Without it, a header without a comma but with `;`, `|` or a tab is refused."
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
            "If the records are the members of an object: the key that takes the member's name."),
        KeySpec(
            "filter", .string(.program), example: "'.state == \"open\"'", feature: .filter,
            "A jq program over the record. Records for which it is not true are left out."),
        KeySpec(
            "paginator", .variants(.paginator), default: "{type: none}", example: "{type: header_link}",
            "How the next page is found."),
        KeySpec(
            "incremental", .section(.incremental),
            example: "{cursor_field: updated_at, initial_value: 2020-01-01T00:00:00Z}", feature: .incremental,
            "Requests only what changed since the last run, with `{{ cursor.start }}`. Records that a run did not request do not count as gone, so deletes need a run with `--full`."
        ),
        KeySpec(
            "delete_missing", .anyOf([.choice(.deleteMode), .section(.deleteMissing)]), default: "ignore",
            example: "{mode: hard, max_delete: 5%}",
            "What happens to records that the source no longer has."),
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
            "How records are written to the table. `merge` is the three-way merge. `insert_only` adds records with new keys and never touches an existing row. `append` adds every record once and never looks at its row again: a record that changed is a warning, and a record whose key is in the table from elsewhere is quarantined. `replace` makes the table match the source: local edits and deletes are reverted and reported, and rows that a complete scan did not see are deleted unless `delete_missing` says otherwise; rows that people added stay."
        ),
        KeySpec(
            "on_duplicate", .choice(ChoiceSpec(StreamDefinition.DuplicateRule.allCases.map(\.rawValue))),
            default: "last", example: "newest", feature: .duplicates,
            "Which record counts if several records of one run have the same key and differ: the `last` or the `first` one read; the `newest` by the entity's `newest` (of equals the last; a record without a time loses); none, because the run fails (`fail`); or none, because all of them are quarantined and the row stays as it is. Without this key, records that differ are a warning with their count and first keys, and `--strict` exits 3; with it, they are a note."
        ),
        KeySpec(
            "schema_contract", .section(.schemaContract), default: "{fields: report, types: coerce}",
            example: "{types: quarantine}", feature: .schemaContract,
            "What happens if the source sends keys or types that the fields do not expect."),
    ]
}

extension SectionSpec {
    /// The keys of the long form of `records`.
    package static let recordsProgram = SectionSpec(
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
        "The body of the requests.")
}
