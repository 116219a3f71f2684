extension SectionSpec {
    /// The keys of a list of `children`.
    public static let child = SectionSpec(
        title: "a list of `children`",
        documentation:
            "The child's table begins with the parent's key, in columns `<parent entity>_<key column>`, which with `key` or `position` are its primary key.",
        keys: [
            KeySpec(
                "entity", .string(.name), isRequired: true, example: "Line",
                "The entity that the elements are; it is the child of no other, has no stream and needs no `primary_key`."
            ),
            KeySpec(
                "from", .string(.valuePath), default: "the elements of the array of this name",
                example: "\"lines.data[*]\"",
                "The path to the elements within the record; with `entries`, to the object whose members they are."),
            KeySpec(
                "entries", .string(.name), example: "lang",
                "The elements are the members of an object, and each member's name becomes this key of its element."),
            KeySpec(
                "key", .anyOf([.string(.name), .list(.string(.name), minimumCount: 1)]),
                default: "the field of `entries`, or the child's `primary_key`", example: "[id]",
                "The child's fields that tell it from others of its parent."),
            KeySpec(
                "ordered", .boolean, default: "false", example: "true",
                "Whether an element is told by its position, in the column `position`, from 0. The list is one value then: changed on both sides, it stays as it is until somebody decides."
            ),
            KeySpec(
                "on_parent_delete",
                .choice(ChoiceSpec(ChildDefinition.ParentDeleteRule.allCases.map(\.rawValue))), default: "cascade",
                example: "keep",
                "What becomes of the rows whose parent is deleted."),
        ])
}
