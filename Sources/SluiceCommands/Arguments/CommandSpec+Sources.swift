extension CommandSpec {
    /// What asks a source.
    static let sources: [CommandSpec] = [
        CommandSpec(
            id: .validate, path: ["validate"], summary: "check pipeline files",
            description: """
                Checks pipeline files without touching a source, and lists every problem with its place and what to do \
                about it. With --store it also looks into that store for what is kept for names that a pipeline no longer \
                has. With --strict a warning counts as an error.
                """,
            operands: paths, options: [.store, .variable, .strict, .quiet] + view,
            exitCodes: [.done, .failed, .usage, .invalidPipeline],
            examples: ["sluice validate", "sluice validate pipelines/bookshop.yaml --strict"],
            optionHelp: [
                .strict: "count warnings as errors", .store: "a store to check the pipelines against, as sqlite:FILE",
            ]),
        CommandSpec(
            id: .plan, path: ["plan"], summary: "show what a run would do, and write nothing",
            description: """
                Fetches what the sources say now, compares it with the store and shows every change that a run would \
                make, field by field. It goes the whole way of a run and takes it back at the end, so that a plan and \
                the run after it never disagree.
                """,
            operands: paths, options: sync + [.detailedExitCode],
            exitCodes: [
                .done, .failed, .changes, .attention, .refused, .partial, .locked, .usage, .invalidPipeline,
                .interrupted, .terminated,
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
                source changed the same value, that is kept as a conflict. A run is written as a whole or not at all, or, \
                with `commit: page`, page by page.
                """,
            operands: paths, options: sync,
            exitCodes: [
                .done, .failed, .attention, .refused, .partial, .locked, .usage, .invalidPipeline, .interrupted,
                .terminated,
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
                that hold an array, maps of records, lines of JSON, CSV, TSV and gzip data are understood. The pages of \
                a URL are followed where it is certain how one leads to the next. With --write-pipeline the same can be \
                repeated by `sluice run`.
                """,
            operands: Operands(
                name: "URL|FILE|-", help: "a document; - is standard input", range: 1...1),
            options: [
                .table, .key, .records, .header, .method, .body, .sample, .planOnly, .writePipeline, .store, .strict,
                .wait, .changes,
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
            options: [.header, .method, .body, .pages, .records, .key, .table, .writePipeline, .quiet, .noProgress]
                + view,
            exitCodes: [.done, .failed, .usage, .interrupted, .terminated],
            examples: [
                "sluice probe https://api.example.com/books --write-pipeline books.yaml",
                "sluice probe https://api.example.com/books?per_page=100 --pages 5 --format json",
                "sluice probe https://api.example.com/search --method POST --body '{\"query\": {}}' --write-pipeline found.yaml",
            ],
            optionHelp: [
                .key:
                    "the fields that identify a record, or content for a hash of all values (default: the likeliest)",
                .writePipeline: "write the pipeline to FILE, or to standard output with -",
                .quiet: "no findings and no progress",
            ]),
    ]
}
