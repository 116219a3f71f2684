internal import SluiceDiagnostics
internal import SluicePipeline
internal import SluiceSchedule
internal import SluiceSystem

/// `sluice generate systemd` and `sluice generate cron`: what starts pipelines when they are due.
struct GenerateTimersCommand {
    let invocation: Invocation
    private var arguments: ParsedArguments { invocation.arguments }

    init(invocation: Invocation) { self.invocation = invocation }

    /// Writes systemd units, to standard output or to a file each.
    func systemd() throws -> ExitCode {
        let now = WallClock.seconds()
        guard let runs = try runs() else { return .invalidPipeline }
        let units = try exactly(runs) { run throws(ScheduleError) in try SystemdUnits(run, from: now).units }
            .flatMap { $0 }
        if let folder = arguments.text(.recordTo) {
            for unit in units { try write(unit.text, to: FileSystem.resolve(unit.name, in: folder)) }
        } else {
            try write(units.map { "# \($0.name)\n\($0.text)" }.joined(separator: "\n"), to: arguments.text(.output))
        }
        return .done
    }

    /// Writes the lines of a crontab.
    func cron() throws -> ExitCode {
        let now = WallClock.seconds()
        guard let runs = try runs() else { return .invalidPipeline }
        let entries = try exactly(runs) { run throws(ScheduleError) in try CrontabEntry(run, from: now).text }
        try write(entries.joined(separator: "\n"), to: arguments.text(.output))
        return .done
    }

    private func write(_ text: String, to path: String?) throws {
        let output = try ResultOutput(path: path, context: invocation.context)
        try output.write(text)
        try output.finish()
    }

    /// What becomes of each run; nothing where one of them cannot be said.
    private func exactly<Value>(
        _ runs: [ScheduledRun], _ body: (ScheduledRun) throws(ScheduleError) -> Value
    ) throws -> [Value] {
        var values: [Value] = []
        for run in runs {
            do throws(ScheduleError) {
                values.append(try body(run))
            } catch {
                invocation.log.tell(
                    .scheduleInexact, "The schedule of `\(run.file)` cannot be said exactly: \(error).",
                    [(.file, .text(run.file))])
            }
        }
        if values.count < runs.count { throw Failure(.failed, "Nothing was written.") }
        return values
    }

    /// The runs of the pipelines that have a schedule; nil where a file has errors.
    private func runs() throws -> [ScheduledRun]? {
        // The secrets need not be there, so nothing is said of those that are not.
        let pipelines = PipelineSet(invocation, mode: .validate)
        let errors =
            pipelines.problems.filter { $0.severity == .error } + ScheduleProblems.cycles(of: pipelines.definitions)
        SyncCommand(invocation: invocation).tell(errors)
        if !errors.isEmpty { return nil }
        for pipeline in pipelines.definitions where pipeline.schedule == nil {
            invocation.log.tell(
                .scheduleMissing, "The file `\(pipeline.file)` has no `schedule`.",
                [(.file, .text(pipeline.file))])
        }
        let runs = try pipelines.definitions.compactMap { try run(of: $0) }
        if runs.isEmpty {
            throw Failure(.failed, "No pipeline has a `schedule`, as in `schedule: {cron: \"0 6 * * *\"}`.")
        }
        return runs
    }

    private func run(of pipeline: PipelineDefinition) throws -> ScheduledRun? {
        guard let scheduled = pipeline.schedule?.pipeline else { return nil }
        if pipeline.store != nil, pipeline.storeIsSecret, arguments.store == nil {
            throw Failure(
                .failed,
                "`store` of `\(pipeline.file)` is known only when it runs, and a unit must say where the program may write. Name the store with `--store`."
            )
        }
        let file = FileSystem.normalized(pipeline.file)
        let store = FileSystem.normalized(try SyncJob(pipeline, invocation).store.path)
        let program = FileSystem.normalized(arguments.text(.program) ?? "/usr/local/bin/sluice")
        var words = [program, "run", file, "--quiet", "--wait", "10m"]
        if pipeline.store == nil || arguments.store != nil { words += ["--store", StorePathText.url(of: store)] }
        for (name, value) in arguments.variables.sorted(by: { $0.key < $1.key }) {
            words += ["--var", "\(name)=\(value)"]
        }
        let files = arguments.texts(.environmentFile).map { FileSystem.normalized($0) }
        for file in files { words += ["--env-file", file] }
        return ScheduledRun(
            pipeline: scheduled, words: words, folder: FileSystem.folder(of: file), store: store, file: file,
            environmentFile: files.isEmpty ? "/etc/sluice/\(pipeline.name).env" : nil, environmentFiles: files,
            user: arguments.text(.user) ?? "sluice")
    }
}
