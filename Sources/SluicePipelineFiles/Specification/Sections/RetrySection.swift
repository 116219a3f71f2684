extension SectionSpec {
    private static let aDay = 86_400_000

    /// The keys of `retry`.
    package static let retry = SectionSpec(
        title: "`retry`",
        keys: [
            KeySpec(
                "max_attempts", .integer(1...100), default: "5", example: "8",
                "The most attempts for one request; 1 means no retry."),
            KeySpec(
                "backoff", .choice(ChoiceSpec(["exponential"])), default: "exponential", example: "exponential",
                "How the delay grows. It doubles after each attempt, with random jitter."),
            KeySpec("base", .duration(0...aDay), default: "1s", example: "500ms", "The first delay."),
            KeySpec("max_delay", .duration(0...aDay), default: "5m", example: "1m", "The longest single delay."),
            KeySpec(
                "max_wait", .duration(0...aDay), default: "15m", example: "30m",
                "The longest total time that one request may wait."),
        ])
}
