internal import SluiceDiagnostics
internal import SluiceJSON
internal import SluiceModel
internal import SluicePostgres

/// The type of a column as far as this program knows how to fill it.
struct PostgresColumnType: Sendable {
    /// How values go in and out.
    enum Form: Sendable {
        case int(ClosedRange<Int64>)
        case double
        case real
        /// Digits behind the point that it keeps; nil for all.
        case numeric(scale: Int?)
        case bool
        case text
        case uuid
        /// Digits of a second's fraction that it keeps.
        case timestamp(digits: Int)
        case date
        case bytes
        case jsonb
        /// JSON as it was written.
        case json
        /// What PostgreSQL itself reads from text, and writes as text.
        case other
    }

    let form: Form
    /// The type's name as statements say it, without modifiers.
    let name: String
    /// The collation as statements say it; nil where the type has none.
    let collation: String?

    /// The type by which values are sent.
    var parameter: PostgresType {
        switch form {
        case .int: .int8
        case .double, .real: .float8
        case .numeric: .numeric
        case .bool: .bool
        case .text, .json, .other: .text
        case .uuid: .uuid
        case .timestamp: .timestamptz
        case .date: .date
        case .bytes: .bytea
        case .jsonb: .jsonb
        }
    }

    /// Whether `COPY` takes values as they are sent.
    var isNative: Bool {
        switch form {
        case .int: name == "bigint"
        case .double: name == "double precision"
        case .numeric: name == "numeric"
        case .text: name == "text" || name == "character varying"
        case .timestamp(let digits): digits == 6 && name == "timestamp with time zone"
        case .bool, .uuid, .date, .bytes, .jsonb: true
        case .real, .json, .other: false
        }
    }

    /// An expression of a value that is sent, as the column takes it.
    func assigned(_ expression: String) -> String {
        switch form {
        case .json, .other: "CAST(\(expression) AS \(name))"
        default: expression
        }
    }

    /// An expression of the column whose values this program reads.
    func read(_ column: String) -> String {
        // As text, `bpchar` has no blanks at its end.
        if case .other = form, name != "bpchar" { return "CAST(\(column) AS text)" }
        return column
    }

    /// An expression of a column that nothing but people fills: as it was written, where reading would change that.
    func readAsWritten(_ column: String) -> String {
        if case .json = form { return "CAST(\(column) AS text)" }
        return read(column)
    }

    /// What it keeps, for a message.
    var limit: String {
        switch form {
        case .int(let range): "whole numbers from \(range.lowerBound) to \(range.upperBound)"
        case .double: "doubles"
        case .real: "numbers of single precision"
        case .numeric(let scale?): "numbers with \(scale) digits behind the point"
        case .numeric(nil):
            "numbers with at most \(PostgresNumeric.maximumDigits) digits before the point and \(PostgresNumeric.maximumScale) behind it"
        case .bool: "true and false"
        case .text, .other: "text without NUL"
        case .uuid: "UUIDs"
        case .timestamp(6): "times to the microsecond"
        case .timestamp(let digits): "times with \(Plural.of(digits, "digit")) behind the second"
        case .date: "dates"
        case .bytes: "bytes"
        case .jsonb:
            "JSON without the character U+0000, with at most \(PostgresNumeric.maximumDigits) digits of a number before the point and \(PostgresNumeric.maximumScale) behind it"
        case .json: "JSON"
        }
    }

    /// What is done to a value that it does not keep, as the beginning of a sentence.
    var limitRemedy: String {
        switch form {
        case .text, .other: "Take that character out of"
        case .jsonb, .json: "Take that character or number out of"
        case .int, .double, .real, .numeric, .bool, .uuid, .timestamp, .date, .bytes: "Round or replace"
        }
    }

    // MARK: Values

    /// What is sent for a value; nil where the column cannot hold it without loss.
    func value(_ value: FieldValue) -> PostgresValue? {
        switch (form, value) {
        case (_, .null): return .null
        case (.int(let range), .integer(let number)): return range.contains(number) ? .integer(number) : nil
        case (.double, .real(let number)): return .double(number)
        case (.double, .integer(let number)): return Double(exactly: number).map { .double($0) }
        case (.real, .real(let number)): return Double(Float(number)) == number || number.isNaN ? .double(number) : nil
        case (.numeric(let scale), .text(let text)): return Self.numeric(text, scale: scale)
        case (.numeric(let scale), .integer(let number)): return Self.numeric(Array(String(number).utf8), scale: scale)
        case (.bool, .integer(let number)): return number == 0 || number == 1 ? .bool(number == 1) : nil
        case (.text, .text(let text)), (.other, .text(let text)): return text.contains(0) ? nil : .text(text)
        case (.other, .integer(let number)): return .text(Array(String(number).utf8))
        case (.other, .real(let number)): return .text(Array("\(number)".utf8))
        case (.uuid, .text(let text)): return Self.uuid(text).map { .uuid($0) }
        case (.timestamp(let digits), .text(let text)):
            let moment = Self.timestamp(text[...], digits: digits)
            // One that RFC 3339 writes, and the column would round, is none of the others.
            let other = moment == nil && Self.timestamp(text) == nil ? PostgresTimestamp(unwritable: text) : nil
            return (moment ?? other).map { .timestamp($0) }
        case (.date, .text(let text)): return (Self.date(text) ?? PostgresDate(unwritable: text)).map { .date($0) }
        case (.bytes, .blob(let bytes)): return .bytes(bytes)
        case (.jsonb, .text(let text)): return Self.isHeld(json: text) ? .json(text) : nil
        case (.json, .text(let text)): return .text(text)
        default: return nil
        }
    }

    private static func numeric(_ text: [UInt8], scale: Int?) -> PostgresValue? {
        guard let number = PostgresNumeric(text: text) else {
            let beyond = [PostgresNumeric.notANumber] + (scale == nil ? [.infinity, .minusInfinity] : [])
            return beyond.first { $0.text == text }.map { .numeric($0) }
        }
        if let scale {
            let fraction = text.firstIndex(of: UInt8(ascii: ".")).map { text[($0 + 1)...] } ?? []
            let significant = fraction.count - fraction.reversed().prefix { $0 == UInt8(ascii: "0") }.count
            if significant > scale { return nil }
        }
        return .numeric(number)
    }

    static func uuid(_ text: [UInt8]) -> PostgresUUID? {
        var words: [UInt64] = [0, 0]
        var count = 0
        for (index, byte) in text.enumerated() {
            if byte == UInt8(ascii: "-") {
                if ![8, 13, 18, 23].contains(index) { return nil }
                continue
            }
            guard let digit = hexadecimal(byte), count < 32 else { return nil }
            words[count / 16] = words[count / 16] << 4 | UInt64(digit)
            count += 1
        }
        return count == 32 && text.count == 36 ? PostgresUUID(high: words[0], low: words[1]) : nil
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        // What is written in capital letters would be given back in small ones.
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    static func timestamp(_ text: [UInt8]) -> PostgresTimestamp? { timestamp(text[...]) }

    /// A time as the database has it.
    ///
    /// - Parameters:
    ///   - text: The time as it is stored.
    ///   - digits: How many digits of a second's fraction are kept.
    /// - Returns: Nil where it is no time, or has further digits.
    static func timestamp(_ text: ArraySlice<UInt8>, digits: Int = 6) -> PostgresTimestamp? {
        guard let moment = Timestamp(stored: text), moment.fraction.count <= 6,
            moment.fraction.dropFirst(digits).allSatisfy({ $0 == UInt8(ascii: "0") })
        else { return nil }
        var microsecond = moment.fraction.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        for _ in moment.fraction.count..<6 { microsecond *= 10 }
        return PostgresTimestamp(secondsSince1970: moment.seconds, microsecond: microsecond)
    }

    private static func date(_ text: [UInt8]) -> PostgresDate? {
        guard text.count == 10, let moment = Timestamp(stored: text) else { return nil }
        let day = moment.seconds / 86_400 - (moment.seconds % 86_400 < 0 ? 1 : 0)
        return PostgresDate(daysSince1970: Int(day))
    }

    /// Whether a text is JSON that `jsonb` takes: it knows neither U+0000 nor halves of surrogate pairs, and numbers as
    /// `numeric` has them.
    private static func isHeld(json text: [UInt8]) -> Bool {
        if !text.contains(UInt8(ascii: "\\")) && !mayHaveLongNumber(text) { return true }
        guard let root = try? JSONDocument(text).root else { return false }
        return isHeld(root)
    }

    private static func isHeld(_ value: JSONValue) -> Bool {
        switch value.kind {
        case .string: !(value.string?.utf8.contains(0) ?? false)
        case .number: value.numberText.flatMap { PostgresNumeric(text: Array($0.utf8)) } != nil
        case .array: value.elements.allSatisfy(isHeld)
        case .object: value.members.allSatisfy { !$0.nameBytes.contains(0) && isHeld($0.value) }
        default: true
        }
    }

    /// Whether a number may stand in a text that has an exponent, or as many digits as `numeric` has places.
    private static func mayHaveLongNumber(_ text: [UInt8]) -> Bool {
        if text.count > PostgresNumeric.maximumScale { return true }
        return zip(text, text.dropFirst()).contains { first, next in
            next | 0x20 == UInt8(ascii: "e") && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
        }
    }
}

extension FieldValue {
    /// The value that a column holds, in the one form that this program gives values of its type.
    init(_ value: PostgresValue) {
        switch value {
        case .null: self = .null
        case .bool(let value): self = .integer(value ? 1 : 0)
        case .integer(let value): self = .integer(value)
        case .double(let value): self = .real(value)
        case .numeric(let value): self = .text(value.text)
        case .text(let bytes): self = .text(bytes)
        case .uuid(let value): self = .text(value.text)
        case .timestamp(let value): self = .text(value.text)
        case .date(let value): self = .text(value.text)
        case .bytes(let bytes): self = .blob(bytes)
        case .json(let bytes): self = .text((try? JSONDocument(bytes).root.json) ?? bytes)
        case .other(let type, let bytes): self = Self.other(type, bytes)
        }
    }

    /// A value of a type that is none of ours: `timestamp` counts as a time in UTC.
    private static func other(_ type: PostgresType, _ bytes: [UInt8]) -> FieldValue {
        guard type.rawValue == 1114, bytes.count == 8 else { return .blob(bytes) }
        let count = bytes.reduce(Int64(0)) { $0 << 8 | Int64($1) }
        return .text(PostgresTimestamp(microsecondsSince2000: count).text)
    }
}

extension PostgresUUID {
    /// Digits in small letters, with hyphens.
    fileprivate var text: [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(36)
        let digits = Array("0123456789abcdef".utf8)
        for index in 0..<32 {
            if [8, 12, 16, 20].contains(index) { text.append(UInt8(ascii: "-")) }
            let word = index < 16 ? high : low
            text.append(digits[Int(word >> UInt64(60 - index % 16 * 4) & 0xF)])
        }
        return text
    }
}

extension PostgresTimestamp {
    /// RFC 3339 in UTC; the ends of time as PostgreSQL calls them, and years that RFC 3339 cannot write as ``FarDay`` does.
    fileprivate var text: [UInt8] {
        guard isFinite else { return Array((self == .infinity ? "infinity" : "-infinity").utf8) }
        var digits: [UInt8] = []
        if microsecond != 0 { Timestamp.append(microsecond, width: 6, to: &digits) }
        guard let moment = Timestamp(seconds: secondsSince1970, fraction: digits) else {
            let second = (secondsSince1970 % 86_400 + 86_400) % 86_400
            var time: [UInt8] = []
            Timestamp(seconds: second, fraction: digits)?.appendRFC3339(to: &time)
            return FarDay.text(
                days: Int((secondsSince1970 - second) / 86_400), time: time.dropFirst(FarDay.first.utf8.count))
        }
        var text: [UInt8] = []
        text.reserveCapacity(32)
        moment.appendRFC3339(to: &text)
        return text
    }

    /// A moment that no RFC 3339 time can be, of the text that is given for it.
    fileprivate init?(unwritable text: [UInt8]) {
        switch String(decoding: text, as: UTF8.self) {
        case "infinity": self = .infinity
        case "-infinity": self = .minusInfinity
        case let text:
            guard let (days, time) = FarDay.read(text),
                let moment = PostgresColumnType.timestamp(Array((FarDay.first + time).utf8))
            else { return nil }
            self.init(secondsSince1970: Int64(days) * 86_400 + moment.secondsSince1970, microsecond: moment.microsecond)
        }
    }
}

extension PostgresDate {
    /// `YYYY-MM-DD`; the ends of time as PostgreSQL calls them, and years that four digits cannot write as ``FarDay`` does.
    fileprivate var text: [UInt8] {
        guard isFinite else { return Array((self == .infinity ? "infinity" : "-infinity").utf8) }
        guard let moment = Timestamp(seconds: Int64(daysSince1970) * 86_400) else {
            return FarDay.text(days: daysSince1970, time: [])
        }
        var text: [UInt8] = []
        moment.appendDate(to: &text)
        return text
    }

    /// A day that four digits of a year cannot write, of the text that is given for it.
    fileprivate init?(unwritable text: [UInt8]) {
        switch String(decoding: text, as: UTF8.self) {
        case "infinity": self = .infinity
        case "-infinity": self = .minusInfinity
        case let text:
            guard let (days, time) = FarDay.read(text), time.isEmpty else { return nil }
            self.init(daysSince1970: days)
        }
    }
}

/// Days of years that four digits cannot write, in the way of PostgreSQL: `12026-01-02`, `0044-03-15 BC`, and with a time
/// `0044-03-15T12:00:00Z BC`.
private enum FarDay {
    /// The first of the days that are counted, as texts begin with it.
    static let first = "1970-01-01"
    /// The days of 400 years, after which the calendar repeats itself.
    private static let era = 146_097

    static func text(days: Int, time: ArraySlice<UInt8>) -> [UInt8] {
        let date = Timestamp.date(days: days)
        let parts = [(date.year > 0 ? date.year : 1 - date.year, 4), (date.month, 2), (date.day, 2)].map {
            number, width in
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return Array(parts.joined(separator: "-").utf8) + time + Array((date.year > 0 ? "" : " BC").utf8)
    }

    /// The days from 1970 to a day, and the time that is written behind it.
    static func read(_ text: String) -> (days: Int, time: Substring)? {
        let isBeforeChrist = text.hasSuffix(" BC")
        let whole = isBeforeChrist ? text.dropLast(3) : text[...]
        let date = whole.prefix { $0 != "T" }
        let parts = date.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 3, let number = parts[0], (1...10_000_000).contains(number), let month = parts[1],
            let day = parts[2]
        else { return nil }
        let year = isBeforeChrist ? 1 - number : number
        let yearOfEra = (year % 400 + 400) % 400
        guard let days = Timestamp.days(year: yearOfEra, month: month, day: day) else { return nil }
        return (days + (year - yearOfEra) / 400 * era, whole[date.endIndex...])
    }
}
