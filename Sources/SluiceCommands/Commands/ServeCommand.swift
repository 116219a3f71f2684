internal import SluiceDiagnostics
internal import SluicePipeline
internal import SluicePipelineFiles
internal import SluiceServe
internal import SluiceServeModel
internal import SluiceStores
internal import SluiceSystem

/// `sluice serve`: runs pipelines when they are due.
struct ServeCommand {
    private static let leases = 1.0...3600.0
    let invocation: Invocation
    private var arguments: ParsedArguments { invocation.arguments }
    private var context: CommandContext { invocation.context }

    init(invocation: Invocation) { self.invocation = invocation }

    func run() throws -> ExitCode {
        // The program heeds them already where its first word is this command.
        Signals.awaitHangups()
        let manager = ServiceManager(environment: context.environment)
        let settings = try settings()
        let service: ServeService
        do {
            service = try ServeService(settings)
        } catch let taken as ServeService.Taken {
            throw Failure(
                .locked,
                "Another `sluice serve` has the state folder `\(FileSystem.folder(of: taken.path))`. Stop that one. Another service beside it serves pipelines of another store, and has a folder of its own: name it with `--state`."
            )
        }
        let program = ServedProgram(invocation, manager)
        if context.cancellation.isCancelled {
            program.log.report(.serviceStopping, "The service was told to end before it began. Nothing is started.")
            return .done
        }
        let listener: (any ServeListener)?
        do {
            listener = try self.listener(service, manager)
            try listener?.start()
        } catch let error as Failure {
            throw error
        } catch {
            throw Failure(.failed, "The page cannot be served: \(error)")
        }
        defer { listener?.stop() }
        let registration = context.cancellation.onCancel { manager.notify("STOPPING=1") }
        defer { context.cancellation.remove(registration) }
        service.run(program, context.cancellation) {
            let place = listener.map { " The page is at \($0.address)." } ?? ""
            program.log.report(
                .serviceStarted, "The service has started, with its state in `\(settings.stateFolder)`.\(place)")
            manager.notify("READY=1", "STATUS=Serving \(CountText.of(service.status().pipelines.count, "pipeline"))")
        }
        return .done
    }

    // MARK: Settings

    private func settings() throws -> ServeSettings {
        let missing = PipelineLocator.locate(arguments.paths).1.filter { $0.code == "unreadable_file" }
        if !missing.isEmpty {
            SyncCommand(invocation: invocation).report(missing)
            throw Failure(.usage, "Nothing is served. Name a pipeline file or a folder of them.")
        }
        var settings = ServeSettings(
            paths: arguments.paths, stateFolder: try stateFolder(),
            runner: ChildRunner(environment: context.environment))
        settings.workers = arguments.text(.workers).flatMap { OptionSpec.count($0) } ?? 2
        settings.place = "\(Environment.machine), process \(Environment.processID)"
        settings.leaseSeconds = try leaseSeconds()
        settings.graceSeconds = arguments.text(.grace).flatMap { OptionSpec.seconds($0) } ?? 30
        return settings
    }

    private func leaseSeconds() throws -> Double {
        guard let text = arguments.text(.lease) else { return 60 }
        guard let seconds = OptionSpec.seconds(text), Self.leases.contains(seconds) else {
            throw Failure(.usage, "The option `--lease` takes 1s to 1h, and got `\(text)`.")
        }
        return seconds
    }

    /// The folder that is named, or one beside the stores of all pipelines that can be read.
    private func stateFolder() throws -> String {
        if let folder = arguments.text(.state) { return FileSystem.normalized(folder) }
        let standard = try StoreAddress.choose(option: arguments.store, environment: context.environment)
        var stores = try PipelineSet(invocation, mode: .replay).definitions.compactMap { definition in
            try? SyncJob(definition, invocation).store
        }
        if stores.isEmpty { stores = [standard] }
        // Beside a store that is no file there is nothing: then it is the present folder.
        let files = stores.compactMap(\.file)
        let folders = Set((files.isEmpty ? ["."] : files.map(FileSystem.folder(of:))).map(FileSystem.normalized))
        guard folders.count == 1, let folder = folders.first else {
            throw Failure(
                .usage,
                "These pipelines fill stores in several folders: \(folders.sorted().joined(separator: ", ")). Say with `--state` where logs and reports are kept."
            )
        }
        return folder + "/sluice-serve"
    }

    // MARK: The page

    private func listener(_ service: ServeService, _ manager: ServiceManager) throws -> (any ServeListener)? {
        let address = arguments.text(.listen) ?? "127.0.0.1:7788"
        guard address != "none", let make = context.makeListener else { return nil }
        var listening = ServeListening(address: address)
        listening.tokenFile = arguments.text(.tokenFile)
        listening.descriptor = manager.descriptors.first
        listening.environment = context.environment
        return try make(service, listening)
    }
}
