package import SluiceModel
internal import SluiceStore

/// What a stream that asks for changed parents remembers from run to run; its size does not grow with the parents.
package struct PartitionMemory: StateValue {
    /// How many partitions are asked for again by name; where more failed, all are.
    static let mostFailed = 1000

    /// What the requests were made from.
    package var fingerprint: String
    /// The last run whose changes of parents were all asked for.
    package var asked: Int64
    /// The keys of the partitions that failed since.
    package var failed: Set<ExactText> = []

    package init(fingerprint: String, asked: Int64, failed: Set<ExactText>) {
        (self.fingerprint, self.asked, self.failed) = (fingerprint, asked, failed)
    }

    package init?(stateText: String) {
        let lines = stateText.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.count >= 2, let asked = Int64(lines[1]) else { return nil }
        self.init(fingerprint: lines[0], asked: asked, failed: Set(lines.dropFirst(2).map { ExactText($0) }))
    }

    /// It as a store keeps it; nil where too much failed to be remembered, so that the next run asks for everything.
    package var stateText: String? {
        if failed.count > Self.mostFailed { return nil }
        return ([fingerprint, String(asked)] + failed.sorted().map(\.text)).joined(separator: "\n")
    }
}
