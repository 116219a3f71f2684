extension CommandSpec {
    /// What a person decides.
    static let decisions: [CommandSpec] = [
        CommandSpec(
            id: .conflictsList, path: ["conflicts", "list"], summary: "list the open conflicts",
            description: """
                Lists each conflict with what the source said before, what the store holds and what the source says \
                now. The local value stands while a conflict is open.
                """,
            operands: nil, options: [.entity, .field, .kind, .all] + place + view,
            exitCodes: looking,
            examples: [
                "sluice conflicts list", "sluice conflicts list --all --format json",
                "sluice conflicts list pipelines/bookshop.yaml --entity Book",
            ], takesPipelines: true),
        CommandSpec(
            id: .conflictsShow, path: ["conflicts", "show"], summary: "show one conflict and the possible decisions",
            description: """
                Shows what the source said before, what the store holds and what the source says now. Long texts are \
                compared word by word. The effect of each decision and its command follow.
                """,
            operands: Operands(name: "ID", help: "the number that `conflicts list` shows", range: 1...1, value: .count),
            options: place + view, exitCodes: looking,
            examples: ["sluice conflicts show 3", "sluice conflicts show 3 --format json"], takesPipelines: true),
        CommandSpec(
            id: .conflictsResolve, path: ["conflicts", "resolve"], summary: "decide conflicts",
            description: """
                Writes the chosen value and closes the conflict. The next run asks again only if the source changes \
                the value after that. A conflict whose row was edited after it was shown stays open, with the new \
                value. All decisions that can be carried out are written in one transaction; the others are listed.
                """,
            operands: Operands(
                name: "ID…", help: "the numbers that `conflicts list` shows", range: 0...Int.max, value: .count),
            options: [.take, .set, .entity, .field, .kind, .all, .mark, .note, .wait] + place + view,
            exitCodes: [.done, .failed, .locked, .usage, .invalidPipeline],
            examples: [
                "sluice conflicts resolve 3 4 --take remote", "sluice conflicts resolve 7 --set title=Dune",
                "sluice conflicts resolve --entity Book --field price --take remote",
                "sluice conflicts resolve --all --take local --note=checked",
            ],
            optionHelp: [.all: "every open conflict", .wait: "how long to wait for a run to end, as in 30s or 10m"],
            exitHelp: [.failed: "failed, or some conflicts are still open: reopened or refused"], takesPipelines: true),
        CommandSpec(
            id: .conflictsExport, path: ["conflicts", "export"], summary: "write the open conflicts for a spreadsheet",
            description: """
                Writes a CSV file with a row for each open conflict. To decide one, fill in one of the last two \
                columns: take (local, remote or base), or value (another value). Then run `sluice conflicts import`. \
                An empty cell means no value, null means null, and two double quotes mean an empty text. Text that \
                begins with = + - or @ gets a leading apostrophe, so that no spreadsheet computes it; numbers do not. \
                A value is written as 12.75, true, 2026-12-24 or 2026-12-24T10:00:00Z, whatever the spreadsheet shows.
                """,
            operands: nil, options: [.entity, .field, .kind, .force, .output, .logLevel, .logFormat, .help] + place,
            exitCodes: looking,
            examples: [
                "sluice conflicts export --output conflicts.csv", "sluice conflicts export --entity Book -o books.csv",
            ], optionHelp: [.force: "replace FILE although it has decisions that were not imported"],
            takesPipelines: true),
        CommandSpec(
            id: .conflictsImport, path: ["conflicts", "import"], summary: "carry out decisions from a spreadsheet",
            description: """
                Reads a CSV file from `sluice conflicts export` and resolves the conflicts that are decided in it. A \
                conflict that changed after the export stays open. A line with an error is refused and named, and the \
                others are carried out. In the column value, null means null, and two double quotes mean an empty text.
                """,
            operands: Operands(
                name: "FILE", help: "a CSV file in UTF-8, its columns in any order", range: 1...1, value: .file),
            options: [.note, .wait] + place + view,
            exitCodes: [.done, .failed, .locked, .usage, .invalidPipeline],
            examples: ["sluice conflicts import conflicts.csv", "sluice conflicts import books.csv --format json"],
            optionHelp: [.wait: "how long to wait for a run to end, as in 30s or 10m"],
            exitHelp: [.failed: "failed, or some conflicts are still open: reopened or refused"],
            takesPipelines: true),
        CommandSpec(
            id: .quarantineList, path: ["quarantine", "list"], summary: "list the records in quarantine",
            description: "Lists each record that was not written, with the offending value and the reason.",
            operands: nil, options: [.stream, .entity, .reason, .all] + place + view,
            exitCodes: looking,
            examples: [
                "sluice quarantine list", "sluice quarantine list --all --format json",
                "sluice quarantine list pipelines/bookshop.yaml --reason type_mismatch",
            ],
            optionHelp: [
                .stream: "only the records of this stream; may be repeated", .entity: "only the records of this entity",
            ],
            takesPipelines: true),
        CommandSpec(
            id: .quarantineShow, path: ["quarantine", "show"], summary: "show one record in quarantine",
            description: "Shows the JSON of a record that was not written, and what is wrong with it.",
            operands: Operands(
                name: "ID", help: "the number that `quarantine list` shows", range: 1...1, value: .count),
            options: place + view, exitCodes: looking,
            examples: ["sluice quarantine show 4"], takesPipelines: true),
        CommandSpec(
            id: .quarantineRetry, path: ["quarantine", "retry"],
            summary: "try records in quarantine again, after a change of the pipeline",
            description: """
                Decodes the JSON that the quarantine kept, with the pipeline as it is now, and merges the records that \
                fit, as a run does. The source is not asked. Records that are written leave the quarantine; the others \
                stay, with their new reason. No record counts as gone, and no record that a later run may have read \
                goes back to its old values.
                """,
            operands: Operands(
                name: "ID|PATH…",
                help: "the numbers that `quarantine list` shows, and pipeline files or folders (default: pipelines)",
                range: 0...Int.max, value: .file),
            options: [
                .store, .variable, .environmentFile, .stream, .entity, .reason, .all, .planOnly, .strict, .wait, .quiet,
                .noProgress,
            ] + reportView,
            exitCodes: [
                .done, .failed, .attention, .locked, .usage, .invalidPipeline, .interrupted, .terminated,
            ],
            examples: [
                "sluice quarantine retry --all pipelines/bookshop.yaml",
                "sluice quarantine retry 4 5 books.yaml --plan",
                "sluice quarantine retry --entity Book --reason type_mismatch",
            ],
            optionHelp: [
                .stream: "only the records of this stream; may be repeated", .entity: "only the records of this entity",
                .all: "every record in quarantine", .planOnly: "show what would be written, and write nothing",
            ],
            exitHelp: [.failed: "failed, or a named record could not be tried"]),
        CommandSpec(
            id: .quarantineDrop, path: ["quarantine", "drop"], summary: "close entries of the quarantine",
            description: """
                Closes entries of the quarantine; their records are not written. If the source sends such a record \
                again unchanged, it gets a new entry with a new number. A run keeps who closed them and when; \
                `sluice undo` of that run opens them again. A value that a change of type left (`type_changed:FIELD`) \
                is given up with its entry: neither the type of before nor `undo` of the change brings it back.
                """,
            operands: Operands(
                name: "ID…", help: "the numbers that `quarantine list` shows", range: 0...Int.max, value: .count),
            options: [.all, .wait] + place + view,
            exitCodes: [.done, .failed, .locked, .usage, .invalidPipeline],
            examples: ["sluice quarantine drop 4 5", "sluice quarantine drop --all"],
            optionHelp: [
                .all: "every record in quarantine", .wait: "how long to wait for a run to end, as in 30s or 10m",
            ],
            exitHelp: [.failed: "failed, or there is no such record"], takesPipelines: true),
    ]
}
