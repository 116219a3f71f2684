import Foundation
import SluiceSQLite
import Testing

/// Reports as Markdown for a pull request and as CSV for a spreadsheet.
@Suite struct ReportFormatTests {
    /// Titles that would act if they were written as they are.
    static let hostile = [
        #"<script>alert(1)</script>"#, "<img src=x onerror=alert(1)>", "</details></td>", "[a](javascript:alert(1))",
        "![a](https://example.com/a.png)", "@octocat and #1", "a | b || c", "`code` and ``more``", "```", "\\|", "` |",
        "line\nbreak\r\nand\ttab", "\u{202E}txt.exe\u{2066}", "a\u{200B}b", "https://example.com", "*bold* _it_ ~no~",
        "# head", "- list", "&lt;b&gt;", "", " ", "0a1b2c3d4e5f", "$x$", ":smile:",
    ]

    /// What is left of a line without its code.
    private static func withoutCode(_ line: Substring) -> String {
        var (left, rest) = ("", line)
        while let open = rest.firstIndex(of: "`") {
            left += rest[..<open]
            let fence = rest[open...].prefix { $0 == "`" }
            rest = rest[fence.endIndex...]
            var end = rest.startIndex
            while let next = rest[end...].firstIndex(of: "`") {
                let run = rest[next...].prefix { $0 == "`" }
                end = run.endIndex
                if run.count == fence.count { break }
                if end == rest.endIndex { return left + fence + rest }
            }
            rest = rest[end...]
        }
        return left + rest
    }

    /// A store with three books, and a source that changes one, takes one away, adds one and sends one that is no book.
    func shop(_ title: String) throws -> Workshop {
        let shop = try Workshop()
        try shop.writePipeline(deleteMissing: "{mode: hard, max_delete: 100%}")
        try shop.write(#"[{"id":1,"title":"one"},{"id":2,"title":"two"},{"id":3,"title":"three"}]"#, to: "books.json")
        #expect(shop.sluice("run", shop.pipeline).code == 0)
        try Connection(path: shop.store, mode: .existing).execute("UPDATE books SET title = 'mine' WHERE id = 1")
        let text = title.inJSON
        try shop.write(
            #"[{"id":1,"title":\#(text)},{"id":2,"title":\#(text)},{"id":4,"title":\#(text)},{"id":5}]"#,
            to: "books.json")
        return shop
    }

    @Test(arguments: hostile)
    func nothingOfAValueActsInMarkdown(title: String) throws {
        let shop = try shop(title)
        let plan = shop.sluice("plan", shop.pipeline, "--format", "markdown")
        #expect(plan.code == 0, "\(plan.errors)")
        var columns: Int?
        for line in plan.output.split(separator: "\n", omittingEmptySubsequences: false) {
            let rest = Self.withoutCode(line).replacing(#/</?(details|summary)>/#, with: "")
            for sign in ["<", "](", "@", "javascript:", "https:", "*bold", "\u{202E}", "\u{2066}", "\u{200B}", "`"] {
                #expect(!rest.contains(sign), "\(sign) in \(line)")
            }
            guard line.hasPrefix("|") else {
                columns = nil
                continue
            }
            let count = line.count { $0 == "|" }
            #expect(columns == nil || columns == count, "\(line)")
            columns = count
        }
        for word in ["in conflict in books", "to update in books", "to insert into books", "to delete from books"] {
            #expect(plan.output.contains(word), "\(word) in \(plan.output)")
        }
        #expect(plan.output.contains("a run keeps it in quarantine"), "\(plan.output)")
    }

    @Test func aCommentHasRoomForAll() throws {
        let shop = try Workshop()
        try shop.writePipeline()
        let long = String(repeating: "ein langer Titel ", count: 40)
        let records = (1...3_000).map { #"{"id":\#($0),"title":"\#($0) \#(long)"}"# }
        try shop.write("[" + records.joined(separator: ",") + "]", to: "books.json")
        let plan = shop.sluice("plan", shop.pipeline, "--format", "markdown")
        #expect(
            plan.output.utf8.count < 60_000 && plan.output.contains("3,000 to insert"), "\(plan.output.prefix(500))")
        #expect(plan.output.contains("Not everything is listed"), "\(plan.output.suffix(300))")
    }

    /// However many updates come first, the deletes that somebody approves are listed, and the room is used.
    @Test func eachKindOfChangeHasItsShareOfTheRoom() throws {
        let shop = try Workshop()
        try shop.writePipeline(deleteMissing: "{mode: hard, max_delete: 100%}")
        func write(_ count: Int, _ words: String) throws {
            let records = (1...count).map { #"{"id":\#($0),"title":"some text of record \#($0) that \#(words)"}"# }
            try shop.write("[" + records.joined(separator: ",") + "]", to: "books.json")
        }
        try write(4_000, "was here before")
        #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
        try write(3_000, "comes now")
        let plan = shop.sluice("plan", shop.pipeline, "--format", "markdown")
        let updates = plan.output.components(separatedBy: "| `Book ").count - 1
        #expect(plan.output.utf8.count < 60_000 && plan.output.utf8.count > 58_000, "\(plan.output.utf8.count)")
        #expect(plan.output.contains("<summary>3,000 to update in books</summary>"), "\(plan.output.prefix(900))")
        #expect(plan.output.contains("<summary>1,000 to delete from books: gone from the source</summary>"))
        #expect(plan.output.contains("`Book 3001`") && updates > 400, "\(updates)")
        // What a list leaves out and what it has are all that there are.
        for (head, count) in [("3,000 to update", 3_000), ("1,000 to delete", 1_000)] {
            let part = try #require(
                plan.output.components(separatedBy: head).last?.components(separatedBy: "</details>").first)
            let more = try #require(part.firstMatch(of: #/… and ([0-9,]+) more\./#))
            let listed = part.components(separatedBy: "| `Book ").count - 1
            #expect(listed + (Int(more.1.replacing(",", with: "")) ?? 0) == count, "\(head) \(listed) \(more.1)")
        }
    }

    /// A document with more parts than have room keeps the counts, shortened, and what needs a person, and says what is left out.
    @Test(arguments: [(2_000, 80), (3_000, 80), (6_000, 80), (20_000, 80), (60_000, 3)])
    func aDocumentIsShortenedAndNotEmptied(_ most: Int, _ entities: Int) throws {
        let shop = try Workshop()
        let names = (1...entities).map { "Entity\($0)" }
        try shop.write(
            """
            version: 1
            name: many
            source: {base_url: "file:."}
            entities:
            \(names.map { "  \($0): {table: \($0.lowercased()), primary_key: id, fields: {id: int, n: int}}" }.joined(separator: "\n"))
            streams:
            \(names.map { "  - {name: \($0.lowercased()), entity: \($0), path: records.json}" }.joined(separator: "\n"))
            """, to: "shop.yaml")
        try shop.write(#"[{"id":1,"n":1},{"id":2,"n":"two"}]"#, to: "records.json")
        let plan = shop.sluice("plan", shop.pipeline, "--format", "markdown", "--max-bytes", "\(most)")
        let text = plan.output
        #expect(plan.code == 0 && text.utf8.count <= most, "\(text.utf8.count) \(plan.errors)")
        #expect(text.contains("| `Entity1` | 1 | 1 |"), "\(text)")
        #expect(text.contains("| `/n` | `\"two\"` |"), "\(text)")
        let isCut = text.contains("Not everything is listed")
        #expect(isCut == text.contains(", for which there is no room."), "\(text.suffix(900))")
        #expect(isCut == (entities > 3), "\(text.suffix(900))")
        // The room is used.
        #expect(!isCut || text.utf8.count > (most - 600) * 2 / 3, "\(text.utf8.count) of \(most)")
        if most < 6_000 {
            let rows = text.components(separatedBy: "| `Entity").count
            let more = try #require(text.firstMatch(of: #/… and ([0-9]+) more entities\./#), "\(text)")
            #expect((Int(more.1) ?? 0) < entities && rows > 3, "\(text)")
        }
    }

    @Test(arguments: [
        (
            ["--max-bytes", "1999", "--format", "markdown"],
            "The option `--max-bytes` needs a whole number, 2000 or more, and got `1999`."
        ),
        (["--max-bytes", "4000"], "`--max-bytes` does not go with `--format text`."),
        (["--max-bytes", "4000", "--format", "html"], "`--max-bytes` does not go with `--format html`."),
    ])
    func aLimitThatMeansNothingIsRefused(_ options: [String], _ words: String) throws {
        let shop = try Workshop()
        try shop.writePipeline()
        try shop.write("[]", to: "books.json")
        let plan = shop.sluice(["plan", shop.pipeline] + options)
        #expect(plan.code == 64 && plan.errors.contains(words), "\(plan)")
    }

    /// The signs of a sentence around a word that is code stand outside.
    @Test func signsOfASentenceAreNoCode() throws {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "http://127.0.0.1:9"}
            entities: {Book: {table: books, primary_key: id, fields: {id: int}}}
            streams: [{name: books, entity: Book, path: /books}]
            """, to: "shop.yaml")
        try shop.write(#"{"format":"sluice.recording/1","pipeline":"shop","status":"complete"}"#, to: "recording.json")
        let plan = shop.sluice("plan", shop.pipeline, "--replay", shop.folder, "--format", "markdown")
        #expect(plan.output.contains("GET `http://127.0.0.1:9/books`: "), "\(plan.output)")
    }

    @Test(arguments: hostile)
    func aSheetHasARowForEachField(title: String) throws {
        let shop = try shop(title)
        let plan = shop.sluice("plan", shop.pipeline, "--format", "csv")
        #expect(plan.code == 0, "\(plan.errors)")
        let rows = Self.rows(plan.output)
        let head = try #require(rows.first)
        #expect(rows.allSatisfy { $0.count == head.count }, "\(plan.output)")
        let named = rows.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(head, $0)) }
        func titles(_ action: String) -> [[String: String]] {
            named.filter { $0["action"] == action && $0["field"] == "title" }
        }
        #expect(titles("insert").map { $0["key"] } == [#"{"id":4}"#], "\(plan.output)")
        #expect(titles("delete").map { $0["key"] } == [#"{"id":3}"#], "\(plan.output)")
        #expect(titles("update").map { $0["local"] } == ["two"], "\(plan.output)")
        #expect(titles("conflict").map { $0["local"] } == ["mine"], "\(plan.output)")
        #expect(named.filter { $0["action"] == "quarantine" }.map { $0["kind"] } == ["missing_value"], "\(plan.output)")
        // A spreadsheet takes what begins so for a formula.
        #expect(!rows.joined().contains { cell in ["=", "+", "@"].contains { cell.hasPrefix($0) } }, "\(plan.output)")
    }

    /// The rows of a text as RFC 4180 says it.
    private static func rows(_ text: String) -> [[String]] {
        var rows: [[String]] = []
        var (row, cell): ([String], [UInt8]) = ([], [])
        var isQuoted = false
        var bytes = Array(text.utf8)[...]
        func string(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
        while let byte = bytes.popFirst() {
            switch byte {
            case UInt8(ascii: "\""):
                if isQuoted, bytes.first == byte { cell.append(bytes.removeFirst()) } else { isQuoted.toggle() }
            case UInt8(ascii: ",") where !isQuoted:
                row.append(string(cell))
                cell = []
            case UInt8(ascii: "\n") where !isQuoted:
                rows.append(row + [string(cell.last == 13 ? cell.dropLast() : cell)])
                (row, cell) = ([], [])
            default: cell.append(byte)
            }
        }
        return rows
    }
}

extension String {
    /// A JSON text.
    fileprivate var inJSON: String {
        var text = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case _ where scalar.value < 32:
                text += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}
