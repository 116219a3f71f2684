/// The values of one row as a store gives them: filled anew for row after row, so that no value costs an allocation.
///
///     cells    | 7 | title →0,5 | price null |
///     bytes    | D u n e s
package struct RowCells: Sendable {
    /// The values, one for each field.
    package private(set) var cells: [Cell] = []
    /// The text and blobs that cells point into.
    package private(set) var bytes: [UInt8] = []

    /// Makes a row without values.
    package init() {}

    /// Makes a row of values.
    package init(_ values: [FieldValue]) {
        for value in values { append(value) }
    }

    /// Copies of all values.
    package var values: [FieldValue] {
        cells.map { cell in
            switch cell.kind {
            case .absent, .null: .null
            case .integer: .integer(cell.payload)
            case .real: .real(Double(bitPattern: UInt64(bitPattern: cell.payload)))
            case .text: .text(Array(bytes[cell.slice]))
            case .blob: .blob(Array(bytes[cell.slice]))
            }
        }
    }

    /// Forgets the values, to be filled anew.
    package mutating func removeAll() {
        cells.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
    }

    /// Appends a copy of a value.
    package mutating func append(_ value: FieldValue) {
        switch value {
        case .null: appendNull()
        case .integer(let value): append(value)
        case .real(let value): append(value)
        case .text(let text): unsafe text.withUnsafeBytes { unsafe append($0, as: .text) }
        case .blob(let blob): unsafe blob.withUnsafeBytes { unsafe append($0, as: .blob) }
        }
    }

    /// Appends null.
    package mutating func appendNull() { cells.append(Cell(kind: .null)) }

    /// Appends an integer.
    package mutating func append(_ value: Int64) { cells.append(Cell(kind: .integer, payload: value)) }

    /// Appends a double.
    package mutating func append(_ value: Double) {
        cells.append(Cell(kind: .real, payload: Int64(bitPattern: value.bitPattern)))
    }

    /// Appends a copy of a text or a blob.
    @unsafe
    package mutating func append(_ source: UnsafeRawBufferPointer, as kind: Cell.Kind) {
        let start = bytes.count
        unsafe bytes.append(contentsOf: source)
        cells.append(Cell(kind: kind, payload: Int64(start), length: UInt32(truncatingIfNeeded: source.count)))
    }
}

extension Cell {
    /// Where the bytes of a text or a blob stand.
    @inlinable
    package var slice: Range<Int> { Int(payload)..<Int(payload) &+ Int(length) }
}
