extension SectionSpec {
    private static let aDay = 86_400_000

    /// The keys of `rate_limit`.
    public static let rateLimit = SectionSpec(
        title: "`rate_limit`",
        documentation: "All pipelines of one process that ask the same host share it.",
        keys: [
            KeySpec(
                "limit", .integer(1...10_000), example: "10",
                "The most requests within `interval`; without it there is no limit but the server's own."),
            KeySpec(
                "concurrency", .integer(1...32), default: "2", example: "4",
                "How many requests may be under way at a time. Pages are asked for ahead where `page_number` or `offset` knows how many there are; their order stays what it is."
            ),
            KeySpec("interval", .duration(1...aDay), default: "1s", example: "1m", "The interval of `limit`."),
            KeySpec(
                "remaining_header", .string(.pattern(.token)), example: "X-RateLimit-Remaining",
                "The header that says how many requests are left."),
            KeySpec(
                "reset_header", .string(.pattern(.token)), example: "X-RateLimit-Reset",
                "The header that says when there are more again; `remaining_header` needs it."),
            KeySpec(
                "reset_unit", .choice(ChoiceSpec(SourceDefinition.RateLimit.ResetUnit.allCases.map(\.rawValue))),
                default: "seconds", example: "epoch",
                "What its number counts: seconds from now, or since 1970; a number that can only be the other one is taken for that."
            ),
            KeySpec(
                "reserve", .integer(0...1_000_000), default: "0", example: "10",
                "Where so few requests are left, the next one waits until there are more, within `retry.max_wait`."),
        ])

    /// The keys of a rule of `on_response`.
    public static let responseRule = SectionSpec(
        title: "a rule of `on_response`",
        keys: [
            KeySpec(
                "status", .anyOf([.status, .list(.status, minimumCount: 1)]), example: "[429, 5xx]",
                "The statuses that it is about; without it, all of them."),
            KeySpec(
                "when", .string(.program), example: "'.body.error == \"busy\"'",
                "A jq program over `{status, headers, body}` that must be true; where it fails it is not. The body is text where it is no JSON, and only the first MiB of a refusal is looked at."
            ),
            KeySpec(
                "action", .choice(ChoiceSpec(SourceDefinition.ResponseRule.Action.allCases.map(\.rawValue))),
                isRequired: true, example: "retry",
                "What is done: `retry` sends the request again as `source.retry` says; `fail` ends the run; `ignore` takes the response for a page without records; `stop` reads no further page; `refresh_auth` logs in again, once; `restart` says that the token of `incremental` holds no longer, so that everything is read. After `ignore` and `stop` nothing counts as deleted."
            ),
            KeySpec("message", .string(.name), example: "The export is not ready.", "What a failure says."),
        ])
}
