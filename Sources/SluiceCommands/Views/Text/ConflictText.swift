internal import SluiceStore

/// Conflicts, for people.
struct ConflictText {
    let style: TextStyle

    /// The open conflicts of one record as a block of a report.
    func block(_ entries: [ConflictEntry]) -> String {
        guard let first = entries.first else { return "" }
        let label = style.paint(RecordLabel.of(entity: first.entity, key: first.key), .strong)
        var text = "\(style.paint("!", .conflict)) \(label)"
        if let whole = entries.first(where: { $0.field == nil }) {
            text += "  \(recordLine(kind: whole.kind, id: whole.id))"
        }
        return text + "\n" + FieldRows(style: style).text(entries.compactMap(row))
    }

    /// A conflict that is closed, as a line of a report.
    func closedLine(_ entry: ConflictEntry) -> String {
        let label = RecordLabel.of(entity: entry.entity, key: entry.key)
        let field = entry.field.map { " \(ShortText.of($0))" } ?? ""
        let number = entry.id.map { "conflict \($0)" } ?? "its conflict"
        return style.paint("  \(label)\(field): \(number) closes, \(Self.meaning(entry.status))", .faint) + "\n"
    }

    /// A conflict as `conflicts list` shows it.
    func listed(_ entry: ConflictEntry) -> String {
        let label = style.paint(RecordLabel.of(entity: entry.entity, key: entry.key), .strong)
        let number = entry.id.map { "\($0)  " } ?? ""
        var facts = ["\(entry.pipeline)/\(entry.stream)", entry.kind]
        if let run = entry.firstRun { facts.append("since run \(run)") }
        if entry.seen > 1 { facts.append("\(entry.seen) remote values") }
        if entry.status != .open { facts.append(entry.status.rawValue + ", " + Self.meaning(entry.status)) }
        let aside = style.paint("(\(facts.map { ShortText.of($0) }.joined(separator: "; ")))", .faint)
        let line = entry.field == nil ? "  \(recordLine(kind: entry.kind, id: nil))" : ""
        var shown = entry
        shown.id = nil
        let rows = row(shown).map { [$0] } ?? wholeRecord(entry)
        return "\(style.paint("\(number)", .conflict))\(label)\(line)  \(aside)\n" + FieldRows(style: style).text(rows)
    }

    /// What a conflict of a whole record is about.
    func recordLine(kind: String, id: Int64?) -> String {
        let number = id.map { ", conflict \($0)" } ?? ""
        let text =
            switch kind {
            case "edit_delete": "gone from the source, edited here: the row stays"
            case "delete_edit": "deleted here, changed at the source: it stays deleted"
            default: kind
            }
        return style.paint(text + number, .conflict)
    }

    private func row(_ entry: ConflictEntry) -> FieldRow? {
        entry.field.map { field in
            FieldRow(
                name: field,
                content: .conflict(base: entry.base, local: entry.local, remote: entry.remote, id: entry.id))
        }
    }

    private func wholeRecord(_ entry: ConflictEntry) -> [FieldRow] {
        let sides = [("local", entry.local), ("remote", entry.remote)]
        return sides.compactMap { name, value in
            value.map { FieldRow(name: name, content: .kept(value: $0, note: "")) }
        }
    }

    /// What a status says.
    static func meaning(_ status: ConflictStatus) -> String {
        switch status {
        case .open: "undecided"
        case .auto: "decided by the policy"
        case .resolved: "decided by a person"
        case .obsolete: "since one side took its change back"
        case .converged: "since both sides say the same"
        }
    }
}
