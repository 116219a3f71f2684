internal import SluiceDiagnostics

/// What pipelines' runs were like, for people.
struct TrendText {
    let style: TextStyle

    private static let headings = ["pipeline", "runs", "failed", "median time", "median records"]

    /// A table with a line for each pipeline.
    ///
    /// - Parameters:
    ///   - trends: The pipelines.
    ///   - isChosen: Whether there may be other runs.
    /// - Returns: Whole lines.
    func text(_ trends: [RunTrend], isChosen: Bool) -> String {
        if trends.isEmpty { return isChosen ? "There is no such run.\n" : "Nothing has run yet.\n" }
        let rows = trends.map { trend in
            [
                ShortText.of(trend.pipeline), CountText.grouped(trend.runs), CountText.grouped(trend.failures),
                trend.seconds.map { CountText.time($0) } ?? "–", trend.recordsRead.map { CountText.grouped($0) } ?? "–",
            ]
        }
        let widths = Self.headings.indices.map { column in
            ([Self.headings] + rows).map { TextWidth.of($0[column]) }.max() ?? 0
        }
        let padded = zip(Self.headings.dropLast(), widths).map { ShortText.padded($0, to: $1) }
        let heading = (padded + Self.headings.suffix(1)).joined(separator: "  ")
        return style.paint(heading, .faint) + "\n"
            + zip(trends, rows).map { trend, row in
                var cells = zip(row, widths).map { ShortText.padded($0, to: $1) }
                cells[0] = style.paint(cells[0], .strong)
                if trend.failures > 0 { cells[2] = style.paint(cells[2], .removed) }
                cells[4] = row[4]
                return cells.joined(separator: "  ") + "\n"
            }.joined()
    }
}
