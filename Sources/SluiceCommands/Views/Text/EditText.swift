internal import SluiceModel
internal import SluiceReport
internal import SluiceReview

/// What people changed, for people.
struct EditText: EditView {
    let style: TextStyle
    private var hasRecords = false

    init(style: TextStyle) { self.style = style }

    var start: String { "" }

    mutating func text(_ edit: RecordEdit) -> String {
        let legend =
            hasRecords
            ? ""
            : style.paint("base: the source's value when both sides were last settled; local: the table now", .faint)
                + "\n"
        hasRecords = true
        let name = RecordLabel.of(entity: edit.mapping.entity, key: edit.key)
        // What the source says of a record that it no longer has is no value.
        let dispute = edit.conflict.map { conflict in
            "; conflict \(conflict.number)" + (conflict.remote == nil ? ": gone from the source" : "")
        }
        let since = (edit.sinceRun.map { "base of run \($0)" } ?? "never at the source") + (dispute ?? "")
        let label = style.paint(name, .strong)
        switch edit.kind {
        case .edit:
            return legend + "\(style.paint("~", .changed)) \(label)  \(style.paint("(\(since))", .faint))\n"
                + FieldRows(style: style).text(edit.fields.map(row))
        case .delete:
            return legend
                + row(edit, name, mark: style.paint("-", .removed), note: "deleted here; \(since)") { $0.base.value }
        case .add:
            let since = edit.sinceRun.map { "kept here, gone from the source since run \($0)" } ?? "added here"
            let note = since + (edit.conflict.map { "; conflict \($0.number)" } ?? "")
            return legend + row(edit, name, mark: style.paint("+", .added), note: note) { $0.local }
        }
    }

    /// A row that is there on one side alone.
    private func row(
        _ edit: RecordEdit, _ name: String, mark: String, note: String, _ side: (RecordEdit.Field) -> String?
    ) -> String {
        "\(mark) \(style.paint(name, .strong))  \(style.paint("(\(note))", .faint))"
            + members(edit, after: name + note, side) + "\n"
    }

    func end(_ tally: EditTally, _ missing: [MissingPlace], left: Int) -> String {
        let gaps = missing.map { Self.words($0) + "\n" }.joined()
        if tally.parts.isEmpty {
            return missing.isEmpty
                ? "Nothing was changed here: the tables hold what the sources said last.\n" : gaps
        }
        let more =
            left == 0 ? "" : "  … and \(CountText.of(left, "more record")); list more with `--limit N` or `--limit all`"
        let counts = tally.parts.map { part in
            // Records of several entities may share a table.
            let isShared = tally.parts.count { $0.table == part.table } > 1
            let name = (isShared ? "\(ShortText.of(part.entity)) in " : "") + ShortText.of(part.table)
            return style.paint("\(name): \(Self.words(part.counts).joined(separator: ", "))", .strong)
                + "\n"
        }
        return (more.isEmpty ? "" : style.paint(more, .faint) + "\n") + "\n" + counts.joined() + gaps
    }

    /// What is said of a place where nobody could look.
    private static func words(_ place: MissingPlace) -> String {
        let table = "`\(ShortText.of(place.table))`"
        let entity = "`\(ShortText.of(place.entity))`"
        let fact =
            place.column.map { "The column `\(ShortText.of($0))` of \(table)" } ?? "The table \(table) of \(entity)"
        return "\(fact) is missing, so what was changed there is not known. `sluice store check` says how it goes on."
    }

    /// What people changed of a pipeline's records, as a sentence without its end; nil where that is nothing, or nobody looked.
    static func sentence(_ report: RunReport) -> String? {
        guard let edits = report.edits, !edits.isEmpty else { return nil }
        return "Changed here: \(words(edits).joined(separator: ", "))"
    }

    /// Counts in words; none where nothing was changed.
    static func words(_ counts: EditCounts) -> [String] {
        var words: [String] = []
        if counts.rows > 0 {
            words.append("\(CountText.of(counts.values, "value")) edited in \(CountText.of(counts.rows, "row"))")
        }
        if counts.deleted > 0 { words.append("\(CountText.of(counts.deleted, "row")) deleted") }
        if counts.added > 0 { words.append("\(CountText.of(counts.added, "row")) added") }
        if let missing = counts.missing {
            words.append("unknown in \(CountText.of(missing, "missing table or column", "missing tables or columns"))")
        }
        return words
    }

    private static func words(_ lost: RecordEdit.LostRecord) -> String {
        switch lost {
        case .awaited: "local waits for its record"
        case .gone: "local went with its record; null for good"
        }
    }

    private func row(_ field: RecordEdit.Field) -> FieldRow {
        FieldRow(
            name: field.name,
            content: .sides(
                FieldSides(
                    base: field.base.value, absence: field.base.absence, local: field.local,
                    remote: field.conflict?.remote)),
            note: [
                field.waitsIn.map { "local in quarantine \($0)" }, field.lost.map(Self.words),
                field.conflict.map { "conflict \($0.number)" },
            ]
            .compactMap { $0 }.joined(separator: "; "))
    }

    /// A whole row on the rest of a line.
    private func members(
        _ edit: RecordEdit, after start: String, _ side: (RecordEdit.Field) -> String?
    ) -> String {
        let keys = Set((ValueText.members(of: edit.key) ?? []).map(\.name))
        let members = edit.fields.filter { !keys.contains($0.name) }.compactMap { field in
            side(field).map { (name: field.name, value: $0) }
        }
        let text = RecordLabel.line(members, width: max(style.width - start.count - 8, 20))
        return text.isEmpty ? "" : "  " + style.paint(text, .faint)
    }
}
