/// The rows of Markdown tables: which columns a group has, and what they say of a record.
struct MarkdownRows {
    /// The most fields of a record.
    private static let mostFields = 20
    /// The widest value.
    private static let width = 60
    private static let nothing = "–"

    let families: EntityFamilies

    /// The first two lines of a table.
    static func head(_ columns: [String]) -> String {
        row(columns) + row(columns.map { _ in "---" })
    }

    static func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }

    /// The columns of a group's table.
    static func columns(of kind: ReportGroup.Kind) -> [String] {
        switch kind {
        case .insert, .delete, .mark, .gone, .missing: ["record", "values"]
        case .update, .unlinked, .again, .within: ["record", "field", "before", "after"]
        case .kept: ["record", "field", "local, which stays", "remote"]
        case .conflict, .conflictWithin: ["record", "field", "base", "local", "remote", "conflict"]
        case .settled, .over: ["record", "field", "local", "remote", "conflict"]
        case .invalid: ["record", "at", "value", "reason"]
        case .released: ["record", "at", "value", "quarantine"]
        }
    }

    /// The rows of an entry: one, or one for each of its fields.
    func text(_ entry: ReportEntry) -> String {
        let label = MarkdownText.code(label(of: entry))
        let kind = entry.group.kind
        if Self.columns(of: kind).count == 2 { return Self.row([label, values(of: entry)]) }
        if entry.fields.isEmpty {
            let blank = Array(repeating: Self.nothing, count: Self.columns(of: kind).count - 2)
            return Self.row([label, entry.kindWords.map(MarkdownText.prose) ?? Self.nothing] + blank)
        }
        var text = ""
        for (index, field) in entry.fields.prefix(Self.mostFields).enumerated() {
            text += Self.row([index == 0 ? label : ""] + cells(of: field, entry, kind))
        }
        let left = entry.fields.count - Self.mostFields
        if left > 0 {
            let blank = Array(repeating: "", count: Self.columns(of: kind).count - 2)
            text += Self.row(["", "… and \(CountText.of(left, "more field"))"] + blank)
        }
        return text
    }

    /// How a record is called, with the records that it belongs to.
    private func label(of entry: ReportEntry) -> String {
        if let path = entry.path { return path.map { families.label(of: $0) }.joined(separator: " › ") }
        return RecordLabel.of(entity: entry.entity, key: entry.key)
    }

    /// What a record holds that comes or goes.
    private func values(of entry: ReportEntry) -> String {
        let keys = Set((entry.key.flatMap(ValueText.members) ?? []).map(\.name))
        let members = entry.fields.lazy.compactMap { field -> (name: String, value: String)? in
            guard let name = field.name, !keys.contains(name), let value = field.result ?? field.local,
                value != "null"
            else { return nil }
            return (name, value)
        }
        let line = RecordLabel.line(members, width: 120)
        let note = entry.kindWords.map { " (\(MarkdownText.prose($0)))" } ?? ""
        return line.isEmpty && note.isEmpty ? Self.nothing : MarkdownText.code(line) + note
    }

    // MARK: Fields

    private func cells(of field: ReportEntry.Field, _ entry: ReportEntry, _ kind: ReportGroup.Kind) -> [String] {
        let name =
            field.name.map { MarkdownText.code(ShortText.of($0)) }
            ?? (field.isList ? "the whole list" : "the whole record")
        switch kind {
        case .conflict, .conflictWithin:
            let (local, remote) = Self.pair(field.local, field.remote)
            let base = field.missingBase.map(MarkdownText.prose) ?? Self.value(field.base)
            return [name, base, local, remote, Self.words(field.conflict ?? entry.conflict, field, entry)]
        case .settled, .over:
            let (local, remote) = Self.pair(field.local, field.remote)
            return [name, local, remote, Self.words(field.conflict ?? entry.conflict, field, entry)]
        case .kept:
            let (local, remote) = Self.pair(field.local, field.remote)
            return [name, local, remote]
        case .invalid, .released:
            return [field.name == nil ? Self.nothing : name, Self.value(field.remote), Self.message(entry.message)]
        default:
            let note = KindWords.field(field.fieldClass).map { " (\($0))" } ?? ""
            guard field.isChange else { return [name, Self.value(field.local), "stays\(note)"] }
            let (before, after) = Self.pair(field.local, field.result)
            return [name, before, after + note]
        }
    }

    private static func value(_ json: String?) -> String {
        json.map { MarkdownText.code(ShortText.of($0, width: width)) } ?? nothing
    }

    private static func pair(_ left: String?, _ right: String?) -> (String, String) {
        guard let left, let right else { return (value(left), value(right)) }
        let (old, new) = ShortText.pair(left, right, width: width)
        return (MarkdownText.code(old), MarkdownText.code(new))
    }

    /// Which conflict it is, and what it is about.
    private static func words(
        _ conflict: ReportEntry.Conflict?, _ field: ReportEntry.Field, _ entry: ReportEntry
    ) -> String {
        guard let conflict else {
            // Beside a conflict stand fields of the record that have none: it is said what becomes of each.
            let note = KindWords.field(field.fieldClass).map { "\($0), " } ?? ""
            return note + (field.isChange ? "written" : "stays")
        }
        let kind = field.conflict == nil ? entry.kind : field.fieldClass
        let status = conflict.status == "open" ? KindWords.conflict(kind) : conflict.status
        let note = conflict.note.isEmpty ? "" : "; " + message(conflict.note)
        return (conflict.id.map { "\($0): " } ?? "") + status + note
    }

    private static func message(_ text: String) -> String { MarkdownText.prose(ShortText.of(text, width: 200)) }
}
