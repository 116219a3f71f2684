/// Why a conflict is over that neither a person nor a policy decided.
package enum ConflictEnd: Sendable, Equatable {
    /// The source says again what it said before.
    case sourceReverted
    /// What the source said before and since is redacted (`redact`), and no longer told apart.
    case redacted
    /// The row holds again what the source said before.
    case localReverted
    /// The source lists the record again.
    case listedAgain
    /// The row is here again.
    case rowReturned
    /// The source has the record no longer.
    case goneAtSource
    /// The row was deleted here.
    case rowDeleted
    /// What the record or list belongs to was deleted.
    case ownerDeleted
    /// What is asked is asked of the record as a whole now, by the conflict of that number; nil in a plan.
    case record(Int64?)
    /// What is asked is asked of the list as a whole now.
    case list
    /// Another source of the table answered it.
    case otherSource
    /// What both sides changed is merged.
    case merged
    /// No pipeline fills the record or field any more.
    case unmanaged
}

extension ConflictEnd: RawRepresentable, Codable {
    private static let recordText = "record_conflict"
    private static let all: [ConflictEnd] = [
        .sourceReverted, .redacted, .localReverted, .listedAgain, .rowReturned, .goneAtSource, .rowDeleted,
        .ownerDeleted, .record(nil), .list, .otherSource, .merged, .unmanaged,
    ]

    /// Reads what ``rawValue`` says; nil where it is nothing of that kind, as a newer program may have written.
    package init?(rawValue: String) {
        if let end = Self.all.first(where: { $0.name == rawValue }) {
            self = end
            return
        }
        guard rawValue.hasPrefix(Self.recordText + " "),
            let id = Int64(rawValue.dropFirst(Self.recordText.count + 1))
        else { return nil }
        self = .record(id)
    }

    /// The reason as a ledger keeps it: ``name``, and of a record the number of its conflict behind it.
    package var rawValue: String {
        if case .record(let id?) = self { return "\(name) \(id)" }
        return name
    }

    /// The reason in reports for programs.
    package var name: String {
        switch self {
        case .sourceReverted: "source_reverted"
        case .redacted: "redacted"
        case .localReverted: "local_reverted"
        case .listedAgain: "listed_again"
        case .rowReturned: "row_returned"
        case .goneAtSource: "gone_at_source"
        case .rowDeleted: "row_deleted"
        case .ownerDeleted: "owner_deleted"
        case .record: Self.recordText
        case .list: "list_conflict"
        case .otherSource: "other_source"
        case .merged: "merged"
        case .unmanaged: "unmanaged"
        }
    }

    /// The names of all reasons.
    package static let names = all.map(\.name)
}
