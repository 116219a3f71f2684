internal import SluiceModel
internal import SluiceSQLStore

/// How a table that others made keeps the values of a type, where that is not as this program would.
///
/// Django, SQLAlchemy, Rails and Prisma keep times, decimals and UUIDs in ways of their own, in columns whose types are
/// no types of SQLite. What they wrote is read as the value that it means, and written so that they read it as the same.
enum ColumnForm: String, Sendable, StoredForm {
    /// As in a table of ours.
    case own
    /// A number, as SQLite makes one of text in a column such as `DECIMAL(10,2)`. See: sqlite.org/datatype3.html, 3
    case number
    /// A double, of which such a column makes a whole number where it is one.
    case real
    /// 32 hexadecimal digits.
    case hexadecimal = "hex"
    /// The same in a column such as `UUID`, which SQLite takes for one of numbers: it makes a number of digits that look like one.
    case hexadecimalAmongNumbers = "hex_number"
    /// `2024-01-31 12:00:00`, with six digits of a fraction where it is not zero: Django.
    case spaced
    /// `2024-01-31 12:00:00.000000`: SQLAlchemy, Rails.
    case spacedMicroseconds = "spaced_us"
    /// Milliseconds since 1970: Prisma.
    case milliseconds = "unix_ms"
    /// Seconds since 1970.
    case seconds = "unix"

    /// The value that something stored means; what means none in this form stays as it is.
    func canonical(_ value: FieldValue) -> FieldValue {
        switch (self, value) {
        case (.own, _): value
        case (.number, .integer(let number)): FieldValue(String(number))
        case (.number, .real(let number)) where number.isFinite: FieldValue("\(number)")
        case (.real, .integer(let number)): Double(exactly: number).map { .real($0) } ?? value
        case (.hexadecimal, .text(let text)), (.hexadecimalAmongNumbers, .text(let text)):
            UUIDText.hyphenated(text).map { .text($0) } ?? value
        case (.milliseconds, .integer(let number)): StoredTime(count: number, perSecond: 1000).map(\.value) ?? value
        case (.seconds, .integer(let number)): StoredTime(count: number, perSecond: 1).map(\.value) ?? value
        case (.spaced, .text(let text)), (.spacedMicroseconds, .text(let text)), (.milliseconds, .text(let text)),
            (.seconds, .text(let text)):
            StoredTime(text).map(\.value) ?? value
        default: value
        }
    }

    /// What is stored for a value; nil where this form cannot hold it.
    func stored(_ value: FieldValue) -> FieldValue? {
        guard case .text(let text) = value else { return value }
        switch self {
        case .own, .real: return value
        case .number: return NumberText.isHeld(text) ? value : nil
        case .hexadecimal: return .text(UUIDText.plain(text))
        case .hexadecimalAmongNumbers:
            let digits = UUIDText.plain(text)
            return UUIDText.isNumber(digits) ? nil : .text(digits)
        case .spaced, .spacedMicroseconds:
            // A value that is no time is one that somebody wrote.
            guard let time = StoredTime(text) else { return value }
            return time.spaced(hasAllDigits: self == .spacedMicroseconds).map { .text($0) }
        case .milliseconds: return StoredTime(text).map { $0.count(perSecond: 1000).map { .integer($0) } } ?? value
        case .seconds: return StoredTime(text).map { $0.count(perSecond: 1).map { .integer($0) } } ?? value
        }
    }

    /// An expression for something stored in this form, of one for the value.
    func stored(expression: String) -> String {
        switch self {
        case .hexadecimal, .hexadecimalAmongNumbers: "replace(\(expression), '-', '')"
        default: expression
        }
    }

    /// Whether it is that of a table of ours.
    var isOwn: Bool { self == .own }

    var comparesValues: Bool { self == .own }

    /// What it keeps at most, for a message.
    var limit: String {
        switch self {
        case .own, .real, .hexadecimal: "everything"
        case .hexadecimalAmongNumbers: "UUIDs that are no number without their hyphens"
        case .number: "at most 15 digits of a number, or 64 bits of a whole number"
        case .spaced, .spacedMicroseconds: "times to the microsecond"
        case .milliseconds: "times to the millisecond"
        case .seconds: "times to the second"
        }
    }
}

/// UUIDs with hyphens and without.
enum UUIDText {
    /// The text of 32 hexadecimal digits with hyphens, in lower case; nil where it is something else.
    static func hyphenated(_ text: [UInt8]) -> [UInt8]? {
        guard text.count == 32, text.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
        var result: [UInt8] = []
        for (index, byte) in text.enumerated() {
            if [8, 12, 16, 20].contains(index) { result.append(UInt8(ascii: "-")) }
            result.append(byte > UInt8(ascii: "9") ? byte | 0x20 : byte)
        }
        return result
    }

    /// The text of a UUID without its hyphens; another text as it is.
    static func plain(_ text: [UInt8]) -> [UInt8] {
        let digits = text.filter { $0 != UInt8(ascii: "-") }
        return hyphenated(digits) == text ? digits : text
    }

    /// Whether hexadecimal digits are a number as well: decimal ones, with an exponent or without.
    static func isNumber(_ digits: [UInt8]) -> Bool {
        let parts = digits.split(separator: UInt8(ascii: "e"), omittingEmptySubsequences: false)
        return parts.count <= 2
            && parts.allSatisfy { part in
                !part.isEmpty && part.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
            }
    }
}

/// Numbers as columns of numbers keep them.
private enum NumberText {
    /// Whether SQLite keeps all of a text that it may make a number of.
    static func isHeld(_ text: [UInt8]) -> Bool {
        guard let first = text.first, first == UInt8(ascii: "-") || isDigit(first) else { return true }
        let string = String(decoding: text, as: UTF8.self)
        if Int64(string) != nil { return true }
        // JSON that only begins like a number does not occur.
        guard let number = Double(string), number.isFinite else { return false }
        let digits = text.prefix { $0 | 0x20 != UInt8(ascii: "e") }.filter(isDigit)
        let significant = digits.drop { $0 == UInt8(ascii: "0") }
        let zeros = significant.reversed().prefix { $0 == UInt8(ascii: "0") }.count
        return significant.count - zeros <= 15 && (number != 0 || significant.isEmpty)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
}
