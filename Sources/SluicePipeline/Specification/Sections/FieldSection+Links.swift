extension SectionSpec {
    /// The keys of a field that leads to other records.
    static let linkKeys = [
        KeySpec(
            "ref", .string(.pattern(.entityName)), example: "User", feature: .reference,
            "The entity of the record that stands at `from`, as an object or by its key. The column is `<field>_<key column>`, one for each of several, with a foreign key. `type` and all that goes with it is that of the key."
        ),
        KeySpec(
            "refs", .string(.pattern(.entityName)), example: "Label", feature: .references,
            "The entity of the records that stand at `from`, such as `labels[*]`, as objects or by their keys. They have a table of their own, see `via`; what people add to it and take out of it is merged with what the source does."
        ),
        KeySpec(
            "via", .string(.name), default: "the two names, `<table>_<field>`", example: "issue_labels",
            feature: .references,
            "The table of `refs`. Its columns are `<entity>_<key column>` of both sides; where both are of one entity, those of the other side are `<field>_<key column>`."
        ),
        KeySpec(
            "merge", .choice(ChoiceSpec(ReferenceDefinition.MergeRule.allCases.map(\.rawValue))), default: "set",
            example: "add_only", feature: .references,
            "How changes of both sides of `refs` come together: `set`, what either side added is there and what either side removed is not; `replace`, those of the source and no others; `add_only`, what the source adds is added, and what it removes stays."
        ),
        KeySpec(
            "upsert", .boolean, default: "true where the source has an object", example: "false",
            feature: .reference,
            "Whether an object at `from` of `ref` or `refs` is a record of its entity too, or gives its key alone."),
        KeySpec(
            "on_dangling", .choice(ChoiceSpec(ReferenceDefinition.DanglingRule.allCases.map(\.rawValue))),
            default: "defer", example: "stub", feature: .reference,
            "What happens where `ref` or `refs` leads to a record that is not there when the run ends: `defer`, null until it arrives; `set_null`, null for good; `stub`, a row with its key alone, unless its row was deleted; `fail`, the run fails."
        ),
    ]
}
