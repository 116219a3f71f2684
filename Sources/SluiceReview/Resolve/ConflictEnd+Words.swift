internal import SluiceJSON
package import SluiceStore

extension ConflictEnd {
    /// The reason in words, to stand behind "closed:" or within a sentence.
    package var words: String {
        switch self {
        case .sourceReverted: "the source took its change back"
        case .localReverted: "the change here was taken back"
        case .listedAgain: "the source lists the record again"
        case .rowReturned: "the row is here again"
        case .goneAtSource: "the source has the record no longer"
        case .rowDeleted: "the row was deleted here"
        case .ownerDeleted: "the record that it belongs to was deleted"
        case .record(let id): "the record as a whole is in conflict" + (id.map { " (conflict \($0))" } ?? "")
        case .list: "the list as a whole is in conflict"
        case .otherSource: "another source of the table settled it"
        case .merged: "the changes of both sides are merged"
        case .unmanaged: "no pipeline fills it any more"
        }
    }
}

extension RecordedEntry {
    /// Why the run closed the conflict without a decision; nil of all else, and where the store does not know it.
    package var end: ConflictEnd? {
        guard subject == .conflict, let new, let image = try? JSONDocument(new).root, image.kind == .object,
            let status = image.member(named: "status"), status.string == ConflictStatus.obsolete.rawValue,
            let end = image.member(named: "resolution"), !end.isNull
        else { return nil }
        return end.string.flatMap { ConflictEnd(rawValue: $0) }
    }
}
