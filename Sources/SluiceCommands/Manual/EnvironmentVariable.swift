/// A variable of the environment that the program reads, besides those that pipelines name.
struct EnvironmentVariable {
    let name: String
    /// What it does, as a sentence without a full stop.
    let help: String

    /// Every one.
    static let all: [EnvironmentVariable] = [
        EnvironmentVariable(
            name: "SLUICE_STORE",
            help:
                "the store of a command that names none with --store and whose pipeline names none, as sqlite:FILE or postgres://USER@HOST/DATABASE"
        ),
        EnvironmentVariable(name: "NO_COLOR", help: "no colours, if it is set and not empty and --color is not given"),
        EnvironmentVariable(
            name: "TERM", help: "no progress line, and no colours unless --color is given, if it is dumb"),
        EnvironmentVariable(name: "TMPDIR", help: "the folder for temporary files (default: /tmp)"),
        EnvironmentVariable(
            name: "USER",
            help:
                "the name that is kept with decisions about conflicts, with an undo and a retry; LOGNAME where it is not set"
        ),
    ]
}
