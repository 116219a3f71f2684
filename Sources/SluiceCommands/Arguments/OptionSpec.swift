/// What is known of one option: the parser, the help and the shell completions are made from it.
package struct OptionSpec: Sendable {
    /// The options, by the order in which help lists them.
    package enum ID: String, CaseIterable, Sendable {
        case table, key, records, header, sample, pages, planOnly, writePipeline, check
        case store, variable, stream, full, from, to, recordTo, until, replay, allowDeletes, strict, detailedExitCode,
            wait, take, set, entity,
            field, kind,
            note, reason, all, pipeline, limit
        case format, listFormat, output, changes, quiet, noProgress, logLevel, color, help, version
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
        /// A whole number from 0.
        case count
        /// A whole number from 0, or `all`.
        case countOrAll
        /// Such as `10m`.
        case duration
        case choice([String])
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
    /// What it does, without a full stop.
    package let help: String

    private init(
        _ id: ID, _ name: String, letter: Character? = nil, _ valueName: String? = nil, _ value: Value = .text,
        isRepeatable: Bool = false, help: String
    ) {
        self.id = id
        self.name = name
        self.letter = letter
        self.valueName = valueName
        self.value = value
        self.isRepeatable = isRepeatable
        self.help = help
    }

    /// Every option of every command.
    package static let all: [OptionSpec] = [
        OptionSpec(
            .table, "--table", "NAME", help: "the table to fill (default: the last part of the path, in snake_case)"),
        OptionSpec(
            .key, "--key", "FIELD[,FIELD]",
            help:
                "the fields that identify a record, or content for a hash of all values (default: found, where there is no doubt)"
        ),
        OptionSpec(
            .records, "--records", "PATH", .recordsPath,
            help: "where the records are in the document, as in data.items (default: found)"),
        OptionSpec(
            .header, "--header", "'NAME: VALUE'", .header, isRepeatable: true,
            help: "a header of the request; may be repeated; credentials are never shown"),
        OptionSpec(
            .sample, "--sample", "N", .countOrAll,
            help: "infer fields and types from the first N records alone (default: all)"),
        OptionSpec(.pages, "--pages", "N", .count, help: "read N pages at most (default: 3)"),
        OptionSpec(.planOnly, "--plan", help: "show what the import would do, and write nothing"),
        OptionSpec(
            .writePipeline, "--write-pipeline", "FILE", .file,
            help: "write the pipeline that repeats the import with `sluice run`"),
        OptionSpec(.check, "--check", help: "exit 1 when the last run of a pipeline did not succeed"),
        OptionSpec(
            .store, "--store", "URL", .storeURL,
            help:
                "where the records are kept, as sqlite:FILE (default: the pipeline's store, $SLUICE_STORE, sqlite:sluice.db)"
        ),
        OptionSpec(
            .variable, "--var", "NAME=VALUE", .assignment, isRepeatable: true,
            help: "the value of ${var:NAME} in pipeline files; may be repeated"),
        OptionSpec(.stream, "--stream", "NAME", help: "take this stream alone"),
        OptionSpec(.full, "--full", help: "read incremental streams from their beginning, and decode every record"),
        OptionSpec(
            .from, "--from", "TIME",
            help: "read incremental streams from there, as in 2024-05-17T00:00:00Z; their cursors stay"),
        OptionSpec(.to, "--to", "TIME", help: "read incremental streams up to there; their cursors stay"),
        OptionSpec(.recordTo, "--to", "DIR", .file, help: "the folder that gets a folder for each pipeline"),
        OptionSpec(.until, "--until", "TIME", help: "read incremental streams up to there"),
        OptionSpec(
            .replay, "--replay", "DIR", .file,
            help: "take the answers from a recording of `sluice record`, without any network"),
        OptionSpec(
            .allowDeletes, "--allow-deletes", "N", .count,
            help: "permit up to N deletes, whatever the pipeline's limits are"),
        OptionSpec(
            .strict, "--strict",
            help: "exit 3 when conflicts are open, records are in quarantine or a source has pages that were not read"),
        OptionSpec(.detailedExitCode, "--detailed-exitcode", help: "exit 2 when there are changes"),
        OptionSpec(.wait, "--wait", "TIME", .duration, help: "wait that long for another run to end, as in 30s or 10m"),
        OptionSpec(
            .take, "--take", "SIDE", .choice(["local", "remote", "base"]),
            help:
                "what shall stand: local, what the store holds; remote, what the source says; base, what it said before"
        ),
        OptionSpec(
            .set, "--set", "FIELD=VALUE", .assignment, isRepeatable: true,
            help: "another value for the field; null is null, and \"null\" in double quotes the word"),
        OptionSpec(.entity, "--entity", "NAME", help: "the conflicts of this entity alone"),
        OptionSpec(.field, "--field", "NAME", help: "the conflicts of this field alone"),
        OptionSpec(
            .kind, "--kind", "KIND",
            .choice(["add_add", "edit_edit", "clear_edit", "edit_clear", "edit_delete", "delete_edit"]),
            help: "the conflicts of this kind alone, such as edit_edit or delete_edit"),
        OptionSpec(.note, "--note", "TEXT", help: "why, kept with the decision"),
        OptionSpec(
            .reason, "--reason", "REASON",
            .choice([
                "type_mismatch", "missing_key", "missing_value", "not_allowed", "not_an_object", "invalid_json",
                "jq_failed", "lossy_number", "unique_collision", "duplicate",
            ]), help: "the records that were refused for this reason alone, such as type_mismatch"),
        OptionSpec(.all, "--all", help: "list the closed ones too"),
        OptionSpec(.pipeline, "--pipeline", "NAME", help: "of this pipeline alone"),
        OptionSpec(
            .limit, "--limit", "N", .countOrAll,
            help: "list N runs or changes at most, or all (default: text 20 and 200, json all)"),
        OptionSpec(
            .format, "--format", "FORMAT", .choice(["text", "json"]),
            help: "text for people or json for programs (default: text)"),
        OptionSpec(
            .listFormat, "--format", "FORMAT", .choice(["text", "json", "csv"]),
            help: "text for people, json for programs or csv for a spreadsheet (default: text)"),
        OptionSpec(
            .output, "--output", letter: "o", "FILE", .file,
            help: "write the result to a file, which is replaced at once"),
        OptionSpec(
            .changes, "--changes", "N", .countOrAll,
            help: "list N changes at most, or all (default: text 200, json all)"),
        OptionSpec(.quiet, "--quiet", letter: "q", help: "no text report and no progress; problems are still told"),
        OptionSpec(.noProgress, "--no-progress", help: "no progress line"),
        OptionSpec(
            .logLevel, "--log-level", "LEVEL", .choice(["error", "warning", "info", "debug"]),
            help: "what standard error tells: error, warning, info or debug (default: warning)"),
        OptionSpec(
            .color, "--color", "WHEN", .choice(["auto", "always", "never"]),
            help: "colours: auto, always or never (default: auto, that is on a terminal)"),
        OptionSpec(.help, "--help", letter: "h", help: "show this help"),
        OptionSpec(.version, "--version", help: "show the version"),
    ]
}
