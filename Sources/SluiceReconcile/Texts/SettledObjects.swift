internal import SluiceModel

/// What the bases of a part's settled objects say, each as a hash of key and content.
///
/// Most records speak of few objects, so what was found last is found again without a look into all of it.
struct SettledObjects {
    /// How many are found again.
    private static let recentCount = 2_048
    private let hashes: HashSet64
    /// Hashes that were found, each at the place that its lower bits choose; zero where there is none.
    private var recent = [UInt64](repeating: 0, count: recentCount)

    /// Makes a value of hashes.
    init(_ hashes: HashSet64) { self.hashes = hashes }

    /// Whether a hash is among them.
    mutating func contains(_ hash: UInt64) -> Bool {
        let place = Int(truncatingIfNeeded: hash % UInt64(Self.recentCount))
        if recent[place] == hash && hash != 0 { return true }
        guard hashes.contains(hash) else { return false }
        recent[place] = hash
        return true
    }
}
