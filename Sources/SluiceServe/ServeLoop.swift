internal import SluiceDiagnostics
internal import SluicePipeline
internal import SluiceSchedule
internal import SluiceServeModel
internal import SluiceStores

/// The loop of a service: what is due is decided here, by one thread, and done.
package final class ServeLoop {
    /// How many seconds pass at most between two looks at the clock, which may be turned.
    private static let longestSleep = 1.0
    private static let secondsBetweenLooksAtFiles = 2.0
    private static let secondsBetweenWrites = 0.5
    /// How many seconds lie between the two signals by which a run is stopped.
    static let killDelay = 30.0

    /// Something that is done once its row is written.
    private struct Effect {
        let decision: Decision
        let start: Double
    }

    let settings: ServeSettings
    let program: any ServeProgram
    let mailbox: ServeMailbox
    let board: ServeBoard
    let archive: RunArchive
    var catalog: PipelineCatalog
    let book: LedgerBook
    let worker: PoolWorker
    private(set) var scheduler = Scheduler(graph: ScheduleGraph(leavingOutCycles: []))
    var active: [ServedRun.ID: Active] = [:]
    /// What reads partitions of other services' runs.
    var helpers: [ServedRun.ID: Helper] = [:]
    /// When the last of them ended of each share.
    var helpedAt: [Int64: Double] = [:]
    /// What people have asked for and has not been started.
    var asked: [ServedRun] = []
    private var effects: [Effect] = []
    private(set) var isStopping = false
    private var stoppingAt = 0.0
    let startedAt: Int64
    /// Whether the board shows something else than what is.
    var isChanged = true
    /// Whether pools are looked at before it is time.
    var wantsPools = true
    var poolsShownAt = -Double.infinity
    /// The pipelines whose files are not there: no run of them is started until that is sure or over.
    private(set) var held: Set<String> = []
    private var wantsReload = true
    private var wantsDecision = true
    private var decidedAt: Int64 = .min
    private var wakeAt: Int64 = .min
    private var looksAtFilesAt = 0.0
    private var decisionsSinceForgetting = 0
    private var toldTrouble: String?
    /// The last run of each pipeline of which was told that it failed, where none has succeeded since.
    var told: [String: ServedRun] = [:]
    /// What was told of files that is only to be heeded.
    var toldWarnings: Set<String> = []

    init(
        settings: ServeSettings, program: any ServeProgram, mailbox: ServeMailbox, board: ServeBoard,
        archive: RunArchive
    ) {
        (self.settings, self.program) = (settings, program)
        (self.mailbox, self.board, self.archive) = (mailbox, board, archive)
        catalog = PipelineCatalog(settings, program)
        worker = PoolWorker(
            id: String(UInt64.random(in: .min ... .max), radix: 16), place: settings.place, slots: settings.workers,
            lease: settings.leaseSeconds)
        book = LedgerBook(worker: worker, keeping: settings.keptDueTimes, clock: settings.clock)
        startedAt = settings.clock.now
    }

    /// Whether the service is told to end and nothing is left to do.
    package var hasEnded: Bool {
        guard isStopping, active.isEmpty, helpers.isEmpty else { return false }
        // An end that is not in the store would count as none.
        let isDone = book.write() && book.desks.values.allSatisfy(\.isLeft)
        return isDone || time - stoppingAt > settings.graceSeconds + 2 * Self.killDelay
    }

    var time: Double { settings.clock.monotonic() }

    /// Looks at the clock once, and does what is to be done.
    ///
    /// - Returns: In how many seconds to look again, unless a run ends before.
    package func poll() -> Double {
        for letter in mailbox.take() { read(letter) }
        if program.looks() { wantsReload = true }
        reloadIfNeeded()
        holdMissing()
        if book.open() { recordChange() }
        if isStopping { stopRuns() } else { decide() }
        stopHelpers()
        let isWritten = book.write()
        perform()
        pollPools()
        killRuns()
        if isChanged || !isWritten { show() }
        if !isWritten { return Self.secondsBetweenWrites }
        // A store that was read meanwhile, and what an effect has changed, is decided on at once.
        if wantsDecision && !isStopping { return 0 }
        let pools = book.desks.values.filter { !$0.isLeft || !isStopping }.map(\.secondsToLook)
        let next = min(Double(wakeAt) - settings.clock.wall(), pools.min() ?? .infinity)
        return min(Self.longestSleep, max(0.005, next))
    }

    /// Something is to be decided or shown that was not before.
    func recordChange() { (isChanged, wantsDecision, wantsPools) = (true, true, true) }

    // MARK: Letters

    private func read(_ letter: ServeMailbox.Letter) {
        switch letter {
        case .news(let id, .progressed(let progress)):
            guard active[id] != nil else { return }
            active[id]?.run.progress = progress
            isChanged = true
            if let run = active[id]?.run { board.report(.progressed(run)) }
        case .news(let id, .ended(let ending)): if !endHelper(id, ending) { end(id, ending) }
        case .start(let run):
            asked.append(run)
            recordChange()
            board.report(.queued(run))
        case .stop(let id, let who): stop(id, who)
        case .reload: wantsReload = true
        case .end:
            if isStopping { return }
            (isStopping, stoppingAt) = (true, time)
            recordChange()
            program.log(ServeMessage(kind: .stopping, text: "No more runs are started."))
            board.report(.stopping)
            for run in asked { giveUp(run, "The service ended before the run was started.") }
            asked = []
        }
    }

    private func stop(_ id: ServedRun.ID, _ who: String) {
        if let index = asked.firstIndex(where: { $0.id == id }) {
            return giveUp(asked.remove(at: index), "It was given up by \(who).")
        }
        guard let run = active[id] else { return }
        active[id]?.run.error = "It was stopped by \(who)."
        terminate(id, isKilled: run.askedAt != nil)
    }

    private func giveUp(_ run: ServedRun, _ reason: String) {
        var run = run
        (run.outcome, run.endedAt, run.error) = (.interrupted, settings.clock.now, reason)
        archive.keep(run)
        board.report(.ended(run))
        recordChange()
    }

    // MARK: Files

    private func reloadIfNeeded() {
        if !wantsReload, time >= looksAtFilesAt {
            looksAtFilesAt = time + Self.secondsBetweenLooksAtFiles
            wantsReload = catalog.isStale()
        }
        guard wantsReload else { return }
        wantsReload = false
        catalog.read()
        for (name, entry) in catalog.entries { book.place(name, in: entry.store.address) }
        recordChange()
        program.log(
            ServeMessage(
                kind: .reloaded,
                text: "\(Plural.of(catalog.entries.count, "pipeline is", "pipelines are")) served." + keptWords))
        reportProblems()
        board.report(.reloaded)
    }

    /// Holds back what has no file: whoever replaces it may be about to write it.
    private func holdMissing() {
        let missing = catalog.missing
        if missing == held { return }
        held = missing
        recordChange()
    }

    /// Notes that what a scheduler decides on was decided by the present schedules.
    func settleChanges(_ scheduler: Scheduler) {
        for name in catalog.entries.keys where scheduler.decides(on: name) { catalog.settleChange(of: name) }
    }

    /// A scheduler of all pipelines that are served.
    ///
    /// - Parameters:
    ///   - scope: On which of them it decides.
    ///   - address: The store whose rows are read before it decides; nil for none.
    /// - Returns: The scheduler.
    func makeScheduler(_ scope: Scheduler.Scope, reading address: StoreAddress? = nil) -> Scheduler {
        // What a store has of a pipeline must be known before anything is decided on it, or started after it.
        let entries = catalog.entries.values.filter {
            $0.store.address == address || book.isRead($0.store.address)
        }
        let unread = Set(catalog.entries.keys).subtracting(entries.map(\.definition.name))
        let pipelines = entries.compactMap { entry in
            var pipeline = entry.definition.schedule?.pipeline
            pipeline?.change = entry.change.map { .init(earlier: $0.earlier, age: Int64(time - $0.readAt)) }
            let isHeld = held.contains(entry.definition.name) || !unread.isDisjoint(with: pipeline?.after ?? [])
            pipeline?.isHeld = isHeld
            return pipeline
        }
        var limits = Scheduler.Limits()
        limits.workers = settings.workers
        limits.killDelay = Int64(Self.killDelay)
        return Scheduler(
            graph: ScheduleGraph(leavingOutCycles: pipelines.sorted { $0.name < $1.name }), limits: limits,
            scope: scope)
    }

    // MARK: Decisions

    private func decide() {
        let now = settings.clock.now
        // A clock that was put back, or that nobody looked at, is looked at anew.
        guard wantsDecision || now >= wakeAt || now < decidedAt else {
            decidedAt = now
            return
        }
        wantsDecision = false
        scheduler = makeScheduler(.except(book.pooled))
        startAsked()
        let step = scheduler.step(
            book.ledger, at: now, running: running, others: unscheduled, committed: book.committed)
        settleChanges(scheduler)
        (decidedAt, wakeAt) = (now, step.wakeAt ?? .max)
        guard !step.decisions.isEmpty else { return }
        isChanged = true
        book.accept(step)
        effects += step.decisions.map { Effect(decision: $0, start: time) }
        decisionsSinceForgetting += step.decisions.count
        if decisionsSinceForgetting > 1000 {
            book.forget(keeping: settings.keptDueTimes)
            decisionsSinceForgetting = 0
            wantsDecision = true
        }
    }

    /// The runs of due times that are going, or are as good as started.
    private var running: [AttemptID: Int64] {
        var running: [AttemptID: Int64] = [:]
        for effect in effects { if case .start(let attempt) = effect.decision { running[attempt] = 0 } }
        for run in active.values {
            if let attempt = run.attempt, run.claim == nil { running[attempt] = Int64(max(0, time - run.start)) }
        }
        return running
    }

    /// The pipelines of runs that people asked for; a plan holds none back, nor does a run that a pool keeps apart.
    private var unscheduled: [String] {
        active.values.filter { $0.attempt == nil || $0.claim != nil }.map { run in
            run.run.kind == .plan || run.claim != nil ? "" : run.run.pipeline
        } + helpers.map { _ in "" }
    }

    private func startAsked() {
        var busy = Set(running.keys.map(\.due.pipeline) + unscheduled)
        for run in asked {
            guard running.count + unscheduled.count < settings.workers else { return }
            guard let entry = catalog.entries[run.pipeline] else {
                asked.removeAll { $0.id == run.id }
                giveUp(run, "The pipeline is not served any more.")
                continue
            }
            // Where others could start it as well, it takes a claim.
            if held.contains(run.pipeline) || run.kind == .run && book.desk(of: run.pipeline) != nil { continue }
            if run.kind == .run, !busy.insert(run.pipeline).inserted { continue }
            asked.removeAll { $0.id == run.id }
            start(run, entry, attempt: nil)
        }
    }

    // MARK: Effects

    /// Does what was decided, where its row is in the store.
    private func perform() {
        let waiting = effects
        effects = []
        for effect in waiting {
            if case .stop(let attempt, let signal) = effect.decision {
                // Who holds the store must not keep others from stopping it: a signal too many does no harm.
                send(signal, to: attempt)
            } else if !book.isWritten(effect.decision.pipeline) {
                effects.append(effect)
            } else if !isStopping || !effect.decision.isStart {
                perform(effect.decision)
            } else if case .start(let attempt) = effect.decision {
                // Told to end in the meantime.
                end(attempt, .interrupted)
            }
        }
    }

    func perform(_ decision: Decision) {
        switch decision {
        case .start(let attempt):
            guard let entry = catalog.entries[attempt.due.pipeline] else { return end(attempt, .interrupted) }
            start(run(for: attempt), entry, attempt: attempt)
        case .late(let id):
            program.log(
                ServeMessage(
                    kind: .late, pipeline: id.pipeline,
                    text: "The run that was due at \(MomentText.of(id.moment)) has not been started yet."))
            board.report(.late(pipeline: id.pipeline, due: id.moment))
            notify(
                .late, id.pipeline, id.moment,
                "The run that was due at \(MomentText.of(id.moment)) has not been started yet.")
        case .skip(let id, let reason):
            let text = words(of: id, leftOut: reason)
            program.log(ServeMessage(kind: .skipped, pipeline: id.pipeline, text: text))
            board.report(.skipped(pipeline: id.pipeline, due: id.moment, reason: text))
        case .miss(let name, let after, let before):
            let text =
                "Due times after \(MomentText.of(after)) and before \(MomentText.of(before)) were missed; a later one stands for them."
            program.log(ServeMessage(kind: .skipped, pipeline: name, text: text))
            board.report(.skipped(pipeline: name, due: before, reason: text))
        case .settle(let id, .lost):
            let text =
                "The run that was due at \(MomentText.of(id.moment)) was lost with its service again and again, and is not tried any more."
            program.log(ServeMessage(kind: .skipped, pipeline: id.pipeline, text: text))
            notify(.failed, id.pipeline, id.moment, text)
        case .watch, .queue, .stop, .abandon, .recover, .lose, .retry, .settle: break
        }
    }

    /// The run of a due time, with a number of its own.
    func run(for attempt: AttemptID) -> ServedRun {
        var run = ServedRun(id: archive.nextID(), pipeline: attempt.due.pipeline, kind: .run)
        (run.due, run.attempt) = (attempt.due.moment, attempt.number)
        return run
    }

    func start(_ run: ServedRun, _ entry: PipelineCatalog.Entry, attempt: AttemptID?, claim: PoolClaim? = nil) {
        var run = run
        run.startedAt = settings.clock.now
        archive.keep(run)
        let order = RunOrder(
            run: run, arguments: program.arguments(for: entry.definition), texts: entry.texts, claim: claim?.token,
            told: toldFailure(before: run), folder: archive.folder(of: run.id))
        let id = run.id
        let start = time
        let handle = settings.runner.start(order) { [mailbox] news in mailbox.put(.news(id, news)) }
        active[id] = Active(
            run: run, attempt: attempt, claim: claim, desk: claim.flatMap { _ in book.desk(of: run.pipeline) },
            handle: handle, start: start)
        isChanged = true
        program.log(ServeMessage(kind: .runStarted, pipeline: run.pipeline, text: run.words, run: run))
        board.report(.started(run))
    }

    private func end(_ id: ServedRun.ID, _ ending: RunEnding) {
        guard let gone = active.removeValue(forKey: id) else { return }
        var verdict = RunVerdict(ending, wasStopped: gone.wasStopped, isLost: gone.isLost)
        let committed = verdict.isUntold ? committed(gone) : nil
        verdict = verdict.settled(by: committed?.outcome)
        var run = gone.run
        (run.outcome, run.exitCode, run.endedAt) = (verdict.outcome, ending.exitCode, settings.clock.now)
        (run.storeRun, run.counts, run.progress) = (ending.storeRun ?? committed?.number, ending.counts, nil)
        (run.seconds, run.times) = (time - gone.start, ending.times)
        run.error =
            verdict.outcome == .succeeded ? nil : run.error ?? ending.error?.message ?? verdict.reason(ending)
        archive.keep(run)
        if let claim = gone.claim {
            if !gone.isLost { gone.desk?.end(claim, verdict.dueOutcome) }
        } else if let attempt = gone.attempt {
            end(attempt, verdict.dueOutcome)
        }
        recordChange()
        program.log(ServeMessage(kind: .runEnded, pipeline: run.pipeline, text: run.words, run: run))
        board.report(.ended(run))
        let isToTell = !isStopping && gone.isUntold(verdict)
        if isToTell, toldFailure(before: run)?.isSameDueTime != true {
            notify(.failed, run.pipeline, run.due, run.error ?? "The run ended without a report.")
        }
        recordTelling(of: run, failed: isToTell || gone.hasTold(ending))
    }

    /// What the store has of a run that ended without a word, as by a signal after its commit.
    private func committed(_ gone: Active) -> CommittedRun? {
        guard gone.run.kind == .run, let start = gone.run.startedAt else { return nil }
        if let claim = gone.claim { return gone.desk?.committed(claim, since: start) }
        return book.committed(gone.run.pipeline, gone.attempt, since: start)
    }

    private func end(_ attempt: AttemptID, _ outcome: RunOutcome) {
        book.end(attempt, outcome, at: settings.clock.now)
        recordChange()
    }

    private func notify(_ event: NotificationDefinition.Event, _ name: String, _ due: Int64?, _ message: String) {
        guard let definition = catalog.entries[name]?.definition,
            definition.notifications.contains(where: { $0.events.contains(event) })
        else { return }
        program.notify(ServeNotice(event: event, pipeline: definition, due: due, message: message))
    }

    // MARK: Stopping

    func send(_ signal: StopSignal, to attempt: AttemptID) {
        guard let (id, run) = active.first(where: { $0.value.attempt == attempt }) else { return }
        active[id]?.wasStopped = true
        if active[id]?.run.error == nil { active[id]?.run.error = "It took longer than `schedule.timeout`." }
        if signal == .kill { run.handle.kill() } else { run.handle.terminate() }
    }

    func terminate(_ id: ServedRun.ID, isKilled: Bool) {
        guard let run = active[id] else { return }
        active[id]?.wasStopped = true
        active[id]?.askedAt = run.askedAt ?? time
        if isKilled { active[id]?.isKilled = true }
        if isKilled { run.handle.kill() } else { run.handle.terminate() }
    }

    /// Once the service is told to end, runs may go on for a while.
    private func stopRuns() {
        guard time - stoppingAt >= settings.graceSeconds else { return }
        for (id, run) in active where run.askedAt == nil {
            active[id]?.run.error = "The service was told to end."
            terminate(id, isKilled: false)
        }
    }

    private func killRuns() {
        for (id, run) in active where !run.isKilled {
            guard let asked = run.askedAt, time - asked >= Self.killDelay else { continue }
            terminate(id, isKilled: true)
        }
    }

    // MARK: The board

    private func show() {
        isChanged = false
        var status = ServeStatus(now: settings.clock.now, startedAt: startedAt, workers: settings.workers)
        status.isStopping = isStopping
        status.brokenFiles = catalog.brokenFiles
        let troubles = Set(catalog.entries.values.map(\.store)).compactMap { store in
            book.trouble(of: store.address).map { store.isSecret ? store.address.hidden(in: $0) : $0 }
        }
        status.trouble = troubles.isEmpty ? nil : troubles.sorted().joined(separator: " ")
        if let trouble = status.trouble, trouble != toldTrouble {
            program.log(ServeMessage(kind: .storeTrouble, text: trouble))
        }
        toldTrouble = status.trouble
        let running = Dictionary(grouping: active.values.map(\.run), by: \.pipeline)
        for (name, entry) in catalog.entries.sorted(by: { $0.key < $1.key }) {
            var pipeline = ServedPipeline(name: name, file: entry.file, store: entry.store.address)
            pipeline.description = entry.definition.description
            pipeline.isOutdated = entry.isOutdated
            pipeline.hasSecretStore = entry.store.isSecret
            pipeline.arguments = program.arguments(for: entry.definition)
            pipeline.schedule = entry.definition.schedule?.pipeline.words
            pipeline.nextDue = scheduler.nextDue(of: name, in: book.ledger)
            let open = book.ledger.pipelines[name]?.unsettled ?? []
            pipeline.lateSince = open.first { $0.isLate && $0.attempts.isEmpty }?.id.moment
            pipeline.leftOut = leftOut(of: name)
            let runs = (running[name] ?? []).sorted { $0.id < $1.id }
            pipeline.running = runs.first { $0.kind == .run } ?? runs.first
            status.unlisted += runs.filter { $0.id != pipeline.running?.id }
            pipeline.waiting =
                asked.filter { $0.pipeline == name }
                + open.filter { $0.running == nil }.map { row in
                    var run = ServedRun(id: 0, pipeline: name, kind: .run)
                    (run.due, run.attempt) = (row.id.moment, row.attempts.count + 1)
                    return run
                }
            pipeline.lastRun = archive.lastRun(of: name)
            status.pipelines.append(pipeline)
        }
        let served = Set(catalog.entries.keys)
        status.unlisted += active.values.map(\.run).filter { !served.contains($0.pipeline) }
        status.crew = crew
        board.show(status)
    }
}

extension Decision {
    fileprivate var isStart: Bool {
        if case .start = self { return true }
        return false
    }
}
