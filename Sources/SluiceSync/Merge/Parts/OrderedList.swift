internal import SluiceMerge

/// A list that is one value (`ordered`), as a source gives it: what becomes of it as a whole.
struct OrderedList {
    /// Whose the list in the table is.
    enum Standing {
        /// The source's own: its elements are merged one by one.
        case own
        /// Both sides changed it, so nothing of it is taken until somebody decides.
        case contested
        /// A source that goes before gives it. Nothing of this one's is taken; what it gave before goes.
        case yielded
        /// A source that goes before gives it, and something of that is not what that source says: nothing is touched.
        case waiting
    }

    /// What is known of a list that no other source gives.
    struct Facts {
        /// Whether the source says something new of an element that the store does not hold already.
        var hasNews = false
        /// Whether a person changed it.
        var isEdited = false
        /// Whether a conflict over it waits. It stays contested then, whatever else it looks like by now.
        var isUndecided = false

        var standing: Standing { hasNews && (isEdited || isUndecided) ? .contested : .own }
    }

    /// Its place in the batch.
    let scope: PartBatch.Scope
    let standing: Standing
    /// Whether a conflict over it waits since an earlier run.
    var isUndecided = false
}
