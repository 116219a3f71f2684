internal import SluiceSchedule
internal import SluiceServe
internal import SluiceServeModel
internal import SluiceStore
internal import SluiceStores
internal import SluiceSystem

/// `sluice workers`: the services that share a store, from the store alone.
struct WorkersCommand {
    let invocation: Invocation

    init(invocation: Invocation) { self.invocation = invocation }

    func run() throws -> ExitCode {
        let choice = try StoreChoice(invocation, leavingOutErrors: true)
        let found = try StoreReading(invocation, choice).read { try $0.schedule.pool?.read() }
        let now = found.map { Scheduler.second($0.now) } ?? WallClock.seconds()
        let workers = found.map { ServedWorker.all(in: $0.pool, at: $0.now) } ?? []
        let output = try invocation.openOutput()
        if invocation.arguments.isJSON {
            try output.write(WorkersJSON.text(workers, store: choice.url, now: now))
        } else {
            let isPooled = choice.address.backend.traits.isPooled
            try output.write(
                WorkersText(style: invocation.style(for: output)).text(
                    workers, store: choice.name, isPooled: isPooled, now: now))
        }
        try output.finish()
        return choice.lacksFiles ? .invalidPipeline : .done
    }
}
