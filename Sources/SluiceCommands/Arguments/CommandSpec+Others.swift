extension CommandSpec {
    private static let storeOfUnits =
        "the store that the pipelines fill, as sqlite:FILE or postgres://USER@HOST/DATABASE (default: the pipeline's store, $SLUICE_STORE, sqlite:sluice.db)"

    private static let fileOfUnits =
        "a file of lines NAME=value for ${env:NAME}, here and in each run; may be repeated (default: the runs read /etc/sluice/PIPELINE.env, where there is one)"
    private static let fileOfService =
        "a file of lines NAME=value for ${env:NAME}, here and in each run; may be repeated (default: the runs read /etc/sluice/PIPELINE.env, with --serve /etc/sluice/sluice.env, where there is one)"
    private static let variableOfUnits =
        "the value of ${var:NAME} in pipeline files, here and in each run; may be repeated"

    /// What makes texts for other programs, and help.
    static let others: [CommandSpec] = [
        CommandSpec(
            id: .serve, path: ["serve"], summary: "run pipelines when they are due",
            description: """
                Runs pipelines when the `schedule` in their files says so, until it is told to end. Each run is a \
                process of its own. What was decided on each due time is kept in the store, so that none is run twice \
                and none is forgotten, whatever ends the service. Files that change are read again; one with errors is \
                served as it was before. SIGTERM ends the service once its runs have ended, SIGHUP has it read all \
                files again. Services that serve one PostgreSQL store share its runs: each due time is run by one of \
                them, and what one leaves undone another takes over.
                """,
            operands: paths,
            options: place + [.workers, .state, .grace, .lease, .listen, .tokenFile, .logLevel, .logFormat, .help],
            exitCodes: [.done, .failed, .locked, .usage],
            examples: [
                "sluice serve", "sluice serve /etc/sluice/pipelines --workers 4 --state /var/lib/sluice/serve",
                "sluice serve pipelines --log-format json",
            ],
            optionHelp: [
                .logLevel:
                    "the lowest level of messages on standard error: error, warning, info or debug (default: info)"
            ],
            exitHelp: [
                .done: "it was told to end, and all runs have ended",
                .locked: "another service has the state folder or a store",
            ]),
        CommandSpec(
            id: .workers, path: ["workers"], summary: "list the services that share a store",
            description: """
                Lists the services that run the pipelines of a PostgreSQL store together: where each of them is, since \
                when, what it runs, and when it was heard of last. One that has been silent for longer than its lease \
                is late: others take over what it runs. All times are those of the server. It reads only the store.
                """,
            operands: nil, options: place + view, exitCodes: looking,
            examples: [
                "sluice workers --store postgres://sync@db.example/shop", "sluice workers pipelines --format json",
            ], takesPipelines: true),
        CommandSpec(
            id: .schedule, path: ["schedule"], summary: "show when pipelines are due",
            description: """
                Shows when pipelines are due, by `schedule` in their files, sorted by time: in UTC and by the clocks \
                of the pipeline's time zone. It reads no store and starts nothing. What is due `every` so often is \
                counted from TIME, as though that were the last start.
                """,
            operands: paths, options: values + [.from, .next] + view,
            exitCodes: [.done, .failed, .usage, .invalidPipeline],
            examples: ["sluice schedule", "sluice schedule pipelines/bookshop.yaml --next 3 --from 2026-03-28"],
            optionHelp: [
                .from: "due times after TIME, as in 2026-03-28T12:00:00Z; without an offset, TIME is UTC (default: now)"
            ],
            exitHelp: [
                .invalidPipeline:
                    "a pipeline file has errors, and the others are shown; or pipelines wait for each other"
            ]),
        CommandSpec(
            id: .scheduleNext, path: ["schedule", "next"], summary: "show the next due times of a cron expression",
            description: """
                Shows the next due times of a cron expression in a time zone, as in sluice schedule next '*/15 6-20 * \
                * MON-FRI'. The fields are minute, hour, day of month, month and day of week, with seconds before them \
                if needed. A time that clocks leave out is due at the next one that there is; a time that they show \
                twice is due once.
                """,
            operands: Operands(
                name: "EXPR", help: "a cron expression in quotes, or a name such as @daily", range: 1...1),
            options: [.from, .timezone, .count, .format, .output, .logLevel, .logFormat, .help],
            exitCodes: [.done, .failed, .usage],
            examples: [
                "sluice schedule next @daily --timezone Europe/Berlin",
                "sluice schedule next @hourly --from 2026-10-25T00:00:00 --timezone Europe/Berlin --count 3",
            ],
            optionHelp: [
                .from:
                    "due times after TIME, as in 2026-03-28T12:00:00Z; without an offset, TIME is in the zone (default: now)"
            ]),
        CommandSpec(
            id: .generateSchema, path: ["generate", "schema"],
            summary: "print the JSON Schema of pipeline files, of reports, of the history or of Swift models",
            description: """
                Prints the JSON Schema of the pipeline file. With it, editors complete keys and mark errors. The \
                schema checks single values as `sluice validate` does; only `sluice validate` also checks how they fit \
                together, such as a stream and its entity. A file names its schema in its first line, as in \
                # yaml-language-server: $schema=sluice.schema.json. With report, it prints the schema of what `plan`, \
                `run` and others write with --format json; with history, that of what `history` writes; with swift-config, \
                that of sluice-swift.yaml.
                """,
            operands: Operands(
                name: "SUBJECT",
                help: "what the schema describes: pipeline, report, history or swift-config (default: pipeline)",
                range: 0...1, value: .choice(["pipeline", "report", "history", "swift-config"])),
            options: [.output, .logLevel, .logFormat, .help], exitCodes: [.done, .failed, .usage],
            examples: [
                "sluice generate schema", "sluice generate schema --output sluice.schema.json",
                "sluice generate schema report --output sluice-report.schema.json",
            ]),
        CommandSpec(
            id: .generatePipeline, path: ["generate", "pipeline"],
            summary: "print a pipeline for tables that another program made",
            description: """
                Prints a pipeline that adopts tables of a database as they are: each column is a field of a type that \
                fits, with the primary key, required fields, defaults and unique groups of the table. Each field \
                reads the key of its name. The source is an example for you to replace. Comments say what could not \
                be taken over, and why. The database stays as it is.
                """,
            operands: nil, options: [.fromTable, .url, .output, .logLevel, .logFormat, .help] + place,
            exitCodes: [.done, .failed, .locked, .usage, .invalidPipeline],
            examples: [
                "sluice generate pipeline --from-table books --store sqlite:shop.db",
                "sluice generate pipeline --from-table books pipelines/shop.yaml",
                "sluice generate pipeline --from-table authors --from-table books --output pipelines/shop.yaml",
            ],
            optionHelp: [
                .store:
                    "the database, as sqlite:FILE or postgres://USER@HOST/DATABASE (default: the pipeline's store, $SLUICE_STORE, sqlite:sluice.db)",
                .output: "write the pipeline to FILE, which must not exist",
            ],
            exitHelp: [.failed: "failed, or no pipeline can adopt the table; nothing was written"],
            takesPipelines: true,
            pipelineFiles: Operands(
                name: storePaths.name,
                help:
                    "pipeline files, or folders of them, that fill the database (default: $SLUICE_STORE, else the folder pipelines, else sluice.db)",
                range: storePaths.range, value: storePaths.value)),
        CommandSpec(
            id: .generateSwift, path: ["generate", "swift"],
            summary: "print models of a Swift program for pipelines or a store",
            description: """
                Prints a Swift struct for each entity, for programs that use the library Sluice: with the names, types, \
                keys, defaults and references of the pipelines, or of the tables of a store. With --to, each goes into \
                a file of a folder. Files that it wrote have the line // sluice:generated; others are never written \
                over or removed. What a struct cannot express is listed as a warning. A configuration says which pipelines \
                and which folder, and what differs in single models.
                """,
            operands: Operands(
                name: "PATH…",
                help:
                    "pipeline files, or folders of them (default: the folder pipelines); or a store, as in sqlite:shop.db",
                range: 0...Int.max, value: .file),
            options: [.recordTo] + values + [
                .config, .singleFile, .splitByEntity, .accessLevel, .overwrite, .cleanStale, .dryRun, .stubs,
                .initializer,
                .noCounts, .noOrigin, .names, .policy, .headerTemplate, .output, .logLevel, .logFormat, .help,
            ],
            exitCodes: [.done, .failed, .locked, .usage, .invalidPipeline],
            examples: [
                "sluice generate swift pipelines/bookshop.yaml",
                "sluice generate swift --to Sources/Models --access-level public --clean-stale",
                "sluice generate swift sqlite:shop.db --to Sources/Models --single-file",
            ],
            optionHelp: [
                .recordTo: "write each model to a file in the folder DIR (default: `sources` of the configuration)",
                .output: "write all models to FILE, which is replaced as a whole",
            ],
            exitHelp: [
                .failed: "failed, or a file without the marker is in the way; nothing was written",
                .invalidPipeline: "a pipeline file has errors; nothing was written",
            ]),
        CommandSpec(
            id: .generateSwiftConfig, path: ["generate", "swift-config"],
            summary: "print a configuration of Swift models for pipelines or a store",
            description: """
                Prints a configuration for `sluice generate swift` and `sluice validate --swift`: which pipelines, which \
                folder, and for single models what differs from what follows of the pipelines, such as names and \
                types. Both read it as sluice-swift.yaml in the working directory. Paths in it are relative to its \
                folder.
                """,
            operands: Operands(
                name: "PATH…",
                help:
                    "pipeline files, or folders of them (default: the folder pipelines); or a store, as in sqlite:shop.db",
                range: 0...Int.max, value: .file),
            options: values + [.style, .preset, .force, .output, .logLevel, .logFormat, .help],
            exitCodes: [.done, .failed, .locked, .usage, .invalidPipeline],
            examples: [
                "sluice generate swift-config --output sluice-swift.yaml",
                "sluice generate swift-config pipelines/bookshop.yaml --style explicit",
                "sluice generate swift-config --preset full",
            ],
            optionHelp: [.output: "write it to FILE; a file that is there stays, unless --force is given"],
            exitHelp: [
                .failed: "failed, or FILE is there; nothing was written",
                .invalidPipeline: "a pipeline file has errors; nothing was written",
            ]),
        CommandSpec(
            id: .generateSystemd, path: ["generate", "systemd"],
            summary: "print systemd units that run pipelines when they are due",
            description: """
                Prints for each pipeline with a `schedule` a service, which runs it in a sandbox, and a timer, which \
                starts the service when the pipeline is due. With --to, each goes into a file. Secrets are read from \
                environment files and are never in a unit. What a timer cannot say exactly is refused, with the \
                reason. With --serve, it prints one service instead, which runs `sluice serve`.
                """,
            operands: paths,
            options: [.recordTo] + place + [
                .asService, .state, .program, .user, .output, .logLevel, .logFormat, .help,
            ],
            exitCodes: [.done, .failed, .usage, .invalidPipeline],
            examples: [
                "sluice generate systemd pipelines/bookshop.yaml", "sluice generate systemd --to /etc/systemd/system",
                "sluice generate systemd --serve --to /etc/systemd/system",
            ],
            optionHelp: [
                .recordTo: "write each unit to a file in the folder DIR, which is replaced as a whole",
                .store: storeOfUnits, .environmentFile: fileOfService, .variable: variableOfUnits,
                .state: "with --serve, the folder for logs and reports (default: sluice-serve beside the store)",
            ],
            exitHelp: [
                .failed: "failed, or a schedule cannot be said exactly; nothing was written",
                .invalidPipeline: "a pipeline file has errors; nothing was written",
            ]),
        CommandSpec(
            id: .generateCron, path: ["generate", "cron"],
            summary: "print crontab lines that run pipelines when they are due",
            description: """
                Prints for each pipeline with a `schedule` the lines of a crontab, with its time zone as CRON_TZ, which \
                cronie understands. Secrets are read from environment files and are never in a line. What a crontab \
                cannot say exactly is refused, with the reason.
                """,
            operands: paths, options: place + [.program, .output, .logLevel, .logFormat, .help],
            exitCodes: [.done, .failed, .usage, .invalidPipeline],
            examples: ["sluice generate cron", "sluice generate cron pipelines/bookshop.yaml --output crontab"],
            optionHelp: [
                .store: storeOfUnits, .environmentFile: fileOfUnits, .variable: variableOfUnits,
            ],
            exitHelp: [
                .failed: "failed, or a schedule cannot be said exactly; nothing was written",
                .invalidPipeline: "a pipeline file has errors; nothing was written",
            ]),
        CommandSpec(
            id: .generateKubernetes, path: ["generate", "kubernetes"],
            summary: "print a manifest with which Kubernetes runs pipelines when they are due",
            description: """
                Prints for each pipeline with a `schedule` a CronJob, and with --serve one Deployment of `sluice \
                serve` instead. The pipeline files go along as a ConfigMap; the store is on a volume, under the name \
                of its file. What files name as ${env:NAME} is read from the Secret sluice-env, and the tokens of the \
                service's page from the Secret sluice-tokens; neither is in the manifest. What a CronJob cannot say exactly is refused, with the reason.
                """,
            operands: paths, options: [.store, .asService, .image, .output, .logLevel, .logFormat, .help],
            exitCodes: [.done, .failed, .usage, .invalidPipeline],
            examples: [
                "sluice generate kubernetes --image registry.example.com/sluice:1",
                "sluice generate kubernetes pipelines --serve --output sluice.yaml",
            ],
            optionHelp: [.store: "the store whose file name is taken (default: the pipeline's store)"],
            exitHelp: [
                .failed: "failed, or a schedule cannot be said exactly; nothing was written",
                .invalidPipeline: "a pipeline file has errors; nothing was written",
            ]),
        CommandSpec(
            id: .generateAirflow, path: ["generate", "airflow"],
            summary: "print a file with which Airflow runs pipelines when they are due",
            description: """
                Prints a Python file for the DAGs folder of Airflow 2.6 or later, with a DAG for each pipeline with a \
                `schedule`. It runs the program on the worker, with the worker's environment. What Airflow cannot say \
                exactly is refused, with the reason.
                """,
            operands: paths, options: [.store, .program, .output, .logLevel, .logFormat, .help],
            exitCodes: [.done, .failed, .usage, .invalidPipeline],
            examples: ["sluice generate airflow", "sluice generate airflow pipelines --output dags/sluice.py"],
            optionHelp: [.store: storeOfUnits],
            exitHelp: [
                .failed: "failed, or a schedule cannot be said exactly; nothing was written",
                .invalidPipeline: "a pipeline file has errors; nothing was written",
            ]),
        CommandSpec(
            id: .generateManual, path: ["generate", "man"], summary: "print the manual page",
            description: """
                Prints the manual page of the program, with every command, for man. `make install` installs it.
                """,
            operands: nil, options: [.output, .logLevel, .logFormat, .help], exitCodes: [.done, .failed, .usage],
            examples: ["sluice generate man", "sluice generate man --output sluice.1"]),
        CommandSpec(
            id: .completions, path: ["completions"], summary: "print completions for a shell",
            description: """
                Prints a script with which a shell completes commands, options and their values. `make install` \
                installs it for all three shells.
                """,
            operands: Operands(
                name: "SHELL", help: "bash, zsh or fish", range: 1...1, value: .choice(["bash", "zsh", "fish"])),
            options: [.output, .logLevel, .logFormat, .help], exitCodes: [.done, .failed, .usage],
            examples: ["sluice completions bash", "sluice completions zsh --output _sluice"]),
        CommandSpec(
            id: .help, path: ["help"], summary: "show the help of a command",
            description: "Shows the help of a command, or the list of the commands.",
            operands: Operands(name: "COMMAND…", help: "the words of a command", range: 0...2),
            options: [.help], exitCodes: [.done, .usage], examples: ["sluice help conflicts list"]),
    ]
}
