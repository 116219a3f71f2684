internal import SluiceMerge
package import SluiceModel
internal import SluicePlans
internal import SluiceReport
package import SluiceStore

/// What follows from plans for the other sources of a table: computed plan by plan, and written together.
extension OtherSourceLedger {
    /// Has the sources read once more at which something of a record waits for a decision, since its row changed or what
    /// stands behind it.
    func askWaiting(_ records: [Record], _ writes: inout OtherSourceWrites) {
        for record in records where record.base.isOpen { askAgain(record.source, &writes) }
    }

    /// Writes what follows from plans, for each source at once.
    ///
    /// - Throws: `StoreError`.
    package func write(_ writes: OtherSourceWrites) throws {
        for (source, bases) in writes.bases.sorted(by: { $0.key < $1.key }) {
            try all[source].write(bases)
        }
        for source in writes.asked.sorted() {
            let name = all[source].name
            try store?.state.set(.validators, to: nil, pipeline: name.pipeline, stream: name.stream)
        }
    }

    /// A record went away at one source: those that still have it take their values up where that source's stand.
    ///
    /// - Parameters:
    ///   - key: The record's key.
    ///   - records: What the others said of it.
    ///   - left: What the source leaves of each field of the stream.
    ///   - writes: Grows by what follows.
    func takeOver(_ key: RecordKey, _ records: [Record], left: [LeftField], _ writes: inout OtherSourceWrites) {
        for record in records where record.isLive {
            guard let base = all[record.source].revisited(record.base, left: left) else { continue }
            writes.set(base, of: all[record.source].own(key), at: record.source)
            askAgain(record.source, &writes)
        }
        for record in records where record.base.state == .statedTombstone && record.base.isOpen {
            guard let base = all[record.source].inheriting(record.base, left: left) else { continue }
            writes.set(base, of: all[record.source].own(key), at: record.source)
        }
        askWaiting(records, &writes)
    }

    /// Other sources no longer hold a record back.
    ///
    /// - Parameters:
    ///   - key: The record's key.
    ///   - records: What they said of it.
    ///   - state: What the record is from now on at those that list it.
    ///   - open: Their open conflicts over it.
    ///   - run: The run's number, nil in a plan.
    ///   - writes: Grows by what follows.
    /// - Returns: The conflicts over it that are open no longer.
    func withdraw(
        _ key: RecordKey, _ records: [Record], as state: BaseState, open: OtherConflicts, run: Int64?,
        _ writes: inout OtherSourceWrites
    ) -> [ConflictEntry] {
        if store == nil { return [] }
        var over: [ConflictEntry] = []
        for record in records where record.isLive {
            let source = all[record.source]
            // It counted the conflict that ends with this.
            if record.base.isOpen { askAgain(record.source, &writes) }
            let isMissing = hasMissed(key, record)
            let entries = record.base.isOpen ? open.open(of: record.source, key: source.text(of: key)) : []
            let base = source.withdrawn(
                record.base, as: isMissing ? .remoteTombstone : state, open: entries, run: run)
            writes.set(base, of: source.own(key), at: record.source)
            over += entries
        }
        return over
    }

    /// What other sources stated of a record's deletion is over.
    ///
    /// - Parameters:
    ///   - key: The record's key.
    ///   - records: What they said of it.
    ///   - open: Their open conflicts over it.
    ///   - writes: Grows by what follows.
    /// - Returns: The conflicts over it that are open no longer.
    func answer(
        _ key: RecordKey, _ records: [Record], open: OtherConflicts, _ writes: inout OtherSourceWrites
    ) -> [ConflictEntry] {
        if store == nil { return [] }
        return records.flatMap { record in
            // It counted the conflict that ends with this.
            askAgain(record.source, &writes)
            let source = all[record.source]
            reading?.recordAnswered(source.own(key), of: source.name)
            writes.set(source.answered(record.base), of: source.own(key), at: record.source)
            return open.open(of: record.source, key: source.text(of: key))
        }
    }

    /// It was decided what a row holds in a field: what other sources ask about that is answered with it.
    ///
    /// - Parameters:
    ///   - key: The record's key.
    ///   - field: The position of the stream's field; nil where it was decided that a deleted row comes back.
    ///   - decided: The numbers of conflicts that are decided for themselves.
    ///   - run: The run that decides.
    /// - Returns: The conflicts that are open no longer.
    /// - Throws: `StoreError`.
    package func settle(_ key: RecordKey, field: Int?, besides decided: Set<Int64>, run: Int64) throws
        -> [ConflictEntry]
    {
        guard let conflicts = store?.conflicts, !all.isEmpty else { return [] }
        return try records(key).filter(\.base.isOpen).flatMap { record in
            let answered = try all[record.source].settle(
                key, base: record.base, field: field, besides: decided, conflicts: conflicts, run: run)
            if !answered.isEmpty { try askOnce(record.source) }
            return answered
        }
    }

    /// Fields of a row hold other values than before: what sources gave of them that have the record no longer is nothing of the row
    /// any more, so that it is an edit where somebody writes it.
    ///
    /// - Parameters:
    ///   - key: The record's key.
    ///   - records: What the others said of it.
    ///   - written: What the row holds, by the positions of the stream's fields.
    ///   - writes: Grows by what follows.
    func useUp(
        _ key: RecordKey, _ records: [Record], written: [Int: FieldSide], _ writes: inout OtherSourceWrites
    ) {
        for record in records where record.base.state.isGone && !record.base.isOpen && record.base.tellsValues {
            guard let base = all[record.source].usedUp(record.base, written: written) else { continue }
            writes.set(base, of: all[record.source].own(key), at: record.source)
        }
    }

    /// A record was read: from now on its stream tells what people changed of the fields that it gives, in place of those before it that
    /// have the record no longer; unless one before it still has to be decided about.
    ///
    /// - Parameters:
    ///   - key: The record's key.
    ///   - records: What the others said of it.
    ///   - held: What the row holds of the fields that the stream gives, by their positions.
    ///   - writes: Grows by what follows.
    func takeUp(_ key: RecordKey, _ records: [Record], held: [Int: FieldSide], _ writes: inout OtherSourceWrites) {
        let isAwaited = records.contains { $0.isLive && $0.base.isOpen && all[$0.source].source.rank == .above }
        if !isAwaited { useUp(key, records, written: held, &writes) }
    }

    /// Rows were made anew by one source in a run: what others said was of rows that are no more. What one said of their
    /// deletion it said of the records.
    ///
    /// - Parameters:
    ///   - records: The records, each with what the others said of it.
    ///   - run: The run's number, nil in a plan.
    ///   - writes: Grows by what follows.
    /// - Throws: `StoreError`.
    func startOver(
        _ records: [(key: RecordKey, others: [Record])], run: Int64?, _ writes: inout OtherSourceWrites
    ) throws {
        for (position, source) in all.enumerated() {
            let said = records.flatMap { record in
                record.others.filter {
                    $0.source == position && ($0.base.state != .statedTombstone || $0.base.isKnownByHash)
                }.map { (key: source.own(record.key), base: $0.base) }
            }
            if said.isEmpty { continue }
            for (said, local) in zip(said, try source.table.localRows(said.map(\.key))) {
                if said.base.state == .overruled { reading?.recordRevived(said.key, of: source.name, said.base) }
                guard let changed = source.forgetting(said.base, local: local, run: run) else { continue }
                writes.set(changed.base, of: said.key, at: position)
                if changed.isNews { askAgain(position, &writes) }
            }
        }
    }

    /// Has what others list of a record looked at again, whose rows went with the record's.
    ///
    /// - Parameters:
    ///   - key: The record's key.
    ///   - records: What they said of it.
    ///   - writes: Grows by what follows.
    /// - Throws: `StoreError`.
    func lookAgain(_ key: RecordKey, _ records: [Record], _ writes: inout OtherSourceWrites) throws {
        for record in records where record.isLive {
            let own = all[record.source].own(key)
            let base = try writes.bases[record.source]?[own] ?? all[record.source].table.baseRow(own)
            if let base { writes.set(OtherSourceBases.void(base), of: own, at: record.source) }
            askAgain(record.source, &writes)
        }
    }

    /// Has the records of a source read once more: in this run where it was read before, and in the next one although its
    /// pages may not have changed.
    func askAgain(_ source: Int, _ writes: inout OtherSourceWrites) {
        reading?.askAgain(all[source].name)
        writes.ask(source)
    }

    /// Has the records of a source read once more, at once.
    func askOnce(_ source: Int) throws {
        var writes = OtherSourceWrites()
        askAgain(source, &writes)
        try write(writes)
    }
}
