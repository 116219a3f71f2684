internal import SluiceModel
internal import SluiceSQLite

/// Values that are bound as one, as JSON: a statement has the same text however many there are.
///
/// Numbers without a fraction and texts stand in it as such. What JSON does not carry exactly is a text that `sluice_value` reads:
/// reals, bytes, and texts with a zero in them.
struct ValueList {
    /// The name of the function that reads what JSON does not carry.
    static let function = "sluice_value"

    private let json: String
    private let isPlain: Bool

    /// Makes a list of values.
    init(_ values: [BoxedValue]) {
        let isPlain = values.allSatisfy(\.isPlain)
        self.isPlain = isPlain
        var json: [UInt8] = []
        values.append(to: &json, isPlain)
        self.json = String(decoding: json, as: UTF8.self)
    }

    /// Makes a list of rows of values.
    init(rows: [[BoxedValue]]) {
        let isPlain = rows.allSatisfy { $0.allSatisfy(\.isPlain) }
        self.isPlain = isPlain
        var json = [UInt8(ascii: "[")]
        for row in rows {
            if json.count > 1 { json.append(UInt8(ascii: ",")) }
            row.append(to: &json, isPlain)
        }
        json.append(UInt8(ascii: "]"))
        self.json = String(decoding: json, as: UTF8.self)
    }

    private func read(_ sql: String) -> SQLExpression {
        SQLExpression(sql: isPlain ? sql : "\(Self.function)(\(sql))")
    }

    /// A query within a query that gives the values.
    var query: SQLExpression { select([read("value")]) }

    /// The same for keys. The sign takes the affinity of a column away, as rows of several values have none.
    fileprivate var keyQuery: SQLExpression { select([read("+value")]) }

    /// A query within a query that gives rows of so many values.
    func query(columns count: Int) -> SQLExpression {
        select((0..<count).map { read("json_extract(value, '$[\($0)]')") })
    }

    private func select(_ columns: [SQLExpression]) -> SQLExpression {
        "(SELECT " + .list(columns) + " FROM json_each(" + SQLExpression(.text(json)) + "))"
    }

    /// Reads a value that JSON does not carry exactly; any other is as it is.
    static func value(_ value: SQLiteValue) -> SQLiteValue {
        guard case .text(let text) = value, let kind = text.first, let bytes = bytes(text.dropFirst()) else {
            return value
        }
        switch kind {
        case UInt8(ascii: "t"): return .text(bytes)
        case UInt8(ascii: "b"): return .blob(bytes)
        default: return .real(Double(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) }))
        }
    }

    /// The bytes that pairs of hexadecimal digits stand for; nil where they are none.
    private static func bytes(_ digits: ArraySlice<UInt8>) -> [UInt8]? {
        if !digits.count.isMultiple(of: 2) { return nil }
        var bytes: [UInt8] = []
        for start in stride(from: digits.startIndex, to: digits.endIndex, by: 2) {
            guard let byte = UInt8(String(decoding: digits[start..<start + 2], as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(byte)
        }
        return bytes
    }

    /// A text that ``value(_:)`` reads.
    fileprivate static func text(_ kind: Character, _ bytes: some Sequence<UInt8>) -> String {
        let digits = bytes.map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }
        return "\"\(kind)\(digits.joined())\""
    }
}

extension [BoxedValue] {
    /// Appends them as a JSON array.
    fileprivate func append(to json: inout [UInt8], _ isPlain: Bool) {
        json.append(UInt8(ascii: "["))
        for (place, value) in enumerated() {
            if place > 0 { json.append(UInt8(ascii: ",")) }
            json.append(contentsOf: value.json(isPlain).utf8)
        }
        json.append(UInt8(ascii: "]"))
    }
}

extension BoxedValue {
    /// Whether JSON carries it exactly, as SQLite reads JSON.
    fileprivate var isPlain: Bool {
        switch self {
        case .null, .integer: true
        case .text(let text): !text.utf8.contains(0)
        case .real, .blob: false
        }
    }

    fileprivate func json(_ isPlain: Bool) -> String {
        switch self {
        case .null: "null"
        case .integer(let number): String(number)
        case .text(let text):
            isPlain ? FieldJSON.quoted(Array(text.utf8)) : ValueList.text("t", text.utf8)
        case .blob(let bytes): ValueList.text("b", bytes)
        case .real(let number):
            ValueList.text("r", (0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> UInt64(56 - 8 * $0)) })
        }
    }
}

extension SQLExpression {
    /// The condition that it is one of some values, of which null may be one.
    func isOne(of values: [BoxedValue]) -> SQLExpression {
        let others = values.filter { !$0.isNull }
        var parts: [SQLExpression] = []
        if !others.isEmpty { parts.append(compared + " IN " + ValueList(others).query) }
        if others.count < values.count { parts.append(self + " IS NULL") }
        return parts.isEmpty ? "0" : "(" + .joined(parts, " OR ") + ")"
    }

    /// Keys as rows of a query, bound as one value.
    init(keys: [[BoxedValue]], _ count: Int) { self.init(differentKeys: Array(Set(keys)), count) }

    /// The same for keys of which no two are the same.
    init(differentKeys keys: [[BoxedValue]], _ count: Int) {
        self = count == 1 ? ValueList(keys.map { $0[0] }).keyQuery : ValueList(rows: keys).query(columns: count)
    }
}
