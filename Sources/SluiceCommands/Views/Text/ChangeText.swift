internal import SluiceMerge
internal import SluiceSync

/// One change of a record, for people.
struct ChangeText {
    private static let compactWidth = 90
    private static let compactValue = 28
    let style: TextStyle
    /// The streams whose missing records are listed and stay.
    var reportingStreams: Set<String> = []

    /// - Parameters:
    ///   - change: What happens to the record.
    ///   - schema: The schema of the record's stream.
    ///   - conflicts: The numbers of the record's open conflicts by field, "" for the whole record.
    /// - Returns: One line or several, each with its line break.
    func text(_ change: RecordChange, schema: RecordSchema, conflicts: [String: Int64] = [:]) -> String {
        let key = FieldJSON.object(key: change.key, schema: schema)
        let label = style.paint(RecordLabel.of(entity: schema.entity, key: key), .strong)
        switch change.action {
        case .insert:
            let note = change.kind == .resurrect ? aside("back at the source") : ""
            return "\(style.paint("+", .added)) \(label)\(note)\(compact(change, schema))\n"
        case .delete:
            let note = reportingStreams.contains(schema.stream) ? aside("gone from the source; the row stays") : ""
            return "\(style.paint("-", .removed)) \(label)\(note)\(compact(change, schema))\n"
        case .update:
            let note = change.kind == .adopt ? aside("the row was here before") : ""
            return "\(style.paint("~", .changed)) \(label)\(note)\n" + fields(change, schema, conflicts)
        case .conflict where change.fields.isEmpty:
            let line = ConflictText(style: style).recordLine(kind: change.kind.rawValue, id: conflicts[""])
            return "\(style.paint("!", .conflict)) \(label)  \(line)\n"
        case .conflict:
            return "\(style.paint("!", .conflict)) \(label)\n" + fields(change, schema, conflicts)
        }
    }

    private func aside(_ note: String) -> String { "  " + style.paint("(\(note))", .faint) }

    // MARK: A record on one line

    private func compact(_ change: RecordChange, _ schema: RecordSchema) -> String {
        var text = ""
        for field in change.fields where !schema.keyFields.contains(field.index) {
            guard let value = field.result ?? field.local, !value.isNull else { continue }
            let type = schema.fields[field.index].type
            let shown = ShortText.of(FieldJSON.text(value, type: type), width: Self.compactValue)
            let part = "\(ShortText.of(schema.fields[field.index].name)) \(shown)"
            if text.count + part.count + 2 > Self.compactWidth {
                text += text.isEmpty ? "" : ", …"
                break
            }
            text += text.isEmpty ? part : ", " + part
        }
        return text.isEmpty ? "" : "  " + style.paint(text, .faint)
    }

    // MARK: A record field by field

    private func fields(_ change: RecordChange, _ schema: RecordSchema, _ conflicts: [String: Int64]) -> String {
        let rows = change.fields.map { field in
            FieldRow(
                name: schema.fields[field.index].name, content: content(field, schema, conflicts))
        }
        return FieldRows(style: style).text(rows)
    }

    private func content(
        _ field: RecordChange.Field, _ schema: RecordSchema, _ conflicts: [String: Int64]
    ) -> FieldRow.Content {
        let type = schema.fields[field.index].type
        func text(_ value: FieldValue?) -> String? { value.map { FieldJSON.text($0, type: type) } }
        let local = text(field.local) ?? "null"
        let result = text(field.result) ?? "null"
        let says =
            text(field.remote).map { "the source says \(ShortText.of($0, width: 40))" } ?? "the source does not say"
        switch field.fieldClass {
        case .localOverride: return .kept(value: local, note: "edited here, kept; \(says)")
        case .keptLocal: return .kept(value: local, note: "kept; \(says)")
        case .merged where field.result == field.local: return .kept(value: local, note: "has both changes; \(says)")
        case .merged: return .changed(old: local, new: result, note: "both changes merged; \(says)")
        case .driftOverwritten:
            return .changed(old: local, new: result, note: "an edit here, overwritten: the source owns the field")
        case let fieldClass where fieldClass.isDivergent:
            guard let settled = field.policy else {
                return .conflict(
                    base: text(field.base), local: local, remote: text(field.remote),
                    id: conflicts[schema.fields[field.index].name])
            }
            let policy = "conflict settled by \(settled.rawValue)"
            return field.result == field.remote
                ? .changed(old: local, new: result, note: policy) : .kept(value: local, note: "\(policy); \(says)")
        default: return .changed(old: local, new: result, note: "")
        }
    }
}
