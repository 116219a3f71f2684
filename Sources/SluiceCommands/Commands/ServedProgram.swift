internal import Dispatch
internal import SluiceDiagnostics
internal import SluiceNotices
internal import SluicePipeline
internal import SluicePipelineFiles
internal import SluiceReport
internal import SluiceServe
internal import SluiceServeModel
internal import SluiceStores
internal import SluiceSync
internal import SluiceSystem
internal import Synchronization

/// What `sluice serve` does for its service.
final class ServedProgram: ServeProgram {
    /// How many notices wait at most to be sent.
    private static let mostNotices = 100

    private let invocation: Invocation
    private let manager: ServiceManager
    private let notices = DispatchQueue(label: "sluice.notices")
    private let pending = PendingNotices()
    private let waiting = BoundedQueue<Void>(capacity: mostNotices)
    private var hangups = Signals.hangupCount
    let log: Log

    init(_ invocation: Invocation, _ manager: ServiceManager) {
        (self.invocation, self.manager) = (invocation, manager)
        let arguments = invocation.arguments
        // Who looks at a service wants to see what it does.
        let level = arguments.text(.logLevel) == nil ? .info : arguments.logLevel
        log = Log(level: level, format: arguments.logFormat, sink: invocation.context.errors).dated()
    }

    func load(_ file: String, _ texts: PipelineTexts) -> (PipelineDefinition?, [Diagnostic]) {
        PipelineLoader.load(
            path: file, variables: invocation.arguments.variables, environment: invocation.context.environment,
            mode: .run, texts: texts)
    }

    func store(of pipeline: PipelineDefinition) -> Result<ServedStore, ServeProblem> {
        do {
            let job = try SyncJob(pipeline, invocation)
            return .success(ServedStore(job.store.absolute, isSecret: job.hasSecretStore))
        } catch {
            return .failure(
                ServeProblem(
                    Diagnostic(
                        code: "unknown_store", summary: "Unknown store", detail: Failure(error).message,
                        location: SourceLocation(file: pipeline.file),
                        help: "Correct `store` in the file, or name the store with `--store`.")))
        }
    }

    func disagreements(of pipelines: [PipelineDefinition]) -> [Diagnostic] { ScheduleProblems.all(of: pipelines) }

    func arguments(for pipeline: PipelineDefinition) -> [String] {
        let arguments = invocation.arguments
        let store = arguments.store.map { ["--store", $0.wholeURL] } ?? []
        let variables = arguments.variables.sorted { $0.key < $1.key }.flatMap { ["--var", "\($0.key)=\($0.value)"] }
        return store + variables + [pipeline.file]
    }

    func looks() -> Bool {
        manager.notify("WATCHDOG=1")
        for failure in pending.takeFailures() { log.about(failure.pipeline).report(.noticeFailed, failure.message) }
        let count = Signals.hangupCount
        defer { hangups = count }
        return count != hangups
    }

    func notify(_ notice: ServeNotice) {
        let pipeline = notice.pipeline
        guard pending.begin(limit: Self.mostNotices) else {
            return log.about(pipeline.name).report(
                .noticeFailed,
                "Nobody was told, since \(Self.mostNotices) others are still being told: \(notice.message)")
        }
        let body = NoticeJSON.text(notice)
        let sender = NoticeSender(
            pipeline, version: Sluice.version, environment: invocation.context.environment,
            cancellation: invocation.context.cancellation)
        notices.async { [pending] in
            let problems = pipeline.notifications.enumerated().compactMap { index, notification in
                notification.events.contains(notice.event)
                    ? sender.send(body, to: notification, number: index + 1)?.message : nil
            }
            pending.end(pipeline.name, problems)
        }
    }

    func log(_ message: ServeMessage) {
        let log = message.pipeline.map { self.log.about($0) } ?? log
        if let problem = message.problem {
            return log.report(problem, by: TextDiagnosticRenderer())
        }
        log.report(message.kind.event, level: message.level, message.text, message.details)
    }
}

extension ServeMessage.Kind {
    fileprivate var event: LogEvent {
        switch self {
        case .reloaded: .filesRead
        case .runStarted: .childStarted
        case .runEnded: .childEnded
        case .takenOver: .runTakenOver
        case .helped: .runHelped
        case .helpFailed: .runHelpFailed
        case .late: .dueLate
        case .skipped: .dueSkipped
        case .storeTrouble: .storeTrouble
        case .fileProblem: .pipelineProblem
        case .stopping: .serviceStopping
        }
    }
}

extension ServeMessage {
    /// How much it matters, where the event does not say it.
    fileprivate var level: Log.Level? {
        guard kind == .runEnded, let outcome = run?.outcome else { return nil }
        switch outcome {
        case .succeeded: return .info
        case .failed: return .error
        case .refused, .partial, .locked, .superseded, .interrupted: return .warning
        }
    }

    fileprivate var details: [(LogDetail, LogValue)] {
        guard let run else { return [] }
        var details: [(LogDetail, LogValue)] = [(.child, .number(Int(clamping: run.id)))]
        if let number = run.storeRun { details.append((.run, .number(Int(clamping: number)))) }
        if let outcome = run.outcome {
            details += [(.status, .text(outcome.rawValue)), (.seconds, .decimal(run.seconds))]
        }
        if let code = run.exitCode { details.append((.exitCode, .number(Int(code)))) }
        return details
    }
}

/// The notices that are being sent, and what went wrong with those before.
private final class PendingNotices: Sendable {
    private struct State {
        var count = 0
        var failures: [(pipeline: String, message: String)] = []
    }

    private let state = Mutex(State())

    /// Notes that another one is sent; false where there are too many already.
    func begin(limit: Int) -> Bool {
        state.withLock { state in
            if state.count >= limit { return false }
            state.count += 1
            return true
        }
    }

    func end(_ pipeline: String, _ problems: [String]) {
        state.withLock { state in
            state.count -= 1
            state.failures += problems.map { (pipeline, $0) }
        }
    }

    func takeFailures() -> [(pipeline: String, message: String)] {
        state.withLock { state in
            defer { state.failures = [] }
            return state.failures
        }
    }
}
