internal import SluiceMerge
internal import SluiceStore

/// Records of which other sources of the table speak as well.
extension StreamMerger {
    /// Whether another source still has a record, after the run in which this one lost it where it had it before. Where
    /// it had it once, what it said of an earlier row is noted for when the record is inserted.
    mutating func isHeldElsewhere(_ key: RecordKey, after run: Int64? = nil) throws -> Bool {
        let others = try context.siblings.records(key)
        if context.siblings.isHeld(others, after: run) { return true }
        if !others.isEmpty { renewed[key] = others }
        return false
    }

    /// Whether another source says in this run that a record is deleted. Whichever of them is read first, that holds over
    /// what is listed in the same run.
    func isStatedNow(_ key: RecordKey) throws -> Bool {
        try context.siblings.records(key).contains { other in
            other.base.state == .statedTombstone && !other.base.isOpen && other.base.lastRun == context.run
        }
    }

    /// Remembers what a source lists although another one says that it is deleted.
    mutating func noteOverruled(_ record: Int, of batch: borrowing RecordBatch, key: RecordKey, base: BaseRow) throws {
        report.summary.unchanged += 1
        var noted = base
        noted.entries = canonical.entries(record, of: batch, over: base.entries)
        noted.state = .overruled
        if noted != base || base.firstRun == nil { try writeBase(key, noted) }
    }

    /// Takes a record away from other sources, since more than its absence from one of them says that it is gone.
    func withdraw(_ key: RecordKey, _ others: [SiblingSources.Record], as state: BaseState) throws {
        for (name, keyText) in try context.siblings.withdraw(key, others, as: state, run: context.run) {
            for entry in try context.store.conflicts.open(of: name, key: keyText) { try close(entry, as: .obsolete) }
        }
    }

    /// The base of a record of which its source said nothing yet.
    func unknownBase(_ state: BaseState) -> BaseRow {
        BaseRow(
            rowHash: 0, entries: Array(repeating: .none, count: schema.fields.count), state: state, isOpen: false,
            firstRun: nil, lastRun: nil)
    }
}
