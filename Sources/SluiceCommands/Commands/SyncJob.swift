internal import SluiceDiagnostics
internal import SluicePipeline
internal import SluiceReport
internal import SluiceStores
internal import SluiceSync

/// One pipeline and the store that it fills.
struct SyncJob {
    let pipeline: PipelineDefinition
    let store: StoreAddress
    /// The command lines that reports name.
    let commands: CommandLines
    /// How the store is called in messages.
    let storeName: String
    /// Whether nobody may be told where the store is.
    let hasSecretStore: Bool

    /// The jobs of an invocation, in the order of its paths.
    ///
    /// - Throws: ``Failure`` where no pipeline has the stream that is asked for, or a store is not known.
    static func jobs(for pipelines: [PipelineDefinition], invocation: Invocation) throws -> [SyncJob] {
        var chosen = pipelines
        let streams = invocation.arguments.texts(.stream)
        if !streams.isEmpty {
            let known = pipelines.flatMap(\.streams).map(\.name)
            let unknown = streams.filter { !known.contains($0) }
            if !unknown.isEmpty { throw unknownStreams(unknown, among: known) }
            chosen = pipelines.filter { $0.streams.contains { streams.contains($0.name) } }
        }
        let isImplied = try isImplied(pipelines, invocation)
        let jobs = try chosen.map { try SyncJob($0, invocation, isImplied: isImplied) }
        for job in jobs { try job.requireBounds(invocation) }
        return jobs
    }

    /// Whether commands that name neither files nor a store mean the one that these pipelines fill: they are those of the usual
    /// folder, read without values of the command line.
    private static func isImplied(_ pipelines: [PipelineDefinition], _ invocation: Invocation) throws -> Bool {
        let arguments = invocation.arguments
        guard [.plan, .run].contains(arguments.command.id), arguments.operands.isEmpty, arguments.store == nil,
            // A saved plan is shown and carried out anywhere.
            arguments.text(.save) == nil, values(arguments).isEmpty
        else { return false }
        let stores = try pipelines.map { try SyncJob($0, invocation).store }
        guard let first = stores.first, stores.allSatisfy({ $0 == first }) else { return false }
        return try ImpliedStore(environment: invocation.context.environment, folder: stores).isOfFolder
    }

    /// Refuses `--from` and `--to` that the pipeline cannot follow, before any run begins.
    private func requireBounds(_ invocation: Invocation) throws {
        var options = SyncCommand(invocation: invocation).options(self)
        options.to = options.to ?? invocation.arguments.text(.until)
        do {
            try SyncEngine.checkBounds(of: pipeline, options: options)
        } catch let error as SyncError {
            throw Failure(.usage, "\(error.message) Nothing was run.")
        }
    }

    /// The job of one pipeline.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline.
    ///   - invocation: The command, whose `--store` goes first.
    ///   - given: The store that a saved plan names.
    ///   - isImplied: Whether commands mean the store that name none.
    /// - Throws: ``Failure`` where its store is not known.
    init(
        _ pipeline: PipelineDefinition, _ invocation: Invocation, store given: StoreAddress? = nil,
        isImplied: Bool = false
    ) throws {
        self.pipeline = pipeline
        let standard = try StoreAddress.choose(option: nil, environment: invocation.context.environment)
        // What a plan keeps has no password, and the environment may have one.
        let named = invocation.arguments.store ?? given.map { $0.url == standard.url ? standard : $0 }
        if let named {
            store = named
        } else if let url = pipeline.store {
            guard let address = StoreAddress(url) else {
                let reason =
                    pipeline.storeIsSecret
                    ? "names no store that is known. Set the environment variable that it names, here or in a file for `--env-file`, or name the store with `--store`."
                    : StoreAddress.problem(with: url)
                throw Failure(.invalidPipeline, "\(pipeline.file): `store` \(reason)")
            }
            store = address.withoutDetours
        } else {
            store = standard
        }
        try invocation.checkVariables(of: store)
        let isSecret = named == nil && pipeline.store != nil && pipeline.storeIsSecret
        hasSecretStore = isSecret
        storeName = isSecret ? "a store whose name is secret" : "`\(store.url)`"
        let storeOption =
            if isImplied {
                ""
            } else if isSecret {
                // It is named by what names it.
                Self.words([ShellWord.quoted(pipeline.file)], invocation.arguments).map { " " + $0 }.joined()
            } else if store == standard {
                Self.variableWords(invocation)
            } else {
                " --store \(ShellWord.quoted(store.url))"
            }
        commands = CommandLines(
            storeOption: storeOption,
            pipeline: Self.words(pipeline, invocation.arguments), allowedDeletes: invocation.arguments.allowedDeletes,
            allowedSchema: invocation.arguments.texts(.allowSchema),
            savedPlan: invocation.arguments.text(.save), values: Self.values(invocation.arguments),
            keepsAnswers: !pipeline.hasRedactions)
    }

    /// The job of comparing two recordings in a store that nobody is told of.
    init(comparing pipeline: PipelineDefinition, in store: StoreAddress) {
        (self.pipeline, self.store) = (pipeline, store)
        (storeName, hasSecretStore) = ("a temporary store", true)
        commands = CommandLines(storeOption: "", pipeline: nil)
    }

    /// What a plan says whose store is not there, so that it is no surprise that all is new.
    ///
    /// - Parameters:
    ///   - environment: The variables of the program.
    ///   - isBlank: Whether no tables of others are there either, with rows that records are compared with.
    /// - Returns: A note.
    func missingStore(environment: [String: String], isBlank: Bool) -> RunProblem {
        let variable = environment["SLUICE_STORE"].flatMap { StoreAddress($0) }
        let isPassedOver = variable.map { $0.normalized != store.normalized } ?? false
        let rule =
            isPassedOver
            ? " `SLUICE_STORE` counts only where neither `--store` nor the `store` of the pipeline names one." : ""
        return RunProblem(
            code: "store_missing", severity: .note,
            message:
                "\(hasSecretStore ? "The store" : "The store \(storeName)") is not there yet, \(isBlank ? "so all records are new" : "and the tables that are there were filled by others: records are compared with their rows").\(rule)"
        )
    }

    /// What names the pipeline as the invocation did, nil where it was made of a document.
    private static func words(_ pipeline: PipelineDefinition, _ arguments: ParsedArguments) -> String? {
        guard [.plan, .run].contains(arguments.command.id) else { return nil }
        var words = words([ShellWord.quoted(pipeline.file)], arguments)
        for stream in arguments.texts(.stream) { words += ["--stream", ShellWord.quoted(stream)] }
        if arguments.has(.full) { words.append("--full") }
        if arguments.has(.checkReferences) { words.append("--check-references") }
        if let from = arguments.text(.from) { words += ["--from", ShellWord.quoted(from)] }
        if let to = arguments.text(.to) { words += ["--to", ShellWord.quoted(to)] }
        if let folder = arguments.text(.replay) { words += ["--replay", ShellWord.quoted(folder)] }
        return words.joined(separator: " ")
    }

    /// What names pipelines and their store as an invocation did.
    static func words(_ files: [String], _ arguments: ParsedArguments) -> [String] {
        var words = files
        if let store = arguments.store { words += ["--store", ShellWord.quoted(store.url)] }
        return words + self.values(arguments)
    }

    /// What a command must say to have the store that the environment names, with a blank before it: the files that may name it.
    static func variableWords(_ invocation: Invocation) -> String {
        if invocation.context.environment["SLUICE_STORE"]?.isEmpty != false { return "" }
        return invocation.arguments.texts(.environmentFile).map { " --env-file \(ShellWord.quoted($0))" }.joined()
    }

    /// What gives values to pipelines as an invocation did.
    static func values(_ arguments: ParsedArguments) -> [String] {
        var words: [String] = []
        // The value may be a secret.
        for name in arguments.variables.keys.sorted() { words += ["--var", ShellWord.quoted(name) + "=…"] }
        for file in arguments.texts(.environmentFile) { words += ["--env-file", ShellWord.quoted(file)] }
        return words
    }

    private static func unknownStreams(_ unknown: [String], among names: [String]) -> Failure {
        let sentences = unknown.map { name in
            let hint = Suggestion.nearest(to: name, among: names).map { " Did you mean `\($0)`?" } ?? ""
            return "No pipeline has a stream `\(name)`.\(hint)"
        }
        let list = names.map { "`\($0)`" }.joined(separator: ", ")
        return Failure(.usage, "\(sentences.joined(separator: " ")) The streams are \(list).")
    }
}
