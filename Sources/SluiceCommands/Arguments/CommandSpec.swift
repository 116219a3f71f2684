/// What is known of one command: the parser, the help and the shell completions are made from it.
package struct CommandSpec: Sendable {
    /// The commands.
    package enum ID: String, CaseIterable, Sendable {
        case validate, plan, run, apply, show, record, importing, probe, initialize, doctor, status
        case conflictsList, conflictsShow, conflictsResolve, conflictsExport, conflictsImport
        case quarantineList, quarantineShow, quarantineRetry, quarantineDrop
        case edits, history, undo, inspectRecord, inspectSchema, inspectDrift
        case storeCheck, storeCopy
        case serve, workers, schedule, scheduleNext
        case generateSchema, generatePipeline, generateSwift, generateSwiftConfig, generateSystemd, generateCron,
            generateKubernetes,
            generateAirflow,
            generateManual
        case completions, help
    }

    /// What stands behind the command's words without dashes.
    package struct Operands: Sendable {
        let name: String
        let help: String
        let range: ClosedRange<Int>
        /// What each of them must look like.
        var value = OptionSpec.Value.text
    }

    /// Which command.
    package let id: ID
    /// The words that name it.
    package let path: [String]
    /// What it does, in a few words.
    package let summary: String
    /// What it does, in a paragraph.
    let description: String
    let operands: Operands?
    let options: [OptionSpec.ID]
    package let exitCodes: [ExitCode]
    /// Whole command lines.
    package let examples: [String]
    /// What an option does where it does something else than elsewhere.
    var optionHelp: [OptionSpec.ID: String] = [:]
    /// What an exit code says where it says something else than elsewhere.
    var exitHelp: [ExitCode: String] = [:]
    /// Whether pipeline files may stand behind the operands and name the store.
    var takesPipelines = false
    /// Those files, as help names them.
    var pipelineFiles = CommandSpec.storePaths

    /// What help says of an option of this command.
    func help(of option: OptionSpec) -> String {
        if let own = optionHelp[option.id] { return own }
        // Only a command that reads pipeline files can take the store from one.
        let readsPipelines = options.contains(.variable)
        return option.id == .store && !readsPipelines
            ? option.help.replacing("the pipeline's store, ", with: "") : option.help
    }

    /// What stands behind the command's words, as help names it: the operands, and the pipeline files of a store.
    var allOperands: [Operands] { [operands].compactMap { $0 } + (takesPipelines ? [pipelineFiles] : []) }

    /// Tells the operands of a command line from the pipeline files behind them.
    ///
    /// Where operands are numbers, what has a full stop or a slash is a file, and so is the usual folder. Else as many words as there can be are
    /// operands.
    func split(_ words: [String]) -> (operands: [String], pipelines: [String]) {
        guard takesPipelines else { return (words, []) }
        guard let operands else { return ([], words) }
        if operands.value == .count {
            func isPath(_ word: String) -> Bool {
                word.contains("/") || word.contains(".") || word == ParsedArguments.standardFolder
            }
            return (words.filter { !isPath($0) }, words.filter(isPath))
        }
        let count = operands.range.upperBound
        return (Array(words.prefix(count)), Array(words.dropFirst(count)))
    }

    /// The words, as a person types them.
    package var name: String { path.joined(separator: " ") }

    /// The commands whose names begin with this one's.
    var longerCommands: [CommandSpec] {
        CommandSpec.all.filter { $0.path.count > path.count && $0.path.starts(with: path) }
    }

    /// What the command knows, in the order of the help.
    package var optionSpecs: [OptionSpec] { OptionSpec.all.filter { options.contains($0.id) } }
}

/// Several commands with the same first word.
package struct CommandGroup: Sendable {
    package let name: String
    let summary: String
    let description: String

    /// The commands of the group.
    package var commands: [CommandSpec] { CommandSpec.all.filter { $0.path.count > 1 && $0.path[0] == name } }

    /// Every group.
    package static let all: [CommandGroup] = [
        CommandGroup(
            name: "inspect", summary: "show what the store knows of a record or its tables, and what drifts",
            description: """
                Shows what the store knows of a record, or of its tables, and where pipeline, source and store no \
                longer agree. Nothing is written.
                """),
        CommandGroup(
            name: "store", summary: "check a store, or copy it to another database",
            description: """
                Checks whether a store is as it must be, and copies it, for example from SQLite to PostgreSQL.
                """),
        CommandGroup(
            name: "conflicts", summary: "list and decide what both sides changed",
            description: """
                A conflict is a value that was changed here and at the source, to different values. The store keeps \
                the local value until somebody decides.
                """),
        CommandGroup(
            name: "quarantine", summary: "list and retry records that were not written",
            description: """
                A record that does not fit its pipeline, for example by the type of a value, is kept in quarantine with \
                the reason. It leaves the quarantine when the source sends it corrected, or with `retry` after the \
                pipeline is corrected.
                """),
        CommandGroup(
            name: "generate", summary: "generate pipelines from tables, models of Swift, and files for other programs",
            description: """
                Generates files: a schema for editors, a first pipeline for tables of another program, models for Swift \
                programs, what starts pipelines when their `schedule` says so, and the manual page.
                """),
    ]
}
