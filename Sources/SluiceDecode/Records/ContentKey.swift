package import SluiceModel
internal import SluicePipeline

/// Makes the key of a record of the values of its fields, for sources that have none.
///
/// It is the first half of a SHA-256, as 32 hexadecimal digits, over the values that are there, in the order of the
/// fields' names, so that neither the order of the pipeline nor a field that no record has yet makes a difference:
///
///     2 i d  1 8 …7  5 t i t l e  3 4 D u n e        (name, storage class, value; lengths take eight bytes)
///
/// It is made of what is kept: of a redacted value nothing else must be told by it.
package struct ContentKey: Sendable {
    private static let digits = 32

    /// The position of the field that holds the key.
    let field: Int
    private let parts: [Part]

    private struct Part {
        let index: Int
        let name: [UInt8]
        let type: FieldType
        let comparison: FieldComparison
    }

    /// Makes keys of the values of fields.
    ///
    /// - Parameters:
    ///   - field: The position of the field that holds the key.
    ///   - parts: The positions, names, types and comparisons of the others.
    package init(field: Int, parts: [(index: Int, name: String, type: FieldType, comparison: FieldComparison)]) {
        self.field = field
        self.parts = parts.map { part in
            Part(index: part.index, name: Array(part.name.utf8), type: part.type, comparison: part.comparison)
        }.sorted { $0.name.lexicographicallyPrecedes($1.name) }
    }

    /// - Parameter entity: The entity; nil where fields of its own identify its records.
    init?(_ entity: EntityDefinition) {
        guard let field = entity.fields.firstIndex(where: \.isContentKey) else { return nil }
        let others = entity.fields.enumerated().filter { !$1.isContentKey }
        self.init(field: field, parts: others.map { ($0, $1.name, $1.type, $1.comparison) })
    }

    /// The key of a record.
    ///
    /// - Parameter values: One value for each field; that of the key does not matter.
    /// - Returns: Nil where no other field has a value.
    package func key(of values: [FieldValue]) -> String? {
        var batch = RecordBatch(fieldCount: values.count)
        for value in values { batch.cells.append(Self.cell(value, &batch.bytes)) }
        batch.digests = Array(repeating: 0, count: values.count)
        guard fill(&batch, from: 0, by: CanonicalValue()) != nil,
            case .text(let key) = batch.value(record: 0, field: field)
        else { return nil }
        return String(decoding: key, as: UTF8.self)
    }

    private static func cell(_ value: FieldValue, _ bytes: inout [UInt8]) -> Cell {
        func slice(_ kind: Cell.Kind, _ value: [UInt8]) -> Cell {
            bytes += value
            return Cell(
                kind: kind, payload: Int64(bytes.count - value.count), length: UInt32(truncatingIfNeeded: value.count))
        }
        return switch value {
        case .null: Cell(kind: .null)
        case .integer(let number): Cell(kind: .integer, payload: number)
        case .real(let number): Cell(kind: .real, payload: Int64(bitPattern: number.bitPattern))
        case .text(let text): slice(.text, text)
        case .blob(let blob): slice(.blob, blob)
        }
    }

    /// Makes the key of a batch's last record.
    ///
    /// - Parameters:
    ///   - batch: Gets the key in the place of its field.
    ///   - start: The position of the record's first cell.
    ///   - canonical: Gives values their one form.
    /// - Returns: The key's digest; nil where no field has a value.
    func fill(_ batch: inout RecordBatch, from start: Int, by canonical: CanonicalValue) -> UInt64? {
        var text: [UInt8] = []
        for part in parts {
            let cell = batch.cells[start + part.index]
            if cell.kind == .absent || cell.kind == .null { continue }
            let (tag, form) = form(of: cell, part, in: batch.bytes, by: canonical)
            Self.append(part.name, to: &text)
            text.append(tag)
            Self.append(form, to: &text)
        }
        if text.isEmpty { return nil }
        let key = SHA256.hexadecimal(of: text).prefix(Self.digits)
        batch.cells[start + field] = Cell(
            kind: .text, payload: Int64(batch.bytes.count), length: UInt32(truncatingIfNeeded: key.count))
        batch.bytes += key
        let digest = FieldDigest.text(Array(key))
        batch.digests[start + field] = digest
        return digest
    }

    /// The one form of a value, with what tells it from a value of another storage class.
    private func form(
        of cell: Cell, _ part: Part, in bytes: [UInt8], by canonical: CanonicalValue
    ) -> (tag: UInt8, form: [UInt8]) {
        var slice: ArraySlice<UInt8> { bytes[Int(cell.payload)..<Int(cell.payload) + Int(cell.length)] }
        switch cell.kind {
        case .absent, .null: return (0, [])
        case .integer: return (1, Self.bytes(of: UInt64(bitPattern: cell.payload)))
        case .real:
            let value = Double(bitPattern: UInt64(bitPattern: cell.payload))
            return (2, Self.bytes(of: value == 0 ? 0 : value.bitPattern))
        case .text: return (3, canonical.form(of: slice, type: part.type, comparison: part.comparison))
        case .blob: return (4, Array(slice))
        }
    }

    private static func append(_ part: [UInt8], to text: inout [UInt8]) {
        text += bytes(of: UInt64(part.count))
        text += part
    }

    private static func bytes(of number: UInt64) -> [UInt8] {
        stride(from: 0 as UInt64, to: 64, by: 8).map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
