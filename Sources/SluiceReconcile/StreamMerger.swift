package import SluiceDecode
package import SluiceMerge
package import SluiceModel
package import SluicePipeline
package import SluiceReport
package import SluiceStore

/// Merges the batches of one stream into the store and counts the outcomes.
package struct StreamMerger {
    /// What the merge of a stream is given.
    package struct Context {
        package let store: any RecordStore
        package let table: any RecordTable
        package let observer: any RunObserver
        /// The run's number, nil in a plan.
        package let run: Int64?
        /// The quarantine entries whose records are tried again, nil where records come from their source.
        package var retried: [Int64]?
        /// Whether a record may have been missed by scans before it counts as gone.
        package var countsScans = false
        /// When the run was started, RFC 3339 in UTC.
        package let time: String
        /// The other sources of the table.
        package var siblings = SiblingSources.none
        /// The rows of the records' children.
        package var children: [OwnedRows] = []
        /// What the run wrote so far; nil where no stream can be merged once more.
        package var written: WrittenRecords?

        /// Makes one of its parts.
        package init(
            store: any RecordStore, table: any RecordTable, observer: any RunObserver, run: Int64?,
            retried: [Int64]? = nil, countsScans: Bool = false, time: String,
            siblings: SiblingSources = SiblingSources.none, children: [OwnedRows] = [], written: WrittenRecords? = nil
        ) {
            self.store = store
            self.table = table
            self.observer = observer
            self.run = run
            self.retried = retried
            self.countsScans = countsScans
            self.time = time
            self.siblings = siblings
            self.children = children
            self.written = written
        }
    }

    package let context: Context
    package let schema: RecordSchema
    package let canonical: CanonicalRecord
    package let stored = StoredJSON()
    /// Whether the values of some field must not appear in clear.
    package let hasRedactions: Bool
    /// Whether somebody hears of each record that is inserted.
    private let isHeard: Bool
    package var lookup = BaseLookup()
    var inserts: [Int] = []
    /// Records of the batch to be inserted that other sources had before.
    package var renewed: [RecordKey: [SiblingSources.Record]] = [:]
    /// The open quarantine entries of records whose key was readable.
    var quarantinedKeys: [String: [Int64]] = [:]
    /// The open quarantine entries without a key.
    var quarantinedKeyless: Set<Int64> = []
    package var keysSeenInQuarantine: Set<Int64> = []
    /// The open entries of records that were decoded; whether they can be closed shows at the end.
    package var released: [Int64] = []
    /// Records that were decoded and are quarantined all the same.
    package var refusals: [Refusal] = []
    /// What the table does not take yet.
    package var waiting: [TriedWrite] = []
    /// The keys of these records.
    var waitingKeys: Set<RecordKey> = []
    /// The positions in the stream of the latest batch's records that were not merged.
    package var passedOver: Set<Int> = []
    /// The records that another source came to list in this run, as an attempt before found out.
    package var moved: Set<RecordKey> = []
    /// Whether the records are of a list that is one value and is taken as a whole, whatever was changed in it here.
    var takesList = false
    /// The records whose rows were deleted, where they have children.
    package var deleted: [RecordKey] = []
    /// The records whose rows another source keeps, where they have children.
    var abandoned: [RecordKey] = []
    /// The first of the records whose rows another source keeps.
    package var heldKeys: [RecordKey] = []
    /// The rows that the table did not let go, with its words.
    package var refusedDeletes: [String] = []
    /// Records that changed although their stream only adds some.
    var changedAfterAppend: (count: Int, first: RecordKey)?
    /// Marks of values that a further attempt must let wait.
    package var contested: Set<UInt64> = []
    /// The hashes of the keys that pages had which are merged and kept already.
    package var repeated: Set<UInt64> = []
    /// What becomes of records with such keys.
    package var duplicateRule = StreamDefinition.DuplicateRule.last
    /// Whether a record that changes while the pages are read comes once more, on a later one.
    package var expectsRepeats = false
    /// Which records that share a key differ.
    package var tally = DuplicateTally()
    /// Whether such a record is merged: it is counted already.
    var isRepeating = false
    /// Whether the stream's records are merged once more in the same run.
    var isAgain = false
    package var report: StreamReport
    /// The records that earlier runs of the same scan read.
    package var readBefore = 0
    /// Whether records were known by their texts to be as they were.
    package var hasPassed = false
    /// How many records were met that the source was known to have.
    package var liveMet = 0
    /// Whether a record had no readable identifier, so that nothing can be said to be gone.
    package var lostKeys = 0

    package init(_ context: Context, report: StreamReport) throws {
        self.context = context
        self.report = report
        schema = context.table.schema
        canonical = CanonicalRecord(schema: schema)
        hasRedactions = schema.fields.contains { $0.redaction != nil }
        context.observer.opened(schema, isNew: context.table.isNew)
        isHeard = context.observer.listens(to: schema)
        if let retried = context.retried {
            released = retried
            return
        }
        let open = try context.store.quarantine.openKeys(of: schema.source)
        for (id, key) in open {
            if let key { quarantinedKeys[key, default: []].append(id) } else { quarantinedKeyless.insert(id) }
        }
    }

    /// Merges a batch.
    ///
    /// - Parameters:
    ///   - batch: Decoded records.
    ///   - duplicates: The keys that come more than once.
    /// - Throws: What the store throws, and ``SyncError`` where a policy is to fail.
    package mutating func merge(_ batch: borrowing RecordBatch, duplicates: DuplicateIndex) throws {
        try lookUp(batch)
        try mergeFound(batch, duplicates: duplicates)
    }

    /// Compares a batch with the base.
    package mutating func lookUp(_ batch: borrowing RecordBatch) throws {
        try context.table.lookUp(batch, into: &lookup)
        liveMet += lookup.liveCount
    }

    /// Merges a batch that was compared with the base.
    ///
    /// - Parameters:
    ///   - batch: Decoded records.
    ///   - duplicates: The keys that come more than once.
    ///   - left: Rows of the batch that are not to be merged.
    /// - Throws: What the store throws, and ``SyncError`` where a policy is to fail.
    mutating func mergeFound(
        _ batch: borrowing RecordBatch, duplicates: DuplicateIndex = DuplicateIndex(), leavingOut left: Set<Int> = []
    ) throws {
        passedOver.removeAll(keepingCapacity: true)
        inserts.removeAll(keepingCapacity: true)
        renewed.removeAll(keepingCapacity: true)
        var later: [Int] = []
        for record in 0..<batch.count {
            if !left.isEmpty && left.contains(record) { continue }
            report.read += 1
            if !duplicates.isEmpty, try isDuplicate(record, of: batch, duplicates) {
                passedOver.insert(batch.origins[record].ordinal)
                continue
            }
            if !repeated.isEmpty && repeated.contains(batch.keyHashes[record]) {
                later.append(record)
                continue
            }
            try take(record, of: batch)
        }
        if !inserts.isEmpty { try insert(batch) }
        for record in later { try mergeRepeated(record, of: batch) }
    }

    /// Whether a record says something else than its source said before.
    package func differs(_ record: Int, of batch: borrowing RecordBatch, from base: BaseRow) -> Bool {
        RecordMerge.isChanged(base: canonical.sides(of: base.entries), remote: canonical.sides(of: record, in: batch))
    }

    // MARK: One record

    /// Merges a record, or notes that it is to be inserted.
    package mutating func take(_ record: Int, of batch: borrowing RecordBatch) throws {
        switch lookup.findings[record] {
        case _ where !batch.deleted.isEmpty && batch.deleted.contains(record):
            try mergeDeleted(record, of: batch)
        case .unchanged where schema.hasRemoteOwnedField || takesList:
            // What the source alone may change is put right even where the source says nothing new.
            let key = batch.key(of: record, schema: schema)
            guard let base = try context.table.baseRow(key) else { return }
            try merge(record, of: batch, base: base)
        case .unchanged: report.summary.unchanged += 1
        case .other:
            guard let base = lookup.rows[record] else { return }
            try merge(record, of: batch, base: base)
        case .new: if try !takeNew(record, of: batch) { return }
        }
        if !quarantinedKeys.isEmpty { release(batch.key(of: record, schema: schema)) }
    }

    /// Takes a record that its source did not have before; false where it is quarantined.
    private mutating func takeNew(_ record: Int, of batch: borrowing RecordBatch) throws -> Bool {
        let mayMeetLocalRows = !context.table.wasEmpty
        let mayMeetOthers = !context.siblings.isEmpty
        let key = mayMeetLocalRows || mayMeetOthers ? batch.key(of: record, schema: schema) : nil
        if let key, mayMeetLocalRows, let local = try context.table.localRow(key) {
            if schema.writeMode == .append {
                refuseTaken(key, ordinal: batch.origins[record].ordinal)
                return false
            }
            let base = mayMeetOthers ? try movedBase(record, of: batch, key: key) : nil
            try mergeFields(record, of: batch, key: key, base: base, local: local, kind: .adopt)
        } else if let key, mayMeetOthers, try isDeletedNow(key) {
            try noteOverruled(record, of: batch, key: key, base: unknownBase(.overruled))
        } else if let key, mayMeetOthers, try isHeldElsewhere(key) {
            try merge(record, of: batch, base: unknownBase(.remoteTombstone))
        } else {
            inserts.append(record)
            if isHeard && !context.table.mayRefuse { notifyInsert(record, of: batch) }
        }
        return true
    }

    private mutating func merge(_ record: Int, of batch: borrowing RecordBatch, base: BaseRow) throws {
        let key = batch.key(of: record, schema: schema)
        let local = try context.table.localRow(key)
        var base = base
        base.entries = canonical.recognised(base.entries, local: local) { batch.value(record: record, field: $0) }
        let wasMissed = base.missedScans > 0
        if base.state.isGone && !context.siblings.isEmpty {
            context.siblings.noteMoves(key, try context.siblings.records(key), run: context.run)
        }
        // A row that another source still has was deleted here, however new the record is to this source.
        if local == nil, base.state == .remoteTombstone, !context.siblings.isEmpty,
            try isHeldElsewhere(key, after: base.lastRun)
        {
            var unknown = unknownBase(.live)
            (unknown.isOpen, unknown.firstRun) = (base.isOpen, base.firstRun)
            base = unknown
        }
        if local == nil, !base.state.isLive, !context.siblings.isEmpty, try isDeletedNow(key) {
            return try noteOverruled(record, of: batch, key: key, base: base)
        }
        // A row that has nothing but its key stands for a record that others refer to, and holds no edit of what was gone.
        if let local, base.state.isGone, isBare(local) {
            var unknown = unknownBase(base.state)
            (unknown.isOpen, unknown.firstRun) = (base.isOpen, base.firstRun)
            base = unknown
        }
        let baseSides = canonical.sides(of: base.entries)
        let remoteSides =
            local == nil ? saidSides(record, of: batch, since: base) : canonical.sides(of: record, in: batch)
        let localRow: LocalRow =
            local.map { values in
                .present(
                    isEdited: RecordMerge.isEdited(base: baseSides, local: canonical.sides(of: values), schema: schema))
            } ?? .absent
        let isChanged =
            try RecordMerge.isChanged(base: baseSides, remote: remoteSides)
            || local == nil && base.isOpen && waitsForWithin(key, base)
        let decision = RowMerge.decide(
            base: base.state, local: localRow, remote: .present(isChanged: isChanged || takesList),
            policy: takesList
                ? .remoteWins : schema.policies.policy(for: RowKind.deleteEdit.rawValue, newest: .unknown),
            mode: schema.writeMode)
        if isChanged && base.state.isLive && !base.isOpen { noteChange(of: key) }
        if let local, decision.action == .mergeFields || base.isOpen || decision.action == .nothing {
            try mergeFields(record, of: batch, key: key, base: base, local: local, kind: decision.kind)
            return
        }
        base.missedScans = 0
        switch decision.action {
        case .insert: try insertAgain(record, of: batch, key: key, base: base, decision: decision)
        case .conflict:
            if wasMissed && base.isOpen { try noteSeen(key) }
            try holdRecord(record, of: batch, key: key, base: base, kind: decision.kind)
        case .fail: throw conflictFailure(key, kind: decision.kind)
        case .nothing, .mergeFields, .delete:
            if decision.isSettledByPolicy { report.summary.keptLocal += 1 } else { report.summary.unchanged += 1 }
            guard base.isOpen || decision.advancesBase || !base.unasked.isEmpty else {
                return wasMissed ? try noteSeen(key) : ()
            }
            if base.isOpen {
                try closeConflicts(of: key, except: []) { _ in decision.isSettledByPolicy ? .auto : .obsolete }
            }
            var settled = base
            settled.isOpen = false
            // From here on it would be the source that changes them.
            settled.entries = canonical.entries(record, of: batch, over: base.entries, only: base.unasked.sorted())
            settled.unasked = []
            if decision.advancesBase {
                settled.entries = canonical.entries(record, of: batch, over: base.entries)
                settled.state = decision.newState ?? base.state
            }
            try writeBase(key, settled)
            guard decision.isSettledByPolicy else { return }
            let remote = schema.fields.indices.map { batch.value(record: record, field: $0) }
            notifyKept(heldChange(key, .keptLocal, decision.kind, base, remote: remote))
        }
    }

    /// Whether a row has nothing but its key.
    private func isBare(_ row: [FieldValue]) -> Bool {
        schema.fields.indices.allSatisfy { field in
            schema.keyFields.contains(field) || schema.fields[field].isLink || row[field].isNull
        }
    }

    /// What the source itself says of a record, so far as it was asked before: neither a default nor a field that the
    /// pipeline has only now is a change at the source.
    func saidSides(_ record: Int, of batch: borrowing RecordBatch, since base: BaseRow) -> [FieldSide] {
        var sides = canonical.sides(of: record, in: batch)
        for field in sides.indices where base.unasked.contains(field) || batch.isAssumed(record: record, field: field) {
            sides[field] = .nothing
        }
        return sides
    }

    private mutating func mergeFields(
        _ record: Int, of batch: borrowing RecordBatch, key: RecordKey, base: BaseRow?, local: [FieldValue],
        kind: RowKind
    ) throws {
        let oldEntries = base?.entries ?? Array(repeating: .none, count: schema.fields.count)
        var all = RecordSides(
            base: canonical.sides(of: oldEntries), local: canonical.sides(of: local),
            remote: canonical.sides(of: record, in: batch))
        // Where the source alone has a say, so has what stands in for it.
        all = all.givingWay { field in
            batch.isAssumed(record: record, field: field) && schema.fields[field].owner != .remote
                && schema.writeMode != .replace
        }
        if takesList { all = all.taken }
        let existing = try openConflicts(key, base)
        let newest = newestSide(record, of: batch, local: local, sides: all)
        func merged(_ claims: [[FieldClaim]]) -> RecordMerge {
            RecordMerge(all, schema: retrying(existing), newest: newest, claims: claims) { field in
                canonical.merged(
                    field, base: oldEntries[field], local: local[field],
                    remote: batch.value(record: record, field: field))
            }
        }
        var merge = merged([])
        // A list that is taken is taken whole, in whatever order its sources go.
        if !context.siblings.isEmpty && !takesList && merge.needsClaims {
            merge = merged(context.siblings.claims(of: try context.siblings.records(key)))
        }
        if let failed = merge.decisions.firstIndex(where: { $0.settlement == .failed }) {
            throw conflictFailure(
                key, field: failed, kind: merge.decisions[failed].fieldClass, local: local[failed],
                remote: batch.value(record: record, field: failed))
        }
        let settlement = settlement(
            record, of: batch, key: key, base: base, local: local, sides: all, merge: merge, existing: existing)
        let isOpen = settlement.remainsOpen
        let written = merge.written
        var newBase = BaseRow(
            rowHash: 0, entries: canonical.entries(record, of: batch, over: oldEntries, only: merge.advanced),
            state: .live, isOpen: isOpen, firstRun: base?.firstRun ?? context.run, lastRun: base?.lastRun)
        newBase.rowHash = canonical.rowHash(of: newBase.entries)
        let needsBase = newBase != base
        if base.map({ !canonical.saysTheSame($0, newBase) }) ?? true { newBase.lastRun = context.run }
        newBase.textMark = isOpen ? nil : batch.textMarks[record]
        let outcome: WritableKeyPath<RunSummary, Int> =
            isOpen ? \.conflict : !written.isEmpty ? \.update : merge.keptLocal ? \.keptLocal : \.unchanged
        var tried = TriedWrite(
            key: key, ordinal: batch.origins[record].ordinal, outcome: outcome, isTold: !written.isEmpty,
            settlement: settlement, base: base, local: local)
        if (!written.isEmpty || !settlement.remembered.isEmpty) && wants(key) {
            tried.change = mergeChange(
                record, of: batch, key: key, base: base, local: local, merge: merge,
                // A row that was only put right was not changed by its source.
                kind: kind == .unchanged || kind == .localOverride ? .update : kind,
                action: isOpen ? .conflict : .update)
        }
        var isWritten = true
        if !written.isEmpty || needsBase {
            let values = written.map { field in
                if case .merged(let value) = merge.decisions[field].result { return value }
                return batch.value(record: record, field: field) ?? .null
            }
            var write = RecordWrite(
                key: key, row: written.isEmpty ? .none : .update(fields: written, values: values),
                base: needsBase ? newBase : nil)
            write.kind = kind
            write.classes = written.map { merge.decisions[$0].fieldClass }
            isWritten = try context.table.write(write)
        }
        if !written.isEmpty || needsBase { try askWaiting(key) }
        let news = report.newConflicts
        try conclude(tried, isWritten: isWritten)
        if written.isEmpty && report.newConflicts == news && merge.keptLocal && !isOpen {
            let change = mergeChange(
                record, of: batch, key: key, base: base, local: local, merge: merge, kind: kind, action: .keptLocal)
            notifyKept(change)
        }
    }

    mutating func insertAgain(
        _ record: Int, of batch: borrowing RecordBatch, key: RecordKey, base: BaseRow, decision: RowDecision
    ) throws {
        let values = schema.fields.indices.map { batch.value(record: record, field: $0) ?? .null }
        let none = [BaseEntry](repeating: .none, count: schema.fields.count)
        var settlement = ConflictSettlement()
        settlement.closed = try openConflicts(key, base).map { ($0, .auto) }
        // Of a list it is told as a whole.
        if decision.isSettledByPolicy && !base.isOpen && !takesList {
            settlement.remembered = [
                (overruled(key, kind: decision.kind, local: nil, remote: canonical.object(values)), nil)
            ]
        }
        var row = base
        row.entries = canonical.entries(record, of: batch, over: none)
        row.state = .live
        row.isOpen = false
        row.textMark = batch.textMarks[record]
        // What belongs to it went with it, and is not what people deleted of a record that is there.
        for rows in context.children { try rows.forgetAbsent(under: key, run: context.run) }
        let tried = TriedWrite(
            key: key, ordinal: batch.origins[record].ordinal, outcome: \.insert,
            change: wants(key) ? insertChange(record, of: batch, kind: decision.kind) : nil,
            settlement: settlement, base: base, others: try context.siblings.records(key))
        try conclude(tried, isWritten: try writeBase(key, row, row: .insert(values), kind: decision.kind))
    }

    /// Writes a base, with or without its row, and notes the run.
    @discardableResult
    package func writeBase(
        _ key: RecordKey, _ base: BaseRow, row: RecordWrite.Row = .none, keepsHash: Bool = false, kind: RowKind? = nil
    ) throws -> Bool {
        var base = base
        if !keepsHash { base.rowHash = canonical.rowHash(of: base.entries) }
        base.firstRun = base.firstRun ?? context.run
        base.lastRun = context.run
        var write = RecordWrite(key: key, row: row, base: base)
        write.kind = kind
        return try context.table.write(write)
    }
}
