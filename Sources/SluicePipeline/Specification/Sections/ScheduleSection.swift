extension SectionSpec {
    private static let aDay = 86_400_000

    /// The keys of `schedule`.
    package static let schedule = SectionSpec(
        title: "`schedule`",
        keys: [
            KeySpec(
                "cron", .string(.cron), example: "\"*/15 6-20 * * MON-FRI\"",
                "When the pipeline is due: minute, hour, day of month, month and day of week, with seconds before them if needed, or a name such as `@daily`. [Schedules](schedule.md) has the rules."
            ),
            KeySpec(
                "every", .duration(1_000...400 * aDay), example: "15m",
                "The time from one start to the next one, instead of `cron`."),
            KeySpec(
                "timezone", .string(.timeZone), default: "UTC", example: "Europe/Berlin",
                "The time zone of `cron`, by its IANA name."),
            KeySpec(
                "jitter", .duration(0...aDay), default: "0s", example: "30s",
                "Starts are spread over this time, so that not all pipelines start at once. The delay is always the same for the same due time."
            ),
            KeySpec(
                "after", .list(.string(.pattern(.pipelineName)), minimumCount: 0), default: "[]",
                example: "[customers]",
                "Pipelines that go first: each must have succeeded for its own last due time up to then."),
        ])
}
