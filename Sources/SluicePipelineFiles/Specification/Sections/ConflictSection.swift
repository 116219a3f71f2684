internal import SluiceModel
internal import SluicePipeline

extension SectionSpec {
    /// The keys of the long form of an entity's `on_conflict`.
    package static let conflictRules = SectionSpec(
        title: "`on_conflict`",
        keys: [
            KeySpec(
                "default", .choice(.conflictPolicy), default: "the pipeline's policy", example: "remote_wins",
                "The policy for conflicts of all other kinds."),
            rule(.editEdit, "Both sides changed the value, or the list with `ordered: true`."),
            rule(.clearEdit, "The value was cleared in the store and changed by the source."),
            rule(.editClear, "The value was changed in the store and cleared by the source."),
            rule(.addAdd, "Both sides gave a value before the first sync."),
            rule(.editDelete, "The row was changed in the store and deleted by the source."),
            rule(.deleteEdit, "The row was deleted in the store and changed by the source."),
        ])

    private static func rule(_ kind: ConflictRules.Kind, _ documentation: String) -> KeySpec {
        KeySpec(
            kind.rawValue, .choice(kind.isOfRecord ? .recordPolicy : .conflictPolicy),
            default: "the policy of `default`",
            example: "local_wins", documentation)
    }

    /// The keys of `merge`.
    package static let merge = SectionSpec(
        title: "`merge`",
        keys: [
            KeySpec(
                "on_conflict", .choice(.conflictPolicy), default: "manual", example: "remote_wins",
                "The policy for conflicts."),
            KeySpec(
                "precedence", .list(.string(.pattern(.sourceName)), minimumCount: 0), default: "[]",
                example: "[crm, billing]",
                "Streams that write the same fields of a table, or those of other pipelines as `pipeline/stream`. If they disagree, the value of the first stands. A list with `ordered: true` is one value: it is the first one's that gives it, whole."
            ),
            KeySpec(
                "keep_base", .choice(.keepBase), default: "short", example: "digest", feature: .keepBase,
                "How much is kept of what the source said last time. `short`: values up to 1 KiB. `full`: every value. `digest`: values up to 24 bytes, for the smallest store. A conflict shows a stored value, and `--take base` restores it. Of other values only a digest is stored, which shows whether a side changed. Also per entity and per field. It holds for what is written from then on."
            ),
        ])

    /// The keys of `newest`.
    package static let newest = SectionSpec(
        title: "`newest`",
        keys: [
            KeySpec(
                "field", .string(.name), isRequired: true, example: "updated_at",
                "The field that says when a record was last changed: a `datetime`, `date` or `int`. Whoever edits a row sets it too: an edit that leaves it as it was has no time, so the next policy decides, in the end a person, and the conflict says so."
            )
        ])
}

extension ChoiceSpec {
    /// How much of the base is kept.
    static let keepBase = ChoiceSpec(
        BaseKeeping.allCases.map(\.rawValue), synonyms: ["none": "digest", "hash": "digest", "long": "full"])

    /// What decides a conflict of values.
    package static let conflictPolicy = ChoiceSpec(
        ConflictPolicy.allCases.map(\.rawValue),
        synonyms: [
            "remote": "remote_wins", "source": "remote_wins", "source_wins": "remote_wins", "theirs": "remote_wins",
            "local": "local_wins", "store_wins": "local_wins", "ours": "local_wins", "newest": "newest_wins",
            "latest": "newest_wins", "ask": "manual", "error": "fail",
        ],
        features: [ConflictPolicy.newestWins.rawValue: .newest])

    /// What decides a conflict of records, of which one is deleted and so has no time.
    package static let recordPolicy = ChoiceSpec(
        ConflictPolicy.allCases.filter { $0 != .newestWins }.map(\.rawValue), synonyms: conflictPolicy.synonyms)

    /// Who may change a field.
    package static let owner = ChoiceSpec(
        FieldOwner.allCases.map(\.rawValue), synonyms: ["source": "remote", "store": "local", "both": "shared"])
}
