extension SectionSpec {
    private static let aDay = 86_400_000

    /// The keys of `retry`.
    public static let retry = SectionSpec(
        title: "`retry`",
        keys: [
            KeySpec(
                "max_attempts", .integer(1...100), default: "5", example: "8",
                "How often a request is tried in all; 1 means never again."),
            KeySpec(
                "backoff", .choice(ChoiceSpec(["exponential"])), default: "exponential", example: "exponential",
                "How the delay grows: it doubles after each try, with some chance in it."),
            KeySpec("base", .duration(0...aDay), default: "1s", example: "500ms", "The first delay."),
            KeySpec("max_delay", .duration(0...aDay), default: "5m", example: "1m", "The longest single delay."),
            KeySpec(
                "max_wait", .duration(0...aDay), default: "15m", example: "30m",
                "The longest time that one request may spend waiting in all."),
        ])
}
