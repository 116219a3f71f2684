internal import SluiceMerge
package import SluiceReview
internal import SluiceStore

/// How base, local and remote relate, in words.
package enum KindWords {
    /// What a kind of change of a record says besides its action; nil where that is nothing.
    package static func record(_ kind: String) -> String? {
        if kind == RecordedChange.linkKind { return "what it refers to came" }
        guard let known = RowKind(rawValue: kind) else { return kind }
        return switch known {
        case .insert, .update, .delete, .merge, .unchanged: nil
        case .adopt: "the row was here already"
        case .resurrect: "back at the source"
        case .localOverride: "edited here"
        case .localDelete: "deleted here"
        case .editDelete, .deleteEdit: conflict(kind)
        case .converged: "both sides agree"
        case .unmanaged: "no source gave it"
        case .unseen: "missing at the source"
        case .heldElsewhere: "another source still has it"
        case .heldBelow: "records that belong to it stay"
        case .unlink: "no longer linked"
        case .ownerGone: "what it belongs to is not there"
        }
    }

    /// What is said of a change besides its action, by its kind and since its run wrote the row before; nil where that is nothing.
    package static func change(_ change: HistoryChange) -> String? {
        let words = [change.kind.flatMap(record), change.isAgain ? "written once more" : nil].compactMap(\.self)
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }

    /// What a run noted of a record of which it changed no row.
    package static func noted(_ change: HistoryChange) -> String {
        let fact = NotedBases.Fact(change)
        let kind = fact == .said ? self.change(change).map { " (\($0))" } : nil
        return "noted \(fact.words(isOne: true))\(kind ?? "")"
    }

    /// What the class of a changed field says besides the two values; nil where that is nothing.
    package static func field(_ fieldClass: String) -> String? {
        // Of a decision or an undo nobody noted how the sides were related.
        if fieldClass.isEmpty || fieldClass == RecordedChange.linkClass { return nil }
        guard let known = FieldClass(rawValue: fieldClass) else { return fieldClass }
        return switch known {
        case .noInfo, .unchanged, .fill, .remoteUpdate: nil
        case .converged: "both sides agree"
        case .remoteClear: "cleared at the source"
        case .localOverride: "edited here"
        case .keptLocal: "what was here stays"
        case .driftOverwritten: "edited here, overwritten"
        case .merged: "changes of both sides, merged"
        case .waiting: "waits for its record"
        case .emptied: "null for good"
        case .addAdd, .editEdit, .clearEdit, .editClear, .disagreement, .uniqueCollision: conflict(fieldClass)
        }
    }

    /// What a conflict of a kind is about.
    package static func conflict(_ kind: String) -> String {
        switch kind {
        case "add_add": "the table holds another value than the first that is known of the source"
        case "edit_edit": "edited here, changed at the source"
        case "clear_edit": "cleared here, changed at the source"
        case "edit_clear": "edited here, cleared at the source"
        case "edit_delete": "edited here, gone from the source"
        case "delete_edit": "deleted here, changed at the source"
        case "disagreement": "two sources of the table disagree"
        case "unique_collision": "another row has the value, which must be unique"
        default: "both sides changed it"
        }
    }
}
