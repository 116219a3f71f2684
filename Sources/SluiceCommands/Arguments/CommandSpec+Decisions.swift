extension CommandSpec {
    /// What a person decides.
    static let decisions: [CommandSpec] = [
        CommandSpec(
            id: .conflictsList, path: ["conflicts", "list"], summary: "list the open conflicts",
            description: """
                Lists each conflict with what the source said before, what the store holds and what the source says \
                now. The local value stands while a conflict is open.
                """,
            operands: nil, options: [.all] + place + view,
            exitCodes: [.done, .failed, .locked, .usage, .invalidPipeline],
            examples: [
                "sluice conflicts list", "sluice conflicts list --all --format json",
                "sluice conflicts list pipelines/bookshop.yaml",
            ], takesPipelines: true),
        CommandSpec(
            id: .conflictsShow, path: ["conflicts", "show"], summary: "show one conflict, and what can be decided",
            description: """
                Shows what the source said before, what the store holds and what the source says now, long texts word \
                by word, with what each decision would do and the commands for it.
                """,
            operands: Operands(name: "ID", help: "the number that `conflicts list` shows", range: 1...1, value: .count),
            options: place + view, exitCodes: [.done, .failed, .locked, .usage, .invalidPipeline],
            examples: ["sluice conflicts show 3", "sluice conflicts show 3 --format json"], takesPipelines: true),
        CommandSpec(
            id: .conflictsResolve, path: ["conflicts", "resolve"], summary: "decide conflicts",
            description: """
                Writes what shall stand and settles what the source says now, so that the next run asks only about \
                what changes after that. It decides what was shown: a conflict whose row was edited since stays open \
                with the new value. All that can be resolved is, in one transaction, and the rest is listed.
                """,
            operands: Operands(
                name: "ID…", help: "the numbers that `conflicts list` shows", range: 0...Int.max, value: .count),
            options: [.take, .set, .entity, .field, .kind, .all, .note, .wait] + place + view,
            exitCodes: [.done, .failed, .locked, .usage, .invalidPipeline],
            examples: [
                "sluice conflicts resolve 3 4 --take remote", "sluice conflicts resolve 7 --set title=Dune",
                "sluice conflicts resolve --entity Book --field price --take remote",
                "sluice conflicts resolve --all --take local --note=checked",
            ],
            optionHelp: [.all: "every open conflict", .wait: "wait that long for a run to end, as in 30s or 10m"],
            exitHelp: [.failed: "failed, or some conflicts are still open: reopened or refused"], takesPipelines: true),
        CommandSpec(
            id: .conflictsExport, path: ["conflicts", "export"], summary: "write the open conflicts for a spreadsheet",
            description: """
                Writes a CSV file with a row for each open conflict. In its last two columns people decide: in take \
                with local, remote or base, or in value with another value; then `sluice conflicts import` reads it. \
                Text that begins with = + - or @ gets an apostrophe in front, so that nothing is computed.
                """,
            operands: nil, options: [.entity, .field, .kind, .output, .logLevel, .help] + place,
            exitCodes: [.done, .failed, .locked, .usage, .invalidPipeline],
            examples: [
                "sluice conflicts export --output conflicts.csv", "sluice conflicts export --entity Book -o books.csv",
            ], takesPipelines: true),
        CommandSpec(
            id: .conflictsImport, path: ["conflicts", "import"], summary: "carry out decisions from a spreadsheet",
            description: """
                Reads a CSV file that `sluice conflicts export` wrote and people filled in, and resolves the conflicts \
                that they decided. A conflict that changed since the export stays open. In value, null is null; an \
                empty text is written as two double quotes.
                """,
            operands: Operands(
                name: "FILE", help: "a CSV file in UTF-8, its columns in any order", range: 1...1, value: .file),
            options: [.note, .wait] + place + view,
            exitCodes: [.done, .failed, .locked, .usage, .invalidPipeline],
            examples: ["sluice conflicts import conflicts.csv", "sluice conflicts import books.csv --format json"],
            optionHelp: [.wait: "wait that long for a run to end, as in 30s or 10m"],
            exitHelp: [.failed: "failed, or some of the conflicts are still open: reopened or refused"],
            takesPipelines: true),
        CommandSpec(
            id: .quarantineList, path: ["quarantine", "list"], summary: "list the records in quarantine",
            description: "Lists each record that could not be taken, with the offending value and the reason.",
            operands: nil, options: [.all] + place + view,
            exitCodes: [.done, .failed, .locked, .usage, .invalidPipeline],
            examples: [
                "sluice quarantine list", "sluice quarantine list --all --format json",
                "sluice quarantine list pipelines/bookshop.yaml",
            ], takesPipelines: true),
        CommandSpec(
            id: .quarantineShow, path: ["quarantine", "show"], summary: "show one record in quarantine",
            description: "Shows a record that could not be taken as it was read, and what is wrong with it.",
            operands: Operands(
                name: "ID", help: "the number that `quarantine list` shows", range: 1...1, value: .count),
            options: place + view, exitCodes: [.done, .failed, .locked, .usage, .invalidPipeline],
            examples: ["sluice quarantine show 4"], takesPipelines: true),
        CommandSpec(
            id: .quarantineRetry, path: ["quarantine", "retry"],
            summary: "take records again after their mapping was mended",
            description: """
                Decodes the JSON that was kept by the pipeline as it is now, without asking the source, and merges the \
                records that fit as a run does. They leave the quarantine; the others stay with the reason of today. \
                Nothing counts as gone, and a record that a run may have read since is not set back.
                """,
            operands: Operands(
                name: "ID|PATH…",
                help: "the numbers that `quarantine list` shows, and pipeline files or folders (default: pipelines)",
                range: 0...Int.max, value: .file),
            options: [
                .store, .variable, .stream, .entity, .reason, .all, .planOnly, .strict, .wait, .changes, .quiet,
                .noProgress,
            ] + view,
            exitCodes: [
                .done, .failed, .attention, .locked, .usage, .invalidPipeline, .interrupted, .terminated,
            ],
            examples: [
                "sluice quarantine retry --all pipelines/bookshop.yaml",
                "sluice quarantine retry 4 5 books.yaml --plan",
                "sluice quarantine retry --entity Book --reason type_mismatch",
            ],
            optionHelp: [
                .stream: "the records of this stream alone", .entity: "the records of this entity alone",
                .all: "every record in quarantine", .planOnly: "show what would be taken, and write nothing",
            ],
            exitHelp: [.failed: "failed, or a record that was named could not be tried"]),
        CommandSpec(
            id: .quarantineDrop, path: ["quarantine", "drop"], summary: "give records in quarantine up",
            description: """
                Closes entries of the quarantine without taking their records. A record that the source sends again as \
                it was comes back with a new number.
                """,
            operands: Operands(
                name: "ID…", help: "the numbers that `quarantine list` shows", range: 0...Int.max, value: .count),
            options: [.all, .wait] + place + view,
            exitCodes: [.done, .failed, .locked, .usage, .invalidPipeline],
            examples: ["sluice quarantine drop 4 5", "sluice quarantine drop --all"],
            optionHelp: [
                .all: "every record in quarantine", .wait: "wait that long for a run to end, as in 30s or 10m",
            ],
            exitHelp: [.failed: "failed, or a record was not there to be dropped"], takesPipelines: true),
    ]
}
