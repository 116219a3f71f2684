/// A source line and the caret line below it, clipped to a width.
struct SnippetLayout {
    /// The source line as it is printed.
    private(set) var text = ""
    /// Blanks as wide as what stands before the caret, then `^`.
    private(set) var caret = ""

    private struct Cell {
        var text: String
        var width: Int
        var isTab = false
    }

    /// Lays out a snippet.
    ///
    /// - Parameters:
    ///   - snippet: The line and the place in it.
    ///   - width: About how many cells the text may take; a longer line is clipped around the caret.
    init(_ snippet: SourceSnippet, width: Int) {
        let cells = Self.cells(of: snippet.line)
        let caretIndex = min(max(snippet.caretColumn, 1) - 1, cells.count)
        let window = Self.window(of: cells, around: caretIndex, width: width)
        if window.lowerBound > 0 {
            text += "…"
            caret += " "
        }
        for cell in cells[window] { text += cell.text }
        if window.upperBound < cells.count { text += "…" }
        for cell in cells[window.lowerBound..<caretIndex] {
            caret += cell.isTab ? "\t" : String(repeating: " ", count: cell.width)
        }
        caret += "^"
    }

    private static func cells(of line: String) -> [Cell] {
        var previous: Unicode.Scalar?
        return line.unicodeScalars.map { scalar in
            defer { previous = scalar }
            return cell(scalar, after: previous)
        }
    }

    private static func cell(_ scalar: Unicode.Scalar, after previous: Unicode.Scalar?) -> Cell {
        if scalar == "\t" { return Cell(text: "\t", width: 8, isTab: true) }
        let text = PrintableText.escape(scalar, after: previous)
        let isEscaped = PrintableText.isHidden(scalar, after: previous)
        return Cell(text: text, width: isEscaped ? text.unicodeScalars.count : TextWidth.of(scalar))
    }

    /// The cells to show: the whole line if it fits, else two thirds of the width before the caret and the rest after.
    private static func window(of cells: [Cell], around caret: Int, width: Int) -> Range<Int> {
        if cells.reduce(0, { $0 + $1.width }) <= width { return 0..<cells.count }
        var start = caret
        var used = 0
        while start > 0, used + cells[start - 1].width <= width * 2 / 3 {
            start -= 1
            used += cells[start].width
        }
        var end = caret
        while end < cells.count, used + cells[end].width <= width {
            used += cells[end].width
            end += 1
        }
        return start..<end
    }
}
