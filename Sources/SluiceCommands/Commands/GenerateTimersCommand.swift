internal import SluiceDiagnostics
internal import SluicePipeline
internal import SluicePipelineFiles
internal import SluiceSchedule
internal import SluiceStores
internal import SluiceSystem

/// `sluice generate systemd`, `cron`, `kubernetes` and `airflow`: what starts pipelines when they are due.
struct GenerateTimersCommand {
    let invocation: Invocation
    private var arguments: ParsedArguments { invocation.arguments }

    init(invocation: Invocation) { self.invocation = invocation }

    /// Writes systemd units, to standard output or to a file each.
    func systemd() throws -> ExitCode {
        if arguments.has(.asService) { return try serviceUnit() }
        let now = WallClock.seconds()
        guard let runs = try runs() else { return .invalidPipeline }
        warnOfMissingProgram()
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
        warnOfMissingProgram()
        let entries = try exactly(runs) { run throws(ScheduleError) in try CrontabEntry(run, from: now).text }
        try write(entries.joined(separator: "\n"), to: arguments.text(.output))
        return .done
    }

    /// Writes a DAG for each pipeline.
    func airflow() throws -> ExitCode {
        let now = WallClock.seconds()
        guard let runs = try runs() else { return .invalidPipeline }
        // One file for all: what is wrong is told for each of them.
        _ = try exactly(runs) { run throws(ScheduleError) in try AirflowDAG([run], from: now) }
        try write(
            try exact { () throws(ScheduleError) in try AirflowDAG(runs, from: now).text }, to: arguments.text(.output))
        return .done
    }

    /// Writes a job for each pipeline, or the service.
    func kubernetes() throws -> ExitCode {
        let now = WallClock.seconds()
        let isService = arguments.has(.asService)
        guard let pipelines = try pipelines() else { return .invalidPipeline }
        let image = arguments.text(.image) ?? "sluice:\(Sluice.version)"
        let manifest = KubernetesManifest(image: image, texts: try texts(of: pipelines))
        if isService {
            try write(
                manifest.service(options: containerStore(pipelines), graceSeconds: 75), to: arguments.text(.output))
            return .done
        }
        let runs = try pipelines.compactMap { try run(of: $0) }
        try checkAny(runs)
        func job(_ run: ScheduledRun) -> KubernetesManifest.Job {
            let file = "\(KubernetesManifest.files)/\(FileSystem.name(of: run.file))"
            let words = ["run", file, "--quiet", "--wait", "10m"]
            return KubernetesManifest.Job(
                run: run, arguments: words + containerStore(pipelines.filter { $0.name == run.pipeline.name }))
        }
        _ = try exactly(runs) { run throws(ScheduleError) in try manifest.jobs([job(run)], from: now) }
        let text = try exact { () throws(ScheduleError) in try manifest.jobs(runs.map(job), from: now) }
        try write(text, to: arguments.text(.output))
        return .done
    }

    /// In a container the store is on its volume, whatever the file says of this machine.
    private func containerStore(_ pipelines: [PipelineDefinition]) -> [String] {
        let store = pipelines.first.flatMap { try? SyncJob($0, invocation).store } ?? .standard
        guard let file = store.file else {
            // What is secret comes with the variables of the container.
            return arguments.store == nil && pipelines.first?.storeIsSecret == true ? [] : ["--store", store.url]
        }
        return ["--store", StoreAddress(file: "\(KubernetesManifest.data)/\(FileSystem.name(of: file))").url]
    }

    /// The texts of pipeline files and of what they include, which must stand in one folder.
    private func texts(of pipelines: [PipelineDefinition]) throws -> [(name: String, text: String)] {
        var texts: [String: String] = [:]
        for pipeline in pipelines {
            let read = PipelineTexts()
            _ = PipelineLoader.load(
                path: pipeline.file, variables: arguments.variables, environment: invocation.context.environment,
                mode: .validate, texts: read)
            for file in read.named where file.isBeside { warn(of: file) }
            for path in read.paths.sorted() {
                let name = FileSystem.name(of: path)
                let text = String(decoding: try FileSystem.contents(of: path), as: UTF8.self)
                let isBeside =
                    FileSystem.folder(of: FileSystem.absolute(path))
                    == FileSystem.folder(of: FileSystem.absolute(pipeline.file))
                guard isBeside, texts[name] ?? text == text else {
                    throw Failure(
                        .failed,
                        "The file `\(path)` cannot go along: all files of pipelines stand in one folder there, each with a name of its own. Move or rename it."
                    )
                }
                if let problem = KubernetesManifest.problem(ofFile: name) {
                    throw Failure(.failed, "The file `\(path)` cannot go along as a part of a ConfigMap: \(problem).")
                }
                texts[name] = text
            }
        }
        let bytes = texts.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
        if bytes > KubernetesManifest.mapBytes {
            throw Failure(
                .failed,
                "The files have \(bytes) bytes together, and a ConfigMap takes \(KubernetesManifest.mapBytes). Generate manifests for some of the pipelines at a time."
            )
        }
        return texts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Says that a file is named that the container does not have, and what to do.
    private func warn(of file: NamedFile) {
        let (path, location) = (PrintableText.escape(file.path), file.location)
        let line = location.position?.line ?? 1
        invocation.log.report(
            .fileLeftBehind,
            "`\(path)`, which `\(location.file):\(line)` names, does not go along: the ConfigMap has pipeline files alone. \(KubernetesManifest.remedy(for: file.use))",
            [(.file, .text(location.file)), (.line, .number(line))])
    }

    private func exact<Value>(_ body: () throws(ScheduleError) -> Value) throws -> Value {
        do throws(ScheduleError) {
            return try body()
        } catch {
            throw Failure(.failed, "A schedule cannot be said exactly: \(error). Nothing was written.")
        }
    }

    /// Writes the unit of a service for all pipelines.
    private func serviceUnit() throws -> ExitCode {
        guard let pipelines = try pipelines() else { return .invalidPipeline }
        let stores = try pipelines.compactMap { try store(of: $0).file }
        let folders = Set(stores.map(FileSystem.folder(of:))).sorted()
        guard
            let state = arguments.text(.state).map(FileSystem.normalized) ?? folders.first.map({ "\($0)/sluice-serve" })
        else {
            throw Failure(
                .failed,
                pipelines.isEmpty
                    ? "There is no pipeline. Name a pipeline file or a folder of them."
                    : "Where logs and reports are kept is not known: the store is no file. Say it with `--state FOLDER`."
            )
        }
        let paths = arguments.paths.map(FileSystem.normalized)
        warnOfMissingProgram()
        var words = [program, "serve"] + paths + ["--state", state]
        if let store = arguments.store {
            words += ["--store", store.normalized.url]
        }
        for (name, value) in arguments.variables.sorted(by: { $0.key < $1.key }) {
            words += ["--var", "\(name)=\(value)"]
        }
        let files = arguments.texts(.environmentFile).map { FileSystem.normalized($0) }
        for file in files { words += ["--env-file", file] }
        let isBelow = folders.contains { state.hasPrefix($0 + "/") }
        let service = ServedPipelines(
            words: words, folder: folders.first ?? "/", paths: paths + stores,
            written: folders + (isBelow ? [] : [state]),
            environmentFile: files.isEmpty ? "/etc/sluice/sluice.env" : nil,
            user: arguments.text(.user) ?? "sluice")
        let text = try exact { () throws(ScheduleError) in try service.unit() }
        let path = arguments.text(.recordTo).map { FileSystem.resolve("sluice.service", in: $0) }
        try write(text, to: path ?? arguments.text(.output))
        return .done
    }

    private func write(_ text: String, to path: String?) throws {
        if let folder = arguments.text(.recordTo) { try FileSystem.makeFolders(folder) }
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
                invocation.log.report(
                    .scheduleInexact, "The schedule of `\(run.file)` cannot be said exactly: \(error).",
                    [(.file, .text(run.file))])
            }
        }
        if values.count < runs.count { throw Failure(.failed, "Nothing was written.") }
        return values
    }

    /// The runs of the pipelines that have a schedule; nil where a file has errors.
    private func runs() throws -> [ScheduledRun]? {
        guard let pipelines = try pipelines() else { return nil }
        let runs = try pipelines.compactMap { try run(of: $0) }
        try checkAny(runs)
        return runs
    }

    private func checkAny(_ runs: [ScheduledRun]) throws {
        if runs.isEmpty {
            throw Failure(.failed, "No pipeline has a `schedule`, as in `schedule: {cron: \"0 6 * * *\"}`.")
        }
    }

    /// The pipelines, and a warning for those without a schedule; nil where a file has errors.
    private func pipelines() throws -> [PipelineDefinition]? {
        // The secrets need not be there, so nothing is said of those that are not.
        let pipelines = try PipelineSet(invocation, mode: .validate)
        let errors =
            pipelines.problems.filter { $0.severity == .error } + ScheduleProblems.cycles(of: pipelines.definitions)
        SyncCommand(invocation: invocation).report(errors)
        if !errors.isEmpty { return nil }
        for pipeline in pipelines.definitions where pipeline.schedule == nil {
            invocation.log.report(
                .scheduleMissing, "The file `\(pipeline.file)` has no `schedule`.",
                [(.file, .text(pipeline.file))])
        }
        return pipelines.definitions
    }

    /// The program that is started.
    private var program: String { FileSystem.normalized(arguments.text(.program) ?? "/usr/local/bin/sluice") }

    /// Says that what this machine is to start is not there.
    private func warnOfMissingProgram() {
        if FileSystem.kind(of: program) == .file { return }
        invocation.log.report(
            .programMissing, "There is no program `\(program)`. Put it there, or name another with `--program FILE`.",
            [(.file, .text(program))])
    }

    /// The store that a run has.
    ///
    /// - Throws: ``Failure`` where it is not known, or is a file whose place is a secret: a unit must say where the program may write.
    private func store(of pipeline: PipelineDefinition) throws -> StoreAddress {
        let isSecret = pipeline.store != nil && pipeline.storeIsSecret && arguments.store == nil
        if !isSecret { return try SyncJob(pipeline, invocation).store.normalized }
        if let store = try? SyncJob(pipeline, invocation).store, store.file == nil { return store }
        throw Failure(
            .failed,
            "`store` of `\(pipeline.file)` is known only when it runs, and a unit must say where the program may write. Name the store with `--store`, or one on PostgreSQL in a file for `--env-file`."
        )
    }

    /// What names the store to a run. A password stands in no unit: what named it, the environment, has to do it again.
    private func option(for store: StoreAddress, of pipeline: PipelineDefinition) -> [String] {
        arguments.store == nil && store.wholeURL != store.url ? [] : ["--store", store.url]
    }

    /// Says what leads to a store on PostgreSQL and stands in no unit: its password, and variables of libpq.
    private func reportWhatIsLeftOut(of store: StoreAddress, _ pipeline: PipelineDefinition) {
        if store.file != nil { return }
        // With one that is in the pipeline's file or comes from `--env-file`, nothing is missing.
        let isNamedHere = arguments.store != nil || pipeline.store == nil && arguments.texts(.environmentFile).isEmpty
        let password = isNamedHere && store.wholeURL != store.url ? ["its password"] : []
        let variables = LibpqVariables.completing(store, in: invocation.context.environment)
        let missing = password + variables.map { "`\($0)`" }
        if missing.isEmpty { return }
        invocation.log.report(
            .storeIncomplete,
            "The store of `\(pipeline.file)` needs \(missing.joined(separator: ", ")), which no unit has. Write `store: ${env:STORE_URL}` and put the whole URL into a file for `--env-file`, or set it where the runs start.",
            [(.file, .text(pipeline.file))])
    }

    private func run(of pipeline: PipelineDefinition) throws -> ScheduledRun? {
        guard let scheduled = pipeline.schedule?.pipeline else { return nil }
        let file = FileSystem.normalized(pipeline.file)
        let store = try store(of: pipeline)
        var words = [program, "run", file, "--quiet", "--wait", "10m"]
        if pipeline.store == nil || arguments.store != nil { words += option(for: store, of: pipeline) }
        reportWhatIsLeftOut(of: store, pipeline)
        for (name, value) in arguments.variables.sorted(by: { $0.key < $1.key }) {
            words += ["--var", "\(name)=\(value)"]
        }
        let files = arguments.texts(.environmentFile).map { FileSystem.normalized($0) }
        for file in files { words += ["--env-file", file] }
        return ScheduledRun(
            pipeline: scheduled, words: words, folder: FileSystem.folder(of: file), store: store.file, file: file,
            environmentFile: files.isEmpty ? "/etc/sluice/\(pipeline.name).env" : nil, environmentFiles: files,
            user: arguments.text(.user) ?? "sluice")
    }
}
