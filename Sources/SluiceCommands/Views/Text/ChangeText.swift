internal import SluiceDiagnostics
internal import SluiceMerge
internal import SluiceModel
internal import SluiceStore

/// One change of a record, for people.
struct ChangeText {
    let style: TextStyle

    /// - Parameters:
    ///   - change: What happens to the record.
    ///   - schema: The schema of the record's stream.
    ///   - conflicts: The record's conflicts by field, "" for the whole record.
    ///   - name: How the record is called; nil for its entity and its key.
    /// - Returns: One line or several, each with its line break.
    func text(
        _ change: RecordChange, schema: RecordSchema, conflicts: [String: ConflictEntry] = [:], name: String? = nil
    ) -> String {
        if let list = conflicts[""], list.isOfList { return ConflictText(style: style).block([list], name: name) }
        let name =
            name
            ?? (change.isOfList(schema)
                ? RecordLabel.list(of: schema.entity)
                : RecordLabel.of(entity: schema.entity, key: FieldJSON.object(key: change.key, schema: schema)))
        let label = style.paint(name, .strong)
        let number = conflicts[""].map(ConflictText.note) ?? ""
        let about = change.isOfList(schema) ? Self.listNote(change.action) : Self.note(change, schema)
        let note = [about, number].filter { !$0.isEmpty }.joined(separator: "; ")
        let head = label + (note.isEmpty ? "" : "  " + style.paint("(\(note))", .faint))
        switch change.action {
        case .insert: return "\(style.paint("+", .added)) \(head)\(compact(change, schema, after: name + note))\n"
        case .delete: return "\(style.paint("-", .removed)) \(head)\(compact(change, schema, after: name + note))\n"
        case .update: return "\(style.paint("~", .changed)) \(head)\n" + fields(change, schema, conflicts)
        case .keptLocal: return "\(style.paint("=", .faint)) \(head)\n" + fields(change, schema, conflicts)
        case .conflict where change.kind.isOfRecord:
            return ConflictText(style: style).recordHead(label, kind: change.kind.rawValue, note: number)
                + fields(change, schema, conflicts)
        case .conflict: return "\(style.paint("!", .conflict)) \(head)\n" + fields(change, schema, conflicts)
        }
    }

    /// What becomes of a list as a whole.
    private static func listNote(_ action: RecordChange.Action) -> String {
        action == .keptLocal ? "changed here and at the source: it stays, as the policy says" : ""
    }

    /// What is special about a change.
    private static func note(_ change: RecordChange, _ schema: RecordSchema) -> String {
        if let suspicion = change.suspicion { return note(suspicion) }
        return switch (change.action, change.kind) {
        case (.insert, .resurrect) where schema.writeMode == .replace:
            "gone from the table, restored: `write_mode: replace`"
        case (.insert, .resurrect): "back at the source"
        case (.insert, .deleteEdit): "deleted here, changed at the source: back, as the policy says"
        case (.delete, .delete): overwritten(change, schema)
        case (.delete, .editDelete): "edited here, gone from the source: the policy lets it go"
        case (.update, .adopt): "the row was here already"
        case (.keptLocal, .editDelete): "gone from the source, edited here: the row stays, as the policy says"
        case (.keptLocal, .deleteEdit): "deleted here, changed at the source: it stays deleted, as the policy says"
        case (.conflict, .insert), (.conflict, .resurrect): "new, without what is taken"
        default: ""
        }
    }

    /// What was edited here in a row that goes since its source alone has a say in that.
    private static func overwritten(_ change: RecordChange, _ schema: RecordSchema) -> String {
        // A row that is only listed stays as it is.
        guard change.deletion == .hard || change.deletion == .soft else { return "" }
        let names = change.fields.filter { $0.fieldClass == .driftOverwritten }.map {
            "`\(schema.fields[$0.index].name)`"
        }
        if names.isEmpty { return "" }
        let reason =
            schema.writeMode == .merge
            ? "the source owns \(CountText.word(names.count, "this field", "these fields"))"
            : "`write_mode: \(schema.writeMode.rawValue)`"
        return "edited here: \(names.joined(separator: ", ")); it goes all the same: \(reason)"
    }

    private static func note(_ suspicion: RecordChange.Suspicion) -> String {
        let missed =
            suspicion.missedScans == 1
            ? "missing for the first time" : "missed by \(suspicion.missedScans) scans"
        return "\(missed); counts as gone after \(CountText.of(suspicion.scansLeft, "further scan")) without it"
    }

    // MARK: A record on one line

    private func compact(_ change: RecordChange, _ schema: RecordSchema, after start: String) -> String {
        let members = change.fields.lazy.filter { !schema.keyFields.contains($0.index) }.compactMap {
            field -> (name: String, value: String)? in
            guard let value = field.result ?? field.local, !value.isNull else { return nil }
            let described = schema.fields[field.index]
            return (described.name, FieldJSON.text(value, type: described.type))
        }
        let text = RecordLabel.line(members, width: max(style.width - TextWidth.of(start) - 8, 20))
        return text.isEmpty ? "" : "  " + style.paint(text, .faint)
    }

    // MARK: A record field by field

    private func fields(_ change: RecordChange, _ schema: RecordSchema, _ conflicts: [String: ConflictEntry]) -> String
    {
        let rows = change.fields.map { field in
            let name = schema.fields[field.index].name
            var row = self.row(field, kind: change.kind, schema)
            let number = conflicts[name].map(ConflictText.note) ?? ""
            row.note = [row.note, number].filter { !$0.isEmpty }.joined(separator: "; ")
            return row
        }
        return FieldRows(style: style).text(rows)
    }

    private func row(_ field: RecordChange.Field, kind: RowKind, _ schema: RecordSchema) -> FieldRow {
        let described = schema.fields[field.index]
        func text(_ value: FieldValue?) -> String? { value.map { FieldJSON.text($0, type: described.type) } }
        func row(_ content: FieldRow.Content, _ note: String = "") -> FieldRow {
            FieldRow(name: described.name, content: content, note: note)
        }
        let kept = FieldRow.Content.kept(local: text(field.local) ?? "null", remote: text(field.remote))
        let changed = Self.changed(text(field.local) ?? "null", text(field.result) ?? "null", described)
        let sides = FieldSides(
            base: text(field.base), absence: field.baseAbsence, local: text(field.local), remote: text(field.remote))
        if kind.isOfRecord {
            return row(.sides(sides))
        }
        // Where the source never gave a value before, nobody knows who changed it.
        let both = field.baseAbsence == .never ? "no base yet" : "both sides changed it"
        switch field.fieldClass {
        case .localOverride: return row(kept, "edited here, stays")
        case .keptLocal where schema.writeMode != .merge:
            return row(kept, "stays: `write_mode: \(schema.writeMode.rawValue)`")
        case .keptLocal where described.owner == .local: return row(kept, "stays: people own this field")
        case .keptLocal: return row(kept, "stays: it was here before the source gave any value")
        case .merged where field.result == field.local: return row(kept, "has the changes of both sides")
        case .merged:
            let says = text(field.remote).map { "; the source says \(ShortText.of($0))" } ?? ""
            return row(changed, "\(both): merged\(says)")
        case .waiting: return row(changed, "null until its record is there")
        case .emptied: return row(changed, "null for good, also when its record comes back")
        case .driftOverwritten where schema.writeMode != .merge:
            return row(changed, "edited here, overwritten: `write_mode: \(schema.writeMode.rawValue)`")
        case .driftOverwritten: return row(changed, "edited here, overwritten: the source owns this field")
        case .disagreement:
            let other = ShortText.of(field.otherSource ?? "another source")
            if field.isOrdered {
                return field.result == field.remote
                    ? row(changed, "\(other) disagrees, and comes after this source")
                    : row(kept, "\(other) goes first")
            }
            return row(.sides(sides), ConflictText.sources(local: other, remote: schema.source.path))
        case let fieldClass where fieldClass.isDivergent || fieldClass == .uniqueCollision:
            guard let policy = field.policy?.rawValue else { return row(.sides(sides)) }
            // A reference becomes null where its record goes, whatever is decided about it.
            let leads = schema.references.contains { $0.fields.contains(field.index) }
            let base = text(field.base).map { ", base \(ShortText.of($0, width: 30))" } ?? ""
            return field.result == field.remote
                ? row(changed, "\(both)\(base); \(policy) takes the source's value")
                : row(kept, "\(both)\(base); \(policy) \(leads ? "prefers" : "keeps") this")
        default: return row(changed)
        }
    }
}

extension ChangeText {
    /// A change of a value; of the links to other records it is told which came and which went.
    private static func changed(_ old: String, _ new: String, _ field: RecordSchema.Field) -> FieldRow.Content {
        guard field.isLink, let old = ValueText.elements(of: old), let new = ValueText.elements(of: new) else {
            return .changed(old: old, new: new)
        }
        let (before, after) = (Set(old), Set(new))
        return .members(added: new.filter { !before.contains($0) }, removed: old.filter { !after.contains($0) })
    }
}

extension RecordChange {
    /// Whether it is about a list that is one value, which is told by the key that its elements share.
    fileprivate func isOfList(_ schema: RecordSchema) -> Bool { key.values.count < schema.keyFields.count }
}

extension RowKind {
    /// Whether both sides changed the record as a whole.
    var isOfRecord: Bool { self == .editDelete || self == .deleteEdit }
}
