internal import SluiceModel

/// A CHECK rule of a table.
package struct SQLCheck: Sendable, Equatable {
    /// Its name; nil where the table gives none.
    package let name: String?
    /// What stands within its parentheses.
    package let text: String
    /// Whether it names nothing that people made beside the table, such as a function.
    package let isPortable: Bool

    /// Makes a rule.
    package init(name: String?, text: String, isPortable: Bool = true) {
        (self.name, self.text, self.isPortable) = (name, text, isPortable)
    }
}

/// A CHECK rule whose words mean the same in every kind of database, written so that each takes them.
///
///     (price > 0 OR kind IN ('gift', 'sample')) AND length(name) BETWEEN 1 AND 80
///     ((status)::text = ANY ((ARRAY['new'::character varying, 'done'::character varying])::text[]))
///
/// What compares values of two types, orders texts or calls a function but `length` is none: databases compare and order them
/// in ways of their own.
struct CheckRule: Equatable {
    /// The rule.
    let sql: String

    /// Reads a rule; nil where it may mean something else elsewhere.
    ///
    /// - Parameters:
    ///   - text: What stands within its parentheses.
    ///   - columns: The columns whose values every kind of database keeps alike, with their types.
    init?(_ text: String, columns: [(name: String, type: FieldType)]) {
        guard let words = CheckWord.all(in: text) else { return nil }
        var reader = CheckReader(words: words, columns: columns)
        guard let sql = reader.rule(), reader.isAtEnd else { return nil }
        self.sql = sql
    }
}

/// A word of a rule.
private enum CheckWord: Equatable {
    /// A name or keyword without quotes, as it stands.
    case plain(String)
    /// A name in quotes, without them.
    case quoted(String)
    /// A text, without its quotes.
    case text(String)
    case number(String)
    case sign(String)

    /// All words of a rule; nil where one is of no kind that is known.
    static func all(in sql: String) -> [CheckWord]? {
        let bytes = Array(sql.utf8)
        var words: [CheckWord] = []
        var index = 0
        func isLetter(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: "_") || byte >= 0x80
                || (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z"))
        }
        func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
        func word(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        /// What stands between quotes, which are written twice within.
        func unquoted(_ quote: UInt8) -> String? {
            var found: [UInt8] = []
            index += 1
            while index < bytes.count {
                if bytes[index] == quote {
                    index += 1
                    guard index < bytes.count, bytes[index] == quote else {
                        return String(decoding: found, as: UTF8.self)
                    }
                }
                found.append(bytes[index])
                index += 1
            }
            return nil
        }
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case 0...0x20: index += 1
            case UInt8(ascii: "'"):
                guard let text = unquoted(byte) else { return nil }
                words.append(.text(text))
            case UInt8(ascii: "\""), UInt8(ascii: "`"):
                guard let name = unquoted(byte) else { return nil }
                words.append(.quoted(name))
            case _ where isDigit(byte):
                let start = index
                while index < bytes.count, isDigit(bytes[index]) || bytes[index] == UInt8(ascii: ".") {
                    index += 1
                }
                // Numbers of other forms are not written alike.
                if index < bytes.count, isLetter(bytes[index]) { return nil }
                let number = word(start..<index)
                guard Double(number) != nil, !number.hasSuffix(".") else { return nil }
                words.append(.number(number))
            case _ where isLetter(byte):
                let start = index
                while index < bytes.count, isLetter(bytes[index]) || isDigit(bytes[index]) { index += 1 }
                words.append(.plain(word(start..<index)))
            default:
                let two = index + 1 < bytes.count ? word(index..<index + 2) : ""
                if ["<=", ">=", "<>", "!=", "==", "::"].contains(two) {
                    words.append(.sign(two))
                    index += 2
                } else if "()[],=<>-".utf8.contains(byte), two != "--" {
                    words.append(.sign(word(index..<index + 1)))
                    index += 1
                } else {
                    return nil
                }
            }
        }
        return words
    }
}

/// Reads a rule word by word, from what binds least to what binds most.
private struct CheckReader {
    /// How values are compared.
    private enum Kind { case number, text, date, any }

    /// A value that is compared.
    private struct Operand {
        var sql: String
        var kind: Kind
        /// Whether it is one and the same for all rows.
        var isFixed = false
    }

    private let words: [CheckWord]
    private let columns: [(name: String, type: FieldType)]
    private var index = 0

    init(words: [CheckWord], columns: [(name: String, type: FieldType)]) {
        (self.words, self.columns) = (words, columns)
    }

    var isAtEnd: Bool { index == words.count }

    // MARK: Words

    private mutating func takes(_ sign: String) -> Bool {
        guard index < words.count, words[index] == .sign(sign) else { return false }
        index += 1
        return true
    }

    private mutating func takes(keyword: String) -> Bool {
        guard index < words.count, case .plain(let word) = words[index], word.uppercased() == keyword
        else { return false }
        index += 1
        return true
    }

    /// Takes what a body reads, or nothing.
    private mutating func attempt<Value>(_ body: (inout CheckReader) -> Value?) -> Value? {
        let start = index
        if let value = body(&self) { return value }
        index = start
        return nil
    }

    // MARK: Rules

    mutating func rule() -> String? {
        guard var sql = conjunction() else { return nil }
        while takes(keyword: "OR") {
            guard let next = conjunction() else { return nil }
            sql = "(\(sql) OR \(next))"
        }
        return sql
    }

    private mutating func conjunction() -> String? {
        guard var sql = negation() else { return nil }
        while takes(keyword: "AND") {
            guard let next = negation() else { return nil }
            sql = "(\(sql) AND \(next))"
        }
        return sql
    }

    private mutating func negation() -> String? {
        if takes(keyword: "NOT") { return negation().map { "NOT (\($0))" } }
        let nested = attempt { reader -> String? in
            guard reader.takes("("), let sql = reader.rule(), reader.takes(")") else { return nil }
            return sql
        }
        return nested ?? comparison()
    }

    private mutating func comparison() -> String? {
        guard let left = operand() else { return nil }
        if takes(keyword: "IS") {
            let isNot = takes(keyword: "NOT")
            guard takes(keyword: "NULL"), !left.isFixed else { return nil }
            return "\(left.sql) IS \(isNot ? "NOT " : "")NULL"
        }
        let isNot = takes(keyword: "NOT")
        if takes(keyword: "IN") {
            guard takes("("), let list = list(until: ")", like: left) else { return nil }
            return "\(left.sql) \(isNot ? "NOT " : "")IN (\(list))"
        }
        if takes(keyword: "BETWEEN") {
            guard let low = operand(), takes(keyword: "AND"), let high = operand(), left.kind != .text,
                let from = compared(left, low), let to = compared(left, high)
            else { return nil }
            return "\(from.left) \(isNot ? "NOT " : "")BETWEEN \(from.right) AND \(to.right)"
        }
        if isNot { return nil }
        let signs = [
            "=": "=", "==": "=", "<>": "<>", "!=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">=",
        ]
        guard index < words.count, case .sign(let word) = words[index], let sign = signs[word] else {
            return nil
        }
        index += 1
        // How PostgreSQL keeps a list.
        let isAny = sign == "=" && takes(keyword: "ANY")
        if isAny || sign == "<>" && takes(keyword: "ALL") {
            guard takes("("), let list = array(like: left), takes(")") else { return nil }
            return "\(left.sql) \(isAny ? "" : "NOT ")IN (\(list))"
        }
        guard let right = operand(), let both = compared(left, right) else { return nil }
        let kinds = [left.kind, right.kind]
        // Texts are in another order elsewhere.
        if kinds.contains(.text), !kinds.contains(.date), sign != "=", sign != "<>" { return nil }
        return "\(both.left) \(sign) \(both.right)"
    }

    /// Two values as they are compared; nil where databases may compare them in different ways.
    private func compared(_ left: Operand, _ right: Operand) -> (left: String, right: String)? {
        if left.isFixed && right.isFixed { return nil }
        switch (left.kind, right.kind) {
        case (.number, .number), (.text, .text): return (left.sql, right.sql)
        case (.date, .date): return (left.sql, right.sql)
        case (.date, .text):
            return right.isFixed && Self.isDate(right.sql) ? (left.sql, right.sql) : nil
        case (.text, .date): return left.isFixed && Self.isDate(left.sql) ? (left.sql, right.sql) : nil
        default: return nil
        }
    }

    private static func isDate(_ sql: String) -> Bool {
        Timestamp(stored: Array(sql.dropFirst().dropLast().utf8)) != nil && sql.count == 12
    }

    private mutating func list(until end: String, like left: Operand) -> String? {
        var values: [String] = []
        repeat {
            guard let value = operand(), value.isFixed, let both = compared(left, value) else {
                return nil
            }
            values.append(both.right)
        } while takes(",")
        return takes(end) ? values.joined(separator: ", ") : nil
    }

    /// `(ARRAY['a'::character varying, 'b'::character varying])::text[]`, with or without the parentheses and the types.
    private mutating func array(like left: Operand) -> String? {
        if takes("(") {
            guard let list = array(like: left), takes(")"), skipsTypes(.any) else { return nil }
            return list
        }
        guard takes(keyword: "ARRAY"), takes("["), let list = list(until: "]", like: left),
            skipsTypes(.any)
        else {
            return nil
        }
        return list
    }

    // MARK: Values

    private mutating func operand() -> Operand? {
        guard let value = value(), skipsTypes(value.kind) else { return nil }
        return value
    }

    private mutating func value() -> Operand? {
        if takes("(") {
            guard let value = operand(), takes(")") else { return nil }
            return value
        }
        if takes("-") {
            guard let value = value(), value.isFixed, value.kind == .number else { return nil }
            return Operand(sql: "-" + value.sql, kind: .number, isFixed: true)
        }
        guard index < words.count else { return nil }
        let word = words[index]
        index += 1
        switch word {
        case .number(let number): return Operand(sql: number, kind: .number, isFixed: true)
        case .text(let text): return Operand(sql: SQLText.literal(text), kind: .text, isFixed: true)
        case .quoted(let name): return column(name)
        case .plain(let name):
            if ["LENGTH", "CHAR_LENGTH", "CHARACTER_LENGTH"].contains(name.uppercased()), takes("(") {
                guard let value = operand(), value.kind == .text, !value.isFixed, takes(")") else {
                    return nil
                }
                return Operand(sql: "length(\(value.sql))", kind: .number)
            }
            return column(name)
        case .sign: return nil
        }
    }

    private func column(_ name: String) -> Operand? {
        guard let column = columns.first(where: { ColumnName.areSame($0.name, name) }) else {
            return nil
        }
        let kind: Kind =
            switch column.type {
            case .int, .double: .number
            case .string, .enumeration, .url: .text
            case .date: .date
            default: .any
            }
        return Operand(sql: SQLText.quoted(column.name), kind: kind)
    }

    /// Passes over the types that PostgreSQL writes behind values, where they change nothing.
    private mutating func skipsTypes(_ kind: Kind) -> Bool {
        while takes("::") {
            guard index < words.count, case .plain(let first) = words[index] else { return false }
            index += 1
            var name = first.lowercased()
            if name == "character" || name == "double" {
                guard index < words.count, case .plain(let second) = words[index] else { return false }
                index += 1
                name += " " + second.lowercased()
            }
            if takes("["), !takes("]") { return false }
            let known: [String]
            switch kind {
            case .number: known = ["integer", "bigint", "double precision", "numeric"]
            case .text: known = ["text", "character varying", "date"]
            case .date: known = ["date"]
            case .any:
                known = ["text", "character varying", "integer", "bigint", "double precision", "date"]
            }
            if !known.contains(name) { return false }
        }
        return true
    }
}
