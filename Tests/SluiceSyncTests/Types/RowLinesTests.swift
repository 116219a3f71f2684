import SluicePipeline
import Testing

@testable import SluiceDecode
@testable import SluiceModel
@testable import SluiceReport

/// How rows of cells become lines of JSON.
@Suite("Rows of cells")
struct RowLinesTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let text: String
        var format = StreamDefinition.Format.csv
        var delimiter: StreamDefinition.Delimiter?
        var isTyped = false
        let lines: [String]
        var testDescription: String { name }
    }

    /// The lines of a text that is read in pieces of some size.
    private static func lines(
        _ text: [UInt8], _ format: StreamDefinition.Format = .csv, _ delimiter: StreamDefinition.Delimiter? = nil,
        isTyped: Bool = false, piece: Int, limit: Int = 1000
    ) throws -> [String] {
        var position = 0
        let reader = unsafe RowLines(
            format, delimiter: delimiter, page: "a.csv", maximumRowBytes: limit, isTyped: isTyped
        ) { buffer in
            let count = min(buffer.count, piece, text.count - position)
            unsafe buffer.copyBytes(from: text[position..<position + count])
            position += count
            return count
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 7)
        while true {
            let count = try unsafe buffer.withUnsafeMutableBytes { try unsafe reader.read(into: $0) }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).map {
            String($0)
        }
    }

    @Test(
        "Each row becomes a line with its number",
        arguments: [
            Case(
                name: "plain", text: "id,a\n1,x\n2,y\n",
                lines: ["", #"{"id":"1","a":"x"}"#, #"{"id":"2","a":"y"}"#, ""]),
            Case(name: "no line feed at the end", text: "id\n1", lines: ["", #"{"id":"1"}"#, ""]),
            Case(
                name: "CR LF", text: "id,a\r\n1,x\r\n2,y\r\n",
                lines: ["", #"{"id":"1","a":"x"}"#, #"{"id":"2","a":"y"}"#, ""]),
            Case(name: "CR", text: "id\r1\r2", lines: ["", #"{"id":"1"}"#, #"{"id":"2"}"#, ""]),
            Case(name: "a byte order mark", text: "\u{FEFF}id\n1\n", lines: ["", #"{"id":"1"}"#, ""]),
            Case(
                name: "quotes", text: "id,a\n1,\"x,\"\"y\"\"\"\n", lines: ["", #"{"id":"1","a":"x,\"y\""}"#, ""]),
            Case(
                name: "a quote within a cell", text: "id,a\n1,5\" disk\n",
                lines: ["", #"{"id":"1","a":"5\" disk"}"#, ""]),
            Case(
                name: "line breaks within quotes", text: "id,a\n1,\"x\r\ny\nz\"\n2,b\n",
                lines: ["", #"{"id":"1","a":"x\r\ny\nz"}"#, "", "", #"{"id":"2","a":"b"}"#, ""]),
            Case(
                name: "a header of two lines", text: "id,\"a\nb\"\n1,x\n",
                lines: ["", "", #"{"id":"1","a\nb":"x"}"#, ""]),
            Case(name: "blank lines", text: "\n\nid\n\n1\n\n", lines: ["", "", "", "", #"{"id":"1"}"#, "", ""]),
            Case(name: "empty cells", text: "id,a,b\n,\"\",\n", lines: ["", #"{"id":null,"a":null,"b":null}"#, ""]),
            Case(name: "a quoted empty cell alone is a row", text: "id\n\"\"\n", lines: ["", #"{"id":null}"#, ""]),
            Case(name: "blanks stay", text: "id, a\n1, x \n", lines: ["", #"{"id":"1"," a":" x "}"#, ""]),
            Case(
                name: "keys without a name", text: "id,,\n1,2,3\n",
                lines: ["", #"{"id":"1","column_2":"2","column_3":"3"}"#, ""]),
            Case(
                name: "keys that come again", text: "a,a,a_2,a\n1,2,3,4\n",
                lines: ["", #"{"a":"1","a_2":"2","a_2_2":"3","a_3":"4"}"#, ""]),
            Case(name: "tabs", text: "id\ta\n1\tx,y\n", format: .tsv, lines: ["", #"{"id":"1","a":"x,y"}"#, ""]),
            Case(
                name: "too few cells", text: "id,a\n1\n2,b\n",
                lines: [
                    "", #"[2,"The row in line 2 has 1 cell, and the header has 2.","1"]"#, #"{"id":"2","a":"b"}"#, "",
                ]),
            Case(
                name: "too many cells", text: "id\n1,\"a\nb\"\n2\n",
                lines: [
                    "", #"[2,"The row in line 2 has 2 cells, and the header has 1.","1,\"a\nb\""]"#, "", #"{"id":"2"}"#,
                    "",
                ]),
            Case(
                name: "text behind a quote", text: "id\n\"a\"b\n2\n",
                lines: [
                    "",
                    #"[2,"The row in line 2 has text behind the closing quote of a cell. Quotes within a cell are doubled.","ab"]"#,
                    #"{"id":"2"}"#, "",
                ]),
            Case(
                name: "semicolons", text: "id;a,b\n1;\"x;y\"\n2\n", delimiter: .semicolon,
                lines: [
                    "", #"{"id":"1","a,b":"x;y"}"#,
                    #"[3,"The row in line 3 has 1 cell, and the header has 2.","2"]"#, "",
                ]),
            Case(
                name: "bars", text: "id|a\n1|x\n", delimiter: .bar, lines: ["", #"{"id":"1","a":"x"}"#, ""]),
            Case(
                name: "a name with a semicolon, and commas that were asked for", text: "a;b\n1\n", delimiter: .comma,
                lines: ["", #"{"a;b":"1"}"#, ""]),
            Case(name: "such a name in quotes", text: "\"a;b\"\n1\n", lines: ["", #"{"a;b":"1"}"#, ""]),
            Case(name: "a header alone", text: "id,a", lines: ["", ""]),
            Case(
                name: "types", text: "a,b,c,d,e,f,g\n1,-2.50,1e5,007,true,FALSE,1.\n", isTyped: true,
                lines: ["", #"{"a":1,"b":-2.50,"c":1e5,"d":"007","e":true,"f":false,"g":"1."}"#, ""]),
        ])
    func lines(_ test: Case) throws {
        for piece in [1, 2, 3, 5, 1000] {
            let lines = try Self.lines(
                Array(test.text.utf8), test.format, test.delimiter, isTyped: test.isTyped, piece: piece)
            #expect(lines == test.lines, "pieces of \(piece)")
        }
    }

    @Test("A row that is not UTF-8 is one fault")
    func notUTF8() throws {
        let text = Array("id,a\n1,".utf8) + [0xE9] + Array("\n2,b\n".utf8)
        let lines = try Self.lines(text, piece: 4)
        #expect(lines[1].hasPrefix("[2,\"The row in line 2 is not UTF-8."))
        #expect(lines[2] == #"{"id":"2","a":"b"}"#)
    }

    @Test(
        "A text that is none is refused as a whole",
        arguments: [
            ("id,a\n1,\"x\n2,y\n", "line 2 has a quote that is never closed"), ("<!doctype html>", "it is HTML"),
            ("", "it has no header row"), ("\n\r\n", "it has no header row"),
            ("id;a\n1;2\n", "its header has no comma, but `;`. Set `delimiter: \";\"`"),
            ("id\ta\n1\t2\n", "Set `delimiter: \"tab\"`"), ("{\"a\": 1}", "it is JSON"),
            ("\"a\"b,c\n", "its header has text behind"),
            (
                "id\n" + String(repeating: "x", count: 2000) + "\n",
                "the row that begins in line 2 is larger than the limit"
            ),
        ])
    func refused(_ text: String, _ words: String) throws {
        let error = #expect(throws: SyncError.self) { try Self.lines(Array(text.utf8), piece: 100) }
        #expect(error?.message.contains(words) == true, "\(error as Any)")
    }

    @Test("Whatever was written is read", arguments: 0..<30 as Range<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        func random(_ below: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(below))
        }
        let pieces = ["a", ",", "\"", "\n", "\r\n", "é", " ", "1", "\t", "\\", "\u{1}"]
        func cell() -> String { (0..<random(5)).map { _ in pieces[random(pieces.count)] }.joined() }
        let format: StreamDefinition.Format = random(2) == 0 ? .csv : .tsv
        let separator = format == .csv ? "," : "\t"
        let ending = random(2) == 0 ? "\n" : "\r\n"
        let width = 1 + random(4)
        let rows = (0..<random(20)).map { _ in (0..<width).map { _ in cell() } }
        func written(_ cell: String) -> String {
            let needsQuotes = cell.unicodeScalars.contains { ",\"\n\r\t".unicodeScalars.contains($0) }
            return needsQuotes || cell.isEmpty || random(3) == 0 ? "\"\(cell.replacing("\"", with: "\"\""))\"" : cell
        }
        let header = (0..<width).map { "k\($0)" }.joined(separator: separator)
        let text = ([header] + rows.map { $0.map(written).joined(separator: separator) }).joined(separator: ending)
        let lines = try Self.lines(Array(text.utf8), format, piece: 1 + random(40)).filter { !$0.isEmpty }
        let expected = rows.map { row in
            let members = row.enumerated().map { index, cell in
                "\"k\(index)\":" + (cell.isEmpty ? "null" : FieldJSON.quoted(cell))
            }
            return "{" + members.joined(separator: ",") + "}"
        }
        #expect(lines == expected, "seed \(seed)")
    }
}
