internal import SluicePipeline

extension SectionSpec {
    /// The keys of a stream that asks for one thing after the other.
    static let nestingKeys = [
        KeySpec(
            "parent", .section(.parentStream), example: "{stream: repos, key: id}", feature: .parentStream,
            "One request, or one series of pages, for each record of another stream. Its fields are `{{ parent.x }}` in `path`, `params`, `headers`, `body` and the `value` of a field."
        ),
        KeySpec(
            "for_each",
            .anyOf([
                .list(.text(.name), minimumCount: 1),
                .mapping(
                    keys: .pattern(.variableName), values: .list(.text(.name), minimumCount: 1), minimumCount: 1),
            ]),
            example: "[open, closed]", feature: .forEach,
            "One request, or one series of pages, for each of these texts. The text is `{{ item }}` in `path`, `params`, `headers`, `body` and the `value` of a field. Several lists, such as `{region: [eu, us], kind: [a, b]}`, give one request for each combination, with `{{ item.region }}`."
        ),
        KeySpec(
            "spread", .boolean, default: "false", example: "true",
            "Whether the services that share a PostgreSQL store read the requests of `parent` or `for_each` together: each makes requests that no other one makes, and the run merges what all of them found. Each service keeps to `rate_limit` for itself. A run by hand, and one on SQLite, makes all requests alone."
        ),
        KeySpec(
            "nested", .list(.section(.nestedList), minimumCount: 0), default: "[]",
            example: "[{path: lines, records: \"data[*]\", entity: Line}]", feature: .nested,
            "Lists within the record that may go on beyond the record, like pages. Their elements are children of the record."
        ),
    ]

    /// The keys of `parent`.
    package static let parentStream = SectionSpec(
        title: "`parent`",
        keys: [
            KeySpec(
                "stream", .string(.pattern(.streamName)), isRequired: true, example: "repos",
                "The stream with the parent records."),
            KeySpec(
                "key", .anyOf([.string(.name), .list(.string(.name), minimumCount: 1)]),
                default: "the primary key of its entity", example: "id",
                "The fields of its entity that tell requests apart."),
            KeySpec(
                "only", .choice(ChoiceSpec(StreamDefinition.Parent.Selection.allCases.map(\.rawValue))),
                default: "all", example: "changed",
                "Which parent records to make requests for: all that were read, or only those that are new or changed."),
        ])
}
