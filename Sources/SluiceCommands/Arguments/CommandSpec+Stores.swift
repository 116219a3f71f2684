extension CommandSpec {
    /// What a store tells and takes back.
    static let stores: [CommandSpec] = [
        CommandSpec(
            id: .status, path: ["status"], summary: "show the last run of each pipeline",
            description: """
                Shows when each pipeline ran last, how that ended, what it did and how long it took, the last success, \
                open conflicts, records in quarantine and edits. A run that read far fewer records than usual is \
                marked. It reads only the store; of pipeline files that fill several stores, each of them, and when \
                the pipelines are due next.
                """,
            operands: nil, options: [.check, .maxAge] + place + view,
            exitCodes: looking,
            examples: [
                "sluice status --store sqlite:shop.db", "sluice status pipelines/bookshop.yaml",
                "sluice status --check pipelines", "sluice status --max-age 24h pipelines",
            ],
            exitHelp: [
                .failed:
                    "failed, or with --check: the last run of a pipeline did not succeed, an earlier one left something undone, or there was none; or with --max-age: the last success of a pipeline is older, or there was none",
                .invalidPipeline: "a pipeline file has errors; the other pipelines are listed",
            ],
            takesPipelines: true),
        CommandSpec(
            id: .edits, path: ["edits"], summary: "list what people changed here",
            description: """
                Lists each value that differs from the source's last value, with that value beside it, and the rows \
                that people deleted or added. Of a value in an open conflict, it names the conflict, and shows what the \
                source says now ("remote") beside what it said before. It reads only the store. Runs keep all of these \
                edits, except in fields that only the source may change. "base of run 3" names the run that last settled \
                what the source says. \
                In CSV, an empty cell means no value, null means null, and two double quotes mean an empty text; text \
                that begins like a formula gets a leading apostrophe.
                """,
            operands: nil,
            options: [.entity, .pipeline, .limit, .listFormat, .output, .color, .logLevel, .logFormat, .help] + place,
            exitCodes: looking,
            examples: [
                "sluice edits --store sqlite:shop.db", "sluice edits pipelines/bookshop.yaml --entity Book",
                "sluice edits --format csv --output edits.csv",
            ],
            optionHelp: [
                .entity: "only the records of this entity",
                .limit: "list N records at most, or all (default: text 200, json and csv all)",
            ], takesPipelines: true),
        CommandSpec(
            id: .history, path: ["history"], summary: "list the runs, or the changes of one run",
            description: """
                Lists the runs, the newest first, or shows what one run did to each record. With --trends, it counts \
                the runs of each pipeline over its source and those that did not succeed, and shows the median \
                duration and number of records of the others. It reads only the store. The values of new records are \
                shown if their entity has `history: changes`.
                """,
            operands: Operands(name: "RUN", help: "the number of a run", range: 0...1, value: .count),
            options: [.pipeline, .since, .failed, .trends, .limit, .summaryOnly] + place
                + view.map { $0 == .format ? .reportFormat : $0 },
            exitCodes: looking,
            examples: [
                "sluice history --pipeline bookshop --limit 50", "sluice history 7 --format json",
                "sluice history 7 --format html --output run-7.html",
                "sluice history --since 7d --failed", "sluice history --since 2026-03-01 --trends",
                "sluice history pipelines/bookshop.yaml",
            ],
            optionHelp: [
                .limit:
                    "list at most N runs or changes, or all (default: text 20 and 200, markdown what has room, all others all)",
                .reportFormat: "\(ReportFormat.formatHelp); the list of runs is text or json",
            ],
            exitHelp: [.invalidPipeline: "a pipeline file has errors; the runs of the others are listed"],
            takesPipelines: true),
        CommandSpec(
            id: .undo, path: ["undo"], summary: "undo a run",
            description: """
                Deletes what the run inserted, restores what it deleted and updated, and restores what the store \
                remembers of the source, so that the next run does the same again. What was changed since, by hand or \
                by a later run, stays and is listed. The deletion of a row that the run inserted is forgotten with the \
                insert, and named; so is what the source says of a row that was there before the run, which was the \
                first to compare it. References to rows that go become null until the rows come back. A conflict that \
                was decided since stays decided: undo the run of the decision first. An undo is a run of its own: it \
                is written as a whole or not at all, and can itself be undone.
                """,
            operands: Operands(name: "RUN", help: "the number that `history` shows", range: 1...1, value: .count),
            options: [.planOnly, .wait, .quiet] + place + reportView,
            exitCodes: [.done, .failed, .refused, .locked, .usage, .invalidPipeline, .interrupted, .terminated],
            examples: [
                "sluice undo 7 --plan", "sluice undo 7 --plan --format markdown",
                "sluice undo 7 --store sqlite:shop.db",
            ],
            optionHelp: [.planOnly: "show what would be undone, and write nothing"],
            exitHelp: [
                .failed: "failed, or some changes were not undone, as listed",
                .refused: "refused, since it would lose something of how tables changed; nothing was undone",
            ], takesPipelines: true),
        CommandSpec(
            id: .inspectRecord, path: ["inspect", "record"], summary: "show the history of one record",
            description: """
                Shows each value of a record and the run that wrote it, local edits, what each run did to the record, \
                and its conflicts and entries in quarantine. If several fields identify a record, KEY names each of \
                them.
                """,
            operands: Operands(
                name: "ENTITY KEY", help: "as in Book 42, Book \"a b\" or Match round=1,team=A", range: 2...2),
            options: [.pipeline] + place + view, exitCodes: looking,
            examples: [
                "sluice inspect record Book 42", "sluice inspect record Match round=1,team=A --format json",
                "sluice inspect record Book 42 pipelines/bookshop.yaml",
            ], takesPipelines: true),
        CommandSpec(
            id: .inspectSchema, path: ["inspect", "schema"], summary: "show the tables of a store",
            description: """
                Shows the tables that pipelines fill and those that they refer to: the columns, keys and references, and \
                which field of which pipeline fills a column or whether it is your own. It reads only the store. \
                Mermaid is what many programs, GitHub among them, draw as a diagram. With --swift, it shows the tables \
                that the models of a Swift program stand for, and reads no store.
                """,
            operands: nil,
            options: [
                .entity, .pipeline, .swift, .config, .schemaFormat, .output, .color, .logLevel, .logFormat, .help,
            ] + place,
            exitCodes: looking,
            examples: [
                "sluice inspect schema --store sqlite:shop.db", "sluice inspect schema pipelines/bookshop.yaml",
                "sluice inspect schema --format mermaid --output shop.mmd",
                "sluice inspect schema --swift Sources/Models --format json",
            ],
            optionHelp: [
                .entity: "only the tables of this entity",
                .swift:
                    "show the models of a Swift file, or of a folder of them (default: `sources` of the configuration); may be repeated",
            ], takesPipelines: true),
        CommandSpec(
            id: .storeCheck, path: ["store", "check"], summary: "check whether a store is as it must be",
            description: """
                Checks what a store keeps against itself: the database's own structures, tables and columns against \
                what is noted of them, what the sources said last, references, links, conflicts, quarantine, history, \
                and how far streams were read. Each finding says what to do. It changes nothing; what people changed \
                by hand is no fault.
                """,
            operands: nil, options: [.wait] + place + view,
            exitCodes: looking,
            examples: [
                "sluice store check --store sqlite:shop.db", "sluice store check pipelines/bookshop.yaml",
                "sluice store check --store postgres:///shop --format json",
            ],
            exitHelp: [
                .done: "done, and nothing is wrong",
                .failed: "something is wrong, as listed; or the store cannot be read",
            ], takesPipelines: true),
        CommandSpec(
            id: .storeCopy, path: ["store", "copy"], summary: "copy a store to another database",
            description: """
                Copies a store to a place where there is none, from SQLite to PostgreSQL, back, or between two of one \
                kind: tables, what the sources said last, conflicts, quarantine, history and the rest, so that the next \
                run goes on from there. It is one transaction: the copy is whole or there is none. The source is read as \
                of one moment and not changed. What is not copied is listed: triggers, views and tables of other \
                programs. Rows are counted on both sides, and compared with --verify. A value that the target cannot \
                hold is named, and nothing is copied then.
                """,
            operands: Operands(
                name: "FROM TO", help: "two stores, as sqlite:FILE or postgres://USER@HOST/DATABASE?schema=NAME",
                range: 2...2, value: .storeURL),
            options: [.verify, .wait, .quiet, .noProgress] + view,
            exitCodes: [.done, .failed, .locked, .usage, .interrupted, .terminated],
            examples: [
                "sluice store copy sqlite:shop.db 'postgres:///shop?schema=sales' --verify",
                "sluice store copy 'postgres:///shop?schema=sales' sqlite:shop.db",
            ],
            exitHelp: [
                .failed: "failed, for example because there is a store already; nothing was copied",
                .locked: "a store is in use; nothing was copied",
                .interrupted: "stopped by Ctrl-C; nothing was copied",
                .terminated: "stopped by SIGTERM; nothing was copied",
            ]),
    ]
}
