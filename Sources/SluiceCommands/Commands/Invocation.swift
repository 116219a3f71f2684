internal import SluiceStore
internal import SluiceStores
internal import SluiceSystem

/// One command with all it needs.
struct Invocation {
    let arguments: ParsedArguments
    let context: CommandContext

    var log: Log { Log(level: arguments.logLevel, format: arguments.logFormat, sink: context.errors) }

    /// What opens a store for the command: a signal ends its waits for a server.
    func backend(_ store: StoreAddress) -> any StoreBackend {
        store.backend.stoppable(by: context.cancellation)
    }

    /// Who gives the command, as the environment names them.
    var user: String? {
        ["USER", "LOGNAME"].lazy.compactMap { context.environment[$0] }.first { !$0.isEmpty }
    }

    /// Refuses to replace what the command reads or writes for another option, and folders that cannot be made, before anything is asked.
    ///
    /// - Parameter files: What its pipelines read besides what the arguments name.
    /// - Throws: ``Failure`` for the first output that is none.
    func checkOutputs(against files: @autoclosure () -> [String] = []) throws {
        for path in texts(OptionSpec.foldersWritten) { try OutputGuard.checkFolder(path) }
        let written = texts(OptionSpec.filesWritten).filter { $0 != "-" }
        if written.isEmpty { return }
        try OutputGuard.checkDistinct(written)
        let read =
            arguments.operands + arguments.paths + arguments.storePaths + texts(OptionSpec.filesRead) + files()
        let folders = texts(OptionSpec.foldersRead)
        for path in written { try OutputGuard.check(path, against: read, within: folders) }
    }

    private func texts(_ options: [OptionSpec.ID]) -> [String] { options.flatMap { arguments.texts($0) } }

    /// Opens the output of the command's result.
    ///
    /// - Parameter isSheet: Whether it is CSV whatever the options say: on a terminal, CSV must not act on it.
    /// - Returns: Standard output, or what `--output` names.
    /// - Throws: `Failure` where that is a file that no result replaces; `SystemError` where it cannot be made.
    func openOutput(asSheet isSheet: Bool = false) throws -> ResultOutput {
        let output = try ResultOutput(path: arguments.text(.output), context: context)
        if isSheet || [arguments.text(.listFormat), arguments.text(.reportFormat)].contains("csv") {
            output.escapeWhereWatched()
        }
        return output
    }

    /// Whether a command's result is written: `--quiet` leaves out text on a standard stream, and nothing of what is
    /// asked for in another form or into a file.
    func writesResult(to output: ResultOutput) -> Bool {
        !arguments.isQuiet || !arguments.isText || !output.isStandardStream
    }

    /// Ends the result of a command whose work is in the store already: where the result is lost, the work stands and
    /// the command has failed.
    ///
    /// - Parameters:
    ///   - output: Is to have outlived the work, see ``ResultOutput/outlive()``.
    ///   - code: What the work came to.
    ///   - remedy: Where to look instead.
    /// - Returns: What the command came to.
    /// - Throws: `SystemError`, if the output was not told to outlive the work.
    func finish(_ output: ResultOutput, _ code: ExitCode, orTell remedy: String) throws -> ExitCode {
        try output.finish()
        guard let loss = output.loss else { return code }
        log.report(.resultLost, "The changes are in the store, but the program \(loss). \(remedy)")
        return ExitCode.first(of: [code, .failed])
    }

    /// The document that reports are written in.
    ///
    /// - Throws: ``Failure`` where only a summary is asked of a form that has none.
    func document(for output: ResultOutput) throws -> any ReportDocument {
        let format = arguments.reportFormat
        let isSummary = try listsNoRecord()
        let mostBytes = try mostBytes()
        let document = format.document(
            ReportSetting(
                style: style(for: output),
                // What is not written need not be put into words.
                limit: isSummary || !writesResult(to: output) ? 0 : arguments.changeLimit, mostBytes: mostBytes))
        return isSummary ? SummaryDocument(document) : document
    }

    /// The most bytes of a document in Markdown.
    ///
    /// - Throws: ``Failure`` where the form has no such limit.
    private func mostBytes() throws -> Int {
        guard let text = arguments.text(.mostBytes) else { return MarkdownBudget.standard }
        let format = arguments.reportFormat
        if format != .markdown {
            throw Failure(
                .usage,
                "`--max-bytes` does not go with `--format \(format.rawValue)`. Leave it out, or choose `--format markdown`."
            )
        }
        return OptionSpec.count(text) ?? MarkdownBudget.standard
    }

    /// Whether only a summary is asked for.
    ///
    /// - Throws: ``Failure`` where the form has none.
    func listsNoRecord() throws -> Bool {
        guard arguments.has(.summaryOnly) else { return false }
        let format = arguments.reportFormat
        if format.hasSummary { return true }
        throw Failure(
            .usage,
            "`--summary-only` does not go with `--format \(format.rawValue)`, which lists records. Leave it out, or choose one of: \(ReportFormat.summaryHelp)."
        )
    }

    /// Where the page for a browser goes that is written besides the report, nil where none is asked for.
    ///
    /// - Throws: ``Failure`` or `SystemError` where the file cannot be made.
    func openPage() throws -> ResultOutput? {
        guard let path = arguments.text(.page) else { return nil }
        return try ResultOutput(path: path, context: context)
    }

    /// The page for a browser that is written besides a report, with its records also where that is a summary.
    func page() -> any ReportDocument {
        let limit = arguments.text(.changes) == nil ? ReportFormat.html.changeLimit : arguments.changeLimit
        return ReportFormat.html.document(
            ReportSetting(style: TextStyle(isColored: false, columns: nil), limit: limit))
    }

    /// Whether messages go to a terminal on which a line can be written over.
    var canRedraw: Bool { context.errors.isTerminal && !isDumb }
    /// Whether the terminal knows no sequences that move or paint.
    private var isDumb: Bool { context.environment["TERM"] == "dumb" }

    /// How text looks on an output.
    func style(for output: ResultOutput) -> TextStyle {
        switch arguments.text(.color) {
        case "always": return TextStyle(isColored: true, columns: output.columns)
        case "never": return TextStyle(isColored: false, columns: output.columns)
        default:
            let isUnwanted = !(context.environment["NO_COLOR"] ?? "").isEmpty || isDumb
            return TextStyle(isColored: output.isTerminal && !isUnwanted, columns: output.columns)
        }
    }

    /// Does the command.
    ///
    /// - Throws: ``Failure`` or an error that it stands for.
    func perform() throws -> ExitCode {
        try checkOutputs()
        return try carryOut()
    }

    private func carryOut() throws -> ExitCode {
        switch arguments.command.id {
        case .validate: try ValidateCommand(invocation: self).run()
        case .record: try RecordCommand(invocation: self).run()
        case .plan, .run: try SyncCommand(invocation: self).run()
        case .apply: try ApplyCommand(invocation: self).run()
        case .show: try ShowCommand(invocation: self).run()
        case .importing: try ImportCommand(invocation: self).run()
        case .probe: try ProbeCommand(invocation: self).run()
        case .initialize: try InitCommand(invocation: self).run()
        case .doctor: try DoctorCommand(invocation: self).run()
        case .status: try StatusCommand(invocation: self).run()
        case .edits: try EditsCommand(invocation: self).run()
        case .history: try HistoryCommand(invocation: self).run()
        case .undo: try UndoCommand(invocation: self).run()
        case .inspectRecord: try InspectRecordCommand(invocation: self).run()
        case .inspectSchema: try InspectSchemaCommand(invocation: self).run()
        case .inspectDrift: try InspectDriftCommand(invocation: self).run()
        case .storeCheck: try StoreCheckCommand(invocation: self).run()
        case .storeCopy: try StoreCopyCommand(invocation: self).run()
        case .conflictsList: try ConflictsListCommand(invocation: self).run()
        case .conflictsShow: try ConflictsShowCommand(invocation: self).run()
        case .conflictsResolve: try ConflictsResolveCommand(invocation: self).run()
        case .conflictsExport: try ConflictsExportCommand(invocation: self).run()
        case .conflictsImport: try ConflictsImportCommand(invocation: self).run()
        case .quarantineList: try QuarantineListCommand(invocation: self).run()
        case .quarantineShow: try QuarantineShowCommand(invocation: self).run()
        case .quarantineRetry: try QuarantineRetryCommand(invocation: self).run()
        case .quarantineDrop: try QuarantineDropCommand(invocation: self).run()
        case .serve: try ServeCommand(invocation: self).run()
        case .workers: try WorkersCommand(invocation: self).run()
        case .schedule: try ScheduleCommand(invocation: self).run()
        case .scheduleNext: try ScheduleNextCommand(invocation: self).run()
        case .generateSchema: try GenerateSchemaCommand(invocation: self).run()
        case .generatePipeline: try GeneratePipelineCommand(invocation: self).run()
        case .generateSwift: try GenerateSwiftCommand(invocation: self).run()
        case .generateSwiftConfig: try GenerateSwiftConfigCommand(invocation: self).run()
        case .generateSystemd: try GenerateTimersCommand(invocation: self).systemd()
        case .generateCron: try GenerateTimersCommand(invocation: self).cron()
        case .generateKubernetes: try GenerateTimersCommand(invocation: self).kubernetes()
        case .generateAirflow: try GenerateTimersCommand(invocation: self).airflow()
        case .generateManual: try GenerateManualCommand(invocation: self).run()
        case .completions: try CompletionsCommand(invocation: self).run()
        // The parser turns it into a request for help.
        case .help: .done
        }
    }
}
