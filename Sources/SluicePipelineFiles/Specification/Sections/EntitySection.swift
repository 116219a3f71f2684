internal import SluicePipeline

extension SectionSpec {
    /// The keys of an entity.
    package static let entity = SectionSpec(
        title: "an entity",
        keys: [
            KeySpec(
                "table", .string(.name), default: "the entity's name in snake_case", example: "issues",
                "The table that holds the records."),
            KeySpec(
                "renamed_from", .string(.pattern(.entityName)), example: "Ticket",
                "The former name of the entity. What the store keeps of its records is kept under the new name. A table that is named after the entity is renamed."
            ),
            KeySpec(
                "table_renamed_from", .string(.name), example: "tickets",
                "The name that the table had before: the next run renames it, with the rows and all that people changed, or goes on with the table that somebody renamed already."
            ),
            KeySpec(
                "primary_key", .anyOf([.string(.name), .list(.string(.name), minimumCount: 1)]),
                default: "none: it must be there", example: "[id]", retiredBy: .contentKey,
                "The field or fields that identify a record."),
            KeySpec(
                "primary_key", .anyOf([.string(.name), .list(.string(.name), minimumCount: 1)]),
                default: "none: required, except for the entity of a list of `children`", example: "[id]",
                feature: .contentKey,
                "The field or fields that identify a record. If the source has none, `content` makes one: a hash of the values of all fields, in the column `_key`. A record that changes at the source is then a new record, and the old one is gone (see `delete_missing`). Equal records are one record. An absent value counts as null."
            ),
            KeySpec(
                "unique",
                .anyOf([
                    .list(.list(.string(.name), minimumCount: 1), minimumCount: 0),
                    .list(.string(.name), minimumCount: 1),
                ]),
                default: "[]", example: "[[repo, number]]",
                "Groups of fields whose values are unique together. A flat list is one group."),
            KeySpec(
                "fields",
                .mapping(
                    keys: .name,
                    values: .anyOf([.choice(.fieldType.short(for: "from", .valuePath)), .section(.field)]),
                    minimumCount: 1),
                isRequired: true, example: "{id: int, title: {from: title, required: true}}",
                "The fields, each with its type or with its own keys."),
            KeySpec(
                "children", .mapping(keys: .name, values: .section(.child), minimumCount: 0), default: "{}",
                example: "{lines: {entity: Line, from: \"lines.data[*]\", key: [id]}}", feature: .children,
                "Lists within the record whose elements are records of other entities, each in a table of its own that refers to this one."
            ),
            KeySpec(
                "owner", .choice(.owner), default: "shared", example: "remote", feature: .entityOwner,
                "Who may change its fields, unless a field sets its own `owner`: both sides, only the source, or only people."
            ),
            KeySpec(
                "on_conflict", .anyOf([.choice(.conflictPolicy), .section(.conflictRules)]),
                default: "the pipeline's policy", example: "{default: manual, edit_delete: local_wins}",
                feature: .entityPolicy,
                "The policy for conflicts, for all kinds or for each kind."),
            KeySpec(
                "newest", .section(.newest), example: "{field: updated_at}", feature: .newest,
                "The field that tells which side changed last. The policy `newest_wins` needs it."),
            KeySpec(
                "keep_base", .choice(.keepBase), default: "what `merge` says", example: "digest", feature: .keepBase,
                "How much is kept of what the source said last time, see `keep_base` of `merge`."),
            KeySpec(
                "history",
                .choice(
                    ChoiceSpec(
                        EntityDefinition.History.allCases.map(\.rawValue),
                        synonyms: ["audit": "changes", "off": "none", "full": "changes"])),
                default: "none", example: "changes", feature: .history,
                "With `changes`, the history also keeps the values of new records. The changes of updates and deletes are always kept."
            ),
        ])

    /// The keys of the file's `history`.
    package static let history = SectionSpec(
        title: "`history`",
        keys: [
            KeySpec(
                "keep", .duration(0...3_153_600_000_000), default: "90d", example: "365d",
                "How long the changes of a run are kept. After that, the run can no longer be undone.")
        ])
}
