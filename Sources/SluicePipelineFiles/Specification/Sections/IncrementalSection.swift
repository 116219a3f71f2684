internal import SluicePipeline

extension SectionSpec {
    /// The keys of `incremental`.
    package static let incremental = SectionSpec(
        title: "`incremental`",
        documentation:
            "A run asks for what changed since the last one: by a value that grows with each change (`cursor_field`), or by a token that the source gave (`token`).",
        keys: [
            KeySpec(
                "cursor_field", .string(.name), example: "updated_at",
                "Required, unless there is a `token`. The field of the entity that grows with each change of a record: an `int`, `date` or `datetime`. The next run begins at the largest stored value that is not in the future."
            ),
            KeySpec(
                "token", .string(.valuePath), example: "nextSyncToken",
                "The path of the token on the last page: a URL, such as `deltaLink` of Microsoft Graph and `nextSyncUrl` of Contentful, or, with `token_param`, a value. It is stored with the rows. A run that begins with it reads only changes, so no missing record counts as gone: recognise deletes with `deleted_when`. Where the source has forgotten it (status 410, or `action: restart` of `on_response`) everything is read, and `--full` reads everything too. `path` and `params` ask for the first run."
            ),
            KeySpec(
                "token_param", .string(.name), example: "syncToken",
                "The query parameter that takes the token; without it the token is a URL."),
            KeySpec(
                "initial_value", .scalar, example: "2020-01-01T00:00:00Z",
                "The start of the first run, and of every run with `--full`: as the source writes it or, whatever the field's `format`, as RFC 3339. What lies before it no run asks for, so it never counts as gone."
            ),
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
                "The time span of one series of requests, from `{{ cursor.start }}` to `{{ cursor.end }}`. The series follow one another until now. A record that the source changes meanwhile lies behind the last one, so what is missing counts as gone after a further run with `--full`. At least one second."
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
                "The format of the cursor in requests; of a list, the first one. One without an offset from UTC is written by the field's `timezone`."
            ),
        ])
}
