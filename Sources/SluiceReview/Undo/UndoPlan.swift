internal import SluiceMerge
internal import SluiceModel
internal import SluiceStore

/// What is known of a record as a run's change of it is taken back, read before anything is decided.
struct UndoFacts {
    /// What the run did to it.
    let change: RecordedChange
    let key: RecordKey
    /// Its base now, nil where there is none.
    let base: BaseImage?
    /// Its whole row now, nil where there is none.
    let row: RowImage?
    /// Whether it waits for unique values, so that it does not hold what it will hold.
    var isWaiting = false
    /// Whether another source of the table came to have it after the run.
    var isHeldSince = false
    /// Whether the run itself had made the row that it deleted later.
    var wasMadeByRun = false
    /// The references that were null for good before the change and are so again.
    var emptied: [RecordedChange.Column] = []
}

/// What is to become of a record as a run's change of it is taken back: a value that says everything, and does nothing.
struct UndoPlan {
    /// What becomes of row and base.
    enum Fate {
        /// Both stay as they are, and the record is left; what is told of that, nil where its row is not known.
        case left(RecordChange?)
        /// Something of them is written, be it nothing.
        case written(RecordWrite)
        /// The row goes once what belongs to the record has gone: that of a record which the run inserted with its base,
        /// which of others is put back before.
        case removed(RecordWrite, isInsert: Bool)
    }

    let key: RecordKey
    let fate: Fate
    /// What is told of the record where it is written; nil where the row stays.
    var change: RecordChange?
    /// The fields that are left as they are.
    var left: Set<String> = []
    /// The references that are null for good once the record is written.
    var emptied: [RecordedChange.Column] = []
    /// The fields without a column, of which it is said that they are left.
    var lost: [String] = []

    /// Makes a plan.
    init(key: RecordKey, _ fate: Fate, change: RecordChange? = nil) {
        (self.key, self.fate, self.change) = (key, fate, change)
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
