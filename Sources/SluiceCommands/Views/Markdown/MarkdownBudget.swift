internal import SluiceReport

/// How much of a document is still free, whatever it has to tell: comments on a pull request may not be longer.
final class MarkdownBudget {
    /// The most bytes of a document, unless another number is asked for.
    static let standard = 60_000
    /// The fewest bytes that a document can be told to have.
    static let least = 2_000
    /// What stands behind all reports fits in this.
    private static let reserve = 600
    /// Below this, a report says nothing.
    static let leastShare = 500
    /// What a report may take beyond its share, as long as those behind it keep the least.
    private static let ampleShare = 1_500

    /// The most bytes of the document.
    let most: Int
    private var free: Int
    private var reports: Int
    /// How many reports did not fit, by how their runs ended.
    private var left: [RunReport.Status: Int] = [:]

    /// - Parameters:
    ///   - reports: How many reports share it.
    ///   - most: The most bytes of the document.
    init(reports: Int, most: Int) {
        self.reports = max(1, reports)
        self.most = most
        free = most - Self.reserve
    }

    /// What the next report may take: about the same as each of those behind it, which may need less. Where not all have room, the
    /// first ones have it.
    func share() -> Int {
        defer { reports = max(1, reports - 1) }
        let even = free / reports
        if even < Self.leastShare { return min(free, Self.leastShare) }
        return max(even, min(Self.ampleShare, free - (reports - 1) * Self.leastShare))
    }

    /// Says that text was written.
    func spend(_ text: String) { free = max(0, free - text.utf8.count) }

    /// Says that a report was left out.
    func leaveOut(_ report: RunReport) { left[report.status, default: 0] += 1 }

    /// How many reports were left out, and how many of them did not succeed; nil where none was.
    var leftWords: String? {
        if left.isEmpty { return nil }
        let ends = left.filter { $0.key != .succeeded }.sorted { $0.key.rawValue < $1.key.rawValue }
            .map { "\(CountText.grouped($0.value)) \($0.key.rawValue)" }
        let aside = ends.isEmpty ? "" : " (\(ends.joined(separator: ", ")))"
        return CountText.of(left.values.reduce(0, +), "more report") + aside
    }
}
