extension CommandSpec {
    /// What `--env-file` says of commands whose requests are made of options.
    private static let fileOfRequest =
        "a file of lines NAME=value for ${env:NAME} in --header; the environment counts more; may be repeated"

    /// What asks a source.
    static let sources: [CommandSpec] = [
        CommandSpec(
            id: .validate, path: ["validate"], summary: "check pipeline files",
            description: """
                Checks pipeline files and lists every problem with its place and its remedy. No source is asked and no recording \
                read: the keys that a source sends and no field takes are shown by `sluice inspect drift`, with --replay from a \
                recording. With --store, it also looks in that store for data of streams, entities and fields that a pipeline no \
                longer has. With --strict, a warning counts as an error. With --explain, it lists for each stream what saves \
                time or keeps pages, such as conditional requests, and says why a feature is off. With --swift, it compares the \
                models of a Swift program with the pipelines: tables, keys, columns, types, optionality, defaults and \
                relationships. A configuration says where models are, and what differs in them.
                """,
            operands: paths,
            options: place + [.explain, .strict, .quiet, .swift, .level, .fix, .config, .dryRun]
                + view.map { $0 == .format ? .problemFormat : $0 },
            exitCodes: [.done, .failed, .usage, .invalidPipeline],
            examples: [
                "sluice validate", "sluice validate pipelines/bookshop.yaml --strict",
                "sluice validate pipelines/bookshop.yaml --explain",
                "sluice validate --swift", "sluice validate --swift Sources/Models --fix --dry-run",
                "sluice validate --swift Sources/Models --format sarif --output models.sarif",
            ],
            optionHelp: [
                .dryRun: "with --fix: show what would be edited, and edit nothing",
                .strict: "count warnings as errors",
                .store:
                    "a store to check the pipelines against, as sqlite:FILE or postgres://USER@HOST/DATABASE",
            ],
            exitHelp: [
                .invalidPipeline:
                    "a pipeline file has errors, or models of Swift do not agree with the pipelines; --fix has mended what it can"
            ]),
        CommandSpec(
            id: .plan, path: ["plan"], summary: "show what a run would do, and write nothing",
            description: """
                Fetches what the sources say now, compares it with the store and shows every change that a run would \
                make, field by field. A plan does everything that a run does and rolls it back at the end, so a plan \
                and the run after it never disagree. With --replay NEW --against OLD, it shows how two recordings of \
                `sluice record --full` differ, and reads no store.
                """,
            operands: paths, options: sync + [.against, .save, .detailedExitCode, .mostBytes],
            exitCodes: [
                .done, .failed, .changes, .attention, .refused, .partial, .locked, .usage, .invalidPipeline,
                .interrupted, .terminated,
            ],
            examples: [
                "sluice plan pipelines/bookshop.yaml --store sqlite:shop.db",
                "sluice plan --detailed-exitcode --format json --output plan.json",
                "sluice plan pipelines/bookshop.yaml --format markdown --output comment.md",
                "sluice plan pipelines/bookshop.yaml --format csv --output changes.csv",
                "sluice plan pipelines/bookshop.yaml --save bookshop.plan",
                "sluice plan pipelines/github-issues.yaml --replay fixtures/recordings",
                "sluice plan pipelines/github-issues.yaml --replay this-week --against last-week",
            ]),
        CommandSpec(
            id: .run, path: ["run"], summary: "fetch, merge and write",
            description: """
                Fetches what the sources say now and merges it into the store. Local edits stay; if the source changed \
                the same value, that is a conflict, and somebody decides. A run is written as a whole or not at all, \
                or, with `commit: page`, page by page.
                """,
            operands: paths, options: sync,
            exitCodes: [
                .done, .failed, .attention, .refused, .partial, .locked, .superseded, .usage, .invalidPipeline,
                .interrupted, .terminated,
            ],
            examples: [
                "sluice run pipelines/bookshop.yaml --store sqlite:shop.db",
                "sluice run --allow-deletes 12", "sluice run --var day=2 --quiet",
                "sluice run pipelines/bookshop.yaml --full",
            ]),
        CommandSpec(
            id: .apply, path: ["apply"], summary: "do what a saved plan shows",
            description: """
                Makes the changes of a plan that `sluice plan --save` saved, without asking the source. Each record is \
                compared with what the plan found: one that has changed since is left as it is and listed, or, with \
                --stale merge, merged anew. A plan of a pipeline with `redact` holds no answers: the source is asked \
                again, and what was not planned is left. A plan of another store, of a pipeline that has changed, or \
                older than the last run of the store is refused.
                """,
            operands: Operands(name: "FILE", help: "a saved plan", range: 1...1, value: .file),
            options: [.store, .variable, .environmentFile, .stale, .allowOlder, .strict, .wait, .quiet, .noProgress]
                + reportView,
            exitCodes: [
                .done, .failed, .attention, .refused, .partial, .locked, .usage, .invalidPipeline, .interrupted,
                .terminated,
            ],
            examples: [
                "sluice apply bookshop.plan", "sluice apply bookshop.plan --stale merge --format json",
            ],
            optionHelp: [.store: "the store (default: that of the plan)"],
            exitHelp: [
                .refused: "the plan cannot be applied, or a safety guard refused deletes",
                .partial: "records were not as the plan found them and are left; the rest was written",
            ]),
        CommandSpec(
            id: .show, path: ["show"], summary: "show a saved plan",
            description: """
                Shows a plan that `sluice plan --save` saved, in any form that `plan` has. It reads neither the source nor \
                the store.
                """,
            operands: Operands(name: "FILE", help: "a saved plan", range: 1...1, value: .file),
            options: reportView + [.mostBytes],
            exitCodes: [.done, .failed, .refused, .usage, .interrupted, .terminated],
            examples: ["sluice show bookshop.plan", "sluice show bookshop.plan --format markdown"],
            exitHelp: stoppedReading.merging([.refused: "the file is no plan that this version can read"]) { $1 }),
        CommandSpec(
            id: .record, path: ["record"], summary: "record what the sources answer, to replay it",
            description: """
                Fetches what a plan would fetch and writes each answer to a file, with status, headers and body, and \
                without secrets. `sluice plan` and `sluice run` use the files instead of the sources with --replay. \
                The store is read, to know where incremental streams continue, and not written.
                """,
            operands: paths,
            options: [
                .recordTo, .store, .variable, .environmentFile, .stream, .full, .from, .until, .quiet, .noProgress,
            ] + view,
            exitCodes: [.done, .failed, .locked, .usage, .invalidPipeline, .interrupted, .terminated],
            examples: [
                "sluice record pipelines/github-issues.yaml --to recordings",
                "sluice run pipelines/github-issues.yaml --replay recordings --store sqlite:try.db",
            ],
            optionHelp: [.from: "read incremental streams from TIME on, as in 2024-05-17T00:00:00Z"],
            exitHelp: [.failed: "failed, for example because a source cannot be reached; what was received is kept"]),
        CommandSpec(
            id: .importing, path: ["import"], summary: "import a file or URL into a table, without a pipeline file",
            description: """
                Reads a document, finds its records, their fields, types and identifier, and merges them into a table \
                as a run does. It reads arrays, objects that contain an array, maps of records, JSON lines, CSV, TSV \
                and gzip data. The pages of a URL are followed if it is certain how one leads to the next. To find \
                out, the first pages, at most three, may be requested twice. --write-pipeline writes a pipeline, with \
                which `sluice run` repeats the import.
                """,
            operands: Operands(
                name: "URL|FILE|-", help: "a document; - is standard input", range: 1...1),
            options: [
                .table, .key, .records, .inputFormat, .delimiter, .header, .method, .body, .sample, .planOnly,
                .writePipeline, .store, .environmentFile, .allowSchema, .strict,
                .wait, .quiet, .noProgress,
            ] + reportView,
            exitCodes: [.done, .failed, .attention, .refused, .locked, .usage, .interrupted, .terminated],
            examples: [
                "sluice import countries.json --key cca3",
                "sluice import https://api.example.com/books --store sqlite:shop.db --plan",
                "sluice import export.ndjson.gz --table orders --key id --write-pipeline orders.yaml",
                "sluice import - --input-format csv --table orders",
            ],
            optionHelp: [.environmentFile: fileOfRequest]),
        CommandSpec(
            id: .probe, path: ["probe"], summary: "look at a URL and write a first pipeline file",
            description: """
                Reads a few pages of a source and finds the records, their identifier, the paginator, the fields and \
                their types, and a field for incremental runs. Each finding comes with its certainty and its reasons. \
                A paginator is tried first: it must lead to other records. --write-pipeline writes a first pipeline, \
                with credentials as environment variables. Check what is unsure before the first run.
                """,
            operands: Operands(name: "URL", help: "the URL of the first page", range: 1...1),
            options: [
                .header, .method, .body, .environmentFile, .pages, .records, .inputFormat, .delimiter, .key, .table,
                .writePipeline, .quiet, .noProgress,
            ] + view,
            exitCodes: [.done, .failed, .usage, .interrupted, .terminated],
            examples: [
                "sluice probe https://api.example.com/books --write-pipeline books.yaml",
                "sluice probe https://api.example.com/books?per_page=100 --pages 5 --format json",
                "sluice probe https://api.example.com/search --body @query.json --write-pipeline found.yaml",
            ],
            optionHelp: [
                .key:
                    "the fields that identify a record, or content for a hash of all values (default: the most likely)",
                .writePipeline: "write the pipeline to FILE, or to standard output with -",
                .environmentFile: fileOfRequest,
                .quiet: "no findings and no progress",
            ]),
        CommandSpec(
            id: .initialize, path: ["init"], summary: "make a folder with a first pipeline for a URL",
            description: """
                Looks at a source as `sluice probe` does, and makes what a first sync needs: a pipeline in the folder \
                pipelines, .env.example with the names of its secrets, .gitignore, and the commands that come next. \
                Without URL it asks for one, on a terminal, until there is one (Ctrl-D ends it). A pipeline that \
                exists is refused; .env.example and .gitignore that exist get the lines that they lack. Check what is unsure \
                before the first run.
                """,
            operands: Operands(name: "URL", help: "the URL of the first page (default: asked for)", range: 0...1),
            options: [
                .recordTo, .store, .header, .method, .body, .environmentFile, .pages, .records, .inputFormat,
                .delimiter, .key,
                .table, .quiet, .noProgress, .output, .color, .logLevel, .logFormat, .help,
            ],
            exitCodes: [.done, .failed, .usage, .interrupted, .terminated],
            examples: [
                "sluice init https://api.example.com/books", "sluice init https://api.example.com/books --to bookshop",
                "sluice init https://api.example.com/books --table novels --key isbn",
                "sluice init https://api.example.com/books --store postgres://sluice@db/shop",
            ],
            optionHelp: [
                .store:
                    "the store that the pipeline names, as sqlite:FILE or postgres://HOST/DATABASE (default: sqlite:sluice.db, none if $SLUICE_STORE is set)",
                .recordTo: "the folder for it, created if it is missing (default: the current folder)",
                .key:
                    "the fields that identify a record, or content for a hash of all values (default: the most likely)",
                .environmentFile: fileOfRequest,
                .quiet: "no findings, no next commands and no progress",
            ]),
        CommandSpec(
            id: .doctor, path: ["doctor"], summary: "check what runs need: machine, store and sources",
            description: """
                Checks what runs need: the libraries, room for temporary files, the pipeline files, whether each store \
                can be written and its file is in order, whether each source can be reached, by name, network and TLS, \
                and whether its clock and this one agree. A source gets one request to its base URL, without \
                credentials. Nothing is changed.
                """,
            operands: paths, options: place + view,
            exitCodes: [.done, .failed, .usage, .interrupted, .terminated],
            examples: ["sluice doctor", "sluice doctor pipelines/bookshop.yaml --format json"],
            optionHelp: [
                .store:
                    "the store to check, as sqlite:FILE or postgres://USER@HOST/DATABASE (default: the pipeline's store, $SLUICE_STORE, sqlite:sluice.db)"
            ],
            exitHelp: [.failed: "something has to be mended before runs work"]),
        CommandSpec(
            id: .inspectDrift, path: ["inspect", "drift"],
            summary: "show where pipeline, source and store no longer agree",
            description: """
                Shows the keys that the source sends and no field takes, the columns that are not as the pipeline says, \
                and the values that no longer fit their fields: in the source, in quarantine and in the tables. It \
                reads one page of each stream, or with --offline only the store, and writes nothing. Columns that \
                people added are listed, and are no drift. With --swift, it also shows where the models of a Swift \
                program do not agree with the pipelines, and which of their columns a table lacks.
                """,
            operands: paths,
            options: [
                .store, .variable, .environmentFile, .stream, .offline, .replay, .swift, .config, .detailedExitCode,
                .quiet, .noProgress,
            ] + view,
            exitCodes: [
                .done, .failed, .changes, .locked, .usage, .invalidPipeline, .interrupted, .terminated,
            ],
            examples: [
                "sluice inspect drift pipelines/bookshop.yaml",
                "sluice inspect drift --offline --detailed-exitcode --format json",
                "sluice inspect drift --offline --swift Sources/Models",
            ],
            optionHelp: [.detailedExitCode: "exit 2 if something drifts"],
            exitHelp: [
                .failed: "failed, for example because a source cannot be reached; the rest is shown",
                .changes: "--detailed-exitcode: something drifts",
            ]),
    ]
}
