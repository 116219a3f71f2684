/// A row with all columns of its table, mapped or not: what undo puts back where a row is gone.
package struct RowImage: Sendable, Equatable {
    /// A column and what it holds.
    package struct Column: Sendable, Equatable {
        /// The column's name.
        package var name: String
        /// What it holds.
        package var value: FieldValue

        /// Makes a column.
        package init(name: String, value: FieldValue) {
            self.name = name
            self.value = value
        }
    }

    /// The columns in the order of the table.
    package var columns: [Column]

    /// Makes a row.
    package init(_ columns: [Column]) { self.columns = columns }

    /// What a column holds, whatever the case of its name; nil where there is no such column.
    package subscript(name: String) -> FieldValue? {
        columns.first { ColumnName.areSame($0.name, name) }?.value
    }

    /// What the row holds for each field of a schema; null where it has no such column.
    ///
    /// - Parameter schema: The fields.
    /// - Returns: One value for each field.
    package func values(of schema: RecordSchema) -> [FieldValue] {
        // Columns mostly stand in the order of the fields.
        var next = 0
        return schema.fields.indices.map { field in
            let name = schema.fields[field].column
            let isNext = next < columns.count && ColumnName.areSame(columns[next].name, name)
            guard let place = isNext ? next : columns.firstIndex(where: { ColumnName.areSame($0.name, name) }) else {
                return .null
            }
            next = place + 1
            return columns[place].value
        }
    }
}

/// Rows are kept as the name and the value of each column, one after the other:
///
///     name    its length, then its UTF-8
///     value   00 null · 01 integer, 8 bytes · 02 double, 8 bytes · 03 text, 04 blob: its length, then its bytes
///
/// Integers and doubles are little-endian; a length is LEB128, seven bits to the byte, the lowest first.
extension RowImage {
    /// The bytes that are kept.
    package var encoded: [UInt8] {
        var bytes: [UInt8] = []
        func append(_ tag: UInt8, bits: Int64) {
            bytes.append(tag)
            for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: bits >> (8 * shift))) }
        }
        func append(_ content: [UInt8]) {
            var rest = content.count
            while rest > 0x7F {
                bytes.append(UInt8(truncatingIfNeeded: rest & 0x7F) | 0x80)
                rest >>= 7
            }
            bytes.append(UInt8(truncatingIfNeeded: rest))
            bytes += content
        }
        for column in columns {
            append(Array(column.name.utf8))
            switch column.value {
            case .null: bytes.append(0)
            case .integer(let value): append(1, bits: value)
            case .real(let value): append(2, bits: Int64(bitPattern: value.bitPattern))
            case .text(let content):
                bytes.append(3)
                append(content)
            case .blob(let content):
                bytes.append(4)
                append(content)
            }
        }
        return bytes
    }

    /// Reads what was kept; nil where the bytes are no row.
    package init?(encoded: [UInt8]) {
        var rest = encoded[...]
        func bits() -> Int64? {
            guard rest.count >= 8 else { return nil }
            var value: Int64 = 0
            for (index, byte) in rest.prefix(8).enumerated() { value |= Int64(byte) << (8 * index) }
            rest = rest.dropFirst(8)
            return value
        }
        func content() -> [UInt8]? {
            var length = 0
            var shift = 0
            repeat {
                guard let byte = rest.popFirst(), shift < 56 else { return nil }
                length |= Int(byte & 0x7F) << shift
                shift = byte & 0x80 == 0 ? 64 : shift + 7
            } while shift < 64
            guard length <= rest.count else { return nil }
            defer { rest = rest.dropFirst(length) }
            return Array(rest.prefix(length))
        }
        var columns: [Column] = []
        while !rest.isEmpty {
            guard let name = content(), let tag = rest.popFirst() else { return nil }
            let value: FieldValue?
            switch tag {
            case 0: value = .null
            case 1: value = bits().map { .integer($0) }
            case 2: value = bits().map { .real(Double(bitPattern: UInt64(bitPattern: $0))) }
            case 3: value = content().map { .text($0) }
            case 4: value = content().map { .blob($0) }
            default: value = nil
            }
            guard let value else { return nil }
            columns.append(Column(name: String(decoding: name, as: UTF8.self), value: value))
        }
        self.init(columns)
    }
}
