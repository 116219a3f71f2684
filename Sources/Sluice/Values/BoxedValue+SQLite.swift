internal import SluiceSQLite

extension SQLiteValue {
    init(_ value: BoxedValue) {
        switch value {
        case .null: self = .null
        case .integer(let number): self = .integer(number)
        case .real(let number): self = .real(number)
        case .text(let text): self = .text(Array(text.utf8))
        case .blob(let bytes): self = .blob(bytes)
        }
    }
}

extension Statement {
    /// Binds a value of a record; a text is copied once.
    func bind(_ value: BoxedValue, at index: Int) {
        switch value {
        case .text(let text): bind(text, at: index)
        default: bind(SQLiteValue(value), at: index)
        }
    }
}

extension Statement {
    /// Runs it to its end with the values of a record's columns, of which one may be left out.
    ///
    /// - Throws: `SQLiteError`.
    func run(_ values: [BoxedValue], leavingOut left: Int?) throws(SQLiteError) {
        try run(count: left == nil ? values.count : values.count - 1) { index in
            let field = left.map { index < $0 ? index : index + 1 } ?? index
            return switch values[field] {
            case .null: .null
            case .integer(let number): .integer(number)
            case .real(let number): .real(number)
            case .text(let text): .text(text)
            case .blob(let bytes): .blob(bytes)
            }
        }
    }
}

extension BoxedValue {
    /// The value as a text, for messages that name a record.
    package var text: String {
        switch self {
        case .null: "null"
        case .integer(let number): String(number)
        case .real(let number): String(number)
        case .text(let text): text
        case .blob(let bytes): "\(bytes.count) bytes"
        }
    }
}
