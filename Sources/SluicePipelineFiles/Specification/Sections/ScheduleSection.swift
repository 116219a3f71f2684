internal import SluiceSchedule

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
            KeySpec(
                "timeout", .duration(1_000...400 * aDay), example: "30m",
                "For `sluice serve`: how long a run may take. It is asked to stop then, and ended 30 seconds later; what it has not committed is not in the store."
            ),
            KeySpec(
                "overlap", .choice(ChoiceSpec(ScheduledPipeline.Overlap.allCases.map(\.rawValue))), default: "skip",
                example: "queue",
                "For `sluice serve`: what becomes of a due time while the run before it is still going. `skip` leaves it out, `queue` lets one wait."
            ),
            KeySpec(
                "missed", .choice(ChoiceSpec(ScheduledPipeline.Missed.allCases.map(\.rawValue))), default: "once",
                example: "none",
                "For `sluice serve`: what becomes of due times that passed while it did not run or the machine slept. `once` runs the last of them, `none` runs none."
            ),
            KeySpec(
                "retry", .section(.scheduleRetry), default: "{max_attempts: 1, base: 1m}",
                example: "{max_attempts: 3, base: 1m}",
                "For `sluice serve`: how often a whole run is tried that failed for a reason which may pass: a source that could not be read, a pipeline or store that was in use, a run that was stopped or took too long."
            ),
        ])

    /// The keys of `schedule.retry`.
    package static let scheduleRetry = SectionSpec(
        title: "`schedule.retry`",
        keys: [
            KeySpec(
                "max_attempts", .integer(1...100), default: "1", example: "3",
                "The most runs for one due time; 1 means no retry."),
            KeySpec(
                "base", .duration(0...aDay), default: "1m", example: "30s",
                "The time from the end of the first run to the start of the second one. It doubles each time, up to a day."
            ),
        ])
}
