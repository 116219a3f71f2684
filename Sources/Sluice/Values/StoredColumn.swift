internal import SluiceSQLite

/// One column of a row that is read, for as long as the row is.
public struct StoredColumn {
    let statement: Statement
    let index: Int

    /// Whether it is null.
    public var isNull: Bool { statement.isNull(index) }

    /// The integer that it holds; nil where it holds something else.
    var integer: Int64? { statement.heldInteger(index) }

    /// A copy of the text that it holds; nil where it holds something else.
    var text: String? { statement.heldText(index) }

    /// A copy of what it holds.
    public var value: BoxedValue {
        if let integer { return .integer(integer) }
        if let text { return .text(text) }
        return switch statement.value(index) {
        case .null: .null
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        case .text(let bytes): .text(String(decoding: bytes, as: UTF8.self))
        case .blob(let bytes): .blob(bytes)
        }
    }

    /// Throws what says that the column holds something else.
    func mismatch(_ expected: String) -> UnboxError {
        let value = value
        return value.isNull ? .missing : .mismatch(value, expected)
    }
}

@available(*, unavailable)
extension StoredColumn: Sendable {}
