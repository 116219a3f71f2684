internal import SluiceSQLite

/// What a row that is read holds: columns where a statement has them, or values as if columns held them.
enum RowContent {
    case stepped(Statement)
    case values([BoxedValue])

    /// What a column would hold: null where there is no value, and where it is no number, of which SQLite has none.
    private static func held(_ values: [BoxedValue], _ index: Int) -> BoxedValue {
        guard values.indices.contains(index) else { return .null }
        if case .real(let value) = values[index], value.isNaN { return .null }
        return values[index]
    }

    /// Whether a column is null.
    func isNull(_ index: Int) -> Bool {
        switch self {
        case .stepped(let statement): statement.isNull(index)
        case .values(let values): Self.held(values, index).isNull
        }
    }

    /// The integer that a column holds; nil where it holds something else.
    func integer(_ index: Int) -> Int64? {
        switch self {
        case .stepped(let statement): return statement.heldInteger(index)
        case .values(let values):
            if case .integer(let value) = Self.held(values, index) { return value }
            return nil
        }
    }

    /// A copy of the text that a column holds; nil where it holds something else.
    func text(_ index: Int) -> String? {
        switch self {
        case .stepped(let statement): return statement.heldText(index)
        case .values(let values):
            if case .text(let value) = Self.held(values, index) { return value }
            return nil
        }
    }

    /// A copy of what a column holds.
    func value(_ index: Int) -> BoxedValue {
        switch self {
        case .stepped(let statement):
            if let integer = statement.heldInteger(index) { return .integer(integer) }
            if let text = statement.heldText(index) { return .text(text) }
            return switch statement.value(index) {
            case .null: .null
            case .integer(let value): .integer(value)
            case .real(let value): .real(value)
            case .text(let bytes): .text(String(decoding: bytes, as: UTF8.self))
            case .blob(let bytes): .blob(bytes)
            }
        case .values(let values): return Self.held(values, index)
        }
    }
}

/// One column of a row that is read, for as long as the row is.
public struct StoredColumn {
    private let row: RowContent
    private let index: Int

    init(_ row: RowContent, _ index: Int) { (self.row, self.index) = (row, index) }

    init(statement: Statement, index: Int) { self.init(.stepped(statement), index) }

    /// Whether it is null.
    public var isNull: Bool { row.isNull(index) }

    /// The integer that it holds; nil where it holds something else.
    var integer: Int64? { row.integer(index) }

    /// A copy of the text that it holds; nil where it holds something else.
    var text: String? { row.text(index) }

    /// A copy of what it holds.
    public var value: BoxedValue { row.value(index) }

    /// A column behind it.
    func next(_ distance: Int) -> StoredColumn { StoredColumn(row, index + distance) }

    /// Throws what says that the column holds something else.
    func mismatch(_ expected: String) -> UnboxError {
        let value = value
        return value.isNull ? .missing : .mismatch(value, expected)
    }
}

@available(*, unavailable)
extension StoredColumn: Sendable {}
