package import SluiceServeModel
package import SluiceSystem

/// A service that runs pipelines when they are due: one process, whose loop decides, and a child for each run.
package final class ServeService: ServeControl {
    private let settings: ServeSettings
    private let mailbox = ServeMailbox()
    private let board: ServeBoard
    private let archive: RunArchive
    private let lock: FileLock

    /// Opens the state folder of a service.
    ///
    /// - Throws: `SystemError`, also where another service has that folder.
    package init(_ settings: ServeSettings) throws {
        self.settings = settings
        let now = settings.clock.now
        try FileSystem.makeFolders(settings.stateFolder)
        let path = settings.stateFolder + "/lock"
        guard let lock = try FileLock(path: path, position: 0, isMade: true) else { throw Taken(path: path) }
        self.lock = lock
        archive = try RunArchive(in: settings.stateFolder, keeping: settings.keptRuns, now: now)
        var status = ServeStatus(now: now, startedAt: now, workers: settings.workers)
        status.isStarting = true
        board = ServeBoard(status)
    }

    /// Another service has the state folder.
    package struct Taken: Error {
        /// The file whose lock it holds.
        package let path: String
    }

    /// Serves until it is told to end, and until all runs have ended then.
    ///
    /// - Parameters:
    ///   - program: What the program does for it.
    ///   - cancellation: Tells it to end.
    ///   - onStart: Is called once, after the first look at what is due.
    package func run(_ program: any ServeProgram, _ cancellation: Cancellation, onStart: () -> Void = {}) {
        let registration = cancellation.onCancel { [mailbox] in mailbox.put(.end) }
        defer { cancellation.remove(registration) }
        let loop = makeLoop(program)
        var hasStarted = false
        while !loop.hasEnded {
            let seconds = loop.poll()
            if !hasStarted { onStart() }
            hasStarted = true
            if !loop.hasEnded { mailbox.wait(seconds: seconds) }
        }
    }

    /// Tells the service to end.
    package func end() { mailbox.put(.end) }

    /// The loop of the service, for whoever turns it by hand.
    package func makeLoop(_ program: any ServeProgram) -> ServeLoop {
        ServeLoop(settings: settings, program: program, mailbox: mailbox, board: board, archive: archive)
    }

    // MARK: ServeControl

    package func status() -> ServeStatus {
        var status = board.status
        let now = settings.clock.now
        func aged(_ run: ServedRun) -> ServedRun {
            var run = run
            if let start = run.startedAt { run.seconds = Double(max(0, now - start)) }
            return run
        }
        status.now = now
        for index in status.pipelines.indices {
            status.pipelines[index].running = status.pipelines[index].running.map(aged)
        }
        status.unlisted = status.unlisted.map(aged)
        return status
    }

    package func start(
        pipeline: String, _ kind: ServedRun.Kind, by who: String
    ) throws(ServeRefusal) -> ServedRun.ID {
        let status = board.status
        if status.isStopping {
            throw ServeRefusal(.stopping, "The service is about to end. Start the run once it is there again.")
        }
        guard let served = status.pipeline(named: pipeline) else {
            let isBroken = status.brokenFiles.contains { FileSystem.stem(of: $0.path) == pipeline }
            throw ServeRefusal(
                isBroken ? .broken : .unknown,
                isBroken
                    ? "The file of the pipeline `\(pipeline)` has errors. Correct it first."
                    : "No pipeline has the name `\(pipeline)`. See the list of pipelines.")
        }
        if served.waiting.contains(where: { $0.kind == kind && $0.who != nil }) {
            throw ServeRefusal(
                .waiting, "A \(kind.rawValue) of `\(pipeline)` waits for its start already. Stop that one, or wait.")
        }
        var run = ServedRun(id: archive.nextID(), pipeline: pipeline, kind: kind)
        run.who = who
        // From here on it is found by its number.
        archive.keep(run)
        mailbox.put(.start(run))
        return run.id
    }

    package func stop(_ run: ServedRun.ID, by who: String) throws(ServeRefusal) {
        let status = board.status
        let going = status.pipelines.flatMap { $0.waiting + ($0.running.map { [$0] } ?? []) } + status.unlisted
        let kept = archive.run(run)
        // What waits for its time has no number.
        if run > 0, going.contains(where: { $0.id == run }) || kept.map({ $0.outcome == nil }) ?? false {
            return mailbox.put(.stop(run, who: who))
        }
        if kept != nil { throw ServeRefusal(.ended, "The run \(run) has ended already.") }
        throw ServeRefusal(.unknown, "There is no run \(run).")
    }

    package func reload() { mailbox.put(.reload) }

    package func runs(of pipeline: String?, before: ServedRun.ID?, limit: Int) -> [ServedRun] {
        let going = Dictionary(
            status().pipelines.compactMap { $0.running }.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        return archive.runs(of: pipeline, before: before, limit: limit).map { going[$0.id] ?? $0 }
    }

    package func run(_ id: ServedRun.ID) -> ServedRun? {
        let status = status()
        let going = status.pipelines.flatMap { $0.waiting + ($0.running.map { [$0] } ?? []) } + status.unlisted
        return going.first { $0.id == id } ?? archive.run(id)
    }

    package func run(ofStoreRun number: Int64, pipeline: String) -> ServedRun? {
        archive.run(ofStoreRun: number, pipeline: pipeline)
    }

    package func path(of document: ServedRun.Document, of run: ServedRun.ID) -> String? {
        archive.path(of: document, of: run)
    }

    package func subscribe(_ handler: @escaping @Sendable (ServeEvent) -> Void) -> ServeSubscription {
        board.subscribe(handler)
    }

    package func unsubscribe(_ subscription: ServeSubscription) { board.unsubscribe(subscription) }
}
