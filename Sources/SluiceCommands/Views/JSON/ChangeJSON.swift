internal import SluiceMerge
internal import SluiceModel

/// The changes of one stream's records, for programs. There may be millions, so what they share is made once.
struct ChangeJSON {
    private let schema: RecordSchema
    private let head: String
    private let fieldHeads: [String]

    init(schema: RecordSchema) {
        self.schema = schema
        head = "{\"entity\":\(FieldJSON.quoted(schema.entity)),\"table\":\(FieldJSON.quoted(schema.table)),\"key\":"
        fieldHeads = schema.fields.map { "{\"field\":\(FieldJSON.quoted($0.name)),\"class\":\"" }
    }

    /// The JSON text of a change.
    func text(_ change: RecordChange) -> String {
        var text = head
        text += FieldJSON.object(key: change.key, schema: schema)
        text += ",\"action\":\""
        text += change.action.rawValue
        text += "\",\"kind\":\""
        text += change.kind.rawValue
        if let deletion = change.deletion { text += "\",\"deletion\":\"" + deletion.rawValue }
        text += "\""
        if let suspicion = change.suspicion {
            text += ",\"missed_scans\":\(suspicion.missedScans),\"scans_left\":\(suspicion.scansLeft)"
        }
        if change.isAgain { text += ",\"again\":true" }
        text += ",\"fields\":["
        for (position, field) in change.fields.enumerated() {
            if position > 0 { text += "," }
            append(field, to: &text)
        }
        text += "]}"
        return text
    }

    private func append(_ field: RecordChange.Field, to text: inout String) {
        let type = schema.fields[field.index].type
        text += fieldHeads[field.index]
        text += field.fieldClass.rawValue
        if let other = field.otherSource { text += "\",\"other_source\":\"" + other }
        text += "\""
        func append(_ name: String, _ value: FieldValue?) {
            guard let value else { return }
            text += name
            text += FieldJSON.text(value, type: type)
        }
        append(",\"base\":", field.base)
        append(",\"local\":", field.local)
        append(",\"remote\":", field.remote)
        append(",\"result\":", field.result)
        text += "}"
    }
}
