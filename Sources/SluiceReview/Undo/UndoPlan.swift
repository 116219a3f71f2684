internal import SluiceMerge
internal import SluiceModel
internal import SluicePlans
internal import SluiceReconcile
internal import SluiceStore

/// What is known of a record as a run's change of it is taken back, read before anything is decided.
struct UndoFacts {
    /// What the run did to it.
    var change: RecordedChange
    let key: RecordKey
    /// Its base now, nil where there is none.
    let base: BaseImage?
    /// Its whole row now, nil where there is none.
    let row: RowImage?
    /// Whether it waits for unique values, so that it does not hold what it will hold.
    var isWaiting = false
    /// Whether another source of the table came to have it after the run.
    var isHeldSince = false
    /// Whether its row holds, in columns that others alone fill, what none of them put there.
    var isEditedElsewhere = false
    /// Whether the record that it belongs to has no row, so that it cannot have one.
    var lacksOwner = false
    /// Whether the run itself had made the row that it deleted later.
    var wasMadeByRun = false
    /// Whether the row that the run deleted was people's: no source gave it, and no run had made it.
    var isUnmanaged = false
    /// The references that were null for good before the change and are so again.
    var emptied: [RecordedChange.Column] = []
    /// The slots of fields that are left as they are whatever the change did to them.
    var leftSlots: Set<Int> = []
}

/// What is to become of a record as a run's change of it is taken back: the plan of the record, and what undo says besides.
struct UndoPlan {
    /// What becomes of row and base.
    enum Fate {
        /// Both stay as they are, and the record is left; nothing is told of that where its row is not known.
        case left
        /// Something of them is written, be it nothing.
        case written
        /// The row goes once what belongs to the record has gone. The base of a record that the run inserted goes with it;
        /// that of others is put back before.
        case removed(isInsert: Bool)
    }

    let fate: Fate
    /// What is written and told.
    var record: RecordPlan
    /// Whether the row already is as before the run, so that nothing of it is to be taken back.
    var isAsBefore = false
    /// Whether the run inserted the row and it was deleted since, which nothing remembers once the base is gone.
    var forgetsDeletion = false
    /// The fields that are left as they are.
    var left: Set<String> = []
    /// The fields without a column, of which it is said that they are left.
    var lost: [String] = []

    var key: RecordKey { record.key }

    /// Whether the record is left as it is.
    var isLeft: Bool { if case .left = fate { true } else { false } }

    /// Leaves a record as it is.
    ///
    /// - Parameters:
    ///   - key: The record.
    ///   - change: What is told of that; nil where its row is not known.
    init(leaving key: RecordKey, _ change: RecordChange?) {
        fate = .left
        record = RecordPlan(key: key)
        record.change = change
    }

    /// Writes a record.
    ///
    /// - Parameters:
    ///   - write: What is written of it.
    ///   - fate: What becomes of row and base.
    ///   - change: What is told of it; nil where the row stays.
    init(_ write: RecordWrite, _ fate: Fate = .written, change: RecordChange? = nil) {
        self.fate = fate
        record = RecordPlan(key: write.key)
        record.write = write.isEmpty ? nil : write
        record.change = change
    }

    /// The same, of which the row goes last, since others belong to the record.
    ///
    /// - Returns: What is written of it now, and told of it then.
    func putOff() -> UndoPlan {
        guard case .removed(let isInsert) = fate else { return self }
        return UndoPlan(RecordWrite(undoing: key, row: .none, isInsert ? nil : record.write?.keptBase))
    }
}

extension RecordWrite {
    /// Makes a write of an undo, which puts bases back as they were.
    init(undoing key: RecordKey, row: Row, _ base: KeptBase?) {
        self.init(key: key, row: row, base: nil)
        keptBase = base
    }

    /// Whether neither row nor base is written.
    var isEmpty: Bool { if case .none = row { keptBase == nil && base == nil } else { false } }
}
