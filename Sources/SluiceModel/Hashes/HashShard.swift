/// Hashes with the same upper eight bits: most of them packed, the latest in a small table with open addressing.
struct HashShard {
    /// Stands in the upper bits of each slot that is taken, where all hashes of a shard are alike.
    private static let mark: UInt64 = 0xFF << 56
    private static let fewestSlots = 64
    private var packed = PackedHashes()
    private var slots: [UInt64] = []
    private var used = 0

    /// The number of hashes.
    var count: Int { packed.count + used }

    /// The memory that was taken.
    var allocatedBytes: Int { packed.allocatedBytes &+ slots.count &* MemoryLayout<UInt64>.stride }

    /// Whether a hash was added.
    func contains(_ hash: UInt64) -> Bool {
        !slots.isEmpty && (slots[slot(of: hash)] != 0 || packed.contains(hash))
    }

    /// Adds a hash.
    ///
    /// - Returns: Whether it is new.
    mutating func insert(_ hash: UInt64) -> Bool {
        if slots.isEmpty { slots = Array(repeating: 0, count: Self.fewestSlots) }
        let slot = slot(of: hash)
        if slots[slot] != 0 || packed.contains(hash) { return false }
        slots[slot] = hash | Self.mark
        used &+= 1
        if used &* 4 >= slots.count &* 3 { pack() }
        return true
    }

    /// All hashes in their order.
    ///
    /// - Parameter shard: The upper eight bits.
    /// - Returns: The hashes.
    mutating func sorted(shard: Int) -> [UInt64] {
        pack()
        return packed.hashes(ofShard: shard)
    }

    /// Where a hash is, or could be put, among the latest.
    private func slot(of hash: UInt64) -> Int {
        let marked = hash | Self.mark
        // The low 32 bits choose the slot, by multiplication rather than division.
        var index = Int(truncatingIfNeeded: ((hash & 0xFFFF_FFFF) &* UInt64(slots.count)) >> 32)
        while slots[index] != 0 && slots[index] != marked { index = index &+ 1 == slots.count ? 0 : index &+ 1 }
        return index
    }

    /// Empties the table, which may then hold a sixteenth of all: so each hash is moved some sixteen times in blocks
    /// while the number doubles, and the table takes less than a byte for each.
    private mutating func pack() {
        packed.merge(slots.filter { $0 != 0 }.sorted())
        slots = Array(repeating: 0, count: max(Self.fewestSlots, packed.count / 12))
        used = 0
    }
}
