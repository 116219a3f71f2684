internal import SluicePipeline

extension SectionSpec {
    /// The keys of a list of `children`.
    package static let child = SectionSpec(
        title: "a list of `children`",
        documentation:
            "The child's table begins with the parent's key, in columns `<parent entity>_<key column>` or those of `column`, which with `key` or `position` are its primary key.",
        keys: [
            KeySpec(
                "entity", .string(.name), isRequired: true, example: "Line",
                "The entity of the elements. It is the child of no other entity, has no stream and needs no `primary_key`."
            ),
            KeySpec(
                "from", .string(.valuePath), default: "the elements of the array of this name",
                example: "\"lines.data[*]\"",
                "The path to the elements within the record; with `entries`, to the object whose members they are."),
            KeySpec(
                "entries", .string(.name), example: "lang",
                "If the elements are the members of an object: the key that takes the member's name."),
            KeySpec(
                "key", .anyOf([.string(.name), .list(.string(.name), minimumCount: 1)]),
                default: "the field of `entries`, or the child's `primary_key`", example: "[id]",
                "The fields that identify a child within its parent."),
            KeySpec(
                "ordered", .boolean, default: "false", example: "true",
                "With `true`, an element is identified by its position, in the column `position`, from 0. The list is one value then: if both sides changed it, that is one conflict, and the list stays as it is until somebody decides. What an element leaves out is its `default`, or null, or an empty list."
            ),
            KeySpec(
                "column", .anyOf([.string(.name), .list(.string(.name), minimumCount: 1)]),
                default: "`<parent entity>_<key column>`", example: "order_id",
                "The column that holds the parent's key, or a list of columns, one for each field of that key: tables of other programs have names of their own."
            ),
            KeySpec(
                "on_parent_delete",
                .choice(ChoiceSpec(ChildDefinition.ParentDeleteRule.allCases.map(\.rawValue))), default: "cascade",
                example: "keep",
                "What happens to the rows whose parent is deleted."),
        ])
}
