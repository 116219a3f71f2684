/// What was decided and done: the rows that a scheduler is started again from.
package struct Ledger: Hashable, Sendable {
    /// The rows of one pipeline.
    package struct Pipeline: Hashable, Sendable {
        /// Up to this moment, due times were decided on.
        package fileprivate(set) var mark: Int64
        /// Up to this moment, rows were forgotten: no clock that is put back has their due times run again.
        package fileprivate(set) var floor: Int64?
        /// In the order of their moments.
        package fileprivate(set) var dueTimes: [DueTime] = []
        /// The moments of those that are not settled, in their order.
        fileprivate(set) var open: [Int64] = []

        init(mark: Int64) { self.mark = mark }

        fileprivate init(mark: Int64, floor: Int64?, dueTimes: [DueTime]) {
            (self.mark, self.floor) = (mark, floor)
            self.dueTimes = dueTimes.sorted { $0.id.moment < $1.id.moment }
            open = self.dueTimes.filter { $0.settlement == nil }.map(\.id.moment)
        }

        /// The place of a due time, or where it would stand.
        func place(of moment: Int64) -> Int {
            var low = 0
            var high = dueTimes.count
            while low < high {
                let middle = (low + high) / 2
                if dueTimes[middle].id.moment < moment { low = middle + 1 } else { high = middle }
            }
            return low
        }

        /// The row of a due time.
        package func dueTime(at moment: Int64) -> DueTime? {
            let place = place(of: moment)
            return place < dueTimes.count && dueTimes[place].id.moment == moment ? dueTimes[place] : nil
        }

        /// The rows that are not settled, in the order of their moments.
        package var unsettled: [DueTime] { open.compactMap(dueTime(at:)) }

        fileprivate mutating func change(_ id: DueTimeID, _ change: (inout DueTime) -> Void) {
            let place = place(of: id.moment)
            if place == dueTimes.count || dueTimes[place].id != id { dueTimes.insert(DueTime(id: id), at: place) }
            change(&dueTimes[place])
            open.removeAll { $0 == id.moment }
            if dueTimes[place].settlement == nil {
                open.insert(id.moment, at: open.firstIndex { $0 > id.moment } ?? open.count)
            }
        }
    }

    /// The pipelines by their names.
    package private(set) var pipelines: [String: Pipeline] = [:]

    /// An empty ledger.
    package init() {}

    /// Takes in the rows of a pipeline, as they were written, in the place of what there is of it.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline's name.
    ///   - mark: Up to where due times were decided on.
    ///   - floor: Up to where rows were forgotten.
    ///   - dueTimes: The rows.
    package mutating func restore(_ pipeline: String, mark: Int64, floor: Int64?, _ dueTimes: [DueTime]) {
        pipelines[pipeline] = Pipeline(mark: mark, floor: floor, dueTimes: dueTimes)
    }

    /// Takes the rows of a pipeline from another ledger in the place of its own; none where that one has none.
    package mutating func adopt(_ pipeline: String, from other: Ledger) {
        pipelines[pipeline] = other.pipelines[pipeline]
    }

    /// The row of a due time.
    package func dueTime(_ id: DueTimeID) -> DueTime? { pipelines[id.pipeline]?.dueTime(at: id.moment) }

    /// The rows that are not settled, of all pipelines.
    var unsettled: [DueTime] {
        pipelines.values.flatMap(\.unsettled).sorted {
            ($0.id.moment, $0.id.pipeline) < ($1.id.moment, $1.id.pipeline)
        }
    }

    /// Writes what was decided.
    ///
    /// - Parameters:
    ///   - decision: The decision.
    ///   - now: The time of the wall clock.
    ///   - seconds: How long each run has been going.
    package mutating func apply(_ decision: Decision, at now: Int64, running seconds: [AttemptID: Int64] = [:]) {
        switch decision {
        case .watch(let pipeline, let moment):
            pipelines[pipeline, default: Pipeline(mark: moment)].mark = moment
        case .queue(let id):
            change(id) { _ in }
            advance(id.pipeline, to: min(id.moment, now))
        case .skip(let id, let reason):
            change(id) { $0.settlement = .skipped(reason) }
            advance(id.pipeline, to: min(id.moment, now))
        case .miss(let pipeline, _, let end):
            advance(pipeline, to: end - 1)
        case .late(let id):
            change(id) { $0.isLate = true }
        case .start(let attempt):
            change(attempt.due) {
                $0.attempts.append(DueTime.Attempt(start: now))
                $0.retryAt = nil
            }
            advance(attempt.due.pipeline, to: now)
        case .stop(let attempt, let signal):
            change(attempt.due) { $0.attempts[attempt.number - 1].signals[signal] = seconds[attempt] ?? 0 }
        case .abandon(let attempt):
            end(attempt, .interrupted, at: now)
        case .recover(let attempt, let outcome):
            end(attempt, outcome, at: now)
        case .lose(let attempt):
            end(attempt, .lost, at: now)
        case .retry(let id, let moment):
            change(id) { $0.retryAt = moment }
        case .settle(let id, let outcome):
            change(id) { $0.settlement = .run(outcome) }
        }
    }

    /// Writes the end of a run, before its process is forgotten.
    ///
    /// - Parameters:
    ///   - attempt: The run; one that is not going changes nothing.
    ///   - outcome: What it came to.
    ///   - now: The time of the wall clock.
    package mutating func end(_ attempt: AttemptID, _ outcome: RunOutcome, at now: Int64) {
        guard dueTime(attempt.due)?.running == attempt else { return }
        change(attempt.due) { $0.attempts[attempt.number - 1].end = DueTime.End(moment: now, outcome: outcome) }
    }

    /// Forgets settled rows of long ago. Their due times are not run again, however the clock is put back.
    ///
    /// - Parameters:
    ///   - count: How many settled rows of each pipeline stay, the newest.
    ///   - scope: Which pipelines are meant.
    /// - Returns: What was forgotten.
    package mutating func forget(keeping count: Int, of scope: Scheduler.Scope = .all) -> [DueTimeID] {
        var forgotten: [DueTimeID] = []
        for (name, rows) in pipelines where scope.contains(name) {
            let surplus = rows.dueTimes.count - rows.open.count - count
            guard surplus > 0 else { continue }
            let old = rows.dueTimes.lazy.filter { $0.settlement != nil }.prefix(surplus).map(\.id)
            guard let last = old.last?.moment else { continue }
            forgotten += old
            pipelines[name]?.dueTimes.removeAll { $0.id.moment <= last && $0.settlement != nil }
            pipelines[name]?.floor = max(rows.floor ?? last, last)
        }
        return forgotten
    }

    private mutating func change(_ id: DueTimeID, _ change: (inout DueTime) -> Void) {
        pipelines[id.pipeline, default: Pipeline(mark: id.moment)].change(id, change)
    }

    private mutating func advance(_ pipeline: String, to moment: Int64) {
        guard let mark = pipelines[pipeline]?.mark, mark < moment else { return }
        pipelines[pipeline]?.mark = moment
    }
}
