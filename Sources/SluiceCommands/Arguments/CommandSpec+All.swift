extension CommandSpec {
    static let paths = Operands(
        name: "PATH…", help: "pipeline files, or folders of pipeline files (default: the folder pipelines)",
        range: 0...Int.max,
        value: .file)
    static let storePaths = Operands(
        name: "PATH…",
        help:
            "pipeline files, or folders of them: reads their store, and shows only what is theirs (default: $SLUICE_STORE, else the folder pipelines, else sluice.db)",
        range: 0...Int.max,
        value: .file)
    static let view: [OptionSpec.ID] = [.format, .output, .color, .logLevel, .logFormat, .help]
    /// As `view`, of what a run does.
    static let reportView = [.changes, .summaryOnly] + view.map { $0 == .format ? .reportFormat : $0 }
    /// What it means that a command was stopped which only tells.
    static let stoppedReading: [ExitCode: String] = [
        .interrupted: "stopped by Ctrl-C", .terminated: "stopped by SIGTERM",
    ]
    /// How a command ends that only tells what a store has.
    static let looking: [ExitCode] = [.done, .failed, .locked, .usage, .invalidPipeline, .interrupted, .terminated]
    /// What says which store a command means.
    static let place: [OptionSpec.ID] = [.store] + values
    /// What gives values to pipeline files.
    static let values: [OptionSpec.ID] = [.variable, .environmentFile]
    static let sync: [OptionSpec.ID] =
        [
            .store, .variable, .environmentFile, .stream, .full, .checkReferences, .from, .to, .replay,
            .allowDeletes, .allowSchema, .strict, .wait, .page, .quiet, .noProgress,
        ] + reportView

    /// Every command, in the order of the help.
    package static let all: [CommandSpec] = sources + stores + decisions + others
}
