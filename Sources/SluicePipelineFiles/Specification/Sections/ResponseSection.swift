internal import SluicePipeline

extension SectionSpec {
    private static let aDay = 86_400_000

    /// The keys of `rate_limit`.
    package static let rateLimit = SectionSpec(
        title: "`rate_limit`",
        documentation: "All pipelines of one process that use the same host share this limit.",
        keys: [
            KeySpec(
                "limit", .integer(1...10_000), example: "10",
                "The most requests within `interval`. Without it, only the server's own limit applies."),
            KeySpec(
                "concurrency", .integer(1...32), default: "2", example: "4",
                "The most requests at a time. Pages are requested ahead if `page_number` or `offset` knows their number. Their order stays the same."
            ),
            KeySpec("interval", .duration(1...aDay), default: "1s", example: "1m", "The interval of `limit`."),
            KeySpec(
                "remaining_header", .string(.pattern(.token)), example: "X-RateLimit-Remaining",
                "The header with the number of requests that are left."),
            KeySpec(
                "reset_header", .string(.pattern(.token)), example: "X-RateLimit-Reset",
                "The header with the time at which there are more again. `remaining_header` needs it."),
            KeySpec(
                "reset_unit", .choice(ChoiceSpec(SourceDefinition.RateLimit.ResetUnit.allCases.map(\.rawValue))),
                default: "seconds", example: "epoch",
                "The unit of `reset_header`: seconds from now, or since 1970 (`epoch`). A number that can only be in the other unit is read in that."
            ),
            KeySpec(
                "reserve", .integer(0...1_000_000), default: "0", example: "10",
                "If no more requests than this are left, the next one waits until there are more, for at most `retry.max_wait`."
            ),
        ])

    /// The keys of a rule of `on_response`.
    package static let responseRule = SectionSpec(
        title: "a rule of `on_response`",
        keys: [
            KeySpec(
                "status", .anyOf([.status, .list(.status, minimumCount: 1)]), example: "[429, 5xx]",
                "The statuses that the rule matches; without it, all of them."),
            KeySpec(
                "when", .string(.program), example: "'.body.error == \"busy\"'",
                "A jq program over `{status, headers, body}`. The rule matches if it is true, and does not if the program fails. A body that is not JSON is text. Of an error response, only the first MiB is read."
            ),
            KeySpec(
                "action", .choice(ChoiceSpec(SourceDefinition.ResponseRule.Action.allCases.map(\.rawValue))),
                isRequired: true, example: "retry",
                "The action: `retry` sends the request again as `source.retry` says; `fail` ends the run; `ignore` treats the response as a page without records; `empty` too, and the page counts as read, for a source that answers so where it has nothing; `stop` reads no further page; `refresh_auth` logs in again, once; `restart` drops the token of `incremental` and reads everything. After `ignore` and `stop`, no record counts as gone. Without a rule, 202 is sent again, and so are 429 and 5xx; 204 on the first page is a page without records after which none counts as gone."
            ),
            KeySpec("message", .string(.name), example: "The export is not ready.", "The message of the failure."),
        ])
}
