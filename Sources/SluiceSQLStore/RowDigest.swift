internal import SluiceModel

/// The digest of the rows of a table: the same for the same values, in whatever order the rows are and however a kind of
/// database spells a value.
struct RowDigest {
    private let columns: [(name: UInt64, type: FieldType?)]
    private let canonical = CanonicalValue()
    /// The sum of the digests of the rows.
    private(set) var sum: UInt64 = 0
    private(set) var rows = 0

    /// Prepares for rows of some columns; the type of one that holds exact values is nil.
    init(_ columns: [(name: String, type: FieldType?)]) {
        self.columns = columns.map { (FieldDigest.text(Array($0.name.lowercased().utf8)), $0.type) }
    }

    /// Adds a row.
    mutating func add(_ row: [FieldValue]) {
        var digest: UInt64 = 0
        for (value, column) in zip(row, columns) {
            digest &+= FieldDigest.contribution(of: self.digest(value, column.type), nameDigest: column.name)
        }
        sum &+= FieldDigest.integer(Int64(bitPattern: digest))
        rows += 1
    }

    private func digest(_ value: FieldValue, _ type: FieldType?) -> UInt64 {
        switch (type, value) {
        case (_, .null): return FieldDigest.null
        case (.double, .integer(let number)): return FieldDigest.real(Double(number))
        case (.decimal, .integer(let number)):
            return FieldDigest.text(
                canonical.form(of: Array(String(number).utf8)[...], type: .decimal, comparison: .exact))
        case (.decimal?, .text(let text)), (.json?, .text(let text)):
            return FieldDigest.text(canonical.form(of: text[...], type: type ?? .string, comparison: .exact))
        case (.datetime, .text(let text)): return FieldDigest.text(Self.moment(text))
        case (_, .integer(let number)): return FieldDigest.integer(number)
        case (_, .real(let number)): return FieldDigest.real(number)
        case (_, .text(let text)): return FieldDigest.text(text)
        case (_, .blob(let bytes)): return ~FieldDigest.text(bytes)
        }
    }

    /// A time in one form, whatever its zone and its zeros; other texts as they are.
    private static func moment(_ text: [UInt8]) -> [UInt8] {
        guard let moment = Timestamp(stored: text) else { return text }
        var fraction = moment.fraction[...]
        while fraction.last == UInt8(ascii: "0") { fraction = fraction.dropLast() }
        return Array("\(moment.seconds).".utf8) + fraction
    }
}
