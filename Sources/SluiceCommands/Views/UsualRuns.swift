internal import SluiceModel
package import SluiceStore

/// What is usual of a pipeline's runs, and the run that is not.
///
/// Usual is the median of the last ten runs that succeeded before, where there were five or more.
package struct UsualRuns: Sendable {
    /// Of how many runs the median is taken.
    static let mostRuns = 10
    /// How few runs tell of no usual one.
    private static let leastRuns = 5

    /// How many seconds a run takes; nil where too few are known.
    package private(set) var seconds: Int?
    /// How many records a run reads that reads all there are; nil where too few are known.
    package private(set) var recordsRead: Int?
    /// The newest run that read all there was, where that was less than half of what is usual.
    package private(set) var shortRun: RunEntry?

    /// Nothing is usual.
    init() {}

    /// Compares runs.
    ///
    /// - Parameters:
    ///   - last: The last run, which is not compared with itself.
    ///   - successes: The newest runs that succeeded, newest first, one more than are compared.
    ///   - reading: The newest run that read all there was.
    ///   - readings: The newest runs that succeeded and read all there was, newest first, one more than are compared.
    init(last: RunEntry?, successes: [RunEntry], reading: RunEntry?, readings: [RunEntry]) {
        seconds = Self.usual(successes.filter { $0.id != last?.id }.prefix(Self.mostRuns).compactMap(\.seconds))
        guard let reading, let read = reading.recordsRead else { return }
        recordsRead = Self.usual(
            readings.filter { $0.id < reading.id }.prefix(Self.mostRuns).compactMap(\.recordsRead))
        if let recordsRead, read < recordsRead - read { shortRun = reading }
    }

    private static func usual(_ numbers: [Int]) -> Int? {
        numbers.count < leastRuns ? nil : median(of: numbers)
    }

    /// The number in the middle, or halfway between the two in the middle, rounded down; nil where there are none.
    static func median(of numbers: [Int]) -> Int? {
        guard !numbers.isEmpty else { return nil }
        let sorted = numbers.sorted()
        let (low, high) = (sorted[(sorted.count - 1) / 2], sorted[sorted.count / 2])
        return low + (high - low) / 2
    }
}

extension RunEntry {
    /// When it ended, in seconds since the epoch; nil while it runs and where a hand has spoilt the time.
    package var end: Int64? { finishedAt.flatMap(MomentText.moment) }

    /// How many seconds it took; nil while it runs.
    package var seconds: Int? {
        guard let end, let start = MomentText.moment(startedAt) else { return nil }
        return Int(clamping: max(0, end - start))
    }
}
