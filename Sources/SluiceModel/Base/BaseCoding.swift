/// The `fields` blob of a base row: one entry per slot, in slot order.
///
/// Each entry is a tag byte and its payload. The high four bits say what follows, the low four bits how long it is:
///
///     0x00        nothing: this source never gave the field     0x10  null
///     0x2n        an integer of n bytes, little-endian, sign-extended
///     0x30        a double, 8 bytes                              0x40  a digest, 8 bytes
///     0x50 n …    text of n bytes, n in one byte                 0x60 n …  a blob of n bytes
///     0x7k n …    text of n bytes, n in k bytes, little-endian   0x8k n …  a blob of n bytes
///
/// `[7, "Dune", null]` is `21 07 50 04 44 75 6E 65 10`. Slots beyond the end are `nothing`.
package enum BaseCoding {
    private static let integerTag: UInt8 = 0x20
    private static let realTag: UInt8 = 0x30
    private static let digestTag: UInt8 = 0x40
    private static let textTag: UInt8 = 0x50
    private static let blobTag: UInt8 = 0x60
    private static let longTextTag: UInt8 = 0x70
    private static let longBlobTag: UInt8 = 0x80

    /// Writes the entries of a record that was just decoded.
    ///
    /// - Parameters:
    ///   - batch: The batch that holds the record.
    ///   - record: The record's position in the batch.
    ///   - fieldOfSlot: For each slot the position of its field in the schema, -1 where no field has the slot.
    ///   - schema: Says which fields keep long values.
    ///   - blob: Replaced by the encoded entries.
    package static func encode(
        _ batch: borrowing RecordBatch, record: Int, fieldOfSlot: [Int], schema: RecordSchema, into blob: inout [UInt8]
    ) {
        blob.removeAll(keepingCapacity: true)
        let start = record * batch.fieldCount
        for field in fieldOfSlot {
            if field < 0 {
                blob.append(0x00)
                continue
            }
            let cell = batch.cells[start + field]
            switch cell.kind {
            case .absent: blob.append(0x00)
            case .null: blob.append(0x10)
            case .integer: append(integer: cell.payload, to: &blob)
            case .real: append(tag: realTag, bits: UInt64(bitPattern: cell.payload), to: &blob)
            case .text, .blob:
                let length = Int(cell.length)
                if length <= schema.fields[field].baseKeeping.longestBytes {
                    appendHead(isText: cell.kind == .text, length: length, to: &blob)
                    let offset = Int(cell.payload)
                    unsafe batch.bytes.withUnsafeBufferPointer { bytes in
                        unsafe blob.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[offset..<offset + length]))
                    }
                } else {
                    append(tag: digestTag, bits: batch.digests[start + field], to: &blob)
                }
            }
        }
    }

    /// Writes entries, one per slot.
    package static func encode(_ entries: [BaseEntry]) -> [UInt8] {
        var blob: [UInt8] = []
        for entry in entries {
            switch entry {
            case .none: blob.append(0x00)
            case .null, .value(.null): blob.append(0x10)
            case .value(.integer(let value)): append(integer: value, to: &blob)
            case .value(.real(let value)): append(tag: realTag, bits: value.bitPattern, to: &blob)
            case .digest(let digest): append(tag: digestTag, bits: digest, to: &blob)
            case .value(.text(let bytes)):
                appendHead(isText: true, length: bytes.count, to: &blob)
                blob.append(contentsOf: bytes)
            case .value(.blob(let bytes)):
                appendHead(isText: false, length: bytes.count, to: &blob)
                blob.append(contentsOf: bytes)
            }
        }
        return blob
    }

    /// Reads entries.
    ///
    /// - Parameters:
    ///   - blob: What ``encode(_:)`` wrote.
    ///   - slotCount: How many entries to give; what the blob does not have is `none`.
    /// - Returns: Nil where the bytes are not such a blob: the store was damaged or edited.
    package static func decode(_ blob: [UInt8], slotCount: Int) -> [BaseEntry]? {
        var entries: [BaseEntry] = []
        var rest = blob[...]
        while let tag = rest.popFirst() {
            switch tag {
            case 0x00: entries.append(.none)
            case 0x10: entries.append(.null)
            case integerTag + 1...integerTag + 8:
                guard let value = integer(from: &rest, byteCount: Int(tag & 0x0F)) else { return nil }
                entries.append(.value(.integer(value)))
            case realTag, digestTag:
                guard let bits = integer(from: &rest, byteCount: 8) else { return nil }
                let pattern = UInt64(bitPattern: bits)
                entries.append(tag == realTag ? .value(.real(Double(bitPattern: pattern))) : .digest(pattern))
            case textTag, blobTag:
                guard let length = rest.popFirst(), rest.count >= Int(length) else { return nil }
                let bytes = Array(rest.prefix(Int(length)))
                rest = rest.dropFirst(Int(length))
                entries.append(.value(tag == textTag ? .text(bytes) : .blob(bytes)))
            case longTextTag + 1...longTextTag + 4, longBlobTag + 1...longBlobTag + 4:
                guard let bytes = longBytes(from: &rest, lengthBytes: Int(tag & 0x0F)) else { return nil }
                entries.append(.value(tag < longBlobTag ? .text(bytes) : .blob(bytes)))
            default: return nil
            }
        }
        while entries.count < slotCount { entries.append(.none) }
        return entries
    }

    private static func append(integer value: Int64, to blob: inout [UInt8]) {
        let magnitude = value < 0 ? ~value : value
        let byteCount = (64 - magnitude.leadingZeroBitCount) / 8 + 1
        blob.append(integerTag | UInt8(truncatingIfNeeded: byteCount))
        for index in 0..<byteCount { blob.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }

    private static func append(tag: UInt8, bits: UInt64, to blob: inout [UInt8]) {
        blob.append(tag)
        unsafe withUnsafeBytes(of: bits.littleEndian) { unsafe blob.append(contentsOf: $0) }
    }

    /// Appends the tag and the length of a text or blob; what the tag of short ones can say is said with it.
    private static func appendHead(isText: Bool, length: Int, to blob: inout [UInt8]) {
        if let length = UInt8(exactly: length) {
            blob.append(isText ? textTag : blobTag)
            blob.append(length)
            return
        }
        let count = UInt32(clamping: length)
        let byteCount = (32 - count.leadingZeroBitCount + 7) / 8
        blob.append((isText ? longTextTag : longBlobTag) | UInt8(truncatingIfNeeded: byteCount))
        for index in 0..<byteCount { blob.append(UInt8(truncatingIfNeeded: count >> (8 * index))) }
    }

    private static func longBytes(from rest: inout ArraySlice<UInt8>, lengthBytes: Int) -> [UInt8]? {
        guard rest.count >= lengthBytes else { return nil }
        var length = 0
        for (index, byte) in rest.prefix(lengthBytes).enumerated() { length |= Int(byte) << (8 * index) }
        rest = rest.dropFirst(lengthBytes)
        guard rest.count >= length else { return nil }
        let bytes = Array(rest.prefix(length))
        rest = rest.dropFirst(length)
        return bytes
    }

    private static func integer(from rest: inout ArraySlice<UInt8>, byteCount: Int) -> Int64? {
        guard (1...8).contains(byteCount), rest.count >= byteCount else { return nil }
        var value: Int64 = 0
        for (index, byte) in rest.prefix(byteCount).enumerated() { value |= Int64(byte) << (8 * index) }
        let unused = 64 - 8 * byteCount
        rest = rest.dropFirst(byteCount)
        return (value << unused) >> unused
    }
}
