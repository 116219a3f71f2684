internal import SluicePipeline

extension SectionSpec {
    /// The keys of the file as a whole.
    package static let topLevel = SectionSpec(
        title: "the pipeline file",
        keys: [
            KeySpec(
                "version", .integer(1...1), isRequired: true, example: "1",
                "The version of the file's format."),
            KeySpec(
                "name", .string(.pattern(.pipelineName)), isRequired: true, example: "github-issues",
                "The name of the pipeline. The store keeps its state under this name."),
            KeySpec(
                "renamed_from", .string(.pattern(.pipelineName)), example: "gh-issues",
                "The former name of the pipeline. What the store keeps under that name is kept under the new one."),
            KeySpec(
                "description", .string(.anything), example: "Issues of our repositories",
                "What the pipeline is for."),
            KeySpec(
                "include", .list(.string(.name), minimumCount: 0), default: "[]", example: "[common.yaml]",
                "Files whose `entities` this file shares. Their paths are relative to the file that names them."),
            KeySpec(
                "vars", .mapping(keys: .pattern(.variableName), values: .scalar, minimumCount: 0), default: "{}",
                secrets: .accepted, example: "{owner: apple}",
                "Values for `${var:name}`, which `--var name=value` overrides."),
            KeySpec(
                "store", .string(.storeURL),
                default: "`$SLUICE_STORE`, then `sqlite:sluice.db` in the folder where the command runs",
                secrets: .accepted,
                example: "sqlite:github.db",
                "The store for the records: a file of SQLite, whose relative path is relative to this file, or a schema of PostgreSQL, as in `postgres://user@host/shop?schema=sales`. `--store` overrides it."
            ),
            KeySpec(
                "source", .section(.source), isRequired: true, example: "{base_url: \"https://api.github.com\"}",
                "The place of the JSON, and how to request it."),
            KeySpec(
                "defaults", .section(.defaults), default: "{}", example: "{format: jsonl}",
                "Stream keys for every stream that does not set them. Mappings are merged by key."),
            KeySpec(
                "entities", .mapping(keys: .pattern(.entityName), values: .section(.entity), minimumCount: 1),
                isRequired: true, example: "{Issue: {primary_key: id, fields: {id: int}}}", substitute: "include",
                "The kinds of record, each with its table, its identifier and its fields."),
            KeySpec(
                "streams", .list(.section(.stream), minimumCount: 1), isRequired: true,
                example: "[{name: issues, entity: Issue, path: /issues}]",
                "The remote collections."),
            KeySpec(
                "merge", .section(.merge), default: "{on_conflict: manual}", example: "{on_conflict: remote_wins}",
                feature: .mergePolicy,
                "The policy for conflicts, unless the field or the entity sets one."),
            KeySpec(
                "commit", .choice(ChoiceSpec(CommitMode.allCases.map(\.rawValue))),
                default: "`page` where a stream over HTTP has `incremental`, else `run`", example: "page",
                feature: .commit,
                "What is kept of a run that does not finish: nothing (`run`), or every page that was merged (`page`), so that the next run continues after the last one. Where pages are counted, a scan for changes alone begins anew instead, since a record may have shifted to a page that was read. A `file:` source is always kept as a whole, and so is each stream with `parent` or `for_each`, after its parents. With `page`, a record whose key an earlier page had cannot wait for the end: with `on_duplicate: last` it is one more change of its row, which reports count once and list as written once more, with `first` it is left out, with `newest` it counts unless it is older than what the source said before, with `fail` the run ends there if it differs, and with `quarantine` it is quarantined if it differs while the earlier one stands. A value of `unique` passes from one row to another within a page; from page to page it does so with the next run."
            ),
            KeySpec(
                "schedule", .section(.schedule), example: "{cron: \"0 6 * * *\"}",
                "When the pipeline is due. `sluice schedule` shows it, and `sluice serve` runs pipelines by it. Or cron or another scheduler starts `sluice run`, which runs a pipeline at any time."
            ),
            KeySpec(
                "notify", .list(.section(.notification), minimumCount: 0), default: "[]",
                example: "[{on: [failed], webhook: \"${env:SLACK_URL}\"}]",
                "Who is told how `sluice run` ended, one after the other, once the run is committed or rolled back. [Operation](operation.md#notices) has the rules."
            ),
            KeySpec(
                "history", .section(.history), default: "{keep: 90d}", example: "{keep: 365d}", feature: .history,
                "How long the store keeps the changes of runs, for `sluice history` and `sluice undo`."),
        ],
        elsewhere: [
            "hooks": (
                "notify",
                "`notify` runs a command or calls a webhook when a run has ended, as in `notify: [{on: [failed], command: [page-me]}]`."
            )
        ])

    /// The keys of an included file: those of its parts that may be shared.
    static func includedFile(_ topLevel: SectionSpec) -> SectionSpec {
        let keys = topLevel.keys.filter { ["include", "entities"].contains($0.name) }
        return SectionSpec(title: "an included file, which holds shared entities only", keys: keys)
    }
}
