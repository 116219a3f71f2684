internal import SluiceDecode
internal import SluiceJSON
internal import SluiceModel
package import SluicePipeline
package import SluiceStore

extension FieldConversion {
    /// Values pass by what they are as JSON, and only where the way back leads to the same value.
    ///
    /// - Parameter fields: Those of a pipeline: of a text whose way leads through their `format` is told what it would become.
    /// - Returns: The conversion.
    package static func lossless(_ fields: [FieldDefinition] = []) -> FieldConversion {
        let passage = LosslessPassage(fields)
        return FieldConversion(
            value: { passage.value($0, from: $1, to: $2) }, nearest: { passage.nearest($0, from: $1, to: $2) },
            json: { json, before, now in
                passage.stored.value(json, type: before.type).flatMap { passage.value($0, from: before, to: now) }
                    .map { FieldJSON.text($0, type: now.type) }
            },
            parsed: { passage.stored.value($0, type: $1) }, entry: { passage.sameness.entry($0, $1) },
            isSame: { passage.sameness.holds($0, $1, $2) })
    }
}

/// Leads values from one type to another.
private struct LosslessPassage {
    let stored = StoredJSON()
    let sameness = Sameness()
    /// What reads texts of times as the source writes them, by field; fields of one name that do so differently are left out.
    private let formats: [String: ValueConverter]

    init(_ fields: [FieldDefinition]) {
        let formatted = fields.filter { [.datetime, .date].contains($0.type) && !$0.formats.isEmpty }
        formats = Dictionary(grouping: formatted, by: \.name).compactMapValues { same in
            same.allSatisfy { ($0.type, $0.formats, $0.timezone) == (same[0].type, same[0].formats, same[0].timezone) }
                ? ValueConverter(same[0]) : nil
        }
    }

    /// A value in another type; nil where something of it would be lost.
    func value(_ value: FieldValue, from before: RecordSchema.Field, to now: RecordSchema.Field) -> FieldValue? {
        if value.isNull { return .null }
        return number(value, before.type, now.type)
            ?? candidates(value, before.type, now.type).first { result in
                if result.isNull || !isAllowed(result, now) { return false }
                return candidates(result, now.type, before.type).first.map { sameness.holds($0, .value(value), before) }
                    ?? false
            }
    }

    /// A value in another type, whatever is lost of it; nil where there is none.
    func nearest(_ value: FieldValue, from before: RecordSchema.Field, to now: RecordSchema.Field) -> FieldValue? {
        candidates(value, before.type, now.type).first { !$0.isNull && isAllowed($0, now) } ?? time(value, before, now)
    }

    /// A text as a time, as the field's `format` reads it.
    private func time(_ value: FieldValue, _ before: RecordSchema.Field, _ now: RecordSchema.Field) -> FieldValue? {
        guard before.type == .string, [.datetime, .date].contains(now.type), let format = formats[now.name],
            let text = try? JSONDocument(FieldJSON.text(value, type: before.type)).root
        else { return nil }
        return try? format.value(of: text).value
    }

    /// A whole number as a text, or such a text as a number: most identifiers that get another type are these, and there are
    /// many of them. The way back leads to the same value.
    private func number(_ value: FieldValue, _ before: FieldType, _ now: FieldType) -> FieldValue? {
        switch (before, now, value) {
        case (.int, .string, .integer(let number)): return FieldValue(String(number))
        case (.string, .int, .text(let text)):
            let words = String(decoding: text, as: UTF8.self)
            return Int64(words).flatMap { String($0) == words ? .integer($0) : nil }
        default: return nil
        }
    }

    /// What a value may be in another type, the most likely first.
    private func candidates(_ value: FieldValue, _ before: FieldType, _ now: FieldType) -> [FieldValue] {
        let json = FieldJSON.text(value, type: before)
        switch (before, now, value) {
        case (.bool, .int, .integer), (.int, .bool, .integer(0)), (.int, .bool, .integer(1)): return [value]
        // A day begins at midnight, and is told by that moment.
        case (.datetime, .date, .text(let text)) where text.count == 20 && Array(text.suffix(10)) == Self.midnight:
            return [.text(Array(text.prefix(10)))]
        case (.date, .datetime, .text(let text)): return [.text(text + Self.midnight)]
        // A string within JSON is that string; all else of JSON is its text.
        case (.json, .string, .text) where !json.hasPrefix("\""): return [value]
        case (.string, .json, .text(let text)):
            let isOther = text.first != UInt8(ascii: "\"") && text != Array("null".utf8)
            let parsed = isOther ? stored.value(String(decoding: text, as: UTF8.self), type: .json) : nil
            return [parsed, stored.value(json, type: .json)].compactMap { $0 }
        // A whole number is written without a fraction, as most programs do.
        case (.double, .string, .real(let number)), (.double, .decimal, .real(let number)),
            (.double, .json, .real(let number)):
            let isWhole = number == number.rounded() && abs(number) < Self.mostWhole
            let whole = isWhole ? FieldValue.text(Array(String(Int64(number)).utf8)) : nil
            return [whole, stored.value(json, type: now)].compactMap { $0 }
        // A store may write a double that became a decimal or JSON with all its digits, of which `double` takes fewer.
        case (.decimal, .double, .text(let text)), (.json, .double, .text(let text)):
            let number = Double(String(decoding: text, as: UTF8.self)).flatMap {
                $0.isFinite ? FieldValue.real($0) : nil
            }
            return [stored.value(json, type: now), number].compactMap { $0 }
        default: return [stored.value(json, type: now)].compactMap { $0 }
        }
    }

    /// Below this, a `double` tells each whole number from the next.
    private static let mostWhole = 9_007_199_254_740_992.0
    private static let midnight = Array("T00:00:00Z".utf8)

    private func isAllowed(_ value: FieldValue, _ field: RecordSchema.Field) -> Bool {
        if field.type != .enumeration || field.allowed.isEmpty { return true }
        guard case .text(let text) = value else { return false }
        return field.allowed.contains(text)
    }
}
