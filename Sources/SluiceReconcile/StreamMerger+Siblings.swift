package import SluiceModel
internal import SluiceReport
internal import SluiceStore

/// Records of which other sources of the table speak as well.
extension StreamMerger {
    /// Whether another source still has a record, after the run in which this one lost it where it had it before. Where
    /// it had it once, what it said of an earlier row is noted for when the record is inserted.
    mutating func isHeldElsewhere(_ key: RecordKey, after run: Int64? = nil) throws -> Bool {
        let others = try context.siblings.records(key)
        context.siblings.noteMoves(key, others, run: context.run)
        if context.siblings.isHeld(key, others, after: run) { return true }
        if !others.isEmpty { renewed[key] = others }
        return false
    }

    /// What is known of a record whose row is there when its source first lists it. Where it came from another source in this
    /// run, what the two say alike is nothing new, so that an edit of it stands.
    ///
    /// - Returns: The base; nil where nothing is known.
    func movedBase(_ record: Int, of batch: borrowing RecordBatch, key: RecordKey) throws -> BaseRow? {
        let others = try context.siblings.records(key)
        context.siblings.noteMoves(key, others, run: context.run)
        let (left, said) = (context.siblings.leftBehind(key, others), canonical.sides(of: record, in: batch))
        let same = left.indices.filter { left[$0] != .nothing && left[$0] == said[$0] }
        if same.isEmpty { return nil }
        var base = unknownBase(.remoteTombstone)
        base.entries = canonical.entries(record, of: batch, over: base.entries, only: same)
        return base
    }

    /// Whether another source says in this run that a record is deleted. Whichever of them is read first, that holds over
    /// what is listed in the same run.
    func isDeletedNow(_ key: RecordKey) throws -> Bool {
        context.siblings.isDeletedNow(try context.siblings.records(key), run: context.run)
    }

    /// What the stream changed of a record may matter to what waits at other sources.
    func askWaiting(_ key: RecordKey) throws {
        if !context.siblings.isEmpty { try context.siblings.askWaiting(try context.siblings.records(key)) }
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
    package func withdraw(_ key: RecordKey, _ others: [SiblingSources.Record], as state: BaseState) throws {
        for entry in try context.siblings.withdraw(key, others, as: state, run: context.run) {
            try close(entry, as: .obsolete)
        }
    }

    /// The base of a record of which its source said nothing yet.
    func unknownBase(_ state: BaseState) -> BaseRow {
        BaseRow(
            rowHash: 0, entries: Array(repeating: .none, count: schema.fields.count), state: state, isOpen: false,
            firstRun: nil, lastRun: nil)
    }
}
