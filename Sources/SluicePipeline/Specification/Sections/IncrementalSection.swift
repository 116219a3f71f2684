extension SectionSpec {
    /// The keys of `incremental`.
    public static let incremental = SectionSpec(
        title: "`incremental`",
        keys: [
            KeySpec(
                "cursor_field", .string(.name), isRequired: true, example: "updated_at",
                "The field of the entity that grows with each change of a record: an `int`, `date` or `datetime`. The next run begins at the largest stored value."
            ),
            KeySpec(
                "initial_value", .scalar, example: "2020-01-01T00:00:00Z",
                "The start of the first run, and of every run with `--full`."),
            KeySpec(
                "lookback", .duration(0...3_155_760_000_000), default: "0s", example: "5m",
                "How far before the last cursor a run begins, to catch records that the source shows late."),
            KeySpec(
                "order", .choice(ChoiceSpec(IncrementalRule.Order.allCases.map(\.rawValue))), default: "none",
                example: "desc",
                "The order of the source's records, by their cursor. With `desc`, reading stops after a page that ends before the cursor. With `asc`, the cursor also advances if `max_pages` or `stop_when` ended the reading."
            ),
            KeySpec(
                "step", .duration(0...3_155_760_000_000), example: "30d",
                "The time span of one series of requests, from `{{ cursor.start }}` to `{{ cursor.end }}`. The series follow one another until now. At least one second."
            ),
            KeySpec(
                "client_side", .boolean, default: "false", example: "true",
                "With `true`, the source always sends all records, and those older than the cursor are left out."),
            KeySpec(
                "on_cursor_missing", .choice(ChoiceSpec(IncrementalRule.MissingRule.allCases.map(\.rawValue))),
                default: "fail", example: "include",
                "What happens to a record without a cursor: the run fails, the record is taken, or it is left out."
            ),
            KeySpec(
                "format", .anyOf([.string(.dateFormat), .list(.string(.dateFormat), minimumCount: 1)]),
                default: "the field's own", example: "unix",
                "The format of the cursor in requests; of a list, the first one."),
        ])
}
