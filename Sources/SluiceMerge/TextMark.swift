/// What is kept of the text that a record was read from, so that it is known without being decoded.
public struct TextMark: Sendable, Equatable {
    /// A hash of the text, under its mapping.
    public var hash: UInt64
    /// What stands within the record, see ``Mention``; empty where nothing does.
    public var within: [UInt8]

    /// Makes a mark.
    public init(hash: UInt64, within: [UInt8] = []) {
        self.hash = hash
        self.within = within
    }

    /// Something that stands within a record.
    public enum Mention: Sendable, Equatable {
        /// An object that is a record of its own: the part of the mapping that it belongs to, and the hash of its key.
        case embedded(part: Int, key: UInt64)
        /// Children of the record, or of something within it, by their number.
        case children(part: Int, count: Int)
    }

    /// The most parts that mentions can tell apart.
    public static let mostParts = 128
    private static let size = 9

    /// Appends a mention: a byte for the part, whose upper bit says that they are children, and eight for the rest.
    public static func append(_ mention: Mention, to bytes: inout [UInt8]) {
        let (tag, word): (UInt8, UInt64) =
            switch mention {
            case .embedded(let part, let key): (UInt8(truncatingIfNeeded: part), key)
            case .children(let part, let count):
                (UInt8(truncatingIfNeeded: part) | 0x80, UInt64(truncatingIfNeeded: count))
            }
        bytes.append(tag)
        for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> (8 * UInt64(shift)))) }
    }

    /// The mentions that were appended; bytes at the end that are none are left out.
    public static func mentions(_ bytes: ArraySlice<UInt8>) -> [Mention] {
        var mentions: [Mention] = []
        mentions.reserveCapacity(bytes.count / size)
        var start = bytes.startIndex
        while start + size <= bytes.endIndex {
            var word: UInt64 = 0
            for offset in 0..<8 { word |= UInt64(bytes[start + 1 + offset]) << (8 * UInt64(offset)) }
            let part = Int(bytes[start] & 0x7F)
            // No sum of counts is too large, whatever became of the bytes.
            mentions.append(
                bytes[start] & 0x80 == 0
                    ? .embedded(part: part, key: word)
                    : .children(part: part, count: Int(min(word, UInt64(UInt32.max)))))
            start += size
        }
        return mentions
    }
}

/// The marks of the texts of some records, one after the other.
public struct TextMarks: Sendable {
    /// The hashes.
    public private(set) var hashes: [UInt64] = []
    private var bytes: [UInt8] = []
    /// Where what stands within each record ends; none while nothing stands within any.
    private var ends: [Int] = []

    /// Makes an empty list.
    public init() {}

    /// Whether there is no mark.
    public var isEmpty: Bool { hashes.isEmpty }

    /// Appends the mark of the next record.
    public mutating func append(hash: UInt64, within: [UInt8] = []) {
        if !within.isEmpty || !ends.isEmpty {
            while ends.count < hashes.count { ends.append(bytes.count) }
            bytes += within
            ends.append(bytes.count)
        }
        hashes.append(hash)
    }

    /// What stands within a record, see ``TextMark/Mention``.
    public func within(_ record: Int) -> ArraySlice<UInt8> {
        if record >= ends.count { return [] }
        return bytes[(record == 0 ? 0 : ends[record - 1])..<ends[record]]
    }

    /// The mark of a record; nil where none is kept.
    public subscript(record: Int) -> TextMark? {
        hashes.isEmpty ? nil : TextMark(hash: hashes[record], within: Array(within(record)))
    }
}
