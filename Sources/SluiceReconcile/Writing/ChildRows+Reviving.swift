package import SluiceModel
internal import SluicePlans
internal import SluiceReport
package import SluiceStore

/// What belongs to a record that comes back by a decision comes back with it.
extension ChildRows {
    /// Brings back what is gone of what the source of some records says to belong to them.
    ///
    /// A row is made of the base, and of what waits with the conflict over the record, where these hold every value; of others the
    /// base says that they are gone, so that the next run which reads them inserts them. What was said before a field had its type is
    /// null in the row.
    ///
    /// - Parameters:
    ///   - owners: The records, which have a row again.
    ///   - conflicts: The numbers of the conflicts over them that were decided.
    ///   - run: The number of the run.
    ///   - counts: Grows by what came back, entity by entity.
    ///   - store: The store that the rows are in.
    /// - Returns: Whether everything came back.
    /// - Throws: `StoreError`.
    package func revive(
        under owners: [RecordKey], with conflicts: Set<Int64>, run: Int64, counts: inout [String: RunCounts],
        in store: any RecordStore
    ) throws -> Bool {
        var writer = writer(in: store, run: run)
        var news = try NewsWithin(of: canonical, in: store.conflicts)
        let waiting = news.keys(of: owners, with: conflicts)
        let keys = Set(try table.liveKeys(under: owners).flatMap { $0 } + waiting).sorted()
        let (bases, rows) = try (table.baseRows(keys), table.localRows(keys))
        let absent = keys.indices.filter { rows[$0] == nil }
        var missing = Set(absent.map { keys[$0] })
        var gone: [RecordKey] = []
        var plans: [RecordPlan] = []
        for index in absent {
            let base = bases[index].flatMap { $0.state.isLive ? $0 : nil } ?? unknownBase(run: run)
            guard let entries = news.entries(of: keys[index], with: conflicts, over: base.entries) else {
                gone.append(keys[index])
                continue
            }
            if let plan = revival(of: keys[index], base, saying: entries, run: run) { plans.append(plan) }
        }
        missing.subtract(gone)
        let count = missing.count
        let postponed = try writer.write(plans)
        for (index, plan) in plans.enumerated() {
            if postponed.contains(index) { writer.postpone(plan) } else { missing.remove(plan.key) }
        }
        for (plan, ending) in try writer.finish().plans where ending.reason(table.schema) == nil {
            missing.remove(plan.key)
        }
        try forget(missing.sorted() + gone, run: run, in: store)
        try startOver(plans.filter { !missing.contains($0.key) }, &writer)
        try news.forget(waiting, in: store.conflicts)
        if count > missing.count {
            counts[table.schema.entity, default: RunCounts()].inserted += count - missing.count
        }
        // What has a row and news is merged by a run.
        let isWhole = missing.isEmpty && Set(waiting).subtracting(absent.map { keys[$0] }).isEmpty
        if below.isEmpty { return isWhole }
        let standing = try table.rowKeys(under: owners).flatMap { $0 }
        return try below.reduce(isWhole) { isWhole, rows in
            try rows.revive(under: standing, with: conflicts, run: run, counts: &counts, in: store) && isWhole
        }
    }

    /// Takes what waits with decided conflicts for what the source said, where the records stay without a row: it is nothing new when
    /// it says that again.
    ///
    /// - Parameters:
    ///   - owners: The records over which the conflicts were.
    ///   - conflicts: The numbers of the conflicts.
    ///   - run: The number of the run.
    ///   - store: The store that the rows are in.
    /// - Throws: `StoreError`.
    package func settleNews(
        under owners: [RecordKey], with conflicts: Set<Int64>, run: Int64, in store: any RecordStore
    ) throws {
        var news = try NewsWithin(of: canonical, in: store.conflicts)
        let keys = news.keys(of: owners, with: conflicts)
        let plans = zip(keys, try table.baseRows(keys)).map { key, known in
            var base = known.flatMap { $0.state.isLive ? $0 : nil } ?? unknownBase(run: run)
            if let entries = news.entries(of: key, with: conflicts, over: base.entries) {
                (base.entries, base.rowHash) = (entries, canonical.rowHash(of: entries))
            } else {
                base.state = .remoteTombstone
            }
            base.lastRun = run
            return RecordPlan(writing: RecordWrite(key: key, row: .none, base: base))
        }
        if !plans.isEmpty { _ = try writer(in: store, run: run).write(plans) }
        try news.forget(keys, in: store.conflicts)
        for rows in below { try rows.settleNews(under: owners, with: conflicts, run: run, in: store) }
    }

    /// Has the next run take what other sources list of records whose rows are made anew.
    private func startOver(_ plans: [RecordPlan], _ writer: inout PlanWriter) throws {
        if otherSources.isEmpty || plans.isEmpty { return }
        var back = plans
        for (index, others) in zip(back.indices, try otherSources.records(back.map(\.key))) {
            (back[index].startsOver, back[index].others) = (true, others)
        }
        _ = try writer.settle(back)
    }

    /// What is remembered of a record of which the source said nothing before.
    private func unknownBase(run: Int64) -> BaseRow {
        BaseRow(
            rowHash: 0, entries: Array(repeating: .none, count: table.schema.fields.count), state: .live, isOpen: false,
            firstRun: run, lastRun: run)
    }

    /// One source made the rows of records anew. What others list of that which belongs to them went with the rows of before, so that
    /// they insert it once they are read.
    ///
    /// - Parameters:
    ///   - owners: The records.
    ///   - run: The number of the run, nil in a plan.
    /// - Returns: Whether there is any such.
    /// - Throws: `StoreError`.
    func startOver(under owners: [RecordKey], run: Int64?) throws -> Bool {
        let isNews = try otherSources.forgetAbsent(under: owners, run: run)
        return try below.reduce(isNews) { try $1.startOver(under: owners, run: run) || $0 }
    }

    /// Lets the base of records without a row say that they are gone, so that a run which reads them inserts them.
    ///
    /// - Parameters:
    ///   - owners: The records that they belong to.
    ///   - run: The number of the run, nil in a plan.
    ///   - store: The store that the rows are in.
    /// - Throws: `StoreError`.
    func forgetAbsent(under owners: [RecordKey], run: Int64?, in store: any RecordStore) throws {
        let keys = try table.liveKeys(under: owners).flatMap { $0 }
        if keys.isEmpty { return }
        try forget(zip(keys, try table.localRows(keys)).filter { $1 == nil }.map(\.0), run: run, in: store)
    }

    /// Lets the base of records say that they are gone, and of those below them that have no row.
    private func forget(_ keys: [RecordKey], run: Int64?, in store: any RecordStore) throws {
        if keys.isEmpty { return }
        let plans = zip(keys, try table.baseRows(keys)).compactMap { key, base in
            base.map { base in
                var base = base
                (base.state, base.lastRun) = (.remoteTombstone, run)
                return RecordPlan(writing: RecordWrite(key: key, row: .none, base: base))
            }
        }
        _ = try writer(in: store, run: run).write(plans)
        for rows in below { try rows.forgetAbsent(under: keys, run: run, in: store) }
    }

    /// Carries out plans for these rows.
    package func writer(in store: any RecordStore, run: Int64?) -> PlanWriter {
        PlanWriter(
            table, in: store, canonical: CanonicalRecord(schema: table.schema), otherSources: otherSources, run: run)
    }

    /// Plans the row that the source gave last; nil where what is known of it does not hold every value.
    private func revival(of key: RecordKey, _ known: BaseRow, saying entries: [BaseEntry], run: Int64) -> RecordPlan? {
        guard let values = canonical.row(of: entries) else { return nil }
        var base = known
        if entries != known.entries { (base.entries, base.rowHash) = (entries, canonical.rowHash(of: entries)) }
        base.lastRun = run
        return RecordPlan(writing: RecordWrite(key: key, row: .insert(values), base: base))
    }
}

extension [ChildRows] {
    /// One source made the row of a record anew, and others are to insert what belongs to it: what they list of it is looked at again.
    ///
    /// - Parameters:
    ///   - key: The record's key.
    ///   - records: What they said of it.
    ///   - sources: The other sources of the record.
    ///   - run: The run's number, nil in a plan.
    ///   - writes: Grows by what follows for them.
    /// - Throws: `StoreError`.
    func startOver(
        under key: RecordKey, _ records: [OtherSourceLedger.Record], of sources: OtherSourceLedger, run: Int64?,
        _ writes: inout OtherSourceWrites
    ) throws {
        guard records.contains(where: \.isLive) else { return }
        let isNews = try reduce(false) { try $1.startOver(under: [key], run: run) || $0 }
        if isNews { try sources.lookAgain(key, records, &writes) }
    }
}
