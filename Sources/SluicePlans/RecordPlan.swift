package import SluiceMerge
package import SluiceModel
package import SluiceStore

/// What is to become of a record: a value that says everything, and does nothing.
///
/// ``RecordPlanner`` makes it of ``RecordFacts``; the merge of its stream carries it out.
package struct RecordPlan {
    /// What the record counts as once it is written.
    package enum Outcome {
        /// It is counted elsewhere, or not at all.
        case none
        case unchanged, insert, update, keptLocal, conflict, delete
    }

    /// What becomes of the rows that belong to the record.
    package enum Below {
        case stay
        /// They go with it.
        case go
        /// Another source keeps the record, so that they are no longer this source's.
        case pass
        /// They are no longer this source's, which stated that the record is deleted.
        case leave
        /// It comes back, and what went with it is not what people deleted of a record that is there.
        case startOver
    }

    /// Why a record is not taken.
    package enum Rejection {
        /// A stream that only adds rows did not write the row that has its key.
        case keyTaken
    }

    package let key: RecordKey
    /// The record's position in the stream; nil where it is gone from it.
    package var ordinal: Int?
    package var outcome = Outcome.none
    /// What is written of row and base; nil where both stay.
    package var write: RecordWrite?
    /// What becomes of its conflicts, in this order.
    package var conflicts: [ConflictChange] = []
    /// The open collisions of unique values that are tried again.
    package var collisions: [ConflictEntry] = []
    /// What is told of the record; nil where nobody wants to see it.
    package var change: RecordChange?
    /// Whether it is told although no conflict is new.
    package var isTold = false
    /// What is told of a local value or state that stands; nil where none does.
    package var kept: RecordChange?
    package var below = Below.stay
    /// Whether somebody decides whether the record goes, which its source has no longer.
    package var asksWhetherItGoes: Bool {
        conflicts.contains { change in
            guard case .remember(let entry, _, _) = change else { return false }
            return entry.status == .open && entry.isOfGoneRecord
        }
    }
    /// Why the record goes to quarantine; nil where it is taken.
    package var rejection: Rejection?

    /// The base before.
    package var base: BaseRow?
    /// The row before, nil where there was none.
    package var local: [FieldValue]?

    // MARK: Other sources

    /// What other sources of the table said of the record.
    package var others: [OtherRecord] = []
    /// Whether one of them may have lost the record in this run, so that it moved.
    package var mayHaveMoved = false
    /// Whether what they said was of a row that is no more, since the record's row is made anew.
    package var startsOver = false
    /// Whether what waits for a decision at one of them may be another question now.
    package var asksWaiting = false
    /// Those that no longer hold the record, and what it is at them from now on.
    package var withdrawn: (others: [OtherRecord], state: BaseState)?
    /// Those which stated that it is deleted, where that waited for a decision and is over, since a source lists it again.
    package var answered: [OtherRecord] = []
    /// Whether it is listed with something new and stated to be deleted in one run.
    package var isGainsaid = false
    /// What the source leaves of each field to those which still have the record; nil where it leaves nothing to others.
    package var left: [LeftField]?

    /// The references that are null for good once the record is written, see ``RecordedChange/emptied``.
    package var emptied: [RecordedChange.Column] = []

    // MARK: Notices

    /// Whether the record changed although its stream only adds some.
    package var isLateChange = false
    /// Whether the record was read: its source states that it is deleted.
    package var isStated = false

    /// Makes a plan that comes to nothing.
    package init(key: RecordKey, ordinal: Int? = nil) {
        self.key = key
        self.ordinal = ordinal
    }

    /// A plan that comes to a write and counts nowhere.
    package init(writing write: RecordWrite) {
        self.init(key: write.key)
        self.write = write
    }

    /// The plan with the page that the record stands on, for the history.
    package func said(on page: String?) -> RecordPlan {
        var plan = self
        plan.write?.page = page
        return plan
    }

    /// The open conflict over a field that the plan brings up to date; nil where there is none.
    package func known(_ field: String?) -> ConflictEntry? {
        for case .remember(let entry, let known, _) in conflicts where entry.field == field { return known }
        return nil
    }
}

/// What a source that no longer has a record leaves of a field to those that do.
package enum LeftField {
    /// The row holds what it said.
    case standing(BaseEntry, as: FieldSide)
    /// What it said was in the row until somebody wrote something else there.
    case overwritten(BaseEntry, by: FieldSide)
    /// The row holds something else.
    case other

    /// What the source said of it; nil where the row never held it.
    package var entry: BaseEntry? {
        switch self {
        case .standing(.none, as: _), .other: nil
        case .standing(let entry, as: _), .overwritten(let entry, by: _): entry
        }
    }

    /// What the row holds of what the source said.
    package var side: FieldSide { if case .standing(_, as: let side) = self { side } else { .nothing } }
}

/// What becomes of one conflict.
package enum ConflictChange {
    /// It is opened or, where it is known, brought up to date: as news or not, where the sides do not tell that.
    case remember(ConflictEntry, over: ConflictEntry?, isNews: Bool? = nil)
    /// It is over: as decided or, where nobody decided, since its sides came to that end.
    case close(ConflictEntry, as: ConflictStatus, since: ConflictEnd? = nil)
    /// It is written as it stands: as a person decided it, or with a local side that is what the row holds now.
    case revise(ConflictEntry)

    /// The field of a conflict that is opened or brought up to date.
    var rememberedField: String? { if case .remember(let entry, _, _) = self { entry.field } else { nil } }
}

extension ConflictEntry {
    /// Whether another row has the value that the source gives.
    package var isUniqueCollision: Bool { kind == FieldClass.uniqueCollision.rawValue }
}
