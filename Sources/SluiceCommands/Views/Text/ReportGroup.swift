internal import SluiceMerge

/// The entries of a report that belong together: what happens in the same way to records of the same table.
struct ReportGroup: Hashable {
    /// What happens, by the order in which a report lists it: what needs a person comes last.
    enum Kind: Int, CaseIterable {
        case insert, update, unlinked, again, delete, mark, gone, missing, within, kept, settled, over, released,
            conflict, conflictWithin, invalid
    }

    let kind: Kind
    let table: String

    /// The line above the group, which says what its entries have in common.
    ///
    /// - Parameters:
    ///   - count: How many entries the group has.
    ///   - listed: How many of them are listed.
    ///   - isPlan: Whether nothing of it has happened.
    ///   - isUndo: Whether a run is taken back.
    ///   - isCut: Whether some entries of the report are not listed.
    ///   - hasConflicts: Whether conflicts are listed within its entries.
    ///   - causes: The kinds of the conflicts that are listed in the table.
    ///   - style: How it is painted.
    /// - Returns: Whole lines.
    func heading(
        count: Int, listed: Int, isPlan: Bool, isUndo: Bool = false, isCut: Bool, hasConflicts: Bool,
        causes: Set<String>, style: TextStyle
    ) -> String {
        let number = CountText.grouped(count)
        let table = ShortText.of(table)
        let (head, rest) =
            switch kind {
            case .update: ("\(number) \(isPlan ? "to update" : "updated") in \(table)", "")
            case .unlinked:
                (
                    "\(number) \(isPlan ? "to lose" : "lost") a reference in \(table)",
                    isUndo ? "" : ": the record that it leads to goes or is not there"
                )
            case .again:
                (
                    "\(number) \(isPlan ? "to write" : "written") once more in \(table)",
                    ": a later page has the record as well, which is counted once"
                )
            case .insert: ("\(number) \(isPlan ? "to insert" : "inserted") into \(table)", "")
            case .delete:
                ("\(number) \(isPlan ? "to delete" : "deleted") from \(table)", isUndo ? "" : ": gone from the source")
            case .conflict where isUndo:
                (
                    "\(CountText.of(count, "record")) of \(table) left as \(CountText.word(count, "it is", "they are"))",
                    ""
                )
            case .mark:
                (
                    "\(number) \(isPlan ? "to mark" : "marked") as deleted in \(table)",
                    isUndo ? "" : ": gone from the source, the rows stay"
                )
            case .gone: ("\(number) gone from the source", ": only reported, the rows in \(table) stay")
            case .missing:
                (
                    "\(number) missing from the source",
                    ": the rows in \(table) stay until further scans have not seen them either"
                )
            case .within: ("changes within \(CountText.of(count, "record")) of \(table)", "")
            case .kept: ("\(number) kept in \(table)", ": the source's change is not taken")
            case .settled:
                (
                    "\(CountText.of(count, "disagreement")) of \(table) settled by precedence",
                    ": the first source's value stands"
                )
            case .over: ("\(CountText.of(count, "conflict")) of \(table) no longer open", "")
            case .released:
                ("\(CountText.of(count, "entry", "entries")) of \(table) no longer in quarantine", "")
            case .conflict:
                ("\(CountText.of(count, "record")) in conflict in \(table)", Self.cause(causes))
            case .conflictWithin:
                (
                    "conflicts within \(CountText.of(count, "record")) of \(table)", Self.cause(causes)
                )
            case .invalid:
                (
                    "\(number) not written to \(table)",
                    isPlan
                        ? ": a run keeps \(CountText.word(count, "it", "them")) in quarantine. All other records go on."
                        : ": kept in quarantine. All other records go on."
                )
            }
        let legend =
            kind == .conflict || hasConflicts
            ? style.paint(
                "  base: the source before; local: the table now, kept until a decision; remote: the source now",
                .faint) + "\n" : ""
        let part =
            switch kind {
            case .conflict: listed < count ? ", \(CountText.grouped(listed)) of them new or changed" : ""
            // How many there are is not known.
            case .within, .conflictWithin: isCut ? ", others are not listed" : ""
            default:
                if listed == 0 {
                    ", not listed"
                } else {
                    listed < count && isCut ? ", the first \(CountText.grouped(listed)) of them listed" : ""
                }
            }
        return style.paint(head, .strong) + style.paint(part + rest, .faint) + "\n" + legend
    }

    /// What conflicts have in common; nothing where they differ, since each says what it is about.
    private static func cause(_ kinds: Set<String>) -> String {
        let words = Set(
            kinds.map { kind in
                switch FieldClass(rawValue: kind) {
                case .addAdd: ": the table holds another value than the first that is known of the source"
                case .disagreement: ": the sources of the table say different things"
                case .uniqueCollision: ": another row has a value that must be unique"
                default: ": changed here and at the source"
                }
            })
        return words.count > 1 ? "" : words.first ?? ": changed here and at the source"
    }
}

extension ReportGroup.Kind {
    /// What happens to the row of a record that comes or changes.
    ///
    /// - Parameters:
    ///   - kind: What happens where the run writes the record for the first time.
    ///   - isAgain: Whether the run wrote it before.
    init(_ kind: Self, isAgain: Bool) { self = isAgain ? .again : kind }

    /// What happens to the row of a record that changes.
    ///
    /// - Parameters:
    ///   - row: How base, local and remote relate.
    ///   - isAgain: Whether the run wrote it before.
    init(updating row: RowKind, isAgain: Bool) { self = row == .unlink ? .unlinked : Self(.update, isAgain: isAgain) }

    /// What becomes of the row of a record that is gone.
    init(_ deletion: RecordChange.Deletion?) {
        self =
            switch deletion {
            case .hard, nil: .delete
            case .soft: .mark
            case .report: .gone
            case .suspected: .missing
            }
    }
}
