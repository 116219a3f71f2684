internal import SluiceDiagnostics
internal import SluicePipeline
internal import SluicePipelineFiles
internal import SluiceSchedule
internal import SluiceStore
internal import SluiceStores
internal import SluiceSystem

/// Which store a command line means, and whose entries of it.
struct StoreChoice {
    let address: StoreAddress
    /// What a command must say to use the same store, with a blank before it; empty where it need not.
    let option: String
    /// The pipelines that are named; nil for all that the store knows.
    let pipelines: [String]?
    /// Those in the usual folder that fill the store, where no file is named: they are told of although it knows others besides.
    private(set) var expected: [String] = []
    /// Whether nobody may be told where the store is.
    let isSecret: Bool
    /// When the pipelines that are named are due, of those whose files say so.
    private(set) var schedules: [ScheduledPipeline]
    /// Whether files that have errors were left out.
    private(set) var lacksFiles: Bool

    /// - Parameters:
    ///   - invocation: The command line.
    ///   - leavesOut: Whether files that have errors are told and left out, where there are others.
    /// - Throws: ``Failure`` where no store is meant, or more than one.
    init(_ invocation: Invocation, leavingOutErrors leavesOut: Bool = false) throws {
        let paths = try Self.paths(invocation)
        self =
            try paths.isEmpty
            ? StoreChoice(named: invocation, withFolder: leavesOut)
            : StoreChoice(of: paths, invocation, leavingOutErrors: leavesOut)
    }

    /// The pipeline files that name the store: those of the command line, or of the usual folder. Where another store might be
    /// meant, the command says which one it means.
    private static func paths(_ invocation: Invocation) throws -> [String] {
        let (arguments, environment) = (invocation.arguments, invocation.context.environment)
        let folder = ParsedArguments.standardFolder
        if !arguments.storePaths.isEmpty || arguments.store != nil { return arguments.storePaths }
        let isVariable = environment["SLUICE_STORE"]?.isEmpty == false
        let named = try StoreAddress.choose(option: nil, environment: environment)
        let hasFiles = FileSystem.kind(of: folder) == .folder && !PipelineLocator.locate([folder]).0.isEmpty
        // What is wrong with files is told where they are read for their store.
        let jobs =
            try hasFiles
            ? PipelineSet(invocation, mode: .replay, paths: [folder]).definitions.compactMap {
                try? SyncJob($0, invocation)
            } : []
        if hasFiles && jobs.isEmpty && !isVariable { return [folder] }
        let implied = try ImpliedStore(environment: environment, folder: jobs.map(\.store))
        report(implied, named, jobs, invocation)
        return implied.isOfFolder ? [folder] : []
    }

    /// Says which store is meant where others might be meant as well.
    private static func report(
        _ implied: ImpliedStore, _ named: StoreAddress, _ jobs: [SyncJob], _ invocation: Invocation
    ) {
        guard let other = implied.others.first else { return }
        func names(_ jobs: [SyncJob]) -> String {
            var names: [String] = []
            for job in jobs where !names.contains(job.storeName) { names.append(job.storeName) }
            return names.joined(separator: ", ")
        }
        let folder = ParsedArguments.standardFolder
        invocation.log.report(
            .storeImplied,
            implied.isOfFolder
                ? "The store is that of the pipelines in `\(folder)`: \(names(jobs)). `--store \(other.url)` means the one in this folder."
                : "The store is `\(named.url)`, as `SLUICE_STORE` says. The pipelines in `\(folder)` fill \(names(jobs.filter { implied.others.contains($0.store) })), and `--store` or their files as arguments mean that."
        )
    }

    /// The store that an option or the environment names.
    ///
    /// - Parameters:
    ///   - invocation: The command line.
    ///   - hasFolder: Whether the pipelines in the usual folder that fill it count, where no option names the store.
    /// - Throws: ``Failure`` where no store is meant, and what reading the files throws.
    private init(named invocation: Invocation, withFolder hasFolder: Bool) throws {
        let (arguments, environment) = (invocation.arguments, invocation.context.environment)
        address = try StoreAddress.choose(option: arguments.store, environment: environment)
        try invocation.checkVariables(of: address)
        let isNamed = arguments.store.map { try? $0 != .choose(option: nil, environment: environment) }
        option =
            isNamed == nil || isNamed == false
            ? SyncJob.variableWords(invocation) : " --store \(ShellWord.quoted(address.url))"
        (pipelines, isSecret, schedules, lacksFiles) = (nil, false, [], false)
        if hasFolder && arguments.store == nil { try addFolder(invocation) }
    }

    /// Adds what the pipeline files in the usual folder say of the store.
    private mutating func addFolder(_ invocation: Invocation) throws {
        let folder = ParsedArguments.standardFolder
        guard FileSystem.kind(of: folder) == .folder, !PipelineLocator.locate([folder]).0.isEmpty else { return }
        let files = try PipelineSet(invocation, mode: .replay, paths: [folder])
        if files.hasErrors {
            SyncCommand(invocation: invocation).report(files.problems.filter { $0.severity == .error })
            invocation.log.report(.filesLeftOut, PipelineSet.leftOut)
        }
        let (own, lacksFiles) = (try Self.jobs(of: files, invocation).filter { $0.store == address }, files.hasErrors)
        (expected, self.lacksFiles) = (own.map(\.pipeline.name), lacksFiles)
        schedules = own.compactMap { $0.pipeline.schedule?.pipeline }
    }

    /// The stores that a command line means, each with those of the pipelines that fill it.
    ///
    /// - Parameter invocation: The command line.
    /// - Returns: One store, or those of the pipeline files that are named, in the order of the files. Files that have
    ///   errors are told and left out, where there are others.
    /// - Throws: ``Failure`` where no store is meant.
    static func all(_ invocation: Invocation) throws -> [StoreChoice] {
        let paths = try Self.paths(invocation)
        if paths.isEmpty { return [try StoreChoice(named: invocation, withFolder: true)] }
        let (jobs, lacksFiles) = try jobs(of: paths, invocation, leavingOutErrors: true)
        var stores: [StoreAddress] = []
        for job in jobs where !stores.contains(job.store) { stores.append(job.store) }
        if stores.isEmpty { return [try StoreChoice(invocation)] }
        return stores.map { store in
            let filling = jobs.filter { $0.store == store }
            let names = stores.count == 1 ? words(for: paths, invocation) : filling.map(\.pipeline.file)
            return StoreChoice(store, filling, named: names, lacksFiles: lacksFiles, invocation)
        }
    }

    /// The store that pipeline files have in common.
    private init(of paths: [String], _ invocation: Invocation, leavingOutErrors leavesOut: Bool) throws {
        let (jobs, lacksFiles) = try Self.jobs(of: paths, invocation, leavingOutErrors: leavesOut)
        guard let first = jobs.first, jobs.allSatisfy({ $0.store == first.store }) else {
            var names: [String] = []
            for job in jobs where !names.contains(job.storeName) { names.append(job.storeName) }
            throw Failure(
                .usage,
                "These pipelines fill several stores: \(names.joined(separator: ", ")). Name the files of one, or the store with `--store`."
            )
        }
        self.init(
            first.store, jobs, named: Self.words(for: paths, invocation), lacksFiles: lacksFiles, invocation)
    }

    private init(
        _ store: StoreAddress, _ jobs: [SyncJob], named paths: [String], lacksFiles: Bool, _ invocation: Invocation
    ) {
        address = store
        self.lacksFiles = lacksFiles
        isSecret = jobs.contains { $0.hasSecretStore }
        pipelines = jobs.map(\.pipeline.name)
        schedules = jobs.compactMap { $0.pipeline.schedule?.pipeline }
        option = SyncJob.words(paths.map { ShellWord.quoted($0) }, invocation.arguments).map { " " + $0 }.joined()
    }

    /// The files that other commands must name to mean the same store: none where this one did not either.
    private static func words(for paths: [String], _ invocation: Invocation) -> [String] {
        invocation.arguments.storePaths.isEmpty ? [] : paths
    }

    /// The pipelines of files, with the stores that they fill, and whether some were left out.
    private static func jobs(
        of paths: [String], _ invocation: Invocation, leavingOutErrors leavesOut: Bool
    ) throws -> (jobs: [SyncJob], lacksFiles: Bool) {
        // Nothing is asked of a source, so its credentials need not be there.
        let files = try PipelineSet(invocation, mode: .replay, paths: paths)
        if files.hasErrors {
            SyncCommand(invocation: invocation).report(files.problems.filter { $0.severity == .error })
            guard leavesOut, !files.definitions.isEmpty else {
                // A store alone says everything of it; with files, what is theirs.
                let remedy =
                    invocation.arguments.store == nil
                    ? "Correct the pipeline, or name the store with `--store`."
                    : "Correct the pipeline, or leave its file out to see all of the store."
                throw Failure(.invalidPipeline, "Nothing was looked up. \(remedy)")
            }
            invocation.log.report(.filesLeftOut, PipelineSet.leftOut)
        }
        return (try jobs(of: files, invocation), files.hasErrors)
    }

    private static func jobs(of files: PipelineSet, _ invocation: Invocation) throws -> [SyncJob] {
        // Of files that share a name the first counts.
        var names: Set<String> = []
        return try files.definitions.filter { names.insert($0.name).inserted }.map { try SyncJob($0, invocation) }
    }

    /// How messages call it, after "the".
    var name: String { isSecret ? "store" : "store `\(address)`" }

    /// What tells programs where it is.
    var url: String { address.shownURL(isSecret: isSecret) }

    /// Whether entries of a pipeline are meant.
    func means(_ pipeline: String) -> Bool { pipelines?.contains(pipeline) ?? true }

    /// A message that may be told.
    func hiding(_ message: String) -> String { isSecret ? address.hidden(in: message) : message }
}
