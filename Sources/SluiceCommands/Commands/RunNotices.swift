internal import SluiceNotices
internal import SluicePipeline
internal import SluiceReport
internal import SluiceSchedule
internal import SluiceServe
internal import SluiceStore
internal import SluiceStores
internal import SluiceSync

/// Tells whom a pipeline names how its run ended.
struct RunNotices {
    let invocation: Invocation
    let job: SyncJob
    let sender: NoticeSender

    /// How many runs are looked at for the one before.
    private static let runsLookedAt = 100

    init(_ engine: SyncEngine, _ job: SyncJob, _ invocation: Invocation) {
        (self.invocation, self.job) = (invocation, job)
        sender = NoticeSender(
            engine.pipeline, hiding: engine.secrets, version: engine.options.version,
            environment: invocation.context.environment, cancellation: engine.options.cancellation)
    }

    /// Tells of a run that is committed or rolled back, in the order of the file, and waits for it.
    ///
    /// - Returns: Warnings about what could not be told.
    func send(_ report: RunReport) -> [RunProblem] {
        let notifications = job.pipeline.notifications
        if invocation.arguments.command.id != .run || notifications.isEmpty { return [] }
        var problems: [RunProblem] = []
        let wantsRecovery = notifications.contains { $0.events.contains(.recovered) }
        var events = report.events { wantsRecovery && hasRecovered(report, &problems) }
        // Of the attempts at one due time the first one to fail tells it.
        if invocation.context.toldFailure?.isSameDueTime == true { events.removeAll { $0 == .failed } }
        for (index, notification) in notifications.enumerated() {
            let told = events.filter { notification.events.contains($0) }
            if told.isEmpty { continue }
            let body = NoticeJSON.text(report, events: told)
            if let problem = sender.send(body, to: notification, number: index + 1) { problems.append(problem) }
        }
        return problems
    }

    private func hasRecovered(_ report: RunReport, _ problems: inout [RunProblem]) -> Bool {
        do {
            let store = try invocation.backend(job.store).open(
                .reading, StoreWaiting(busyMilliseconds: invocation.arguments.busyMilliseconds))
            return report.recovers(
                from: try store.runs.latest(of: report.pipeline, limit: Self.runsLookedAt),
                dueTimes: try store.schedule.read().dueTimes.filter { $0.id.pipeline == report.pipeline },
                told: invocation.context.toldFailure?.start)
        } catch {
            problems.append(
                RunProblem(
                    code: "hook_failed", severity: .warning,
                    message:
                        "The store does not tell how the run before ended, so that nobody is told if this one has `recovered`."
                ))
            return false
        }
    }
}
