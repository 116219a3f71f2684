extension SectionSpec {
    /// The keys of an entity.
    public static let entity = SectionSpec(
        title: "an entity",
        keys: [
            KeySpec(
                "table", .string(.name), default: "the entity's name in snake_case", example: "issues",
                "The table that holds the records."),
            KeySpec(
                "primary_key", .anyOf([.string(.name), .list(.string(.name), minimumCount: 1)]), isRequired: true,
                example: "[id]",
                "The field or fields that identify a record."),
            KeySpec(
                "unique",
                .anyOf([
                    .list(.list(.string(.name), minimumCount: 1), minimumCount: 0),
                    .list(.string(.name), minimumCount: 1),
                ]),
                default: "[]", example: "[[repo, number]]",
                "Groups of fields whose values together are unique; a flat list is one group."),
            KeySpec(
                "fields",
                .mapping(
                    keys: .name, values: .anyOf([.choice(.fieldType), .section(.field)]), minimumCount: 1),
                isRequired: true, example: "{id: int, title: {from: title, required: true}}",
                "The fields, each with its type or with its own keys."),
        ])
}
