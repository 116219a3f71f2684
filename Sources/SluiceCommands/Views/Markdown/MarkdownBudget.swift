/// How much of a document is still free, whatever it has to tell: comments on a pull request may not be longer.
final class MarkdownBudget {
    /// The most bytes of a document, unless another number is asked for.
    static let standard = 60_000
    /// The fewest bytes that a document can be told to have.
    static let least = 2_000
    /// What stands behind all reports fits in this.
    private static let reserve = 600

    /// The most bytes of the document.
    let most: Int
    private var free: Int
    private var reports: Int
    /// How many reports did not fit.
    private(set) var left = 0

    /// - Parameters:
    ///   - reports: How many reports share it.
    ///   - most: The most bytes of the document.
    init(reports: Int, most: Int) {
        self.reports = max(1, reports)
        self.most = most
        free = most - Self.reserve
    }

    /// What the next report may take: the same as each of those behind it.
    func share() -> Int {
        defer { reports = max(1, reports - 1) }
        return free / reports
    }

    /// Says that text was written.
    func spend(_ text: String) { free = max(0, free - text.utf8.count) }

    /// Says that a report was left out.
    func leaveOut() { left += 1 }
}
