internal import SluiceModel
internal import SluiceReport

/// Keeps the entries of one report as JSON, and writes them behind its counts.
final class HTMLView: EntryView {
    private let pipeline: String
    private let number: Int
    private let families: EntityFamilies
    private let commands: CommandLines
    private let spool = TextSpool()
    /// How many records with an open conflict are listed.
    private var conflicts = 0

    /// - Parameters:
    ///   - pipeline: The pipeline's name.
    ///   - number: The report's number on its page, from 1.
    ///   - families: Which records belong to which.
    ///   - commands: The commands that it names.
    init(pipeline: String, number: Int, families: EntityFamilies, commands: CommandLines) {
        (self.pipeline, self.number, self.families, self.commands) = (pipeline, number, families, commands)
    }

    var spools: [TextSpool] { [spool] }

    func add(_ entry: ReportEntry) {
        if [.conflict, .conflictWithin].contains(entry.group.kind) { conflicts += 1 }
        spool.append((spool.isEmpty ? "\n" : ",\n") + HTMLText.script(HTMLEntry.text(entry, families)))
    }

    func clear() {
        spool.clear()
        conflicts = 0
    }

    func write(_ report: RunReport, seconds: Double, omitted: Int, to output: ResultOutput) throws {
        let summary = HTMLSummary(families: families, commands: commands)
        // What is not listed for want of room is told as such.
        let earlier = omitted > 0 ? 0 : max(0, report.total.conflict - conflicts)
        try output.write(
            summary.text(report, seconds: seconds, number: number, omitted: omitted, earlierConflicts: earlier))
        try output.write("<script type=\"application/json\" data-pipeline=\"\(HTMLText.escape(pipeline))\">[")
        try spool.copy(to: output)
        try output.write(spool.isEmpty ? "]</script>\n" : "\n]</script>\n")
    }
}

/// An entry as the page's script reads it: values are JSON texts, all else are words for people.
enum HTMLEntry {
    /// The JSON of an entry.
    ///
    ///     k  what happens, by ``ReportGroup/Kind``
    ///     t  its table; s  its stream
    ///     p  what its record is called, behind the records that it belongs to
    ///     n  what its kind says besides; m  what is wrong with it
    ///     f  its fields, each an array: name, words, base, local, remote, result, conflict, what is
    ///        said in the place of a base
    static func text(_ entry: ReportEntry, _ families: EntityFamilies) -> String {
        var object = JSONObject()
        let kind = entry.group.kind
        // On the page a lost reference is an update with its note.
        object.add("k", "\(kind == .unlinked ? ReportGroup.Kind.update : kind)")
        object.add("t", entry.table)
        object.add("s", entry.stream)
        let path = entry.path?.map { families.label(of: $0) } ?? [RecordLabel.of(entity: entry.entity, key: entry.key)]
        object.add("p", json: array(path))
        object.add("n", note(entry))
        object.add("m", entry.message)
        let keys = showsWhole(entry) ? Set((entry.key.flatMap(ValueText.members) ?? []).map(\.name)) : []
        let fields = entry.fields.filter { $0.name.map { !keys.contains($0) } ?? true }
        object.add("f", json: "[" + fields.map { text($0, entry) }.joined(separator: ",") + "]")
        return object.text
    }

    /// Whether all values of the record are shown, of which the key's are in its name.
    private static func showsWhole(_ entry: ReportEntry) -> Bool {
        switch entry.group.kind {
        case .insert, .delete, .mark, .gone, .missing: true
        case .update, .unlinked, .again, .within, .kept, .settled, .over, .released, .conflict, .conflictWithin,
            .invalid:
            false
        }
    }

    private static func note(_ entry: ReportEntry) -> String {
        if entry.action == .quarantine || entry.action == .released { return "" }
        // What a field says of its own conflict need not be said of the record.
        if entry.fields.contains(where: { $0.name == nil && $0.conflict != nil }) { return "" }
        return [entry.kindWords, words(entry.conflict, entry.kind)].compactMap { $0 }
            .reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }.joined(separator: "; ")
    }

    private static func text(_ field: ReportEntry.Field, _ entry: ReportEntry) -> String {
        let words = field.conflict == nil ? KindWords.field(field.fieldClass) : nil
        let sides: [String?] = [
            field.name, words.flatMap { $0.isEmpty ? nil : $0 }, field.base, field.local, field.remote, field.result,
            Self.words(field.conflict, field.fieldClass),
        ]
        return array(sides + (field.missingBase.map { [$0] } ?? []))
    }

    /// Which conflict it is, and what it is about.
    private static func words(_ conflict: ReportEntry.Conflict?, _ kind: String) -> String? {
        guard let conflict else { return nil }
        let status = conflict.status == "open" ? KindWords.conflict(kind) : conflict.status
        let number = conflict.id.map { "conflict \($0): " } ?? ""
        return number + status + (conflict.note.isEmpty ? "" : "; \(conflict.note)")
    }

    private static func array(_ texts: [String?]) -> String {
        "[" + texts.map { $0.map { FieldJSON.quoted($0) } ?? "null" }.joined(separator: ",") + "]"
    }
}
