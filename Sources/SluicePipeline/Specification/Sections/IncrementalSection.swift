extension SectionSpec {
    /// The keys of `incremental`.
    public static let incremental = SectionSpec(
        title: "`incremental`",
        documentation:
            "A run asks for what changed since the last one: by a value that grows with each change (`cursor_field`), or by a token that the source gave (`token`).",
        keys: [
            KeySpec(
                "cursor_field", .string(.name), example: "updated_at",
                "Required, unless there is a `token`. The field of the entity that grows with each change of a record: an `int`, a `date` or a `datetime`. The largest value that a run has stored is where the next run begins."
            ),
            KeySpec(
                "token", .string(.valuePath), example: "nextSyncToken",
                "The path to what the last page gives for the next run: a URL to ask, such as `deltaLink` of Microsoft Graph and `nextSyncUrl` of Contentful, or, with `token_param`, a value. It is kept with the rows. A run that begins with it reads changes alone, so it proves nothing gone: tell deletes by `deleted_when`. Where the source has forgotten it (status 410, or `action: restart` of `on_response`) everything is read, and `--full` reads everything too. `path` and `params` ask for the first run."
            ),
            KeySpec(
                "token_param", .string(.name), example: "syncToken",
                "The query parameter that takes the token; without it the token is a URL."),
            KeySpec(
                "initial_value", .scalar, example: "2020-01-01T00:00:00Z",
                "Where the first run begins, and every run with `--full`."),
            KeySpec(
                "lookback", .duration(0...3_155_760_000_000), default: "0s", example: "5m",
                "How far before the last cursor a run begins, for records that the source shows late."),
            KeySpec(
                "order", .choice(ChoiceSpec(IncrementalRule.Order.allCases.map(\.rawValue))), default: "none",
                example: "desc",
                "In which order the source gives records by their cursor. With `desc` no page is read after one that ends before the cursor; with `asc` the cursor also advances where `max_pages` or `stop_when` ended the reading."
            ),
            KeySpec(
                "step", .duration(0...3_155_760_000_000), example: "30d",
                "How much time one series of requests covers, from `{{ cursor.start }}` to `{{ cursor.end }}`; one series follows the other until now. At least a second."
            ),
            KeySpec(
                "client_side", .boolean, default: "false", example: "true",
                "Whether the source gives all records, and those older than the cursor are left out here."),
            KeySpec(
                "on_cursor_missing", .choice(ChoiceSpec(IncrementalRule.MissingRule.allCases.map(\.rawValue))),
                default: "fail", example: "include",
                "What becomes of a record without a cursor: the run fails, it is taken all the same, or it is left out."
            ),
            KeySpec(
                "format", .anyOf([.string(.dateFormat), .list(.string(.dateFormat), minimumCount: 1)]),
                default: "the field's own", example: "unix",
                "How requests write the cursor; of a list the first one counts."),
        ])
}
