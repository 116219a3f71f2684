/// Reads rows that a spreadsheet wrote: separated by commas, semicolons or tabs, as the first line shows.
struct CSVReader {
    /// One row and the line on which it begins, counted from 1.
    struct Row: Equatable {
        let line: Int
        let cells: [String]
    }

    /// What is wrong with a file, and where.
    struct Problem: Error {
        let line: Int
        let message: String
    }

    private static let quote = UInt8(ascii: "\"")
    private let bytes: [UInt8]
    private let separator: UInt8
    private var position = 0
    private var line = 1

    /// All rows of a text, empty lines left out.
    static func rows(_ bytes: [UInt8]) throws(Problem) -> [Row] {
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        if String(validating: text, as: UTF8.self) == nil {
            throw Problem(line: 1, message: "It is not UTF-8. Save it as CSV with the character set UTF-8.")
        }
        var reader = CSVReader(text)
        var rows: [Row] = []
        while reader.position < reader.bytes.count {
            let row = try reader.row()
            if row.cells != [""] { rows.append(row) }
        }
        return rows
    }

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        let first = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        let counts = ",;\t".utf8.map { separator in (separator, first.count { $0 == separator }) }
        separator = counts.max { $0.1 < $1.1 }.flatMap { $0.1 > 0 ? $0.0 : nil } ?? UInt8(ascii: ",")
    }

    private mutating func row() throws(Problem) -> Row {
        let start = line
        var cells: [String] = []
        while true {
            cells.append(SpreadsheetText.unguarded(try cell()))
            guard position < bytes.count else { break }
            let byte = bytes[position]
            position += 1
            if byte == separator { continue }
            if byte == UInt8(ascii: "\r"), position < bytes.count, bytes[position] == UInt8(ascii: "\n") {
                position += 1
            }
            line += 1
            break
        }
        return Row(line: start, cells: cells)
    }

    /// A cell, up to the separator or line break behind it.
    private mutating func cell() throws(Problem) -> String {
        guard position < bytes.count, bytes[position] == Self.quote else {
            let start = position
            while position < bytes.count, !isEnd(bytes[position]) { position += 1 }
            return String(decoding: bytes[start..<position], as: UTF8.self)
        }
        let start = line
        position += 1
        var text: [UInt8] = []
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == Self.quote {
                guard position < bytes.count, bytes[position] == Self.quote else {
                    if position < bytes.count, !isEnd(bytes[position]) {
                        throw Problem(line: line, message: "There is text after the closing quote of a cell.")
                    }
                    return String(decoding: text, as: UTF8.self)
                }
                position += 1
            }
            if byte == UInt8(ascii: "\n") { line += 1 }
            text.append(byte)
        }
        throw Problem(line: start, message: "The quote that begins a cell here is never closed.")
    }

    private func isEnd(_ byte: UInt8) -> Bool {
        byte == separator || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }
}
