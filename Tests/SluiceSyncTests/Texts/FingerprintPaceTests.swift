import SluicePages
import Testing

/// When records are decoded at once, without a look at their texts.
struct FingerprintPaceTests {
    /// Batches of which those of a range have changed, as they are begun and done with one after the other.
    ///
    /// - Parameters:
    ///   - count: How many batches there are.
    ///   - changed: The batches in which all records have changed.
    /// - Returns: The batches that were decoded at once.
    private func decoded(_ count: Int, changed: Range<Int>) -> [Int] {
        let pace = FingerprintPace()
        var decoded: [Int] = []
        for batch in 0..<count {
            let (number, usesFingerprints) = pace.begin()
            if usesFingerprints {
                pace.record(number, decoded: changed.contains(batch) ? 100 : 0, of: 100)
            } else {
                decoded.append(batch)
            }
        }
        return decoded
    }

    /// Changes that stand together, and how many batches as they were may be decoded behind them.
    @Test(arguments: [(0, 0), (1, 0), (3, 0), (4, 1), (8, 8), (12, 8), (40, 16), (100, 32), (500, 32)])
    func fewAreDecodedBehindChanges(_ length: Int, _ most: Int) {
        let changed = 50..<50 + length
        let behind = decoded(1_000, changed: changed).filter { !changed.contains($0) }
        #expect(behind.count <= most, "\(behind)")
        #expect(behind.allSatisfy { $0 >= changed.upperBound })
    }

    @Test func mostAreDecodedAtOnceWhereAllHaveChanged() {
        #expect(decoded(1_000, changed: 0..<1_000).count > 800)
    }
}
