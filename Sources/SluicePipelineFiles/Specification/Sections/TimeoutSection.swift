extension SectionSpec {
    private static let aDay = 86_400_000

    /// The keys of `timeout`.
    package static let timeout = SectionSpec(
        title: "`timeout`",
        keys: [
            KeySpec(
                "connect", .duration(1...aDay), default: "10s", example: "5s",
                "The longest time to connect."),
            KeySpec("idle", .duration(1...aDay), default: "30s", example: "1m", "The longest time without a byte."),
            KeySpec("total", .duration(1...aDay), default: "5m", example: "10m", "The longest time for one response."),
            KeySpec(
                "run", .duration(1...30 * aDay), default: "no limit", example: "2h",
                "The longest time for a whole run, with all its requests, waits and writes. A run that takes longer fails; with `commit: page` the next run continues after the pages that were written."
            ),
        ])
}
