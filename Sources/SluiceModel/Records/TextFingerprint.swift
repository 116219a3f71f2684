/// What is kept of the text that a record was read from, so that it is known without being decoded.
package struct TextFingerprint: Sendable, Equatable {
    /// A hash of the text, under its mapping.
    package var hash: UInt64
    /// What stands within the record, see ``Mention``; empty where nothing does.
    package var within: [UInt8]

    /// Makes a mark.
    package init(hash: UInt64, within: [UInt8] = []) {
        self.hash = hash
        self.within = within
    }

    /// Something that stands within a record.
    package enum Mention: Sendable, Equatable {
        /// An object that is a record of its own: the part of the mapping that it belongs to, the hash of its key, and the
        /// hash of all that is said of it.
        case embedded(part: Int, key: UInt64, content: UInt64)
        /// Children of the record, or of something within it, by their number.
        case children(part: Int, count: Int)
    }

    /// The most parts that mentions can tell apart.
    package static let mostParts = 128
    private static let isOfChildren: UInt8 = 0x80

    /// Appends a mention: a byte for the part, whose upper bit says that they are children, and eight for each number.
    package static func append(_ mention: Mention, to bytes: inout [UInt8]) {
        switch mention {
        case .embedded(let part, let key, let content):
            bytes.append(UInt8(truncatingIfNeeded: part) & ~isOfChildren)
            append(key, to: &bytes)
            append(content, to: &bytes)
        case .children(let part, let count):
            bytes.append(UInt8(truncatingIfNeeded: part) | isOfChildren)
            append(UInt64(truncatingIfNeeded: count), to: &bytes)
        }
    }

    private static func append(_ word: UInt64, to bytes: inout [UInt8]) {
        for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> (8 * UInt64(shift)))) }
    }

    /// Gives a body the mentions that were appended, until it wants no more; bytes at the end that are none are left out.
    @unsafe
    package static func forEachMention(
        in bytes: UnsafeRawBufferPointer, _ body: (Mention) throws -> Bool
    ) rethrows {
        var position = 0
        func popWord() -> UInt64? {
            if bytes.count - position < 8 { return nil }
            defer { position += 8 }
            return unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
        }
        while position < bytes.count {
            let tag = unsafe bytes[position]
            position += 1
            guard let word = popWord() else { return }
            let part = Int(tag & ~isOfChildren)
            let mention: Mention
            if tag & isOfChildren != 0 {
                // No sum of counts is too large, whatever became of the bytes.
                mention = .children(part: part, count: Int(Swift.min(word, UInt64(UInt32.max))))
            } else {
                guard let content = popWord() else { return }
                mention = .embedded(part: part, key: word, content: content)
            }
            if try !body(mention) { return }
        }
    }
}

/// The marks of the texts of some records, one after the other.
package struct TextFingerprints: Sendable {
    /// The hashes.
    package private(set) var hashes: [UInt64] = []
    private var bytes: [UInt8] = []
    /// Where what stands within each record ends; none while nothing stands within any.
    private var ends: [Int] = []

    /// Makes an empty list.
    package init() {}

    /// Whether there is no mark.
    package var isEmpty: Bool { hashes.isEmpty }

    /// Appends the mark of the next record.
    package mutating func append(hash: UInt64, within: [UInt8] = []) {
        if !within.isEmpty || !ends.isEmpty {
            while ends.count < hashes.count { ends.append(bytes.count) }
            bytes += within
            ends.append(bytes.count)
        }
        hashes.append(hash)
    }

    /// What stands within a record, see ``TextFingerprint/Mention``.
    package func within(_ record: Int) -> ArraySlice<UInt8> {
        if record >= ends.count { return [] }
        return bytes[(record == 0 ? 0 : ends[record - 1])..<ends[record]]
    }

    /// The mark of a record; nil where none is kept.
    package subscript(record: Int) -> TextFingerprint? {
        hashes.isEmpty ? nil : TextFingerprint(hash: hashes[record], within: Array(within(record)))
    }
}
