internal import SluiceDecode
internal import SluiceDiagnostics
internal import SluiceMerge
internal import SluiceModel
internal import SluiceReconcile
internal import SluiceReport
internal import SluiceSchedule
package import SluiceStore

/// Checks a store: what it keeps against itself, and what only those can judge who read its texts.
package struct StoreAudit {
    private let store: any RecordStore
    private let isServed: () -> Bool

    /// Looks into a store.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - isServed: Whether a service runs its pipelines at this moment.
    package init(store: any RecordStore, isServed: @escaping () -> Bool) {
        (self.store, self.isServed) = (store, isServed)
    }

    /// All that is found, in the order of the checks.
    ///
    /// - Parameter told: Is told what is looked at next.
    /// - Returns: The findings.
    /// - Throws: `StoreError`.
    package func findings(telling told: (String) -> Void = { _ in }) throws -> [StoreFinding] {
        try store.findings(telling: told, adding: { try lostConflicts() + unreadableState() + unknownStatuses() })
            + (try abandonedRuns())
    }

    // MARK: Conflicts

    /// Open conflicts of records of which there is no row or nothing that the source said, of records that are noted as having
    /// none, and those that lack what is to be decided.
    private func lostConflicts() throws -> [StoreFinding] {
        var findings: [StoreFinding] = []
        let texts = StoredJSON()
        for mapping in try store.mappings(pipeline: nil, entity: nil) {
            let open = try store.conflicts.open(of: mapping)
            if open.isEmpty { continue }
            guard
                let table = try store.knownTable(
                    pipeline: mapping.pipeline, stream: mapping.stream, entity: mapping.entity)
            else { continue }
            // The key of a list that is one value names no record.
            let keyed = open.compactMap { entry in texts.key(entry.key, schema: table.schema).map { (entry, $0) } }
            let found: (bases: [BaseRow?], rows: [[FieldValue]?])
            do {
                found = (try table.baseRows(keyed.map(\.1)), try table.localRows(keyed.map(\.1)))
            } catch let error as StoreError where error.code == .damaged {
                // Bases that cannot be read are told as such.
                continue
            }
            func finding(_ predicate: String, where isMeant: (Int) -> Bool) -> StoreFinding? {
                let ids = keyed.indices.filter(isMeant).compactMap { keyed[$0].0.id }
                if ids.isEmpty { return nil }
                return StoreFinding(
                    .conflicts, table: table.schema.table, count: ids.count,
                    message:
                        "\(ids.count) open \(Plural.word(ids.count, "conflict", "conflicts")) of `\(mapping.path)` \(Plural.word(ids.count, "is", "are")) about records of `\(table.schema.table)` that \(predicate).",
                    examples: ids.map { "conflict \($0)" },
                    remedy:
                        "Decide with `sluice conflicts resolve`, or set `status = 'obsolete'` of these rows of `_sluice_conflicts`."
                )
            }
            findings += [
                finding("are not there") { found.bases[$0] == nil && found.rows[$0] == nil },
                finding("the store knows nothing of from the source") {
                    found.bases[$0] == nil && found.rows[$0] != nil
                },
                finding("are noted as having none") { found.bases[$0].map { !$0.isOpen } ?? false },
            ].compactMap(\.self)
            let broken = keyed.map(\.0).filter { !Self.canBeDecided($0) }.compactMap(\.id)
            if !broken.isEmpty {
                findings.append(
                    StoreFinding(
                        .conflicts, table: table.schema.table, count: broken.count,
                        message:
                            "\(broken.count) open \(Plural.word(broken.count, "conflict", "conflicts")) of `\(mapping.path)` \(Plural.word(broken.count, "has", "have")) no field, or no value of the source.",
                        examples: broken.map { "conflict \($0)" },
                        remedy:
                            "Set `status = 'obsolete'` of these rows of `_sluice_conflicts`, and run `\(mapping.pipeline)` with `--full`: what both sides changed is asked anew."
                    ))
            }
        }
        return findings
    }

    /// Whether a conflict says what its kind is about. Its values may be of any type that the field had; what is no JSON at all
    /// is found elsewhere.
    private static func canBeDecided(_ entry: ConflictEntry) -> Bool {
        FieldClass(rawValue: entry.kind) == nil || entry.field != nil && entry.remote != nil
    }

    // MARK: State

    /// What is remembered of streams and cannot be read, which is as if nothing were.
    private func unreadableState() throws -> [StoreFinding] {
        var found: [StoreFinding] = []
        var known: Set<[String]> = []
        for mapping in try store.mappings(pipeline: nil, entity: nil)
        where known.insert([mapping.pipeline, mapping.stream]).inserted {
            let (pipeline, stream) = (mapping.pipeline, mapping.stream)
            for name in try store.state.names("", pipeline: pipeline, stream: stream) {
                guard let kind = StateKind(name: name) else {
                    found.append(
                        StoreFinding(
                            .state, .note, table: "_sluice_state", count: 1,
                            message: "`\(name)` of `\(mapping.path)` is of a kind that this version does not know.",
                            remedy: "Nothing uses it; a newer version may have written it."))
                    continue
                }
                let text = try store.state.value(pipeline: pipeline, stream: stream, name: name)
                if text.map({ isReadable($0, kind) }) ?? true { continue }
                found.append(
                    StoreFinding(
                        .state, table: "_sluice_state", count: 1,
                        message: "`\(name)` of `\(mapping.path)` cannot be read.",
                        remedy: "Delete that row of `_sluice_state`, and run `\(pipeline)` with `--full` once."))
            }
        }
        return found
    }

    private func isReadable(_ text: String, _ kind: StateKind) -> Bool {
        func reads<Value>(_: StateKey<Value>.Type) -> Bool { Value(stateText: text) != nil }
        switch kind {
        case .validators: return reads(StateKey<PageValidators>.self)
        case .token: return reads(StateKey<KeptToken>.self)
        case .fingerprints: return reads(StateKey<TextMemory>.self)
        case .partitions: return reads(StateKey<PartitionMemory>.self)
        case .tokenGivenUp, .heldRows, .refusedRun: return reads(StateKey<Int>.self)
        case .unmappedKeys: return reads(StateKey<KnownPaths>.self)
        case .partitionCursors: return reads(StateKey<KeptCursors>.self)
        case .order: return reads(StateKey<KeptOrder>.self)
        case .cursor, .definition, .request, .formerName, .origin, .appliedPlan: return true
        }
    }

    // MARK: Runs

    /// Runs that ended in a way that no program knows.
    private func unknownStatuses() throws -> [StoreFinding] {
        let runs = try store.runs.list(pipeline: nil, limit: Int(Int32.max), among: .all)
            .filter { RunReport.Status(rawValue: $0.status) == nil }.sorted { $0.id < $1.id }
        if runs.isEmpty { return [] }
        let known = RunReport.Status.allCases.map(\.rawValue).joined(separator: ", ")
        return [
            StoreFinding(
                .runs, table: "_sluice_runs", count: runs.count,
                message:
                    "\(Plural.of(runs.count, "row", "rows")) of `_sluice_runs` \(Plural.word(runs.count, "holds", "hold")) as `status` what is none of \(known).",
                examples: runs.map { "\($0.id)" },
                remedy: "It was edited by hand, or written by a newer version. Put the value back.")
        ]
    }

    // MARK: Runs of a service

    /// Runs that a service started and never saw the end of, where no service is there.
    private func abandonedRuns() throws -> [StoreFinding] {
        // What a service of a pool has in hand is going.
        let held = try store.schedule.pool?.read().map { found in
            found.pool.claims.values.filter { !found.pool.isOver($0, at: found.now) }.compactMap(\.attempt)
        }
        var started: [String: Int] = [:]
        for due in try store.schedule.read().dueTimes {
            let isHeld = due.running.map { held?.contains($0) ?? false } ?? false
            let count = due.attempts.count { $0.end == nil } - (isHeld ? 1 : 0)
            if count > 0 { started[due.id.pipeline, default: 0] += count }
        }
        if started.isEmpty || isServed() { return [] }
        return started.sorted { $0.key < $1.key }.map { pipeline, count in
            StoreFinding(
                .runs, table: "_sluice_schedule_runs", count: count,
                message:
                    "A service that is gone started \(Plural.of(count, "run", "runs")) of `\(pipeline)` and noted no end.",
                remedy:
                    "The next `sluice serve` takes \(Plural.word(count, "it", "them")) for broken off, and goes on from there."
            )
        }
    }
}
