internal import SluicePipeline

extension SectionSpec {
    /// The keys of a field that leads to other records.
    static let linkKeys = [
        KeySpec(
            "ref", .string(.pattern(.entityName)), example: "User", feature: .reference,
            "The entity of the record at `from`, which is an object or a key. The column is `<field>_<key column>`, one for each key field, with a foreign key. `type` and the keys that belong to it are those of the key field."
        ),
        KeySpec(
            "refs", .string(.pattern(.entityName)), example: "Label", feature: .references,
            "The entity of the records at `from`, such as `labels[*]`, which are objects or keys. The links are in a table of their own (see `via`). Links that people add or remove are merged with the changes of the source."
        ),
        KeySpec(
            "via", .string(.name), default: "the two names, `<table>_<field>`", example: "issue_labels",
            feature: .references,
            "The table of `refs`. Its columns are `<entity>_<key column>` of both sides; where both are of one entity, those of the other side are `<field>_<key column>`. `owner_column` and `target_column` name others."
        ),
        KeySpec(
            "owner_column", .anyOf([.string(.name), .list(.string(.name), minimumCount: 1)]),
            default: "`<entity>_<key column>`", example: "customer_id", feature: .references,
            "The column of the table of `refs` that holds the key of this entity's record, or a list of columns, one for each field of that key."
        ),
        KeySpec(
            "target_column", .anyOf([.string(.name), .list(.string(.name), minimumCount: 1)]),
            default: "`<target>_<key column>`", example: "tag_id", feature: .references,
            "The column of the table of `refs` that holds the key of the record at `from`, or a list of columns, one for each field of that key."
        ),
        KeySpec(
            "merge", .choice(ChoiceSpec(ReferenceDefinition.MergeRule.allCases.map(\.rawValue))), default: "set",
            example: "add_only", feature: .references,
            "How changes of both sides to `refs` are merged. `set`: additions and removals of both sides count. `replace`: only the links of the source count. `add_only`: links that the source adds are added, and links that it removes stay."
        ),
        KeySpec(
            "upsert", .boolean, default: "true where the source has an object", example: "false",
            feature: .reference,
            "With `true`, an object at `from` of `ref` or `refs` is a record of its entity. With `false`, only its key counts."
        ),
        KeySpec(
            "on_dangling", .choice(ChoiceSpec(ReferenceDefinition.DanglingRule.allCases.map(\.rawValue))),
            default: "defer", example: "stub", feature: .reference,
            "What happens if the target of `ref` or `refs` does not exist when the run ends, since it has not arrived or is gone: `defer`, null until it arrives; `set_null`, null for good; `stub`, a row with only its key, unless its row was deleted by hand; `fail`, the run fails."
        ),
    ]
}
