/// A set of hashes of which few are asked for again and again, as those of the objects that most records speak of: what was found
/// last is found again without a look into all of it.
package struct RecentHashSet {
    private var hashes: HashSet64
    private var recent = RecentHashes()

    /// Makes a set of hashes.
    package init(_ hashes: HashSet64 = HashSet64()) { self.hashes = hashes }

    /// Whether a hash is in the set.
    package mutating func contains(_ hash: UInt64) -> Bool {
        if recent.contains(hash) { return true }
        guard hashes.contains(hash) else { return false }
        recent.insert(hash)
        return true
    }

    /// Adds a hash.
    ///
    /// - Returns: Whether it is new.
    @discardableResult
    package mutating func insert(_ hash: UInt64) -> Bool {
        if !recent.insert(hash) { return false }
        return hashes.insert(hash)
    }
}

/// Some of the hashes that were added lately, in as much room whatever their number.
package struct RecentHashes {
    /// How many there are at most.
    private static let mostCount = 8_192
    /// Each at the place that its lower bits choose; zero where there is none. Made with the first one.
    private var hashes: [UInt64] = []

    /// Makes an empty value.
    package init() {}

    /// Whether a hash was added and is still there.
    package func contains(_ hash: UInt64) -> Bool {
        hash != 0 && !hashes.isEmpty && hashes[Self.place(of: hash)] == hash
    }

    /// Adds a hash, in the place of one before.
    ///
    /// - Returns: Whether it was not there: it may have been, earlier.
    @discardableResult
    package mutating func insert(_ hash: UInt64) -> Bool {
        if hashes.isEmpty { hashes = Array(repeating: 0, count: Self.mostCount) }
        let place = Self.place(of: hash)
        if hash != 0, hashes[place] == hash { return false }
        hashes[place] = hash
        return true
    }

    private static func place(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash % UInt64(mostCount)) }
}
