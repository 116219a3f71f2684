extension SectionSpec {
    /// The keys of a stream that asks for one thing after the other.
    static let nestingKeys = [
        KeySpec(
            "parent", .section(.parentStream), example: "{stream: repos, key: id}", feature: .parentStream,
            "One request, or one series of pages, for each record of another stream, whose fields are `{{ parent.x }}` in `path`, `params`, `headers`, `body` and in a field's `value`."
        ),
        KeySpec(
            "for_each",
            .anyOf([
                .list(.text(.name), minimumCount: 1),
                .mapping(
                    keys: .pattern(.variableName), values: .list(.text(.name), minimumCount: 1), minimumCount: 1),
            ]),
            example: "[open, closed]", feature: .forEach,
            "One request, or one series of pages, for each of these texts, which is `{{ item }}` in `path`, `params`, `headers`, `body` and in a field's `value`; of several lists, such as `{region: [eu, us], kind: [a, b]}`, for each combination, with `{{ item.region }}`."
        ),
        KeySpec(
            "nested", .list(.section(.nestedList), minimumCount: 0), default: "[]",
            example: "[{path: lines, records: \"data[*]\", entity: Line}]", feature: .nested,
            "Lists within the record that are like pages, with more behind them."),
    ]

    /// The keys of `parent`.
    public static let parentStream = SectionSpec(
        title: "`parent`",
        keys: [
            KeySpec(
                "stream", .string(.pattern(.streamName)), isRequired: true, example: "repos",
                "The stream whose records are asked for."),
            KeySpec(
                "key", .anyOf([.string(.name), .list(.string(.name), minimumCount: 1)]),
                default: "the primary key of its entity", example: "id",
                "The fields of its entity that tell requests apart."),
            KeySpec(
                "only", .choice(ChoiceSpec(StreamDefinition.Parent.Selection.allCases.map(\.rawValue))),
                default: "all", example: "changed",
                "Whether to ask for all records that it read, or for those that are new or changed."),
        ])

    /// The keys of an element of `nested`.
    public static let nestedList = SectionSpec(
        title: "a list of `nested`",
        keys: [
            KeySpec(
                "path", .string(.valuePath), isRequired: true, example: "lines",
                "The path within the record to what is like a page."),
            KeySpec(
                "records", .string(.valuePath), default: "`$[*]` for an array, `$` for an object",
                example: "\"data[*]\"", "The path to the records within it."),
            KeySpec(
                "entity", .string(.name), isRequired: true, example: "Line",
                "The entity that they are."),
            KeySpec(
                "more", .section(.moreRecords),
                example: "{when: .lines.has_more, path: \"/invoices/{{ parent.id }}/lines\"}",
                "What is asked for the rest."),
        ])

    /// The keys of `more`.
    public static let moreRecords = SectionSpec(
        title: "`more`",
        keys: [
            KeySpec(
                "when", .string(.program), isRequired: true, example: ".lines.has_more",
                "A jq program over the record that is true where there is more."),
            KeySpec(
                "path", .string(.requestPath), isRequired: true, example: "\"/invoices/{{ parent.id }}/lines\"",
                "The path of the request, in which `{{ parent.x }}` is a field of the record."),
        ])
}
