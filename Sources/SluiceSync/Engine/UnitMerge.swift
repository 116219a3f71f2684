internal import SluiceDecode
internal import SluiceFetch
internal import SluiceModel
internal import SluicePages
internal import SluicePipeline
internal import SluiceReconcile
internal import SluiceReport
internal import SluiceReview
internal import SluiceStore
internal import SluiceSystem

/// Merges a commit unit in one transaction: again from its start where an attempt found out what it should have known.
///
/// A savepoint for each stream would spare the others of a unit the repetition. It would also copy every page of the
/// database that any run changes, for the sake of the few that repeat something.
struct UnitMerge {
    let engine: SyncEngine
    let store: any RecordStore
    let access: SourceAccess
    /// Is told of each change.
    let observer: any RunObserver
    /// When the run was started, RFC 3339 in UTC.
    let time: String
    /// The run's number where it has kept a unit; nil before, and in a plan.
    let number: Int64?
    /// Whether the run's tables are prepared.
    let hasTables: Bool
    /// Whether a transaction is open of which the unit is a part.
    let isNested: Bool
    /// What the units before left of `--allow-deletes`; nil where it was not given.
    let allowedDeletes: Int?
    /// What counts edits meanwhile; nil where nothing does.
    var editCount: EditCount?
    private var options: SyncOptions { engine.options }

    /// Merges a unit. The network is waited for between two attempts alone, while no transaction is open.
    ///
    /// - Parameter unit: The unit.
    /// - Returns: What it came to. Its transaction stays open.
    /// - Throws: Whatever fetch, decode, merge and store throw; nothing of the unit is left then.
    func perform(_ unit: CommitUnit) throws -> UnitOutcome {
        var unit = unit
        var needs = try movesOfPlan(unit)
        var allowed = allowedDeletes
        while true {
            try options.cancellation.check()
            switch try attempt(unit, needs, allowed) {
            case .merged(let outcome): return outcome
            case .excessive: allowed = 0
            case .stale:
                // There is more to do than what the source has changed, so all of it is read.
                unit.pages = try engine.fetch(access, unit.readings, [:], unit.tokens)
            case .lacking(let found, let plans):
                // What is known now may leave fewer deletes.
                allowed = allowedDeletes
                needs.merge(found) { $1 }
                try engine.askForMissing(access, &needs)
                if !found.isEmpty { continue }
                for stream in unit.streams {
                    guard let plan = plans[stream.name] else { continue }
                    unit.pages[stream.name] = try engine.fetch(
                        stream, plan, access, unit.readings[stream.name], nil, nil)
                }
            }
        }
    }

    /// Which records pass from one stream to another in the plan that is carried out. What such a plan does not show as it
    /// is would be held back before it is seen where it goes, so that is found out with nothing held back.
    ///
    /// - Parameter unit: The unit.
    /// - Returns: What the first attempt has to know.
    /// - Throws: Whatever decode, merge and store throw.
    private func movesOfPlan(_ unit: CommitUnit) throws -> [String: AttemptNeeds] {
        var needs: [String: AttemptNeeds] = [:]
        guard let gate = options.gate, gate.rule == .planned, engine.sharesTables, unit.scan == nil else {
            return needs
        }
        gate.standOpen(true)
        defer { gate.standOpen(false) }
        var isDone = false
        while !isDone {
            try options.cancellation.check()
            switch try attempt(unit, needs, allowedDeletes) {
            case .merged:
                try revert()
                isDone = true
            case .stale, .excessive: isDone = true
            case .lacking(let found, _):
                needs.merge(found) { $1 }
                // What the source has to be asked for, records that are held back may not need.
                isDone = found.values.allSatisfy { $0.missing != nil && $0.existence == nil }
            }
        }
        return needs.mapValues { need in
            var moves = AttemptNeeds()
            moves.elsewhere = need.elsewhere
            return moves
        }
    }

    /// One attempt; what does not end well is taken back.
    private func attempt(
        _ unit: CommitUnit, _ needs: [String: AttemptNeeds], _ allowed: Int?
    ) throws -> UnitAttempt.Result {
        if isNested { try store.beginSavepoint() } else { try store.begin() }
        do {
            var attempt = try UnitAttempt(self, unit, needs, allowedDeletes: allowed)
            let result = try attempt.perform()
            if case .merged = result { return result }
            try revert()
            return result
        } catch {
            try? revert()
            throw error
        }
    }

    private func revert() throws {
        observer.restart()
        options.gate?.restart()
        if isNested { try store.rollBackToSavepoint() } else { store.rollback() }
    }
}
