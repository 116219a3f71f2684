extension CommandSpec {
    private static let paths = Operands(
        name: "PATH…", help: "pipeline files, or folders of them (default: the folder pipelines)", range: 0...Int.max,
        value: .file)
    private static let view: [OptionSpec.ID] = [.format, .output, .color, .logLevel, .help]
    private static let sync: [OptionSpec.ID] =
        [
            .store, .variable, .stream, .full, .from, .to, .replay, .allowDeletes, .strict, .wait, .changes, .quiet,
            .noProgress,
        ] + view

    /// Every command, in the order of the help.
    package static let all: [CommandSpec] = [
        CommandSpec(
            id: .validate, path: ["validate"], summary: "check pipeline files",
            description: """
                Checks pipeline files without touching a source or a store, and lists every problem with its place and \
                what to do about it. With --strict a warning counts as an error.
                """,
            operands: paths, options: [.variable, .strict, .quiet] + view,
            exitCodes: [.done, .failed, .usage, .invalidPipeline],
            examples: ["sluice validate", "sluice validate pipelines/bookshop.yaml --strict"],
            optionHelp: [.strict: "count warnings as errors"]),
        CommandSpec(
            id: .plan, path: ["plan"], summary: "show what a run would do, and write nothing",
            description: """
                Fetches what the sources say now, compares it with the store and shows every change that a run would \
                make, field by field. It goes the whole way of a run and takes it back at the end, so that a plan and \
                the run after it never disagree.
                """,
            operands: paths, options: sync + [.detailedExitCode],
            exitCodes: [
                .done, .failed, .changes, .attention, .refused, .locked, .usage, .invalidPipeline, .interrupted,
                .terminated,
            ],
            examples: [
                "sluice plan pipelines/bookshop.yaml --store sqlite:shop.db",
                "sluice plan --detailed-exitcode --format json --output plan.json",
                "sluice plan pipelines/github-issues.yaml --replay fixtures/recordings",
            ]),
        CommandSpec(
            id: .run, path: ["run"], summary: "fetch, merge and write",
            description: """
                Fetches what the sources say now and merges it into the store. What was edited here stands; where the \
                source changed the same value, that is kept as a conflict. A run is written as a whole or not at all.
                """,
            operands: paths, options: sync,
            exitCodes: [
                .done, .failed, .attention, .refused, .locked, .usage, .invalidPipeline, .interrupted, .terminated,
            ],
            examples: [
                "sluice run pipelines/bookshop.yaml --store sqlite:shop.db",
                "sluice run --allow-deletes 12", "sluice run --var day=2 --quiet",
                "sluice run pipelines/bookshop.yaml --full",
            ]),
        CommandSpec(
            id: .record, path: ["record"], summary: "keep what the sources answer, to replay it",
            description: """
                Fetches what a plan would fetch and keeps each answer in a file, with status, headers and body, and \
                without secrets. `sluice plan` and `sluice run` take them in the place of the sources with --replay. The \
                store is read, for where incremental streams go on, and not written.
                """,
            operands: paths,
            options: [
                .recordTo, .store, .variable, .stream, .full, .from, .until, .quiet, .noProgress,
            ] + view,
            exitCodes: [.done, .failed, .locked, .usage, .invalidPipeline, .interrupted, .terminated],
            examples: [
                "sluice record pipelines/github-issues.yaml --to recordings",
                "sluice run pipelines/github-issues.yaml --replay recordings --store sqlite:try.db",
            ],
            optionHelp: [.from: "read incremental streams from there, as in 2024-05-17T00:00:00Z"],
            exitHelp: [.failed: "failed, as where a source cannot be reached; what was received is kept"]),
        CommandSpec(
            id: .importing, path: ["import"], summary: "take a file or URL into a table, without a pipeline file",
            description: """
                Looks at the records of a JSON document, says where the records are, which fields of which types \
                they have and what identifies them, and merges them into a table as a run does. JSON arrays, objects \
                that hold an array, maps of records, lines of JSON and gzip data are understood. With --write-pipeline \
                the same can be repeated by `sluice run`.
                """,
            operands: Operands(
                name: "URL|FILE|-", help: "a document; - is standard input", range: 1...1),
            options: [
                .table, .key, .records, .header, .sample, .planOnly, .writePipeline, .store, .strict, .wait, .changes,
                .quiet, .noProgress,
            ] + view,
            exitCodes: [.done, .failed, .attention, .locked, .usage, .interrupted, .terminated],
            examples: [
                "sluice import countries.json --key cca3",
                "sluice import https://api.example.com/books --store sqlite:shop.db --plan",
                "sluice import export.ndjson.gz --table orders --key id --write-pipeline orders.yaml",
            ]),
        CommandSpec(
            id: .probe, path: ["probe"], summary: "look at a URL and write a first pipeline file",
            description: """
                Reads a few pages of a source and says where the records are, what identifies them, how one page leads \
                to the next, which field could tell what changed, and the types of the fields; of each how sure it is \
                and why. A paginator is tried before it is believed: it has to lead to other records. With \
                --write-pipeline that becomes a pipeline for `sluice plan`, in which credentials are environment \
                variables. What is unsure is to be looked at before the first run.
                """,
            operands: Operands(name: "URL", help: "what a first request would ask for", range: 1...1),
            options: [.header, .pages, .records, .key, .table, .writePipeline, .quiet, .noProgress] + view,
            exitCodes: [.done, .failed, .usage, .interrupted, .terminated],
            examples: [
                "sluice probe https://api.example.com/books --write-pipeline books.yaml",
                "sluice probe https://api.example.com/books?per_page=100 --pages 5 --format json",
            ],
            optionHelp: [
                .key:
                    "the fields that identify a record, or content for a hash of all values (default: the likeliest)",
                .writePipeline: "write the pipeline to FILE, or to standard output with -",
                .quiet: "no findings and no progress",
            ]),
        CommandSpec(
            id: .status, path: ["status"], summary: "show the last run of each pipeline",
            description: """
                Shows from the store alone when each pipeline ran last, how that ended, and how many conflicts are \
                open and records in quarantine.
                """,
            operands: nil, options: [.store] + view, exitCodes: [.done, .failed, .locked, .usage],
            examples: ["sluice status --store sqlite:shop.db"]),
        CommandSpec(
            id: .history, path: ["history"], summary: "list the runs, or what one run changed",
            description: """
                Lists from the store alone what ran, the newest run first, or shows what one run did to each record. \
                The values of new records are shown where their entity says `history: changes`.
                """,
            operands: Operands(name: "RUN", help: "the number of a run", range: 0...1),
            options: [.store, .pipeline, .limit] + view, exitCodes: [.done, .failed, .locked, .usage],
            examples: ["sluice history --pipeline bookshop --limit 50", "sluice history 7 --format json"]),
        CommandSpec(
            id: .undo, path: ["undo"], summary: "take back what a run did",
            description: """
                Deletes what the run inserted, brings back what it deleted, and sets back what it updated, with all that \
                the store remembers of the source, so that the next run would do the same again. What was touched \
                since, by hand or by a later run, stays as it is and is listed. It is a run of its own, all or nothing, \
                and can be undone.
                """,
            operands: Operands(name: "RUN", help: "the number that `history` shows", range: 1...1),
            options: [.planOnly, .store, .wait, .changes, .quiet] + view,
            exitCodes: [.done, .failed, .locked, .usage, .interrupted, .terminated],
            examples: ["sluice undo 7 --plan", "sluice undo 7 --store sqlite:shop.db"],
            optionHelp: [.planOnly: "show what would be taken back, and write nothing"],
            exitHelp: [.failed: "failed, or some of it was left as it is, as listed"]),
        CommandSpec(
            id: .inspectRecord, path: ["inspect", "record"], summary: "show the life of one record",
            description: """
                Shows each value of a record and which run wrote it, what was edited here, what each run did to it, and \
                its conflicts and entries in quarantine. Where several fields identify a record, KEY names each of them.
                """,
            operands: Operands(
                name: "ENTITY KEY", help: "as in Book 42, Book \"a b\" or Match round=1,team=A", range: 2...2),
            options: [.store, .pipeline] + view, exitCodes: [.done, .failed, .locked, .usage],
            examples: ["sluice inspect record Book 42", "sluice inspect record Match round=1,team=A --format json"]),
        CommandSpec(
            id: .conflictsList, path: ["conflicts", "list"], summary: "list the open conflicts",
            description: """
                Lists each conflict with what the source said before, what the store holds and what the source says \
                now. The local value stands while a conflict is open.
                """,
            operands: nil, options: [.store, .all] + view, exitCodes: [.done, .failed, .locked, .usage],
            examples: ["sluice conflicts list", "sluice conflicts list --all --format json"]),
        CommandSpec(
            id: .conflictsShow, path: ["conflicts", "show"], summary: "show one conflict, and what can be decided",
            description: """
                Shows what the source said before, what the store holds and what the source says now, long texts word \
                by word, with what each decision would do and the commands for it.
                """,
            operands: Operands(name: "ID", help: "the number that `conflicts list` shows", range: 1...1),
            options: [.store] + view, exitCodes: [.done, .failed, .locked, .usage],
            examples: ["sluice conflicts show 3", "sluice conflicts show 3 --format json"]),
        CommandSpec(
            id: .conflictsResolve, path: ["conflicts", "resolve"], summary: "decide conflicts",
            description: """
                Writes what shall stand and settles what the source says now, so that the next run asks only about \
                what changes after that. It decides what was shown: a conflict whose row was edited since stays open \
                with the new value. All that can be resolved is, in one transaction, and the rest is listed.
                """,
            operands: Operands(name: "ID…", help: "the numbers that `conflicts list` shows", range: 0...Int.max),
            options: [.store, .take, .set, .entity, .field, .kind, .all, .note, .wait] + view,
            exitCodes: [.done, .failed, .locked, .usage],
            examples: [
                "sluice conflicts resolve 3 4 --take remote", "sluice conflicts resolve 7 --set title=Dune",
                "sluice conflicts resolve --entity Book --field price --take remote",
                "sluice conflicts resolve --all --take local --note=checked",
            ],
            optionHelp: [.all: "every open conflict", .wait: "wait that long for a run to end, as in 30s or 10m"],
            exitHelp: [.failed: "failed, or some conflicts are still open: reopened or refused"]),
        CommandSpec(
            id: .conflictsExport, path: ["conflicts", "export"], summary: "write the open conflicts for a spreadsheet",
            description: """
                Writes a CSV file with a row for each open conflict. In its last two columns people decide: in take \
                with local, remote or base, or in value with another value; then `sluice conflicts import` reads it. \
                Text that begins with = + - or @ gets an apostrophe in front, so that nothing is computed.
                """,
            operands: nil, options: [.store, .entity, .field, .kind, .output, .logLevel, .help],
            exitCodes: [.done, .failed, .locked, .usage],
            examples: [
                "sluice conflicts export --output conflicts.csv", "sluice conflicts export --entity Book -o books.csv",
            ]),
        CommandSpec(
            id: .conflictsImport, path: ["conflicts", "import"], summary: "carry out decisions from a spreadsheet",
            description: """
                Reads a CSV file that `sluice conflicts export` wrote and people filled in, and resolves the conflicts \
                that they decided. A conflict that changed since the export stays open. In value, null is null; an \
                empty text is written as two double quotes.
                """,
            operands: Operands(
                name: "FILE", help: "a CSV file in UTF-8, its columns in any order", range: 1...1, value: .file),
            options: [.store, .note, .wait] + view, exitCodes: [.done, .failed, .locked, .usage],
            examples: ["sluice conflicts import conflicts.csv", "sluice conflicts import books.csv --format json"],
            optionHelp: [.wait: "wait that long for a run to end, as in 30s or 10m"],
            exitHelp: [.failed: "failed, or some of the conflicts are still open: reopened or refused"]),
        CommandSpec(
            id: .quarantineList, path: ["quarantine", "list"], summary: "list the records in quarantine",
            description: "Lists each record that could not be taken, with the offending value and the reason.",
            operands: nil, options: [.store, .all] + view, exitCodes: [.done, .failed, .locked, .usage],
            examples: ["sluice quarantine list", "sluice quarantine list --all --format json"]),
        CommandSpec(
            id: .quarantineShow, path: ["quarantine", "show"], summary: "show one record in quarantine",
            description: "Shows a record that could not be taken as it was read, and what is wrong with it.",
            operands: Operands(name: "ID", help: "the number that `quarantine list` shows", range: 1...1),
            options: [.store] + view, exitCodes: [.done, .failed, .locked, .usage],
            examples: ["sluice quarantine show 4"]),
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
            operands: Operands(name: "ID…", help: "the numbers that `quarantine list` shows", range: 0...Int.max),
            options: [.store, .all, .wait] + view, exitCodes: [.done, .failed, .locked, .usage],
            examples: ["sluice quarantine drop 4 5", "sluice quarantine drop --all"],
            optionHelp: [
                .all: "every record in quarantine", .wait: "wait that long for a run to end, as in 30s or 10m",
            ],
            exitHelp: [.failed: "failed, or a record was not there to be dropped"]),
        CommandSpec(
            id: .generateSchema, path: ["generate", "schema"], summary: "print the JSON Schema of the pipeline file",
            description: """
                Prints the JSON Schema, by which editors complete the keys of a pipeline file and mark what is wrong. \
                It says of each value what `sluice validate` says of it; what belongs together, as a stream and its \
                entity, `sluice validate` alone checks. A file names its schema in its first line, as in \
                # yaml-language-server: $schema=sluice.schema.json
                """,
            operands: nil, options: [.output, .logLevel, .help], exitCodes: [.done, .failed, .usage],
            examples: ["sluice generate schema", "sluice generate schema --output sluice.schema.json"]),
        CommandSpec(
            id: .completions, path: ["completions"], summary: "print completions for a shell",
            description: """
                Prints a script that lets a shell complete commands, options and their values. `make install` puts it \
                where the shells look for it.
                """,
            operands: Operands(
                name: "SHELL", help: "bash, zsh or fish", range: 1...1, value: .choice(CompletionsCommand.shells)),
            options: [.output, .logLevel, .help], exitCodes: [.done, .failed, .usage],
            examples: ["sluice completions bash", "sluice completions zsh --output _sluice"]),
        CommandSpec(
            id: .help, path: ["help"], summary: "show the help of a command",
            description: "Shows the help of a command, or the list of the commands.",
            operands: Operands(name: "COMMAND…", help: "the words of a command", range: 0...2),
            options: [.help], exitCodes: [.done, .usage], examples: ["sluice help conflicts list"]),
    ]
}
