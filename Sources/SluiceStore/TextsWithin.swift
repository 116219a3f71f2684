package import SluiceModel

/// What stands within some of the records of a batch, by their positions: all of it one after the other, so that no record costs an
/// allocation.
package struct TextsWithin: Sendable {
    private var bytes: [UInt8] = []
    /// Where what stands within each record lies; nil where nothing is noted of it.
    private var places: [Range<Int>?] = []
    private var count = 0

    /// Makes an empty value.
    package init() {}

    /// Whether nothing is noted of any record.
    package var isEmpty: Bool { count == 0 }

    /// Forgets all.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
        count = 0
    }

    /// Forgets what is noted of a record.
    package mutating func remove(_ record: Int) {
        guard places.indices.contains(record), places[record] != nil else { return }
        places[record] = nil
        count -= 1
    }

    /// Notes what stands within a record of which nothing is noted.
    package mutating func add(_ within: [UInt8], of record: Int) {
        unsafe within.withUnsafeBytes { unsafe add($0, of: record) }
    }

    /// Notes a copy of what stands within a record of which nothing is noted.
    @unsafe
    package mutating func add(_ within: UnsafeRawBufferPointer, of record: Int) {
        if bytes.isEmpty {
            // A batch of texts has about so much within them.
            bytes.reserveCapacity(8 << 10)
            places.reserveCapacity(256)
        }
        while places.count <= record { places.append(nil) }
        let start = bytes.count
        unsafe bytes.append(contentsOf: within)
        places[record] = start..<bytes.count
        count += 1
    }

    /// Notes what another value notes of a record, where it does.
    ///
    /// - Parameters:
    ///   - other: The other value.
    ///   - position: The record's position there.
    ///   - record: Its position here, where nothing is noted of it.
    package mutating func add(_ other: borrowing TextsWithin, _ position: Int, of record: Int) {
        guard position < other.places.count, let place = other.places[position] else { return }
        unsafe other.bytes.withUnsafeBytes { all in
            unsafe add(UnsafeRawBufferPointer(rebasing: all[place]), of: record)
        }
    }

    /// Whether anything is noted of a record.
    package func isNoted(_ record: Int) -> Bool { record < places.count && places[record] != nil }

    /// Gives a body what stands within a record, one after the other, until it wants no more; nothing where nothing is noted of it.
    @inline(__always)
    package func forEachMention(of record: Int, _ body: (TextFingerprint.Mention) throws -> Bool) rethrows {
        guard record < places.count, let place = places[record] else { return }
        try unsafe bytes.withUnsafeBytes { all in
            try unsafe TextFingerprint.forEachMention(in: UnsafeRawBufferPointer(rebasing: all[place]), body)
        }
    }

    /// Some of what stands within a record, as ``add(_:of:)-([UInt8],_)`` takes it.
    ///
    /// - Parameters:
    ///   - record: The position of the record.
    ///   - isTaken: Is asked for each mention.
    /// - Returns: Those that are taken; none where nothing is noted of the record.
    package func bytes(of record: Int, where isTaken: (TextFingerprint.Mention) -> Bool) -> [UInt8] {
        var taken: [UInt8] = []
        forEachMention(of: record) { mention in
            if isTaken(mention) { TextFingerprint.append(mention, to: &taken) }
            return true
        }
        return taken
    }

    /// What stands within a record; nil where nothing is noted of it.
    package subscript(record: Int) -> ArraySlice<UInt8>? {
        record < places.count ? places[record].map { bytes[$0] } : nil
    }
}

extension TextsWithin: Equatable {
    /// Whether the same is noted of the same records.
    package static func == (left: TextsWithin, right: TextsWithin) -> Bool {
        (0..<max(left.places.count, right.places.count)).allSatisfy { left[$0] == right[$0] }
    }
}

extension TextsWithin: ExpressibleByDictionaryLiteral {
    /// Makes a value of positions and what stands within their records.
    package init(dictionaryLiteral elements: (Int, [UInt8])...) {
        for (record, within) in elements { add(within, of: record) }
    }
}
