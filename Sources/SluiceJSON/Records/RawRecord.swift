internal import CSluiceSimdjson

/// One record of a document, as the bytes of its JSON text.
///
/// The bytes stand in the memory of the ``JSONRecordReader`` and are valid until its next record is asked for.
@safe
package struct RawRecord {
    /// The text of the record, without white space around it.
    ///
    /// It is complete, but only the parser says whether it is valid.
    package let bytes: UnsafeRawBufferPointer
    /// The offset of the first byte in the document.
    package let byteOffset: Int
    /// The position of the record among all records of the document, from 0.
    package let ordinal: Int
    /// The unescaped name of the member whose value the record is; nil for an element of an array or a whole document.
    package let memberName: UnsafeRawBufferPointer?

    /// Makes a record of bytes from elsewhere, which its user keeps in memory.
    package init(
        bytes: UnsafeRawBufferPointer, byteOffset: Int, ordinal: Int, memberName: UnsafeRawBufferPointer? = nil
    ) {
        unsafe self.bytes = bytes
        self.byteOffset = byteOffset
        self.ordinal = ordinal
        unsafe self.memberName = memberName
    }

    /// A record without any text, where none is read.
    package static var empty: RawRecord {
        unsafe RawRecord(bytes: UnsafeRawBufferPointer(start: nil, count: 0), byteOffset: 0, ordinal: 0)
    }

    /// The number of bytes of the text.
    package var byteCount: Int { unsafe bytes.count }

    /// The first byte of the text; nil where it is empty.
    package var firstByte: UInt8? { unsafe bytes.first }

    /// Does something with a record that is kept as text.
    ///
    /// - Parameters:
    ///   - text: The text of the record.
    ///   - member: The unescaped name of the member whose value it is; nil for an element of an array or a whole document.
    ///   - byteOffset: The offset of the first byte in its document.
    ///   - body: Is given the record, which must not be kept.
    /// - Returns: What the closure returned.
    /// - Throws: What the closure throws.
    package static func with<Result>(
        _ text: [UInt8], member: [UInt8]?, byteOffset: Int, _ body: (RawRecord) throws -> Result
    ) rethrows -> Result {
        try unsafe text.withUnsafeBytes { bytes in
            try unsafe (member ?? []).withUnsafeBytes { name in
                try body(
                    unsafe RawRecord(
                        bytes: bytes, byteOffset: byteOffset, ordinal: 0, memberName: member == nil ? nil : name))
            }
        }
    }

    /// A copy of the text.
    package var copy: [UInt8] { unsafe Array(bytes) }

    /// Where a value begins and ends that some names lead to, found by reading no further than that value.
    ///
    /// It is the value that ``JSONElement/member(named:)-(String)`` gives, unless a later member has the same name or the
    /// text is not valid: whoever needs to be sure parses the record.
    ///
    /// - Parameter names: The names in UTF-8, from the outermost to the innermost.
    /// - Returns: Nil where no member has that name, or it is written with escapes.
    @unsafe
    package func peek(_ names: [[UInt8]]) -> UnsafeRawBufferPointer? {
        var range = unsafe bytes
        for name in names {
            var (start, end) = (0, 0)
            let text = unsafe range.assumingMemoryBound(to: UInt8.self).baseAddress
            guard let text = unsafe text,
                unsafe sluice_json_peek(text, range.count, name, name.count, &start, &end) != 0
            else { return nil }
            unsafe range = UnsafeRawBufferPointer(rebasing: range[start..<end])
        }
        return unsafe range
    }

    /// The name as text, see ``memberName``.
    package var member: String? { unsafe memberName.map { unsafe String(decoding: $0, as: UTF8.self) } }
}

@available(*, unavailable)
extension RawRecord: Sendable {}
