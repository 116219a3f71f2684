/// A set of hashes of which few are asked for again and again, as those of the objects that most records speak of: what was found
/// last is found again without a look into all of it.
package struct RecentHashSet {
    /// How many are found again.
    private static let recentCount = 8_192
    private var hashes: HashSet64
    /// Hashes of the set, each at the place that its lower bits choose; zero where there is none. Made with the first one.
    private var recent: [UInt64] = []

    /// Makes a set of hashes.
    package init(_ hashes: HashSet64 = HashSet64()) { self.hashes = hashes }

    /// Whether a hash is in the set.
    package mutating func contains(_ hash: UInt64) -> Bool {
        let place = Self.place(of: hash)
        if hash != 0, !recent.isEmpty, recent[place] == hash { return true }
        guard hashes.contains(hash) else { return false }
        remember(hash, at: place)
        return true
    }

    /// Adds a hash.
    ///
    /// - Returns: Whether it is new.
    @discardableResult
    package mutating func insert(_ hash: UInt64) -> Bool {
        let place = Self.place(of: hash)
        if hash != 0, !recent.isEmpty, recent[place] == hash { return false }
        let isNew = hashes.insert(hash)
        remember(hash, at: place)
        return isNew
    }

    private static func place(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash % UInt64(recentCount)) }

    private mutating func remember(_ hash: UInt64, at place: Int) {
        if recent.isEmpty { recent = Array(repeating: 0, count: Self.recentCount) }
        recent[place] = hash
    }
}
