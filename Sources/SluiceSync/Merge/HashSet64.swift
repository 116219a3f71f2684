/// A set of 64-bit hashes in some ten bytes for each: small tables with open addressing, which grow one at a time so
/// that memory has no steps.
struct HashSet64 {
    private static let shardBits = 8
    private var shards: [Shard]

    /// Makes an empty set.
    init() { shards = Array(repeating: Shard(), count: 1 << Self.shardBits) }

    private init(shards: [Shard]) { self.shards = shards }

    /// A set that takes no memory and must not be used: what stands where another was taken out.
    static let empty = HashSet64(shards: [])

    /// Adds a hash.
    ///
    /// - Returns: Whether it is new.
    mutating func insert(_ hash: UInt64) -> Bool {
        shards[Int(truncatingIfNeeded: hash >> 56)].insert(hash)
    }

    /// Whether a hash was added.
    func contains(_ hash: UInt64) -> Bool { shards[Int(truncatingIfNeeded: hash >> 56)].contains(hash) }

    private struct Shard {
        private var slots: [UInt64] = []
        private var count = 0

        private func slot(of hash: UInt64) -> Int {
            // The low 32 bits choose the slot, by multiplication rather than division.
            Int(truncatingIfNeeded: ((hash & 0xFFFF_FFFF) &* UInt64(slots.count)) >> 32)
        }

        func contains(_ hash: UInt64) -> Bool {
            if slots.isEmpty { return false }
            let hash = hash == 0 ? 1 : hash
            var index = slot(of: hash)
            while slots[index] != 0 {
                if slots[index] == hash { return true }
                index = index &+ 1 == slots.count ? 0 : index &+ 1
            }
            return false
        }

        mutating func insert(_ hash: UInt64) -> Bool {
            let hash = hash == 0 ? 1 : hash
            if count &* 5 >= slots.count &* 4 { grow() }
            var index = slot(of: hash)
            while slots[index] != 0 {
                if slots[index] == hash { return false }
                index = index &+ 1 == slots.count ? 0 : index &+ 1
            }
            slots[index] = hash
            count &+= 1
            return true
        }

        private mutating func grow() {
            let old = slots
            slots = Array(repeating: 0, count: max(16, old.count + old.count / 2))
            for hash in old where hash != 0 {
                var index = slot(of: hash)
                while slots[index] != 0 { index = index &+ 1 == slots.count ? 0 : index &+ 1 }
                slots[index] = hash
            }
        }
    }
}
