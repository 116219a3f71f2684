internal import SluiceMerge
internal import SluiceModel
internal import SluiceReport
internal import SluiceStore

/// A record whose write was tried: what it counts as, is told as and leaves of conflicts, once it shows how that ended.
package struct TriedWrite {
    let key: RecordKey
    /// The record's position in the stream; nil where it is gone from it.
    let ordinal: Int?
    /// What the record counts as where it is written.
    let outcome: WritableKeyPath<RunSummary, Int>
    /// What is told of it, nil where nobody wants to see it.
    var change: RecordChange?
    /// Whether it is told although no conflict is new.
    var isTold = true
    /// What becomes of its conflicts.
    var settlement = ConflictSettlement()
    /// Whether the record was counted before.
    var isRepeated = false
    /// The base before.
    var base: BaseRow?
    /// The row before, nil where there was none.
    var local: [FieldValue]?
    /// What other sources said of the row that is made anew.
    var others: [SiblingSources.Record] = []
    /// What other sources said of a record that is gone for all of them, and what it is at them from now on.
    var withdrawn: (others: [SiblingSources.Record], state: BaseState)?
}

/// What becomes of the conflicts of a record once it is written.
package struct ConflictSettlement {
    /// What is opened or brought up to date, with the entry that it takes the place of.
    var remembered: [(entry: ConflictEntry, known: ConflictEntry?)] = []
    var closed: [(entry: ConflictEntry, status: ConflictStatus)] = []
    /// Open collisions of unique values that are tried again.
    var collisions: [ConflictEntry] = []
    /// Whether a conflict waits for a person.
    var remainsOpen = false
}
