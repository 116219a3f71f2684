internal import SluiceDiagnostics
package import SluiceJSON
package import SluicePipeline
internal import SluiceReport

/// Turns the rows of a CSV or TSV page into lines of JSON while they are read, so that they go the way of those.
///
/// Each row becomes an object with the keys of the header row, on the line on which the row begins; the lines that it
/// takes besides, and that of the header, are blank. So a line of JSON has the number of its row. A row that fits no
/// header becomes a ``RowFault``.
@safe
package final class RowLines {
    private static let pieceBytes = 64 << 10
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private let page: String
    private let maximumRowBytes: Int
    private let isTyped: Bool
    private let isTabbed: Bool
    private let delimiter: StreamDefinition.Delimiter
    /// Whether a person said what it is.
    private let isStated: Bool
    private let source: JSONRecordReader.Source
    private var parser: RowParser
    private var keys: RowKeys?
    private var piece = [UInt8](repeating: 0, count: RowLines.pieceBytes)
    private var lines: [UInt8] = []
    private var position = 0
    private var isAtStart = true
    private var isAtEnd = false

    /// - Parameters:
    ///   - format: CSV or TSV.
    ///   - delimiter: What stands between cells; nil for what the format says.
    ///   - page: The page's name for messages.
    ///   - maximumRowBytes: The limit of one row.
    ///   - isTyped: Whether cells that hold a number or a truth value become one, to tell types by.
    ///   - source: Reads the page.
    package init(
        _ format: StreamDefinition.Format, delimiter: StreamDefinition.Delimiter? = nil, page: String,
        maximumRowBytes: Int, isTyped: Bool = false,
        source: @escaping JSONRecordReader.Source
    ) {
        isTabbed = format == .tsv
        self.delimiter = delimiter ?? (isTabbed ? .tab : .comma)
        isStated = delimiter != nil || isTabbed
        parser = RowParser(separator: self.delimiter.byte)
        self.page = page
        self.maximumRowBytes = maximumRowBytes
        self.isTyped = isTyped
        unsafe self.source = source
    }

    /// Reads the next bytes of the lines.
    ///
    /// - Returns: How many; 0 at the end.
    /// - Throws: ``SyncError`` where the page is no such text, and what the source throws.
    @unsafe
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while position == lines.count, !isAtEnd {
            lines.removeAll(keepingCapacity: true)
            position = 0
            try readPiece()
        }
        let count = min(buffer.count, lines.count - position)
        unsafe buffer.copyBytes(from: lines[position..<position + count])
        position += count
        return count
    }

    private func readPiece() throws {
        var count = try fill(from: 0)
        // How a page begins shows by its first bytes, however few of them come at a time.
        while isAtStart, (1..<Self.mark.count).contains(count) {
            let more = try fill(from: count)
            if more == 0 { break }
            count += more
        }
        if count == 0 { return try finish() }
        let start = isAtStart ? try begin(count) : 0
        for index in start..<count where parser.accept(piece[index]) { try endRow() }
        try checkSize()
    }

    private func fill(from start: Int) throws -> Int {
        try unsafe piece.withUnsafeMutableBytes {
            try unsafe source(UnsafeMutableRawBufferPointer(rebasing: $0[start...]))
        }
    }

    private func checkSize() throws {
        guard parser.row.bytes.count > maximumRowBytes else { return }
        throw unreadable(
            "the row that begins in line \(parser.row.line) is larger than the limit of \(maximumRowBytes) bytes. If such a row is expected, raise `max_record`; else a quote may not be closed."
        )
    }

    /// Looks at how the page begins.
    ///
    /// - Returns: Where the text begins in the first piece.
    private func begin(_ count: Int) throws -> Int {
        isAtStart = false
        if piece.starts(with: [0xFE, 0xFF]) || piece.starts(with: [0xFF, 0xFE]) {
            throw unreadable("it is UTF-16, where UTF-8 is expected. Save it as UTF-8.")
        }
        let start = count >= 3 && piece.starts(with: Self.mark) ? 3 : 0
        let kind = isTabbed ? "TSV" : "CSV"
        switch piece[start..<count].first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) {
        case UInt8(ascii: "<"):
            throw unreadable(
                "it is HTML or XML, where \(kind) is expected: a page for people, such as a login. Check the URL and the credentials."
            )
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            throw unreadable("it is JSON, where \(kind) is expected. Check `format`.")
        default: return start
        }
    }

    private func finish() throws {
        isAtEnd = true
        if let line = parser.openQuoteLine {
            throw unreadable(
                "the row that begins in line \(line) has a quote that is never closed, so the page may be cut off.")
        }
        if parser.finish() { try endRow() }
        if keys == nil { throw unreadable("it has no header row, which a list of nothing has as well.") }
    }

    private func endRow() throws {
        try checkSize()
        // The row is not held, so that the next one takes its memory.
        if parser.row.isBlank {
            // Nobody meant a row.
        } else if let keys {
            append(parser.row, keys)
        } else {
            keys = try header(parser.row)
        }
        lines += repeatElement(UInt8(ascii: "\n"), count: parser.row.lineCount)
        parser.begin()
    }

    private func header(_ row: RowParser.Row) throws -> RowKeys {
        if row.hasTextBehindQuote { throw unreadable("its header has text behind the closing quote of a cell.") }
        if String(validating: row.bytes, as: UTF8.self) == nil {
            throw unreadable("its header is not UTF-8. Save it as UTF-8.")
        }
        let others = StreamDefinition.Delimiter.allCases.filter { row.bytes.contains($0.byte) }
        if !isStated, row.cellCount == 1, !row.hasQuotes, let other = others.first {
            throw unreadable(
                "its header has no comma, but `\(other.rawValue)`. Set `delimiter: \"\(other.rawValue)\"`, or `delimiter: \",\"` if the header is one name."
            )
        }
        return RowKeys(row)
    }

    private func append(_ row: RowParser.Row, _ keys: RowKeys) {
        if let message = fault(of: row, keys) {
            RowFault(line: row.line, message: message, text: text(of: row)).appendJSON(to: &lines)
            return
        }
        lines.append(UInt8(ascii: "{"))
        for index in keys.members.indices {
            if index > 0 { lines.append(UInt8(ascii: ",")) }
            lines += keys.members[index]
            RowCell.append(row.cell(index), isTyped: isTyped, to: &lines)
        }
        lines.append(UInt8(ascii: "}"))
    }

    private func fault(of row: RowParser.Row, _ keys: RowKeys) -> String? {
        if row.hasTextBehindQuote {
            return
                "The row in line \(row.line) has text behind the closing quote of a cell. Quotes within a cell are doubled."
        }
        if row.cellCount != keys.members.count {
            let cells = Plural.of(row.cellCount, "cell")
            return "The row in line \(row.line) has \(cells), and the header has \(keys.members.count)."
        }
        if String(validating: row.bytes, as: UTF8.self) == nil {
            return "The row in line \(row.line) is not UTF-8. Save the file as UTF-8."
        }
        return nil
    }

    /// The row as it would be written.
    private func text(of row: RowParser.Row) -> String {
        let separator = String(decoding: [delimiter.byte], as: UTF8.self)
        return (0..<row.cellCount).map { index in
            let cell = String(decoding: row.cell(index), as: UTF8.self)
            let needsQuotes = cell.contains { [separator.first, "\"", "\n", "\r", "\r\n"].contains($0) }
            return needsQuotes ? "\"\(cell.replacing("\"", with: "\"\""))\"" : cell
        }.joined(separator: separator)
    }

    private func unreadable(_ reason: String) -> SyncError {
        SyncError(.invalidDocument, "\(page) cannot be read: \(reason)")
    }
}
