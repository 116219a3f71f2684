internal import SluiceDecode
internal import SluiceModel
internal import SluiceStore

/// A list that is one value (`ordered`) and whose elements are not merged one by one now, with what becomes of it as a whole.
package struct OrderedList {
    /// What becomes of the list in the table.
    enum Standing {
        /// A source that goes before gives it. Nothing of this one's is taken; what it gave before goes.
        case yielded
        /// A source that goes before gives it, and something of that is not what that source says: nothing is touched.
        case waiting
        /// The source no longer gives it and another one does, which has it from now on as it stands.
        case passed(StreamName)
        /// Whether these elements are gone another scan has to show; until then nothing of the list is taken.
        case unconfirmed([RecordKey])
        /// Both sides changed it, and the source gives it no longer. Another one that the run has yet to read may begin it, so that it
        /// is decided once all are read; until then nothing of it is touched.
        case postponed
        /// Both sides changed it, so nothing of it is taken until somebody decides.
        case contested(ListConflict)
        /// Both sides changed it, and a policy takes the source's.
        case taken(ListConflict)
        /// Both sides changed it, and a policy keeps the one that is here.
        case kept(ListConflict)
    }

    /// Its place in the batch.
    let scope: NestedBatch.Scope
    /// What the store holds of its elements.
    let facts: ListFacts
    let standing: Standing

    /// What both sides changed, and how it is decided; nil where no more than one side did.
    var conflict: (ListConflict, String)? {
        switch standing {
        case .contested(let conflict): (conflict, "contested")
        case .taken(let conflict): (conflict, "taken")
        case .kept(let conflict): (conflict, "kept")
        case .yielded, .waiting, .passed, .unconfirmed, .postponed: nil
        }
    }

    /// Whether a source that goes before gives it, so that nothing of this one's is taken.
    var isYielded: Bool { if case .yielded = standing { true } else { false } }

    /// Whether somebody has to decide about it who had not to before.
    var isNewQuestion: Bool {
        if case .contested(let conflict) = standing { conflict.known == nil } else { false }
    }

    /// Whether nothing of what belongs to its elements is merged either: whose they are is not decided.
    var isHeld: Bool {
        switch standing {
        case .yielded, .waiting, .passed, .unconfirmed, .postponed, .contested: true
        case .taken, .kept: false
        }
    }
}

/// A list that both sides changed.
struct ListConflict {
    /// The conflict with its three sides.
    var entry: ConflictEntry
    /// The open conflict over the same list, nil where there is none.
    let known: ConflictEntry?
    /// The elements of store and base that the source does not have.
    let missing: [RecordKey]
}
