/// A set of 64-bit hashes in less than eight bytes for each: small shards that grow one at a time, so that neither
/// memory nor time has steps.
package struct HashSet64 {

    /// Makes a value of its parts.
    package init() {
    }
    /// The number of shards, which the upper eight bits of a hash choose.
    package static let shardCount = 256
    private var shards = Array(repeating: HashShard(), count: shardCount)

    /// Whether there is no hash.
    package var isEmpty: Bool { shards.allSatisfy { $0.count == 0 } }

    /// The memory that was taken for the hashes.
    package var allocatedBytes: Int { shards.reduce(0) { $0 &+ $1.allocatedBytes } }

    /// Adds a hash.
    ///
    /// - Returns: Whether it is new.
    @discardableResult
    package mutating func insert(_ hash: UInt64) -> Bool { shards[Int(truncatingIfNeeded: hash >> 56)].insert(hash) }

    /// Whether a hash was added.
    package func contains(_ hash: UInt64) -> Bool { shards[Int(truncatingIfNeeded: hash >> 56)].contains(hash) }

    /// Takes out the hashes of a shard, in their order.
    package mutating func takeShard(_ shard: Int) -> [UInt64] {
        defer { shards[shard] = HashShard() }
        return shards[shard].sorted(shard: shard)
    }
}
