internal import SluiceDiagnostics
internal import SluiceModel
internal import SluiceReport
package import SluiceReview
internal import SluiceStore

/// All that a store knows of a record, for people.
package struct RecordLifeText {
    let style: TextStyle
    /// What a command must say to use the same store, with a blank before it.
    let storeOption: String

    func text(_ life: RecordLife) -> String {
        var text = headline(life)
        if life.isThere || life.markedAt != nil { text += "\n" + fields(life) }
        text += section("Within it", life.lists.map(list))
        text += section("What runs did to it", changes(life))
        text += section("Conflicts", life.conflicts.map(conflict))
        text += section("Quarantine", life.quarantine.map { QuarantineText(style: style).listed($0) })
        return text
    }

    private func section(_ title: String, _ parts: [String]) -> String {
        parts.isEmpty ? "" : "\n" + style.paint(title, .strong) + "\n" + parts.joined()
    }

    /// A conflict, with the command that says how it can be decided, or the note of who decided it.
    private func conflict(_ entry: ConflictEntry) -> String {
        let text = ConflictText(style: style).listed(entry)
        if entry.status == .open { return text + "    \(deciding(entry))\n" }
        return text + (entry.note.map { "    Note: \(PrintableText.escape($0))\n" } ?? "")
    }

    /// How an open conflict is decided, as a clause.
    private func deciding(_ entry: ConflictEntry) -> String {
        PrintableText.escape("to decide: `sluice conflicts show \(entry.id ?? 0)\(storeOption)`")
    }

    /// The records of one entity that stand within the record: those of each side, as far as the sides differ.
    private func list(_ list: RecordLife.List) -> String {
        var facts = [CountText.of(ValueText.elements(of: list.held)?.count ?? 0, "row")]
        if let conflict = list.conflict {
            let since = conflict.firstRun.map { " since run \($0)" } ?? ""
            facts.append("the list is in conflict\(since) (conflict \(conflict.id ?? 0))")
        } else if list.isEdited {
            facts.append("edited here")
        } else {
            facts.append("as the source said")
        }
        if !list.elementConflicts.isEmpty {
            let noun = CountText.word(list.elementConflicts.count, "conflict", "conflicts")
            facts.append("\(noun) \(list.elementConflicts.map { String($0) }.joined(separator: ", "))")
        }
        let head =
            "\(style.paint(ShortText.of(list.mapping.entity), .strong))  "
            + style.paint("(table \(ShortText.of(list.table)))", .faint) + "  \(facts.joined(separator: "; "))\n"
        let view = ConflictText(style: style)
        if let conflict = list.conflict {
            // The sides of the conflict are those of its last run.
            let sides = [("base", list.said), ("local", list.held), ("remote", conflict.remote)]
            return head + view.elements(sides) + "    \(deciding(conflict))\n"
        }
        return head
            + view.elements(list.isEdited ? [("base", list.said), ("local", list.held)] : [("local", list.held)])
    }

    private func headline(_ life: RecordLife) -> String {
        let label = style.paint(RecordLabel.of(entity: life.mapping.entity, key: life.key), .strong)
        let source = ShortText.of("\(life.mapping.pipeline)/\(life.mapping.stream)")
        let origin = life.isOwn || life.isUnknown ? "" : ", from \(source)"
        let place = style.paint("(table \(ShortText.of(life.table))\(origin))", .faint)
        let waiting = Self.waiting(life).map { $0 + "\n" } ?? ""
        return "\(label)  \(place)\n\(Self.state(life))\n\(waiting)"
    }

    /// Which references of other records wait for it, as a sentence; nil where none does.
    package static func waiting(_ life: RecordLife) -> String? {
        let all = life.awaitedBy
        if all.isEmpty { return nil }
        let shown = all.prefix(listedReferences).map { reference in
            "\(RecordLabel.of(entity: reference.mapping.entity, key: reference.key)), \(ShortText.of(reference.field))"
        }
        let more = all.count > shown.count ? ["and \(all.count - shown.count) more"] : []
        return
            "\(CountText.of(all.count, "reference")) \(CountText.word(all.count, "waits", "wait")) for it: \((shown + more).joined(separator: "; "))."
    }

    private static let listedReferences = 5

    /// Where the record is, in a sentence.
    package static func state(_ life: RecordLife) -> String {
        if let time = life.markedAt { return "Marked as deleted at \(ShortText.of(time))\(since(life))." }
        if let absence = life.absence, life.isThere {
            let word = absence.kind == .gone ? "gone" : "missing"
            return "In the table; \(word) from the source\(absence.since.map { " since run \($0)" } ?? "")."
        }
        return switch (life.state, life.isThere) {
        // Whether the source has it still is not noted where `delete_missing` leaves its rows alone.
        case (.live, true): "In the table, from the source\(since(life))."
        case (.live, false): "Deleted here; the source has it\(since(life))."
        case (.remoteTombstone, true): "In the table; gone from the source\(since(life))."
        case (.remoteTombstone, false): "Gone from the source and from the table\(since(life))."
        case (.localTombstone, true): "In the table again, after it was deleted here\(since(life))."
        case (.localTombstone, false): "Deleted here for good; the source has it\(since(life))."
        case (.statedTombstone, true): "In the table; the source said that it is deleted\(since(life))."
        case (.statedTombstone, false): "Deleted, as the source said\(since(life))."
        case (.overruled, true): "In the table again, after another source said that it is deleted\(since(life))."
        case (.overruled, false): "Deleted, as another source said\(since(life))."
        case (.unmanaged, _): "In the table; no source gave it."
        case (.forgotten, _) where life.quarantine.contains { $0.status == .open }:
            "Not in the table: what the source says of it is in quarantine."
        case (.forgotten, _): "Not in the table, and nothing is kept of what a source said of it."
        }
    }

    private static func since(_ life: RecordLife) -> String {
        guard let first = life.firstRun, let noted = life.lastRun else { return "" }
        // A run that only noted what the source says changed nothing of a row that is there.
        let wrote = life.changes.first { $0.action != .base }?.run ?? (life.isCut ? noted : first)
        let last = life.state == .live && life.isThere ? wrote : noted
        return first == last ? " since run \(first)" : "; first in run \(first), last changed in run \(last)"
    }

    // MARK: Values

    private func fields(_ life: RecordLife) -> String {
        let width = life.fields.map { TextWidth.of(ShortText.of($0.name)) }.max() ?? 0
        let values = life.fields.map { ShortText.of($0.value ?? "") }
        let valueWidth = min(values.map { TextWidth.of($0) }.max() ?? 0, 40)
        return zip(life.fields, values).map { field, value in
            let name = ShortText.padded(ShortText.of(field.name), to: width)
            // What does not fit into its column has its remark below, where the others stand.
            let gap =
                TextWidth.of(value) <= valueWidth
                ? "  " : "\n" + String(repeating: " ", count: 4 + width + 2 + valueWidth + 2)
            return "    \(name)  \(ShortText.padded(value, to: valueWidth))\(gap)\(origin(field, life))\n"
        }.joined()
    }

    private func origin(_ field: RecordLife.Field, _ life: RecordLife) -> String {
        let table = ShortText.of(field.target)
        var remarks = field.waitsIn.map { ["in quarantine \($0), null in the table"] } ?? []
        if !field.waitsFor.isEmpty {
            remarks.append("waits for \(Self.keys(field.waitsFor)) of \(table), not linked yet")
        }
        if !field.emptied.isEmpty { remarks.append("\(Self.keys(field.emptied)) of \(table) went, null for good") }
        return (remarks.map { style.paint($0, .conflict) } + [author(field, life)]).joined(separator: "; ")
    }

    /// Keys that are JSON arrays, as people write them.
    static func keys(_ keys: [String]) -> String {
        let shown = keys.map { key in
            let values = ValueText.elements(of: key) ?? [key]
            return values.count == 1 ? values[0] : key
        }
        return ShortText.of(shown.joined(separator: ", "))
    }

    /// Who gave the value.
    private func author(_ field: RecordLife.Field, _ life: RecordLife) -> String {
        if field.isEdited {
            let decided = field.run.map { run in "run \(run)" + (life.runs[run].map { ", \(Self.facts($0))" } ?? "") }
            return style.paint((decided ?? "edited here") + Self.said(field, life), .conflict)
        }
        let says = field.base.map { "; this source says \(ShortText.of($0, width: 40))" } ?? ""
        let giver = field.from.map { ", from \(ShortText.of($0))\(says)" } ?? ""
        guard let run = field.run else {
            let unknown = life.isOwn ? "added here" : "by a run whose changes are not kept"
            let words = field.foundBy.map { "was here before run \($0)" } ?? unknown
            return style.paint(words + giver, .faint)
        }
        let facts = life.runs[run].map { ", \(Self.facts($0))" } ?? ""
        return style.paint("run \(run)\(facts)\(giver)", .faint)
    }

    /// What the source said of an edited value and, where a conflict over it is open, says now; empty where nobody knows.
    package static func said(_ field: RecordLife.Field, _ life: RecordLife) -> String {
        let open = life.conflicts.first { $0.status == .open && $0.field == field.name }
        let now = open.flatMap { conflict in
            conflict.remote.map { "says \(ShortText.of($0, width: 40)) now (conflict \(conflict.id ?? 0))" }
        }
        let before = field.base.map { "said \(ShortText.of($0, width: 40))" }
        let facts = [before, now].compactMap { $0 }
        return facts.isEmpty ? "" : "; the source " + facts.joined(separator: ", and ")
    }

    /// What kind of run it was and who asked for it, where it was no plain run, and when.
    private static func facts(_ run: RunEntry) -> String {
        let time = ShortText.of(run.startedAt)
        if run.command == RunReport.Command.run.rawValue { return time }
        let who = run.who.map { " by " + ShortText.of($0) } ?? ""
        return "\(ShortText.of(run.command))\(who) at \(time)"
    }

    // MARK: Changes

    private func changes(_ life: RecordLife) -> [String] {
        let view = HistoryText(style: style, storeOption: storeOption)
        let said = life.said.map { entry in
            let facts = life.runs[entry.run].map { "  \(Self.facts($0))" } ?? ""
            let field = entry.field.map { ", \(ShortText.of($0))" } ?? ""
            let words = "conflict \(entry.entry)\(field): \(ConflictText.said(entry) ?? "")"
            return (entry.run, "  run \(entry.run)\(style.paint(facts, .faint))  \(words)\n")
        }
        let changed = life.changes.map { change in
            let run = life.runs[change.run]
            let facts = run.map { "  \(Self.facts($0))" } ?? ""
            let undone = run?.undoneBy.map { ", undone by run \($0)" } ?? ""
            let page = change.page.map { style.paint(", from \(ShortText.of($0, width: 100))", .faint) } ?? ""
            let line = "  run \(change.run)\(style.paint(facts + undone, .faint))  \(word(change))\(page)\n"
            return (change.run, line + view.fields(change))
        }
        var parts = (changed + said + life.quarantine.compactMap { taken($0, life) }).enumerated().sorted {
            ($0.element.0, $1.offset) > ($1.element.0, $0.offset)
        }
        .map { $0.element.1 }
        let isTold = life.changes.contains { $0.run == life.firstRun && $0.action == .insert }
        if life.isCut {
            parts.append(style.paint("  what earlier runs did is no longer kept\n", .faint))
        } else if let first = life.firstRun, !isTold,
            !life.changes.contains(where: { $0.run == first && !$0.isOfLinks })
        {
            let facts = life.runs[first].map { "  \(Self.facts($0))" } ?? ""
            parts.append("  run \(first)\(style.paint(facts, .faint))  inserted\n")
        }
        return parts
    }

    /// A value that a change of type took out of its column, with the run that did; nil where that run wrote another one.
    private func taken(_ entry: QuarantineEntry, _ life: RecordLife) -> (Int64, String)? {
        guard let field = entry.changedField, let run = entry.firstRun, entry.isOpen || entry.lastRun != run else {
            return nil
        }
        let facts = style.paint(life.runs[run].map { "  \(Self.facts($0))" } ?? "", .faint)
        let value = ShortText.of(entry.value ?? "null", width: 40)
        return (
            run,
            "  run \(run)\(facts)  took a value that its field cannot hold\n    \(ShortText.of(field))  \(value) → null, to quarantine \(entry.id ?? 0)\n"
        )
    }

    private func word(_ change: HistoryChange) -> String {
        let kind = KindWords.change(change).map { " (\($0))" } ?? ""
        switch change.action {
        case .insert: return "inserted" + kind
        case .update: return "updated" + kind
        case .delete: return "deleted" + kind
        case .base: return style.paint(KindWords.noted(change), .faint)
        }
    }
}
