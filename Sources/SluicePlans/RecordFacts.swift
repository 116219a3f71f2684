internal import SluiceMerge
package import SluiceModel
package import SluiceStore

/// What the store holds of a record before anything is decided about it.
package struct RecordFacts {
    package let key: RecordKey
    /// What its source said of it last; nil where it never had it.
    package var base: BaseRow?
    /// Its row; nil where there is none or it is marked as deleted.
    package var local: [FieldValue]?
    /// What other sources of the table said of it.
    package var others: [OtherRecord] = []
    /// Its open conflicts.
    package var conflicts: [ConflictEntry] = []
    /// What its source said in these, as far as that can be read.
    package var awaited: [AwaitedRemote] = []

    /// Whether the record that it belongs to came back in this run, and this one with it.
    package var comesBack = false

    /// Makes facts about a record.
    package init(key: RecordKey, base: BaseRow? = nil, local: [FieldValue]? = nil) {
        (self.key, self.base, self.local) = (key, base, local)
    }

    /// Whether its source left it out before.
    var isMissed: Bool {
        base.map { $0.missedScans > 0 } ?? false || conflicts.contains(where: \.isOfGoneRecord)
    }

    /// Whether a decision waits since the source changed what belongs to the record, whose row was deleted here.
    var waitsForWithin: Bool {
        conflicts.contains { $0.kind == RowKind.deleteEdit.rawValue && $0.note != nil }
    }
}
