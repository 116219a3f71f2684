/// Decides what is to be done now, of schedules, the ledger and the clock alone.
///
/// It keeps nothing: the same ledger at the same time gives the same decisions, so that a program that was killed
/// anywhere goes on where the ledger ends.
///
/// - A due time has one row, and a row is never run again once it is settled. So nothing runs twice, however the clock is
///   turned: where it is put back, due times that have a row are passed over.
/// - Of several due times that passed at once, the last one counts. One that is decided on more than
///   ``Limits/grace`` seconds after its time is missed, and ``ScheduledPipeline/missed`` says what becomes of it.
/// - A due time that was decided on is not missed any more. It is run when it can be.
/// - A schedule that changed holds from when it was read (``ScheduledPipeline/change``).
package struct Scheduler: Sendable {
    /// What holds for all pipelines.
    package struct Limits: Hashable, Sendable {
        /// How many runs go at a time.
        package var workers = 2
        /// How many seconds after its time a due time is missed, or late where it has not been started.
        package var grace: Int64 = 60
        /// How many seconds lie between the two signals.
        package var killDelay: Int64 = 30
        /// How often a run whose worker was lost is replaced for one due time.
        package var replacements = 10

        /// The usual limits.
        package init() {}
    }

    /// What is to be done now, and when to look again.
    package struct Step: Sendable {
        /// In their order: each row is written before its effect, and before the next one.
        package var decisions: [Decision] = []
        /// The ledger after them.
        package var ledger: Ledger
        /// When to look again, by the wall clock, unless a run ends before or the clock is put back; nil for never.
        package var wakeAt: Int64?
    }

    /// Whose due times a scheduler decides on, among those that the ledger and the graph have.
    package enum Scope: Sendable {
        case all
        /// Those of these pipelines.
        case only(Set<String>)
        /// Those of all pipelines but these.
        case except(Set<String>)

        func contains(_ pipeline: String) -> Bool {
            switch self {
            case .all: true
            case .only(let names): names.contains(pipeline)
            case .except(let names): !names.contains(pipeline)
            }
        }
    }

    /// What other workers of a pool run at the moment.
    package struct Elsewhere: Sendable {
        /// Their runs for due times.
        package var attempts: Set<AttemptID> = []
        /// All pipelines that they run.
        package var pipelines: Set<String> = []

        /// Nothing.
        package init() {}
    }

    let graph: ScheduleGraph
    let limits: Limits
    let scope: Scope

    /// Makes a scheduler.
    package init(graph: ScheduleGraph, limits: Limits = Limits(), scope: Scope = .all) {
        self.graph = graph
        self.limits = limits
        self.scope = scope
    }

    /// A moment in whole seconds.
    package static func second(_ moment: Double) -> Int64 { Int64(moment.rounded(.down)) }

    /// Decides what is to be done.
    ///
    /// - Parameters:
    ///   - ledger: What was decided and done before.
    ///   - now: The time of the wall clock.
    ///   - running: The runs that have a process, and for how many seconds they have had one, by a clock that nobody sets.
    ///   - others: The pipelines of runs that somebody started without a due time. Each takes a worker, and what is
    ///     due of its pipeline waits for its end.
    ///   - elsewhere: What other workers run, where there are any. It takes no worker here.
    ///   - committed: What runs came to that have no end in the ledger and are in the store. The others that have no
    ///     process count as interrupted.
    /// - Returns: The decisions, the ledger after them, and when to look again.
    package func step(
        _ ledger: Ledger, at now: Int64, running: [AttemptID: Int64], others: [String] = [],
        elsewhere: Elsewhere? = nil, committed: [AttemptID: RunOutcome] = [:]
    ) -> Step {
        var pass = Pass(
            scheduler: self, now: now, running: running, others: others, elsewhere: elsewhere,
            committed: committed, step: Step(ledger: ledger))
        var count = 0
        pass.endRuns()
        pass.stopRuns()
        for pipeline in graph.pipelines where scope.contains(pipeline.name) { pass.decideDueTimes(of: pipeline) }
        // What is skipped lets go what waited for it.
        repeat {
            count = pass.step.decisions.count
            pass.startRuns()
        } while pass.step.decisions.count > count
        pass.step.wakeAt = pass.nextMoment()
        return pass.step
    }

    /// The first due time of a pipeline after those that were decided on; nil where none is left or it is not known.
    package func nextDue(of name: String, in ledger: Ledger) -> Int64? {
        guard let pipeline = graph.pipeline(named: name), let rows = ledger.pipelines[name] else { return nil }
        let pass = Pass(
            scheduler: self, now: 0, running: [:], others: [], elsewhere: nil, step: Step(ledger: ledger))
        return pass.nextDue(of: pipeline, rows, passingOver: true)
    }

    /// Whether it decides on the due times of a pipeline.
    package func decides(on name: String) -> Bool { scope.contains(name) && graph.pipeline(named: name) != nil }

    /// The pipelines of `after` that a due time waits for; none where it can be started as far as those go.
    package func awaited(by id: DueTimeID, in ledger: Ledger, at now: Int64) -> [String] {
        Pass(scheduler: self, now: now, running: [:], others: [], elsewhere: nil, step: Step(ledger: ledger))
            .awaited(by: id)
    }

    /// One pass over all that there is to decide.
    struct Pass {
        let scheduler: Scheduler
        let now: Int64
        let running: [AttemptID: Int64]
        let others: [String]
        /// Nil where there are no other workers.
        let elsewhere: Elsewhere?
        var committed: [AttemptID: RunOutcome] = [:]
        var step: Step

        var graph: ScheduleGraph { scheduler.graph }
        var limits: Limits { scheduler.limits }
        var ledger: Ledger { step.ledger }
        /// The rows to decide on that are not settled.
        var unsettled: [DueTime] { ledger.unsettled.filter { scheduler.scope.contains($0.id.pipeline) } }

        func isElsewhere(_ attempt: AttemptID) -> Bool { elsewhere?.attempts.contains(attempt) ?? false }

        mutating func decide(_ decision: Decision) {
            step.decisions.append(decision)
            step.ledger.apply(decision, at: now, running: running)
        }
    }
}
