internal import SluiceDiagnostics

/// What pipelines' runs were like, for people.
struct TrendText {
    let style: TextStyle

    /// A line for each pipeline.
    ///
    /// - Parameters:
    ///   - trends: The pipelines.
    ///   - isChosen: Whether there may be other runs.
    /// - Returns: Whole lines.
    func text(_ trends: [RunTrend], isChosen: Bool) -> String {
        if trends.isEmpty { return isChosen ? "There is no such run.\n" : "Nothing has run yet.\n" }
        let rows = trends.map { trend in
            [
                ShortText.of(trend.pipeline), CountText.of(trend.runs, "run"),
                "\(CountText.grouped(trend.failures)) failed", trend.seconds.map { CountText.time($0) } ?? "–",
                trend.recordsRead.map { CountText.of($0, "record") } ?? "–",
            ]
        }
        let widths = rows[0].indices.map { column in rows.map { TextWidth.of($0[column]) }.max() ?? 0 }
        return zip(trends, rows).map { trend, row in
            var cells = zip(row, widths).map { ShortText.padded($0, to: $1) }
            cells[0] = style.paint(cells[0], .strong)
            if trend.failures > 0 { cells[2] = style.paint(cells[2], .removed) }
            cells[4] = row[4]
            return cells.joined(separator: "  ") + "\n"
        }.joined()
    }
}
