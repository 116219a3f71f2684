internal import SluiceMerge
internal import SluicePipeline
internal import SluiceStore
internal import SluiceSystem

/// What becomes of records that a complete scan did not see.
struct DeletePhase {
    /// Why deletes were refused.
    struct Refusal {
        /// How many rows would have gone.
        let deletes: Int
        let message: String
    }

    private static let chunk = 1000
    private let rule: DeleteRule
    private let allowed: Int?
    private let table: any RecordTable
    private let run: Int64?

    /// - Parameters:
    ///   - rule: The stream's rule.
    ///   - allowed: `--allow-deletes`, which stands over the rule's limits.
    ///   - table: The stream's table.
    ///   - run: The run's number, nil in a plan.
    init(rule: DeleteRule, allowed: Int?, table: any RecordTable, run: Int64?) {
        self.rule = rule
        self.allowed = allowed
        self.table = table
        self.run = run
    }

    /// Finds what is gone and, where the limits permit, deletes or reports it.
    ///
    /// - Parameters:
    ///   - merger: The stream's merge, which counts and tells.
    ///   - seen: The keys that the scan read.
    ///   - liveBefore: The live base rows before the run.
    ///   - cancellation: Checked now and then.
    /// - Returns: Why nothing was deleted, where the limits do not permit it.
    /// - Throws: What the store throws, and ``SyncError`` where a policy is to fail.
    func perform(
        _ merger: inout StreamMerger, seen: SeenKeys, liveBefore: Int, cancellation: Cancellation
    ) throws -> Refusal? {
        // Where every live record was met there is nothing to look for.
        if rule.mode == .ignore || merger.liveMet == liveBefore { return nil }
        let gone = try goneKeys(seen, cancellation)
        let deletes = try gone.count { try decide($0, merger).decision.action == .delete }
        if rule.mode == .hard, let refusal = refusal(deletes: deletes, read: merger.report.read, liveBefore: liveBefore)
        {
            return refusal
        }
        for key in gone {
            try cancellation.check()
            try apply(key, &merger)
        }
        return nil
    }

    private func refusal(deletes: Int, read: Int, liveBefore: Int) -> Refusal? {
        if deletes == 0 { return nil }
        if let allowed, deletes <= allowed { return nil }
        let stream = table.schema.stream
        let remedy = "If that is right, allow it once with `--allow-deletes \(deletes)`."
        if read < rule.minimumRecords {
            return Refusal(
                deletes: deletes,
                message:
                    "The source gave \(read) records for `\(stream)`, fewer than `min_records: \(rule.minimumRecords)`, so \(deletes) deletes were refused. \(remedy)"
            )
        }
        let (isOver, limit): (Bool, String) =
            switch rule.maximum {
            case .count(let count): (deletes > count, "\(count)")
            case .percent(let percent):
                (Double(deletes) > percent / 100 * Double(liveBefore), "\(Self.text(percent))% of \(liveBefore)")
            }
        guard isOver else { return nil }
        return Refusal(
            deletes: deletes,
            message:
                "\(deletes) of the records of `\(stream)` are gone from the source, more than `max_delete` permits (\(limit)), so no delete was done. \(remedy)"
        )
    }

    private static func text(_ percent: Double) -> String {
        percent == percent.rounded() ? String(Int(percent)) : String(percent)
    }

    /// The keys of live records that the scan did not see.
    private func goneKeys(_ seen: SeenKeys, _ cancellation: Cancellation) throws -> [RecordKey] {
        var gone: [RecordKey] = []
        var last: RecordKey?
        repeat {
            try cancellation.check()
            let keys = try table.liveKeys(after: last, limit: Self.chunk)
            last = keys.last
            for key in keys where !seen.contains(key) { gone.append(key) }
        } while last != nil
        return gone
    }

    private func decide(
        _ key: RecordKey, _ merger: borrowing StreamMerger
    ) throws -> (decision: RowDecision, base: BaseRow?, local: [FieldValue]?) {
        var base = try table.baseRow(key)
        let local = try table.localRow(key)
        if let known = base { base?.entries = merger.canonical.recognised(known.entries, local: local) { _ in nil } }
        let row: LocalRow
        if let base, let local {
            let isEdited = RecordMerge.isEdited(
                base: merger.canonical.sides(of: base.entries), local: merger.canonical.sides(of: local),
                schema: table.schema)
            row = .present(isEdited: isEdited)
        } else {
            row = local == nil ? .absent : .present(isEdited: true)
        }
        let decision = RowMerge.decide(
            base: base?.state, local: row, remote: .gone,
            policy: table.schema.policies.policy(for: RowKind.editDelete.rawValue, newest: .unknown))
        return (decision, base, local)
    }

    private func apply(_ key: RecordKey, _ merger: inout StreamMerger) throws {
        let (decision, base, local) = try decide(key, merger)
        guard var base else { return }
        if rule.mode == .report {
            guard decision.action == .delete || decision.action == .conflict else { return }
            merger.countReportedGone()
            merger.notify(change(key, .delete, base, local))
            return
        }
        switch decision.action {
        case .delete:
            merger.countDelete()
            merger.notify(change(key, decision.kind, base, local))
            if base.isOpen {
                try merger.closeConflicts(of: key, except: []) { _ in decision.isSettledByPolicy ? .auto : .obsolete }
            } else if decision.isSettledByPolicy {
                try merger.noteOverruled(key, kind: decision.kind, local: local, remote: nil)
            }
            base.state = .remoteTombstone
            base.isOpen = false
            try merger.writeBase(key, base, row: .delete)
        case .conflict:
            merger.countGoneConflict()
            try merger.hold(key, base: base, kind: decision.kind, local: local, remote: nil)
        case .fail:
            throw SyncError(
                .conflict,
                "A record of `\(table.schema.stream)` is gone from the source and was edited here (edit_delete): \(FieldJSON.object(key: key, schema: table.schema)). Its policy is `fail`, so nothing was written."
            )
        case .nothing, .insert, .mergeFields:
            guard let state = decision.newState, state != base.state else { return }
            if base.isOpen {
                try merger.closeConflicts(of: key, except: []) { _ in decision.isSettledByPolicy ? .auto : .obsolete }
            }
            base.state = state
            base.isOpen = false
            try merger.writeBase(key, base)
        }
    }

    private func change(_ key: RecordKey, _ kind: RowKind, _ base: BaseRow, _ local: [FieldValue]?) -> RecordChange {
        let fields = table.schema.fields.indices.map { index in
            RecordChange.Field(
                index: index, fieldClass: .unchanged, base: base.entries[index].value, local: local?[index],
                remote: nil, result: nil)
        }
        return RecordChange(action: .delete, kind: kind, key: key, fields: fields)
    }
}
