internal import SluiceJSON
internal import SluiceMerge
internal import SluiceModel

/// A change of a record as a saved plan keeps it: an array of JSON, since there may be millions.
///
///     [action, kind, deletion, missed scans, scans left, [key…], [field…], is again]
///     field: [position, class, base, local, remote, result, policy, absence of the base, other source, is ordered]
///
/// A value is null, a whole number, or a text that begins with what it is: `t` a text, `r` a number, `b` bytes, `-` none.
enum SavedChange {
    private static let none = "\"-\""

    static func text(_ change: RecordChange) -> String {
        var text = "[\"\(change.action.rawValue)\",\"\(change.kind.rawValue)\",\(quoted(change.deletion?.rawValue))"
        text += ",\(number(change.suspicion?.missedScans)),\(number(change.suspicion?.scansLeft)),["
        text += change.key.values.map(value).joined(separator: ",") + "],["
        for (position, field) in change.fields.enumerated() {
            if position > 0 { text += "," }
            text += "[\(field.index),\"\(field.fieldClass.rawValue)\""
            for side in [field.base, field.local, field.remote, field.result] {
                text += "," + (side.map(value) ?? none)
            }
            text += ",\(quoted(field.policy?.rawValue)),\(quoted(field.baseAbsence?.rawValue))"
            text += ",\(quoted(field.otherSource)),\(field.isOrdered)]"
        }
        return text + "],\(change.isAgain)]"
    }

    /// The change that an array stands for; nil where it stands for none.
    static func change(_ json: JSONValue) -> RecordChange? {
        let parts = json.elements
        guard parts.count == 8, let action = parts[0].string.flatMap(RecordChange.Action.init(rawValue:)),
            let kind = parts[1].string.flatMap(RowKind.init(rawValue:))
        else { return nil }
        let values = parts[5].elements.map(value)
        var change = RecordChange(
            action: action, kind: kind, key: RecordKey(values.map { $0 ?? .null }),
            fields: parts[6].elements.compactMap(field),
            deletion: parts[2].string.flatMap(RecordChange.Deletion.init(rawValue:)))
        change.isAgain = parts[7].boolean
        if !parts[3].isNull {
            change.suspicion = RecordChange.Suspicion(
                missedScans: Int(parts[3].integer), scansLeft: Int(parts[4].integer))
        }
        return change
    }

    private static func field(_ json: JSONValue) -> RecordChange.Field? {
        let parts = json.elements
        guard parts.count == 10, let fieldClass = parts[1].string.flatMap(FieldClass.init(rawValue:)) else {
            return nil
        }
        var field = RecordChange.Field(
            index: Int(parts[0].integer), fieldClass: fieldClass, base: value(parts[2]), local: value(parts[3]),
            remote: value(parts[4]), result: value(parts[5]),
            policy: parts[6].string.flatMap(ConflictPolicy.init(rawValue:)))
        field.baseAbsence = parts[7].string.flatMap(BaseAbsence.init(rawValue:))
        field.otherSource = parts[8].string
        field.isOrdered = parts[9].boolean
        return field
    }

    // MARK: Values

    private static func quoted(_ text: String?) -> String { text.map { FieldJSON.quoted($0) } ?? "null" }

    private static func number(_ number: Int?) -> String { number.map { String($0) } ?? "null" }

    private static func value(_ value: FieldValue) -> String {
        switch value {
        case .null: "null"
        case .integer(let number): String(number)
        case .real(let number): "\"r\(number)\""
        case .text(let bytes):
            if let text = String(validating: bytes, as: UTF8.self) {
                FieldJSON.quoted("t" + text)
            } else {
                "\"x\(hex(bytes))\""
            }
        case .blob(let bytes): "\"b\(hex(bytes))\""
        }
    }

    private static func value(_ json: JSONValue) -> FieldValue? {
        if json.isNull { return .null }
        guard let text = json.string else { return .integer(json.integer) }
        let rest = String(text.dropFirst())
        switch text.utf8.first {
        case UInt8(ascii: "t"): return .text(Array(text.utf8.dropFirst()))
        case UInt8(ascii: "x"): return .text(bytes(rest))
        case UInt8(ascii: "b"): return .blob(bytes(rest))
        case UInt8(ascii: "r"): return Double(rest).map { .real($0) }
        default: return nil
        }
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = Array(hex.utf8)
        return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
        }
    }
}
