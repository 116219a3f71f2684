/// A value of a decoded record: a storage class and its payload, with text and blobs as a slice of the batch's bytes.
@frozen
package struct Cell: Sendable {
    /// What a cell holds.
    @frozen
    package enum Kind: UInt8, Sendable {
        /// The key was not there: the column is not written.
        case absent
        case null
        case integer
        case real
        case text
        case blob
    }

    /// The integer, the bits of the double, or the offset of the slice.
    package var payload: Int64
    /// The length of the slice in bytes.
    package var length: UInt32
    /// What the cell holds.
    package var kind: Kind
    /// Whether the pipeline says it, since the source said nothing: a default.
    package var isAssumed = false
    /// Whether it is assumed of a new record alone: of one that is there it says nothing, whatever that lacks.
    package var isOfNew = false

    /// Makes a cell.
    @inlinable
    package init(kind: Kind, payload: Int64 = 0, length: UInt32 = 0) {
        self.kind = kind
        self.payload = payload
        self.length = length
    }
}

/// Where a record stands in its source.
package struct RecordOrigin: Sendable, Hashable {
    /// The page, from 0.
    package var page: Int
    /// The record's position within the stream, from 0.
    package var ordinal: Int

    /// Makes an origin.
    @inlinable
    package init(page: Int, ordinal: Int) {
        self.page = page
        self.ordinal = ordinal
    }
}

/// Decoded records on their way from decode to store: flat arrays, so that no value costs an allocation.
///
/// Record `i`'s fields are `cells[i * fieldCount ..< (i + 1) * fieldCount]`, in the order of the schema, and their
/// digests stand at the same places of `digests`.
///
///     cells    | id 7 | title →0,5 | price null | id 8 | title →5,4 | price absent |
///     digests  | 9f…  | 41…        | null       | a0…  | c3…        | 0            |
///     bytes    | D u n e s M o b y …
package struct RecordBatch: Sendable {
    /// The number of fields of a record.
    package let fieldCount: Int
    /// The values, `fieldCount` for each record.
    package var cells: [Cell] = []
    /// The digest of each value in canonical form; 0 where there is none.
    package var digests: [UInt64] = []
    /// The hash of each record.
    package var rowHashes: [UInt64] = []
    /// A hash of each record's key.
    package var keyHashes: [UInt64] = []
    /// What is kept of each record's text; none where nobody keeps it. Parts of records have none.
    package var textFingerprints = TextFingerprints()
    /// Where each record stands in its source.
    package var origins: [RecordOrigin] = []
    /// The pages that its records stand on, a path or URL each, in their order.
    private var pages: [(number: Int, name: String)] = []
    /// The text and blobs that cells point into.
    package var bytes: [UInt8] = []
    /// The positions of records that the source says are deleted; their keys are there, and of other fields what they say.
    package var deleted: Set<Int> = []

    /// Makes an empty batch.
    package init(fieldCount: Int, capacity: Int = 0) {
        self.fieldCount = fieldCount
        cells.reserveCapacity(capacity * fieldCount)
        digests.reserveCapacity(capacity * fieldCount)
        rowHashes.reserveCapacity(capacity)
        keyHashes.reserveCapacity(capacity)
        origins.reserveCapacity(capacity)
    }

    /// The number of records.
    package var count: Int { rowHashes.count }

    /// A copy of a value.
    ///
    /// - Returns: Nil where the key was absent.
    package func value(record: Int, field: Int) -> FieldValue? {
        let cell = cells[record * fieldCount + field]
        switch cell.kind {
        case .absent: return nil
        case .null: return .null
        case .integer: return .integer(cell.payload)
        case .real: return .real(Double(bitPattern: UInt64(bitPattern: cell.payload)))
        case .text: return .text(slice(cell))
        case .blob: return .blob(slice(cell))
        }
    }

    /// Adds a value to the last record.
    ///
    /// - Parameters:
    ///   - value: The value; nil where the key is absent.
    ///   - digest: Its digest in canonical form; 0 where the key is absent.
    package mutating func append(_ value: FieldValue?, digest: UInt64) {
        func slice(_ kind: Cell.Kind, _ content: [UInt8]) -> Cell {
            let cell = Cell(kind: kind, payload: Int64(bytes.count), length: UInt32(content.count))
            bytes += content
            return cell
        }
        let cell =
            switch value {
            case nil: Cell(kind: .absent)
            case .null?: Cell(kind: .null)
            case .integer(let number)?: Cell(kind: .integer, payload: number)
            case .real(let number)?: Cell(kind: .real, payload: Int64(bitPattern: number.bitPattern))
            case .text(let content)?: slice(.text, content)
            case .blob(let content)?: slice(.blob, content)
            }
        cells.append(cell)
        digests.append(digest)
    }

    /// Ends the last record, all of whose values are there.
    ///
    /// - Parameters:
    ///   - rowHash: The hash of its values.
    ///   - keyHash: The hash of its key.
    ///   - origin: Where it stands in its source.
    @inlinable
    package mutating func close(rowHash: UInt64, keyHash: UInt64, origin: RecordOrigin) {
        rowHashes.append(rowHash)
        keyHashes.append(keyHash)
        origins.append(origin)
    }

    /// Copies a record of another batch with as many fields.
    package mutating func append(_ record: Int, of other: borrowing RecordBatch) {
        for field in 0..<fieldCount { append(field: field, record, of: other) }
        close(
            rowHash: other.rowHashes[record], keyHash: other.keyHashes[record], origin: other.origins[record])
        if let page = other.pageName(of: record) { name(page: other.origins[record].page, page) }
    }

    /// Copies the value of a record of another batch, with its digest, as the next one of the last record.
    ///
    /// - Parameters:
    ///   - field: The position of its field.
    ///   - record: The position of the record.
    ///   - other: The other batch, with as many fields.
    package mutating func append(field: Int, _ record: Int, of other: borrowing RecordBatch) {
        let position = record * fieldCount + field
        var cell = other.cells[position]
        if cell.kind == .text || cell.kind == .blob {
            let start = Int(cell.payload)
            cell.payload = Int64(bytes.count)
            bytes += other.bytes[start..<start + Int(cell.length)]
        }
        cells.append(cell)
        digests.append(other.digests[position])
    }

    /// Says what the page is called on which records stand that are added.
    package mutating func name(page number: Int, _ name: String) {
        if pages.last?.number != number { pages.append((number, name)) }
    }

    /// The page that a record stands on, a path or URL; nil where that is not known.
    package func pageName(of record: Int) -> String? {
        let number = origins[record].page
        return pages.first { $0.number == number }?.name
    }

    /// Takes away the last records, of which the very last need not be all there.
    ///
    /// - Parameters:
    ///   - record: The position of the first of them.
    ///   - byte: The position of its first byte.
    package mutating func removeRecords(from record: Int, byte: Int) {
        removeRecord(fromCell: record * fieldCount, byte: byte)
        rowHashes.removeLast(rowHashes.count - record)
        keyHashes.removeLast(keyHashes.count - record)
        origins.removeLast(origins.count - record)
    }

    /// Takes away the last record, of which not all is there yet.
    ///
    /// - Parameters:
    ///   - cell: The position of its first cell.
    ///   - byte: The position of its first byte.
    package mutating func removeRecord(fromCell cell: Int, byte: Int) {
        cells.removeLast(cells.count - cell)
        digests.removeLast(digests.count - cell)
        bytes.removeLast(bytes.count - byte)
    }

    /// The digest of a value; 0 where the key was absent.
    package func digest(record: Int, field: Int) -> UInt64 { digests[record * fieldCount + field] }

    /// Whether a value is only what the pipeline says where its source said nothing.
    package func isAssumed(record: Int, field: Int) -> Bool { cells[record * fieldCount + field].isAssumed }

    /// Whether a value counts only where the record is new.
    package func isOfNew(record: Int, field: Int) -> Bool { cells[record * fieldCount + field].isOfNew }

    /// A copy of a record's key.
    package func key(of record: Int, schema: RecordSchema) -> RecordKey {
        RecordKey(schema.keyFields.map { value(record: record, field: $0) ?? .null })
    }

    private func slice(_ cell: Cell) -> [UInt8] {
        let start = Int(cell.payload)
        return Array(bytes[start..<start + Int(cell.length)])
    }
}

/// Hashes of keys, alike for a key of a batch and a key read from a store.
package enum KeyHash {
    /// The hash of a key's first value, or of the next one where `seed` is the hash so far.
    @inlinable
    package static func combine(_ seed: UInt64, _ digest: UInt64) -> UInt64 {
        let product = (seed ^ digest).multipliedFullWidth(by: 0xE703_7ED1_A0B4_28DB)
        return product.high ^ product.low ^ digest
    }

    /// The hash of a key's stored values.
    package static func hash(_ key: RecordKey) -> UInt64 {
        key.values.reduce(0) { combine($0, valueHash($1)) }
    }

    /// The hash of one stored value.
    package static func valueHash(_ value: FieldValue) -> UInt64 {
        switch value {
        case .null: FieldDigest.null
        case .integer(let value): FieldDigest.integer(value)
        case .real(let value): FieldDigest.real(value)
        case .text(let bytes): FieldDigest.text(bytes)
        case .blob(let bytes): unsafe bytes.withUnsafeBytes { unsafe FieldDigest.blob($0) }
        }
    }
}
