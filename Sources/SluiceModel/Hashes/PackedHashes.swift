/// Sorted hashes of one shard in six bytes each: their upper eight bits are the shard's, the next eight stand in a
/// directory.
struct PackedHashes {
    private static let width = 6
    private static let lowBits: UInt64 = 1 << 48 - 1
    /// The lower 48 bits of each hash, with two bytes behind the last, so that each can be read as a word.
    private var bytes: [UInt8] = []
    /// Where the hashes of each directory entry begin, and where the last ones end; empty as long as there are none.
    private var starts: [UInt32] = []

    /// The number of hashes.
    var count: Int { bytes.count / Self.width }

    /// The memory that was taken, without what the allocator rounds it up to: the same for the same hashes.
    var allocatedBytes: Int { bytes.count &+ starts.count &* MemoryLayout<UInt32>.stride }

    /// Whether a hash is there.
    func contains(_ hash: UInt64) -> Bool {
        if starts.isEmpty { return false }
        let position = position(of: hash)
        return position < starts[Self.entry(of: hash) &+ 1] && low(at: position) == hash & Self.lowBits
    }

    /// Adds hashes in one pass.
    ///
    /// - Parameter hashes: None that is there already, in their order.
    mutating func merge(_ hashes: [UInt64]) {
        if hashes.isEmpty { return }
        if starts.isEmpty { starts = Array(repeating: 0, count: 257) }
        let size = (count + hashes.count) * Self.width + 2
        // Its size is exact: an array that grows by itself takes up to twice of what it needs.
        bytes = unsafe Array(unsafeUninitializedCapacity: size) { target, written in
            let raw = UnsafeMutableRawBufferPointer(target)
            var copied = 0
            for (added, hash) in hashes.enumerated() {
                let position = position(of: hash) * Self.width
                let shift = added * Self.width
                unsafe UnsafeMutableRawBufferPointer(rebasing: raw[(copied + shift)...])
                    .copyBytes(from: bytes[copied..<position])
                unsafe raw.storeBytes(
                    of: (hash & Self.lowBits).littleEndian, toByteOffset: position + shift, as: UInt64.self)
                copied = position
            }
            unsafe UnsafeMutableRawBufferPointer(rebasing: raw[(copied + hashes.count * Self.width)...])
                .copyBytes(from: bytes[copied...])
            written = size
        }
        var added = 0
        for entry in 0..<256 {
            while added < hashes.count && Self.entry(of: hashes[added]) == entry { added += 1 }
            starts[entry + 1] += UInt32(added)
        }
    }

    /// All hashes in their order.
    ///
    /// - Parameter shard: The upper eight bits.
    /// - Returns: The hashes.
    func hashes(ofShard shard: Int) -> [UInt64] {
        var hashes: [UInt64] = []
        if starts.isEmpty { return hashes }
        hashes.reserveCapacity(count)
        for entry in 0..<256 {
            let upper = UInt64(shard) << 56 | UInt64(entry) << 48
            for position in Int(starts[entry])..<Int(starts[entry + 1]) { hashes.append(upper | low(at: position)) }
        }
        return hashes
    }

    private static func entry(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> 48 & 0xFF) }

    private func low(at position: Int) -> UInt64 {
        let word = unsafe bytes.span.bytes.unsafeLoadUnaligned(
            fromByteOffset: position &* Self.width, as: UInt64.self)
        return UInt64(littleEndian: word) & Self.lowBits
    }

    /// The first position whose hash is not below one, among those of its directory entry.
    private func position(of hash: UInt64) -> Int {
        let (entry, wanted) = (Self.entry(of: hash), hash & Self.lowBits)
        var (start, end) = (Int(starts[entry]), Int(starts[entry &+ 1]))
        // Hashes lie evenly, so it is near to where it would be if they lay exactly so. Where they do not, the steps
        // that double and then halve find it as well.
        var probe = start &+ Int((wanted << 16).multipliedFullWidth(by: UInt64(end &- start)).high)
        var step = 4
        while start < end {
            if low(at: probe) < wanted {
                start = probe &+ 1
                probe &+= step
            } else {
                end = probe
                probe &-= step
            }
            step &*= 2
            if probe < start || probe >= end { probe = (start &+ end) / 2 }
        }
        return start
    }
}
