internal import SluiceReconcile
internal import SluiceReport
internal import SluiceReview
internal import SluiceSQLiteStore
internal import SluiceStore
internal import SluiceSystem

extension Store {
    /// The open conflicts of a model, whatever source they are with.
    ///
    /// ```swift
    /// for conflict in try await store.conflicts(of: Book.self) {
    ///     if let title = try conflict.sides(\.title) { print(title.local, title.remote) }
    ///     try await store.resolve(conflict, .remote, who: "ann")
    /// }
    /// ```
    ///
    /// - Throws: ``SluiceError``.
    public func conflicts<M: PersistentModel>(of model: M.Type) async throws -> [Conflict<M>] {
        let description = M.model.description
        try check(description)
        let entries = try await look { store in
            try store.conflicts.list(includingClosed: false).filter { description.isEntity($0.entity) }
        }
        return entries.map { Conflict(entry: $0) }
    }

    /// The open conflicts of all models and of all other tables, whatever source they are with.
    ///
    /// ```swift
    /// for conflict in try await store.conflicts() { print(conflict.entity, conflict.record, conflict.kind) }
    /// ```
    ///
    /// - Throws: ``SluiceError``.
    public func conflicts() async throws -> [AnyConflict] {
        let entries = try await look { store in try store.conflicts.list(includingClosed: false) }
        return entries.map { AnyConflict(entry: $0) }
    }

    /// Carries out what a person decides of a conflict, whatever model it is of.
    ///
    /// - Parameters:
    ///   - conflict: The conflict.
    ///   - side: What stands from now on.
    ///   - who: Who decided, kept with the conflict; nil for the store's own.
    ///   - note: Why, kept with the conflict.
    /// - Returns: Whether it was carried out, or the row had changed meanwhile.
    /// - Throws: ``SluiceError`` with ``SluiceError/Code/refused`` where it cannot be carried out; nothing is written then.
    @discardableResult
    public func resolve(
        _ conflict: AnyConflict, _ side: ConflictSide, who: String? = nil, note: String? = nil
    ) async throws -> DecisionOutcome {
        let resolution: Resolution =
            switch side {
            case .local: .local
            case .remote: .remote
            case .base: .base
            }
        return try await interruptibly(telling: true) { [writer] point in
            try await writer.resolve(conflict.entry, resolution, who: who, note: note, point)
        }
    }

    /// The records of a model that wait because they do not fit, whatever source sent them.
    ///
    /// A record goes once its source sends one that fits, or no longer lists it.
    ///
    /// - Throws: ``SluiceError``.
    public func quarantine<M: PersistentModel>(of model: M.Type) async throws -> [SyncResult<M>.Quarantined] {
        let description = M.model.description
        try check(description)
        let entries = try await look { store in
            try store.quarantine.list(includingClosed: false).filter { description.isEntity($0.entity) }
        }
        return entries.map { SyncResult<M>.Quarantined($0) }
    }

    /// Carries out what a person decides of a conflict.
    ///
    /// - Parameters:
    ///   - conflict: The conflict.
    ///   - decision: What stands from now on.
    ///   - who: Who decided, kept with the conflict; nil for ``StoreOptions/who``.
    ///   - note: Why, kept with the conflict.
    /// - Returns: Whether it was carried out, or the row had changed meanwhile.
    /// - Throws: ``SluiceError`` with ``SluiceError/Code/refused`` where it cannot be carried out; nothing is written then.
    @discardableResult
    public func resolve<M>(
        _ conflict: Conflict<M>, _ decision: Conflict<M>.Decision, who: String? = nil, note: String? = nil
    ) async throws -> DecisionOutcome {
        let entry = conflict.entry
        let resolution = try decision.resolution(entry)
        return try await interruptibly(telling: true) { [writer] point in
            try await writer.resolve(entry, resolution, who: who, note: note, point)
        }
    }

    /// The newest runs, newest first.
    ///
    /// - Throws: ``SluiceError``.
    public func history(limit: Int = 20) async throws -> [RunRecord] {
        try await look { store in
            try store.runs.list(pipeline: nil, limit: limit).map { RunRecord($0) }
        }
    }

    /// Takes back what a run did, except for what people changed since.
    ///
    /// - Parameters:
    ///   - run: The number of the run.
    ///   - isPlan: Whether to say only what would be done.
    /// - Returns: What it came to.
    /// - Throws: ``SluiceError`` with ``SluiceError/Code/notUndoable`` where it was taken back before, or is too old.
    @discardableResult
    public func undo(run: Int, planning isPlan: Bool = false) async throws -> UndoResult {
        try await interruptibly(telling: !isPlan) { [writer] point in
            try await writer.undo(Int64(run), isPlan: isPlan, point)
        }
    }
}

extension StoreWriter {
    func resolve(
        _ entry: ConflictEntry, _ resolution: Resolution, who: String?, note: String?, _ point: CancellationPoint
    ) throws -> DecisionOutcome {
        try checkAccess()
        return try reviewing(point, pipeline: entry.pipeline) { store, _ in
            try store.begin()
            do {
                let known = try entry.id.flatMap { try store.conflicts.entry(id: $0) }
                // What was decided along with another part of the same value is as whoever decides wants it.
                let isSide = if case .value = resolution { false } else { true }
                if let known, isSide, isPart(known), known.wasDecided(as: resolution), known.local == entry.local,
                    known.remote == entry.remote
                {
                    store.rollback()
                    return .resolved
                }
                guard let id = entry.id, let now = known, now.status == .open else {
                    throw refusal("Conflict \(entry.id ?? 0) is not open any more.", of: entry)
                }
                // Whoever decided saw other sides.
                if now.local != entry.local || now.remote != entry.remote {
                    store.rollback()
                    return .reopened
                }
                let resolver = ConflictResolver(store: store)
                var decisions = [ConflictDecision(now, resolution)]
                // Of a composition that one side has not all parts are decided together.
                decisions += try resolver.decisions(besides: now, resolution)
                let wasHalf = try resolver.half(in: now) != nil
                let references = try resolver.carryOut(
                    &decisions, who: who ?? self.who, note: note,
                    parts: Set(holders.map { PartColumns($0.table, $0.parts) })
                ).references
                var outcome = decisions[0].outcome
                if outcome == .resolved {
                    let others = decisions.dropFirst().map(\.outcome)
                    if others.contains(.reopened) {
                        store.rollback()
                        return .reopened
                    }
                    for case .refused(let reason)? in others { outcome = .refused(reason) }
                    if !wasHalf, let half = try resolver.half(in: now) {
                        outcome = .refused(
                            "`\(half)` would have no value beside the other parts of what it belongs to. Change the record to what it is to be; the next sync goes on from there."
                        )
                    }
                }
                switch outcome {
                case .refused(let reason):
                    throw refusal("Conflict \(id) cannot be decided this way: ", reason, of: entry, resolution)
                case .reopened:
                    try store.commit()
                    return .reopened
                case .resolved, .standing, .answered, nil:
                    try store.commit()
                    try self.record(now, references)
                    return .resolved
                }
            } catch {
                store.rollback()
                throw error
            }
        }
    }

    /// Why a decision cannot be carried out.
    private func refusal(
        _ start: String, _ reason: String = "", of entry: ConflictEntry, _ resolution: Resolution? = nil
    ) -> SluiceError {
        let models = Array(descriptions.values)
        return SluiceError(EngineFailure(entry, resolution, start, reason, in: models), in: models)
    }

    /// Whether a conflict is over a part of a composition that may be nil: such parts may be decided together.
    private func isPart(_ conflict: ConflictEntry) -> Bool {
        descriptions.values.contains { description in
            description.isEntity(conflict.entity)
                && description.wholes.contains { $0.parts.contains { description.fields[$0].name == conflict.field } }
        }
    }

    func undo(_ run: Int64, isPlan: Bool, _ point: CancellationPoint) throws -> UndoResult {
        try checkAccess()
        let pipeline = try review(point) { store in try store.runs.entry(id: run)?.pipeline }
        guard let pipeline else { throw SluiceError(.notFound, "The store has no run \(run).") }
        return try reviewing(point, pipeline: isPlan ? nil : pipeline) { store, cancellation in
            var options = SluiceReconcile.StoreOptions(
                backend: SQLiteBackend(path: path ?? ""), command: isPlan ? .plan : .run, cancellation: cancellation)
            options.who = who
            let report = try UndoEngine(run: run, of: pipeline, options: options, observer: SilentObserver())
                .perform(in: store)
            record(report.run, nil)
            return UndoResult(
                run: report.run.map { Int($0) }, summary: SyncSummary(report.summary), left: report.left)
        }
    }
}
