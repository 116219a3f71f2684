package import SluiceStore

/// What a person decides about a conflict.
package enum Resolution: Sendable, Equatable {
    /// The store's value stands.
    case local
    /// The source's value is taken.
    case remote
    /// What the source said before comes back.
    case base
    /// Another value for a field: plain text, or JSON where the field's type is no text.
    case value(String, field: String)

    /// How the decision is kept with the conflict.
    package var name: String {
        switch self {
        case .local: "local"
        case .remote: "remote"
        case .base: "base"
        case .value: "set"
        }
    }
}

/// How the resolution of one conflict ended.
package enum ResolutionOutcome: Sendable, Equatable {
    case resolved
    /// The store no longer holds the value that the conflict shows; it was brought up to date and stays open.
    case reopened
    /// It was decided so before, and nothing was done.
    case standing
    /// Another conflict over the same field was decided with it, by its number: what that left in the row stands.
    case answered(by: Int64)
    /// It could not be done, for this reason.
    case refused(String)
}

/// One conflict, what is decided about it, and then how that ended.
package struct ConflictDecision: Sendable {
    /// The conflict, afterwards as the store keeps it now.
    package var conflict: ConflictEntry
    /// What stands from now on; of several decisions about one row that of the source which goes first.
    package internal(set) var resolution: Resolution
    /// How it ended; nil before it was tried.
    package internal(set) var outcome: ResolutionOutcome?

    /// Whether the row of its record is marked where it goes, and not deleted.
    package internal(set) var marksRow = false

    /// The references that the decision leaves without a row to lead to, so that they are null until it comes.
    package internal(set) var waiting: [WaitingReference] = []

    /// The entry of the quarantine in which the local value goes on waiting, while its column is null; nil where the column
    /// holds it, and after other decisions.
    package internal(set) var waitsIn: Int64?

    /// The numbers of conflicts of other sources over the same field that are decided with it: what it leaves in the row stands.
    package internal(set) var answers: [Int64] = []

    /// Makes a decision that was not carried out yet.
    package init(_ conflict: ConflictEntry, _ resolution: Resolution) {
        self.conflict = conflict
        self.resolution = resolution
    }
}

/// A reference to records that are not there.
package struct WaitingReference: Sendable, Equatable {
    /// The table of the records.
    package let target: String
    /// Their keys, each as a JSON array.
    package let keys: [String]
    /// The columns that are null until then; none where a table holds the pairs.
    package let columns: [String]
    /// Whether it is null for good, and does not wait.
    package let isForGood: Bool

    /// Makes a value of its parts.
    package init(target: String, keys: [String], columns: [String], isForGood: Bool) {
        (self.target, self.keys, self.columns, self.isForGood) = (target, keys, columns, isForGood)
    }
}
