package import SluiceJSON
package import SluiceModel
package import SluiceReport

extension RecordDecoder {
    /// Takes what a path with wildcards selects: one value, or all of them as JSON.
    package func matches(
        of path: JSONPath, _ field: DecodePlan.Field, root: JSONElement, into bytes: inout [UInt8]
    ) throws(Mismatch) -> (Cell, UInt64) {
        if field.converter.type == .json && !path.isSingular {
            // What stands before the wildcard may be absent or null, which is not the same as a list without elements.
            let container = JSONPath(steps: Array(path.steps.prefix { $0 != .wildcard }), text: path.text)
            guard let list = container.firstOrNull(in: root) else { return try absence(field, into: &bytes) }
            if list.isNull { return try null(field, into: &bytes) }
            let matches = try Self.matches(of: path, in: root)
            let start = bytes.count
            bytes.append(UInt8(ascii: "["))
            for (index, element) in matches.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                JSONWriter.append(element, to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
            let digest = CanonicalValue().digest(
                of: .text(Array(bytes[start...])), type: .json, comparison: field.converter.comparison)
            return (
                Cell(kind: .text, payload: Int64(start), length: UInt32(truncatingIfNeeded: bytes.count - start)),
                digest
            )
        }
        let matches = try Self.matches(of: path, in: root)
        let first = matches.first
        let count = matches.count
        if count > 1 {
            throw Mismatch(
                reason: .typeMismatch,
                message:
                    "The path `\(path.text)` selects \(count) values, and `\(field.name)` holds one; `type: json` holds all."
            )
        }
        guard let first else { return try absence(field, into: &bytes) }
        return try convert(first, field, into: &bytes)
    }

    package static func matches(of path: JSONPath, in root: JSONElement) throws(Mismatch) -> [JSONElement] {
        do throws(JSONError) {
            return try path.matches(in: root)
        } catch {
            throw Mismatch(
                reason: .typeMismatch, message: "The path `\(path.text)` cannot be followed: \(error.message)")
        }
    }
}
