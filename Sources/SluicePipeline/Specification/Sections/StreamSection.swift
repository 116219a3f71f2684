extension SectionSpec {
    /// The keys of a stream.
    public static let stream = SectionSpec(title: "a stream", keys: ownStreamKeys + sharedStreamKeys)

    /// The keys of `defaults`: those of a stream but for its identity.
    public static let defaults = SectionSpec(title: "`defaults`", keys: sharedStreamKeys)

    private static let ownStreamKeys = [
        KeySpec(
            "name", .string(.pattern(.streamName)), isRequired: true, example: "issues",
            "The stream's name, unique within the pipeline."),
        KeySpec(
            "entity", .string(.name), isRequired: true, example: "Issue",
            "The entity that its records are."),
    ]

    private static let sharedStreamKeys = [
        KeySpec(
            "path", .string(.requestPath), default: "the base URL itself", secrets: .accepted, example: "/issues",
            "The path below the base URL; of a `file:` source a file or glob within the folder."),
        KeySpec(
            "params", .mapping(keys: .name, values: .text(.sentText), minimumCount: 0), default: "{}",
            secrets: .accepted, example: "{state: all}",
            "Query parameters, which win over those of the source."),
        KeySpec(
            "headers", .mapping(keys: .pattern(.token), values: .text(.sentText), minimumCount: 0), default: "{}",
            secrets: .accepted, example: "{Accept: application/json}",
            "Request headers, which win over those of the source."),
        KeySpec(
            "format",
            .choice(
                ChoiceSpec(
                    StreamDefinition.Format.allCases.map(\.rawValue),
                    synonyms: ["ndjson": "jsonl", "json_lines": "jsonl"])),
            default: "json", example: "jsonl",
            "How a page is read: as one JSON value, or as one on each line."),
        KeySpec(
            "records", .string(.recordsPath), default: "`$[*]` for an array, `$` for an object",
            example: "$.items[*]",
            "The path to the records of a page."),
        KeySpec(
            "entries", .string(.name), example: "version",
            "The records are the members of an object, and each member's name becomes this key of its record."),
        KeySpec(
            "paginator", .variants(.paginator), default: "{type: none}", example: "{type: header_link}",
            "How the next page is found."),
        KeySpec(
            "delete_missing", .anyOf([.choice(.deleteMode), .section(.deleteMissing)]), default: "ignore",
            example: "{mode: hard, max_delete: 5%}",
            "What to do about records that the source no longer has."),
    ]
}
