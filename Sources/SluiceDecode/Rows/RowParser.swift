/// Takes rows of CSV or TSV apart, byte by byte as they come. See: RFC 4180.
///
/// A cell may stand in quotes, and then hold separators, line breaks and, doubled, quotes. Rows end with LF, CR LF or CR.
struct RowParser {
    /// One row.
    struct Row {
        /// The line on which it begins, from 1.
        var line = 1
        /// How many lines it takes.
        var lineCount = 1
        /// The bytes of all cells, one behind the other.
        var bytes: [UInt8] = []
        /// Where each cell ends among them.
        var ends: [Int] = []
        /// Where the text goes on behind a closing quote, so that nobody knows what the cell holds.
        var hasTextBehindQuote = false
        /// Whether some cell stands in quotes.
        var hasQuotes = false

        /// Makes a value of its parts.
        package init(
            line: Int = 1, lineCount: Int = 1, bytes: [UInt8] = [], ends: [Int] = [], hasTextBehindQuote: Bool = false,
            hasQuotes: Bool = false
        ) {
            self.line = line
            self.lineCount = lineCount
            self.bytes = bytes
            self.ends = ends
            self.hasTextBehindQuote = hasTextBehindQuote
            self.hasQuotes = hasQuotes
        }

        var cellCount: Int { ends.count }
        /// Whether nothing stands on the line.
        var isBlank: Bool { ends == [0] && !hasQuotes }

        /// The bytes of a cell.
        func cell(_ index: Int) -> ArraySlice<UInt8> { bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]] }
    }

    private enum State {
        case cellStart, plain, quoted
        /// Behind a quote within quotes: the first half of a doubled one, or the end of the cell.
        case quote
        /// Behind a CR that ended a row: an LF belongs to it.
        case carriageReturn
    }

    private static let quoteByte = UInt8(ascii: "\"")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
    private let separator: UInt8
    private var state = State.cellStart
    /// The row that is read.
    private(set) var row = Row()
    private var isEmpty = true

    init(separator: UInt8) { self.separator = separator }

    /// The line of the quote that is open, so that the text cannot end here; nil where none is.
    var openQuoteLine: Int? { state == .quoted ? row.line : nil }

    /// Takes the next byte.
    ///
    /// - Returns: Whether it ended ``row``, which ``begin()`` then has to follow.
    mutating func accept(_ byte: UInt8) -> Bool {
        switch state {
        case .carriageReturn:
            state = .cellStart
            return byte == Self.lineFeed ? false : accept(byte)
        case .cellStart where byte == Self.quoteByte:
            (state, isEmpty, row.hasQuotes) = (.quoted, false, true)
            return false
        case .quoted:
            if byte == Self.quoteByte {
                state = .quote
            } else {
                if byte == Self.lineFeed { row.lineCount += 1 }
                row.bytes.append(byte)
            }
            return false
        case .quote where byte == Self.quoteByte:
            state = .quoted
            row.bytes.append(byte)
            return false
        case .cellStart, .plain, .quote: break
        }
        if byte == separator {
            endCell()
            isEmpty = false
            return false
        }
        if byte == Self.lineFeed || byte == Self.carriageReturn {
            endCell()
            if byte == Self.carriageReturn { state = .carriageReturn }
            return true
        }
        if state == .quote { row.hasTextBehindQuote = true }
        (state, isEmpty) = (.plain, false)
        row.bytes.append(byte)
        return false
    }

    /// Ends the text.
    ///
    /// - Returns: Whether ``row`` is one more row: the last line need not have an end.
    mutating func finish() -> Bool {
        if isEmpty { return false }
        endCell()
        return true
    }

    /// Begins the next row.
    mutating func begin() {
        row.line += row.lineCount
        row.lineCount = 1
        row.bytes.removeAll(keepingCapacity: true)
        row.ends.removeAll(keepingCapacity: true)
        (row.hasTextBehindQuote, row.hasQuotes) = (false, false)
        isEmpty = true
    }

    private mutating func endCell() {
        row.ends.append(row.bytes.count)
        state = .cellStart
    }
}
