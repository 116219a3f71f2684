extension CommandSpec {
    /// What a store tells and takes back.
    static let stores: [CommandSpec] = [
        CommandSpec(
            id: .status, path: ["status"], summary: "show the last run of each pipeline",
            description: """
                Shows from the store alone when each pipeline ran last, how that ended, and how many conflicts are \
                open and records in quarantine.
                """,
            operands: nil, options: [.check] + place + view,
            exitCodes: [.done, .failed, .locked, .usage, .invalidPipeline],
            examples: [
                "sluice status --store sqlite:shop.db", "sluice status pipelines/bookshop.yaml",
                "sluice status --check pipelines",
            ],
            exitHelp: [.failed: "failed, or with --check: the last run of a pipeline did not succeed"],
            takesPipelines: true),
        CommandSpec(
            id: .edits, path: ["edits"], summary: "list what people changed here",
            description: """
                Lists from the store alone each value that is another than the source gave, with what the source said \
                last beside it, and the rows that people deleted or added. Runs keep all of it, unless the source alone \
                may change a field.
                """,
            operands: nil,
            options: [.entity, .pipeline, .limit, .listFormat, .output, .color, .logLevel, .help] + place,
            exitCodes: [.done, .failed, .locked, .usage, .invalidPipeline],
            examples: [
                "sluice edits --store sqlite:shop.db", "sluice edits pipelines/bookshop.yaml --entity Book",
                "sluice edits --format csv --output edits.csv",
            ],
            optionHelp: [
                .entity: "the records of this entity alone",
                .limit: "list N records at most, or all (default: text 200, json and csv all)",
            ], takesPipelines: true),
        CommandSpec(
            id: .history, path: ["history"], summary: "list the runs, or what one run changed",
            description: """
                Lists from the store alone what ran, the newest run first, or shows what one run did to each record. \
                The values of new records are shown where their entity says `history: changes`.
                """,
            operands: Operands(name: "RUN", help: "the number of a run", range: 0...1, value: .count),
            options: [.pipeline, .limit] + place + view,
            exitCodes: [.done, .failed, .locked, .usage, .invalidPipeline],
            examples: [
                "sluice history --pipeline bookshop --limit 50", "sluice history 7 --format json",
                "sluice history pipelines/bookshop.yaml",
            ], takesPipelines: true),
        CommandSpec(
            id: .undo, path: ["undo"], summary: "take back what a run did",
            description: """
                Deletes what the run inserted, brings back what it deleted, and sets back what it updated, with all that \
                the store remembers of the source, so that the next run would do the same again. What was touched \
                since, by hand or by a later run, stays and is listed. References to rows that go are null and wait until \
                those come back. It is a run of its own, all or nothing, and can be undone.
                """,
            operands: Operands(name: "RUN", help: "the number that `history` shows", range: 1...1, value: .count),
            options: [.planOnly, .wait, .changes, .quiet] + place + view,
            exitCodes: [.done, .failed, .locked, .usage, .invalidPipeline, .interrupted, .terminated],
            examples: ["sluice undo 7 --plan", "sluice undo 7 --store sqlite:shop.db"],
            optionHelp: [.planOnly: "show what would be taken back, and write nothing"],
            exitHelp: [.failed: "failed, or some of it was left as it is, as listed"], takesPipelines: true),
        CommandSpec(
            id: .inspectRecord, path: ["inspect", "record"], summary: "show the life of one record",
            description: """
                Shows each value of a record and which run wrote it, what was edited here, what each run did to it, and \
                its conflicts and entries in quarantine. Where several fields identify a record, KEY names each of them.
                """,
            operands: Operands(
                name: "ENTITY KEY", help: "as in Book 42, Book \"a b\" or Match round=1,team=A", range: 2...2),
            options: [.pipeline] + place + view, exitCodes: [.done, .failed, .locked, .usage, .invalidPipeline],
            examples: [
                "sluice inspect record Book 42", "sluice inspect record Match round=1,team=A --format json",
                "sluice inspect record Book 42 pipelines/bookshop.yaml",
            ], takesPipelines: true),
    ]
}
