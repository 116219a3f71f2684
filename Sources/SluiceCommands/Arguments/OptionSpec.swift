internal import SluiceDecode
internal import SluiceMerge
internal import SluicePipeline
internal import SluiceSwiftModels

/// What is known of one option: the parser, the help and the shell completions are made from it.
package struct OptionSpec: Sendable {
    /// The options, by the order in which help lists them.
    package enum ID: String, CaseIterable, Sendable {
        case table, key, records, inputFormat, delimiter, header, method, body, sample, pages, planOnly, writePipeline,
            check, maxAge, verify
        case store, variable, environmentFile, explain, stream, offline, full, checkReferences, from, to, recordTo,
            until, replay, against, save, stale, allowOlder, allowDeletes
        case allowSchema, strict,
            detailedExitCode,
            wait, take, set, entity,
            field, kind,
            note, mark, reason, all, pipeline, since, failed, trends, limit
        case fromTable, url
        case singleFile, splitByEntity, accessLevel, overwrite, cleanStale, dryRun, stubs, initializer, noCounts
        case noOrigin, names, policy, headerTemplate
        case swift, level, fix, config, style, preset, force
        case timezone, count, next, program, user
        case workers, state, grace, lease, listen, tokenFile, asService, image
        case format, listFormat, reportFormat, schemaFormat, problemFormat, output, page, changes, summaryOnly,
            mostBytes, quiet,
            noProgress,
            logLevel,
            logFormat, color, help, version
    }

    /// What a value must look like.
    package enum Value: Sendable, Hashable {
        case text
        case file
        case storeURL
        /// `name=value`
        case assignment
        /// `Name: value`
        case header
        /// A path to records.
        case recordsPath
        /// A whole number within a range.
        case number(ClosedRange<Int>)
        /// A whole number within a range, or `all`.
        case numberOrAll(ClosedRange<Int>)
        /// Such as `10m`.
        case duration
        case choice([String])

        /// A whole number from 0.
        package static let count = Value.number(0...Int.max)
        /// A whole number from 0, or `all`.
        package static let countOrAll = Value.numberOrAll(0...Int.max)
    }

    /// Which option.
    package let id: ID
    /// The name with its dashes.
    package let name: String
    /// The letter that stands for it behind one dash.
    package let letter: Character?
    /// How help names the value; nil for an option that takes none.
    package let valueName: String?
    /// What the value must look like.
    package let value: Value
    /// Whether each time it is given counts; else the last time does.
    package let isRepeatable: Bool
    /// Whether it may stand without its value, at the end or before another option.
    package let isValueOptional: Bool
    /// What it does, without a full stop.
    package let help: String

    private init(
        _ id: ID, _ name: String, letter: Character? = nil, _ valueName: String? = nil, _ value: Value = .text,
        isRepeatable: Bool = false, isValueOptional: Bool = false, help: String
    ) {
        self.id = id
        self.name = name
        self.letter = letter
        self.valueName = valueName
        self.value = value
        self.isRepeatable = isRepeatable
        self.isValueOptional = isValueOptional
        self.help = help
    }

    /// Every option of every command.
    package static let all: [OptionSpec] = [
        OptionSpec(
            .table, "--table", "NAME",
            help:
                "the table to fill (default: the last part of the path, in snake_case, unless something else fills that table)"
        ),
        OptionSpec(
            .key, "--key", "FIELD[,FIELD]",
            help:
                "the fields that identify a record, or content for a hash of all values (default: found, if there is no doubt)"
        ),
        OptionSpec(
            .records, "--records", "PATH", .recordsPath,
            help: "where the records are in the document, as in data.items (default: found)"),
        OptionSpec(
            .inputFormat, "--input-format", "FORMAT", .choice(StreamDefinition.Format.allCases.map(\.rawValue)),
            help: "the format of the source: json, jsonl, csv or tsv (default: found)"),
        OptionSpec(
            .delimiter, "--delimiter", "CHAR", .choice(StreamDefinition.Delimiter.allCases.map(\.rawValue)),
            help: "what stands between the cells of CSV: , ; | or tab (default: found)"),
        OptionSpec(
            .header, "--header", "'NAME: VALUE'", .header, isRepeatable: true,
            help:
                "a header of the request; may be repeated; ${env:NAME} in it stands for a variable; its value is never shown if it is a credential"
        ),
        OptionSpec(
            .method, "--method", "METHOD", .choice(["GET", "POST", "PUT", "PATCH"]),
            help: "the method of the request (default: POST with --body, else GET)"),
        OptionSpec(
            .body, "--body", "JSON|@FILE", help: "what the request sends: JSON, or @ and a file that holds it"),
        OptionSpec(
            .sample, "--sample", "N", .numberOrAll(1...Int.max),
            help: "infer fields and types from only the first N records (default: all)"),
        OptionSpec(.pages, "--pages", "N", .number(1...Int.max), help: "read at most N pages (default: 3)"),
        OptionSpec(.planOnly, "--plan", help: "show what the import would do, and write nothing"),
        OptionSpec(
            .writePipeline, "--write-pipeline", "FILE", .file,
            help: "write a pipeline with which `sluice run` repeats the import"),
        OptionSpec(
            .check, "--check",
            help: "exit 1 when a pipeline has no run, or its last one did not succeed or make up for an earlier one"),
        OptionSpec(
            .maxAge, "--max-age", "TIME", .duration,
            help: "exit 1 when the last success of a pipeline is older than TIME, as in 90m, 24h or 7d, or never was"),
        OptionSpec(.verify, "--verify", help: "read the copy again, and compare each table with its original"),
        OptionSpec(
            .store, "--store", "URL", .storeURL,
            help:
                "the store for the records, as sqlite:FILE or postgres://USER@HOST/DATABASE (default: the pipeline's store, $SLUICE_STORE, sqlite:sluice.db)"
        ),
        OptionSpec(
            .variable, "--var", "NAME=VALUE", .assignment, isRepeatable: true,
            help: "the value of ${var:NAME} in pipeline files; may be repeated"),
        OptionSpec(
            .environmentFile, "--env-file", "FILE", .file, isRepeatable: true,
            help:
                "a file of lines NAME=value for ${env:NAME}; the environment counts more; may be repeated"),
        OptionSpec(
            .explain, "--explain",
            help:
                "list for each stream which features it has, such as conditional_requests, and why it lacks the others"),
        OptionSpec(.stream, "--stream", "NAME", isRepeatable: true, help: "only this stream; may be repeated"),
        OptionSpec(.offline, "--offline", help: "ask no source: use what earlier runs remember of what it sends"),
        OptionSpec(.full, "--full", help: "read incremental streams from their beginning, and decode every record"),
        OptionSpec(
            .checkReferences, "--check-references",
            help: "look at every reference, also where nothing of it changed"),
        OptionSpec(
            .from, "--from", "TIME",
            help: "read incremental streams from TIME on, as in 2024-05-17T00:00:00Z; their cursors stay"),
        OptionSpec(.to, "--to", "TIME", help: "read incremental streams up to TIME; their cursors stay"),
        OptionSpec(
            .recordTo, "--to", "DIR", .file,
            help: "the folder for the recordings; each pipeline gets its own folder in it"),
        OptionSpec(.until, "--until", "TIME", help: "read incremental streams up to TIME"),
        OptionSpec(
            .replay, "--replay", "DIR", .file,
            help: "use the answers of a recording by `sluice record`, without a network"),
        OptionSpec(
            .against, "--against", "DIR", .file,
            help:
                "compare the recording of --replay with this one, which was made before, instead of a store"
        ),
        OptionSpec(
            .save, "--save", "FILE", .file,
            help: "save the plan to FILE, for `sluice apply FILE`; an earlier plan there is replaced"),
        OptionSpec(
            .stale, "--stale", "HOW", .choice(["skip", "merge"]),
            help:
                "what becomes of records that are not as the plan found them: skip leaves them, merge merges them anew (default: skip)"
        ),
        OptionSpec(
            .allowOlder, "--allow-older",
            help: "apply a plan that is older than the last run of the store, record by record"),
        OptionSpec(
            .allowDeletes, "--allow-deletes", "N", .count,
            help: "allow up to N deletes in the whole run, whatever the limits of the pipeline"),
        OptionSpec(
            .allowSchema, "--allow-schema", "WHAT", .choice(["drop", "quarantine"]), isRepeatable: true,
            help:
                "drop: forget what is kept for streams, entities and fields that the pipeline no longer has; rows stay. quarantine: values that cannot pass to a field's new type go to the quarantine; may be repeated"
        ),
        OptionSpec(
            .strict, "--strict",
            help:
                "exit 3 if conflicts are open, records are in quarantine, pages were not read, or records share a key and differ"
        ),
        OptionSpec(
            .detailedExitCode, "--detailed-exitcode",
            help: "exit 2 if there is something to do: changes, new conflicts or records that are new in quarantine"),
        OptionSpec(
            .wait, "--wait", "TIME", .duration, help: "how long to wait for another run to end, as in 30s or 10m"),
        OptionSpec(
            .take, "--take", "SIDE", .choice(["local", "remote", "base"]),
            help:
                "the value to keep: local, what the store holds; remote, what the source says; base, what it said before"
        ),
        OptionSpec(
            .set, "--set", "FIELD=VALUE", .assignment, isRepeatable: true,
            help:
                "another value for the field, of type `json` as JSON; null means null, and \"null\" in double quotes means the word"
        ),
        OptionSpec(.entity, "--entity", "NAME", help: "only the conflicts of this entity"),
        OptionSpec(.field, "--field", "NAME", help: "only the conflicts of this field"),
        OptionSpec(
            .kind, "--kind", "KIND",
            .choice(ConflictKinds.all),
            help: "only the conflicts of this kind, such as edit_edit or delete_edit"),
        OptionSpec(
            .mark, "--mark", "MARK", isRepeatable: true,
            help:
                "decide only what was shown: the `mark` of the conflict in `conflicts list --format json`; one for each ID, in their order"
        ),
        OptionSpec(.note, "--note", "TEXT", help: "the reason, kept with the decision"),
        OptionSpec(
            .reason, "--reason", "REASON",
            .choice(QuarantineReasons.all),
            help: "only the records that were refused for this reason, such as type_mismatch"),
        OptionSpec(.all, "--all", help: "include closed ones"),
        OptionSpec(.pipeline, "--pipeline", "NAME", help: "only this pipeline"),
        OptionSpec(
            .since, "--since", "TIME",
            help:
                "only runs that began at TIME or later: a date or time, in UTC if it has no offset, or how long ago, as in 7d"
        ),
        OptionSpec(.failed, "--failed", help: "only runs that did not succeed"),
        OptionSpec(.trends, "--trends", help: "a line for each pipeline instead of its runs"),
        OptionSpec(
            .limit, "--limit", "N", .countOrAll,
            help: "list at most N runs or changes, or all (default: text 20 and 200, json all)"),
        OptionSpec(
            .fromTable, "--from-table", "NAME", isRepeatable: true,
            help:
                "a table to write an entity for; may be repeated, and then foreign keys between them become references"
        ),
        OptionSpec(
            .url, "--url", "URL",
            help: "the base URL of the source, as in https://api.example.com/v1 or file:data (default: an example)"),
        OptionSpec(
            .swift, "--swift", "PATH", .file, isRepeatable: true, isValueOptional: true,
            help:
                "a Swift file, or a folder of them, whose models are to agree with the pipelines (default: `sources` of the configuration); may be repeated"
        ),
        OptionSpec(
            .level, "--level", "LEVEL", .choice(["conformance", "exact"]),
            help:
                "what is compared: conformance, what models say; exact, also that generated files are what would be generated now (default: conformance)"
        ),
        OptionSpec(.fix, "--fix", help: "mend in the Swift files what needs no judgement, and check again"),
        OptionSpec(
            .config, "--config", "FILE", .file,
            help:
                "the configuration of models, which `sluice generate swift-config` begins (default: sluice-swift.yaml, if it is there and no PATH is given)"
        ),
        OptionSpec(
            .style, "--style", "STYLE", .choice(SwiftConfigurationWriter.Style.allCases.map(\.rawValue)),
            help:
                "what is written out of each model: compact, the names that do not follow from the pipeline; explicit, all names and types (default: compact)"
        ),
        OptionSpec(
            .preset, "--preset", "PRESET", .choice(SwiftConfigurationWriter.Preset.allCases.map(\.rawValue)),
            help: "read no pipeline: write minimal, the keys that most need, or full, all keys with what they mean"),
        OptionSpec(.force, "--force", help: "replace FILE if it is there"),
        OptionSpec(.singleFile, "--single-file", help: "put all models into the file Models.swift"),
        OptionSpec(.splitByEntity, "--split-by-entity", help: "put each model into a file of its own (the default)"),
        OptionSpec(
            .accessLevel, "--access-level", "LEVEL", .choice(SwiftModelOptions.Access.allCases.map(\.rawValue)),
            help: "who sees the models: internal, package or public (default: internal)"),
        OptionSpec(
            .overwrite, "--overwrite", "WHICH", .choice(["none", "changed", "all"]),
            help: "the files with the marker that are written again: none, changed or all (default: changed)"),
        OptionSpec(
            .cleanStale, "--clean-stale", help: "remove files with the marker that no entity needs any more"),
        OptionSpec(.dryRun, "--dry-run", help: "list what would become of each file, and write nothing"),
        OptionSpec(
            .stubs, "--stubs", help: "make a file such as Book+Extras.swift for each model, once, for what you add"),
        OptionSpec(.initializer, "--initializer", help: "ask the macro for an initialiser with all properties"),
        OptionSpec(.noCounts, "--no-counts", help: "ask the macro for no counts such as tagsCount(in:)"),
        OptionSpec(.noOrigin, "--no-origin", help: "leave out what remembers the values that were read"),
        OptionSpec(
            .names, "--names", "STYLE", .choice(SwiftModelOptions.NameStyle.allCases.map(\.rawValue)),
            help:
                "how the macro makes names of the store of properties: snake_case, or verbatim (default: snake_case)"
        ),
        OptionSpec(
            .policy, "--policy", "POLICY", .choice(SwiftModelOptions.FailurePolicy.allCases.map(\.rawValue)),
            help:
                "what a stored value means that an enum does not have: throw, default or assert-nil (default: throw)"
        ),
        OptionSpec(
            .headerTemplate, "--header-template", "FILE", .file,
            help: "begin each file with the comments of FILE; {{ file }} and {{ source }} are filled in"),
        OptionSpec(
            .timezone, "--timezone", "ZONE",
            help: "the time zone of the expression, as in Europe/Berlin (default: UTC)"),
        OptionSpec(
            .count, "--count", "N", .number(0...10_000), help: "show N due times, at most 10000 (default: 5)"),
        OptionSpec(
            .next, "--next", "N", .number(0...1000),
            help: "show N due times of each pipeline, at most 1000 (default: 5)"),
        OptionSpec(
            .program, "--program", "FILE", .file, help: "where the program is (default: /usr/local/bin/sluice)"),
        OptionSpec(.user, "--user", "NAME", help: "the user that the service runs as (default: sluice)"),
        OptionSpec(
            .workers, "--workers", "N", .number(1...256), help: "run at most N pipelines at a time (default: 2)"),
        OptionSpec(
            .state, "--state", "DIR", .file,
            help:
                "the folder for logs, reports and the last good version of each file (default: sluice-serve beside the store)"
        ),
        OptionSpec(
            .grace, "--grace", "TIME", .duration,
            help: "how long runs may continue after the service is asked to stop (default: 30s)"),
        OptionSpec(
            .lease, "--lease", "TIME", .duration,
            help:
                "how long this service may be silent before others that serve the same PostgreSQL store take its runs over, 1s to 1h (default: 60s)"
        ),
        OptionSpec(
            .listen, "--listen", "ADDR",
            help:
                "where the page, the API and the metrics are: HOST:PORT, unix:PATH or none (default: 127.0.0.1:7788)"),
        OptionSpec(
            .tokenFile, "--token-file", "FILE", .file,
            help: "the file with the tokens of those who may use the page; needed where others than this machine can"),
        OptionSpec(
            .asService, "--serve", help: "start `sluice serve`, which runs all pipelines, instead of each by itself"),
        OptionSpec(
            .image, "--image", "NAME",
            help: "the image of the container, whose entry point is the program (default: sluice:VERSION)"),
        OptionSpec(
            .format, "--format", "FORMAT", .choice(["text", "json"]),
            help: "text for people or json for programs (default: text)"),
        OptionSpec(
            .listFormat, "--format", "FORMAT", .choice(["text", "json", "csv"]),
            help: "text for people, json for programs or csv for a spreadsheet (default: text)"),
        OptionSpec(
            .reportFormat, "--format", "FORMAT", .choice(ReportFormat.allCases.map(\.rawValue)),
            help: ReportFormat.formatHelp),
        OptionSpec(
            .problemFormat, "--format", "FORMAT", .choice(["text", "json", "sarif", "github"]),
            help:
                "text for people, json for programs, sarif for code hosts and editors or github for annotations of a workflow (default: text)"
        ),
        OptionSpec(
            .schemaFormat, "--format", "FORMAT", .choice(["text", "json", "mermaid"]),
            help: "text for people, json for programs or mermaid for a diagram (default: text)"),
        OptionSpec(
            .output, "--output", letter: "o", "FILE", .file,
            help: "write the result to FILE, which is replaced as a whole and keeps its permissions"),
        OptionSpec(
            .page, "--html", "FILE", .file,
            help: "write the report as a page for a browser to FILE too, whatever the format of the result"),
        OptionSpec(
            .changes, "--changes", "N", .countOrAll,
            help: """
                list at most N changes, or all, even where a table had no rows before (default: \
                \(ReportFormat.limitHelp))
                """),
        OptionSpec(
            .summaryOnly, "--summary-only",
            help: "list no records: only counts, problems and what to do next (\(ReportFormat.summaryHelp))"),
        OptionSpec(
            .mostBytes, "--max-bytes", "N", .number(MarkdownBudget.least...Int.max),
            help:
                "write at most N bytes of markdown, \(MarkdownBudget.least) or more (default: \(MarkdownBudget.standard), which fits into a comment)"
        ),
        OptionSpec(
            .quiet, "--quiet", letter: "q",
            help:
                "no text on standard output and no progress; warnings and errors stay, and so does a result asked for with --output or another --format"
        ),
        OptionSpec(.noProgress, "--no-progress", help: "no progress line"),
        OptionSpec(
            .logLevel, "--log-level", "LEVEL", .choice(["error", "warning", "info", "debug"]),
            help: "the lowest level of messages on standard error: error, warning, info or debug (default: warning)"),
        OptionSpec(
            .logFormat, "--log-format", "FORMAT", .choice(Log.Format.allCases.map(\.rawValue)),
            help: "messages on standard error as text for people or as json, one object a line (default: text)"),
        OptionSpec(
            .color, "--color", "WHEN", .choice(["auto", "always", "never"]),
            help: "colours: auto, always or never (default: auto, which means on a terminal)"),
        OptionSpec(.help, "--help", letter: "h", help: "show this help"),
        OptionSpec(.version, "--version", help: "show the version"),
    ]
}
