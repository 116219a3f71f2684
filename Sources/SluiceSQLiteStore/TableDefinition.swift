internal import SluiceModel
package import SluiceSQLStore

/// The statement that made a table, so that it can be made anew with all that people said in it.
///
///     CREATE TABLE "books" ("id" INTEGER PRIMARY KEY, "isbn" TEXT CHECK (isbn <> ''), FOREIGN KEY …) STRICT
///                           └ column                  └ column                        └ constraint    └ tail
package struct TableDefinition {
    fileprivate struct Part {
        var words: [Word]
        /// The column's name; nil for a constraint of the table.
        var column: String?
    }

    private var parts: [Part]
    private let tail: String

    /// Reads a statement; nil where it is none that makes a table of columns.
    package init?(_ sql: String) {
        let words = Word.all(in: sql)
        guard let open = words.firstIndex(where: { $0.text == "(" }),
            let close = Self.end(of: open, in: words)
        else { return nil }
        let rest = Word.text(words[(close + 1)...])
        tail = rest.isEmpty ? "" : " " + rest
        parts = []
        var start = open + 1
        var depth = 0
        for index in (open + 1)...close {
            if words[index].text == "(" { depth += 1 }
            if words[index].text == ")" && index < close { depth -= 1 }
            guard index == close || words[index].text == "," && depth == 0 else { continue }
            let own = Array(words[start..<index])
            start = index + 1
            guard let first = own.first else { return nil }
            let isConstraint = ["CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"].contains(first.keyword)
            parts.append(Part(words: own, column: isConstraint ? nil : first.name))
        }
    }

    private static func end(of open: Int, in words: [Word]) -> Int? {
        var depth = 0
        for index in open..<words.count {
            if words[index].text == "(" { depth += 1 }
            if words[index].text == ")" {
                depth -= 1
                if depth == 0 { return index }
            }
        }
        return nil
    }

    /// The statement for a table that a revision makes of this one.
    ///
    /// - Parameters:
    ///   - revision: What changes.
    ///   - name: The table's name.
    /// - Returns: The statement.
    package func statement(_ revision: TableRevision, as name: String) -> String {
        var definitions: [String] = []
        var hasKey = false
        for column in revision.ordered(parts.compactMap(\.column)) {
            guard let part = parts.first(where: { $0.column == column }), let now = revision.name(of: column) else {
                continue
            }
            var words = part.words
            if now != column { words[0] = Word(text: SQLText.quoted(now), gap: "") }
            if revision.releases([column]) { Self.removeReference(from: &words) }
            if let key = revision.key {
                let isKey = key.contains { ColumnName.areSame($0, now) }
                let wasKey =
                    Self.remove(["PRIMARY", "KEY"], from: &words)
                    || keyColumns.contains { ColumnName.areSame($0, column) }
                if isKey || wasKey { Self.remove(["NOT", "NULL"], from: &words) }
                // A whole number alone is the row's own number, as in a table that is made with this key.
                if isKey && key.count == 1 && isRowNumber(words) {
                    words.insert(contentsOf: [Word(text: "PRIMARY", gap: " "), Word(text: "KEY", gap: " ")], at: 2)
                    hasKey = true
                } else if isKey {
                    words += [Word(text: "NOT", gap: " "), Word(text: "NULL", gap: " ")]
                }
            }
            definitions.append(Word.text(words[...]))
        }
        for part in parts.filter({ $0.column == nil }) {
            let kind = part.kind
            if kind == "PRIMARY" && revision.key != nil { continue }
            // What a constraint says of columns that go is void.
            if kind == "FOREIGN" && revision.releases(part.listed) { continue }
            if kind == "UNIQUE" && part.listed.contains(where: { !revision.has($0) }) { continue }
            definitions.append(Word.text(part.words[...]))
        }
        if let key = revision.key, !hasKey { definitions.append("PRIMARY KEY (\(SQLText.list(key)))") }
        definitions += revision.foreignKeys
        return
            "CREATE TABLE \(SQLText.quoted(name)) (\(definitions.joined(separator: ", ")))\(tail)"
    }

    /// Whether a column of this definition would be the row's own number if it were the key.
    private func isRowNumber(_ column: [Word]) -> Bool {
        guard column.count > 1, column[1].keyword == "INTEGER", !tail.uppercased().contains("WITHOUT") else {
            return false
        }
        // A type may have several words.
        let rest = column.count > 2 ? column[2].keyword : "CHECK"
        return ["CONSTRAINT", "UNIQUE", "CHECK", "DEFAULT", "COLLATE", "REFERENCES", "NOT"].contains(rest)
    }

    /// Whether its key of numbers gives none twice, also where rows are gone.
    package var neverGivesNumbersAgain: Bool {
        parts.contains { part in part.column != nil && part.words.contains { $0.keyword == "AUTOINCREMENT" } }
    }

    /// The CHECK rules, of columns and of the table.
    package var checks: [SQLCheck] {
        parts.flatMap { part -> [SQLCheck] in
            var (found, depth): ([SQLCheck], Int) = ([], 0)
            for (index, word) in part.words.enumerated() {
                if word.text == "(" { depth += 1 }
                if word.text == ")" { depth -= 1 }
                guard depth == 0, word.keyword == "CHECK", index + 1 < part.words.count,
                    let end = Self.end(of: index + 1, in: part.words)
                else { continue }
                let isNamed = index >= 2 && part.words[index - 2].keyword == "CONSTRAINT"
                found.append(
                    SQLCheck(
                        name: isNamed ? part.words[index - 1].name : nil,
                        text: Word.text(part.words[(index + 2)..<end])))
            }
            return found
        }
    }

    /// The columns of a key that stands beside the columns.
    private var keyColumns: [String] { parts.first { $0.column == nil && $0.kind == "PRIMARY" }?.listed ?? [] }

    /// Takes the foreign key of a column out.
    private static func removeReference(from words: inout [Word]) {
        guard let found = words.indices.dropFirst().first(where: { words[$0].keyword == "REFERENCES" }) else { return }
        let start = found >= 3 && words[found - 2].keyword == "CONSTRAINT" ? found - 2 : found
        var end = found + 1
        var depth = 0
        while end < words.count {
            let word = words[end].keyword
            if word == "(" { depth += 1 }
            if word == ")" { depth -= 1 }
            let isNext =
                ["CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "COLLATE", "GENERATED", "AS"].contains(word)
                || word == "DEFAULT" && words[end - 1].keyword != "SET"
                || word == "NOT" && end + 1 < words.count && words[end + 1].keyword == "NULL"
            if depth == 0 && isNext { break }
            end += 1
        }
        words.removeSubrange(start..<end)
    }

    /// Takes a constraint of a column out, with its name and what follows it.
    @discardableResult
    private static func remove(_ constraint: [String], from words: inout [Word]) -> Bool {
        var depth = 0
        for index in words.indices {
            if words[index].text == "(" { depth += 1 }
            if words[index].text == ")" { depth -= 1 }
            guard depth == 0, index > 0, index + 1 < words.count, words[index].keyword == constraint[0],
                words[index + 1].keyword == constraint[1]
            else { continue }
            var start = index
            var end = index + 2
            if index >= 2, words[index - 2].keyword == "CONSTRAINT" { start = index - 2 }
            while end < words.count {
                if ["ASC", "DESC", "AUTOINCREMENT"].contains(words[end].keyword) {
                    end += 1
                } else if words[end].keyword == "ON", end + 2 < words.count, words[end + 1].keyword == "CONFLICT" {
                    end += 3
                } else {
                    break
                }
            }
            words.removeSubrange(start..<end)
            return true
        }
        return false
    }
}

extension TableDefinition.Part {
    /// The first word of a constraint, behind its name.
    fileprivate var kind: String {
        words.first?.keyword == "CONSTRAINT" && words.count > 2 ? words[2].keyword : words.first?.keyword ?? ""
    }

    /// The columns in a constraint's first parentheses.
    fileprivate var listed: [String] {
        guard let open = words.firstIndex(where: { $0.text == "(" }) else { return [] }
        var names: [String] = []
        var isFirst = true
        for word in words[(open + 1)...] {
            if word.text == ")" { break }
            if isFirst { names.append(word.name) }
            isFirst = word.text == ","
        }
        return names
    }
}

/// A word, name, number, text or sign of SQL, with the gap before it.
private struct Word {
    let text: String
    /// Blanks and comments before it.
    let gap: String

    var keyword: String { text.uppercased() }

    /// The name that it says, without quotes.
    var name: String {
        let bytes = Array(text.utf8)
        guard bytes.count >= 2, let first = bytes.first else { return text }
        if first == UInt8(ascii: "[") { return String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self) }
        guard Self.quotes.contains(first) else { return text }
        let quote = String(UnicodeScalar(first))
        return String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self).replacing(quote + quote, with: quote)
    }

    /// The words as they stand in the statement, without the gap before the first.
    static func text(_ words: ArraySlice<Word>) -> String {
        words.enumerated().map { ($0 == 0 ? "" : $1.gap) + $1.text }.joined()
    }

    private static let quotes: [UInt8] = [UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`")]

    /// The words of a statement.
    static func all(in sql: String) -> [Word] {
        let bytes = Array(sql.utf8)
        var words: [Word] = []
        var gapStart = 0
        var index = 0
        func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        while index < bytes.count {
            let byte = bytes[index]
            if byte <= 0x20 {
                index += 1
                continue
            }
            if byte == UInt8(ascii: "-"), index + 1 < bytes.count, bytes[index + 1] == byte {
                while index < bytes.count, bytes[index] != 0x0A { index += 1 }
                continue
            }
            if byte == UInt8(ascii: "/"), index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "*") {
                index += 2
                while index < bytes.count, !(bytes[index] == UInt8(ascii: "/") && bytes[index - 1] == UInt8(ascii: "*"))
                {
                    index += 1
                }
                index += 1
                continue
            }
            let start = index
            if quotes.contains(byte) {
                index += 1
                while index < bytes.count {
                    if bytes[index] == byte {
                        if index + 1 < bytes.count, bytes[index + 1] == byte {
                            index += 2
                            continue
                        }
                        break
                    }
                    index += 1
                }
                index += 1
            } else if byte == UInt8(ascii: "[") {
                while index < bytes.count, bytes[index] != UInt8(ascii: "]") { index += 1 }
                index += 1
            } else if isOfWord(byte) {
                while index < bytes.count, isOfWord(bytes[index]) { index += 1 }
            } else {
                index += 1
            }
            index = min(index, bytes.count)
            words.append(Word(text: text(start..<index), gap: text(gapStart..<start)))
            gapStart = index
        }
        return words
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
