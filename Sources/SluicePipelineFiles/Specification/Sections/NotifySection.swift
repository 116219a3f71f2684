internal import SluicePipeline

extension SectionSpec {
    /// The keys of an entry of `notify`.
    package static let notification = SectionSpec(
        title: "`notify`",
        keys: [
            KeySpec(
                "on",
                .anyOf([.choice(event), .list(.choice(event), minimumCount: 1)]),
                isRequired: true, example: "[failed, recovered]",
                "What to tell of: `failed`, the run or a part of it; `recovered`, it succeeded and the run before had failed, was refused or took too long; `refused`, a guard refused deletes or a rename; `conflict`, it opened conflicts; `attention`, it succeeded and `--strict` would exit 3; `late`, `sluice serve` could not start it within a minute of its time."
            ),
            KeySpec(
                "webhook", .string(.webhook), secrets: .always, example: "\"${env:SLACK_URL}\"",
                "The URL that gets the report as JSON, by POST. Messages show no more of it than scheme and host."),
            KeySpec(
                "command", .list(.text(.anything), minimumCount: 1), secrets: .accepted,
                example: "[/usr/local/bin/page-me]",
                "A program and its arguments, instead of `webhook`. No shell reads them. It gets the report as JSON on standard input. A relative path with a slash is relative to this file."
            ),
            KeySpec(
                "timeout", .duration(1...3_600_000), default: "30s", example: "10s",
                "How long it may take. A program is ended then, with all that it started."),
        ])

    private static var event: ChoiceSpec { ChoiceSpec(NotificationDefinition.Event.allCases.map(\.rawValue)) }
}
