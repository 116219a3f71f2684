internal import SluiceDiagnostics

/// A small table with a heading, its numbers right-aligned.
enum TableText {
    /// Whole lines, each two columns in.
    ///
    /// - Parameters:
    ///   - rows: The heading and the lines below it, as many cells in each.
    ///   - style: How the heading is painted.
    /// - Returns: The table.
    static func text(_ rows: [[String]], style: TextStyle) -> String {
        guard let heading = rows.first else { return "" }
        let widths = heading.indices.map { column in rows.map { TextWidth.of($0[column]) }.max() ?? 0 }
        let lines = rows.enumerated().map { index, row in
            let cells = row.enumerated().map { column, cell in
                let blank = String(repeating: " ", count: widths[column] - TextWidth.of(cell))
                return column == 0 ? cell + blank : blank + cell
            }
            let line = "  " + cells.joined(separator: "  ")
            return index == 0 ? style.paint(line, .faint) : line
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
