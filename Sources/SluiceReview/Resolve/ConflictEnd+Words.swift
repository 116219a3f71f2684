internal import SluiceJSON
package import SluiceStore

extension ConflictEnd {
    /// The reason in words, to stand behind "closed:" or within a sentence.
    package var words: String {
        switch self {
        case .sourceReverted: "the source took its change back"
        case .redacted: "`redact` no longer tells the source's values apart"
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
        case .unmanaged: "its pipeline no longer fills it"
        }
    }
}

extension RecordedEntry {
    /// Why the run closed the conflict without a decision; nil of all else, and where the store does not know it.
    package var end: ConflictEnd? {
        guard member("status", of: new) == ConflictStatus.obsolete.rawValue else { return nil }
        return member("resolution", of: new).flatMap { ConflictEnd(rawValue: $0) }
    }

    /// What a person wrote who decided the conflict in this run; nil of all else.
    package var note: String? {
        guard member("status", of: new) == ConflictStatus.resolved.rawValue else { return nil }
        let note = member("note", of: new)
        return member("status", of: old) == ConflictStatus.resolved.rawValue && note == member("note", of: old)
            ? nil : note
    }

    /// What the source said before and since, as JSON, where it said something else while the conflict was open; nil of all
    /// else. One of them is nil where the record was gone.
    package var remotes: (before: String?, now: String?)? {
        guard action == "changed" else { return nil }
        let remotes = (before: member("remote", of: old), now: member("remote", of: new))
        return remotes.before == remotes.now ? nil : remotes
    }

    /// What the source said when the run opened the conflict or brought it up to date, as JSON; nil where the record was gone.
    package var remote: String? { member("remote", of: new) }

    private func member(_ name: String, of image: String?) -> String? {
        guard subject == .conflict, let image, let root = try? JSONDocument(image).root, root.kind == .object,
            let member = root.member(named: name), !member.isNull
        else { return nil }
        return member.string
    }
}
