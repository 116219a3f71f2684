internal import SluiceJSON
internal import SluiceMerge

extension DecodePlan.Target {
    /// A part of the key of what stands somewhere: an object, or the key itself.
    func key(of element: JSONElement, part: Int, _ field: String) throws(Mismatch) -> JSONElement {
        guard element.kind == .object else {
            if isSingle, element.kind != .array { return element }
            let wanted = isSingle ? "an object or its key" : "an object with its key"
            throw Mismatch(
                reason: .typeMismatch, message: "`\(field)` takes \(wanted), found \(element.kind.description).")
        }
        guard let key = paths[part].first(in: element), !key.isNull else {
            throw Mismatch(
                reason: .typeMismatch,
                message: "The object for `\(field)` has no `\(paths[part].text)`, by which its record is known.")
        }
        return key
    }
}

/// Sets of keys.
extension RecordDecoder {
    /// The keys of all records at a path, as a JSON array in their order, each once; no list is an empty one.
    func references(
        _ field: DecodePlan.Field, _ target: DecodePlan.Target,
        _ many: (path: JSONPath, container: JSONPath, keys: [DecodePlan.Field]), root: JSONElement,
        into bytes: inout [UInt8]
    ) throws(Mismatch) -> (Cell, UInt64) {
        guard let list = many.container.first(in: root) else {
            let absent = try absence(field, into: &bytes)
            return absent.0.kind == .null ? set([], into: &bytes) : absent
        }
        if list.isNull {
            let null = try null(field, into: &bytes)
            return null.0.kind == .null ? set([], into: &bytes) : null
        }
        let elements = try Self.matches(of: many.path, in: root)
        var batch = RecordBatch(fieldCount: many.keys.count, capacity: elements.count)
        for element in elements {
            if element.isNull {
                throw Mismatch(
                    reason: .typeMismatch, message: "`\(field.name)` takes records or their keys, found null.")
            }
            for (part, key) in many.keys.enumerated() {
                let value = try target.key(of: element, part: part, field.name)
                batch.cells.append(try convert(value, key, into: &batch.bytes).0)
            }
        }
        let keys = elements.indices.map { record in
            RecordKey(
                many.keys.enumerated().map { part, key in
                    let value = batch.value(record: record, field: part) ?? .null
                    return key.redaction?.kept(value, comparison: key.converter.comparison) ?? value
                })
        }
        return set(Array(Set(keys)).sorted(), into: &bytes)
    }

    private func set(_ keys: [RecordKey], into bytes: inout [UInt8]) -> (Cell, UInt64) {
        let start = bytes.count
        bytes.append(UInt8(ascii: "["))
        for (index, key) in keys.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            if key.values.count > 1 { bytes.append(UInt8(ascii: "[")) }
            for (part, value) in key.values.enumerated() {
                if part > 0 { bytes.append(UInt8(ascii: ",")) }
                switch value {
                case .integer(let number): bytes.append(contentsOf: String(number).utf8)
                case .text(let text): unsafe text.withUnsafeBytes { unsafe JSONWriter.append(utf8: $0, to: &bytes) }
                case .null, .real, .blob: bytes.append(contentsOf: "null".utf8)
                }
            }
            if key.values.count > 1 { bytes.append(UInt8(ascii: "]")) }
        }
        bytes.append(UInt8(ascii: "]"))
        let digest = canonical.digest(of: .text(Array(bytes[start...])), type: .json, comparison: .set)
        return (
            Cell(kind: .text, payload: Int64(start), length: UInt32(truncatingIfNeeded: bytes.count - start)), digest
        )
    }
}
