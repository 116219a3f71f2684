/// A statement whose values are bound and whose names are quoted.
///
/// ```swift
/// let rows = try reader.rows("SELECT title FROM \(Book.self) WHERE price > \(10)")
/// ```
public struct SQL: Sendable, ExpressibleByStringInterpolation {
    let expression: SQLExpression

    /// A statement without values.
    public init(stringLiteral text: String) { expression = SQLExpression(sql: text) }

    /// A statement of a literal and what stands in it.
    public init(stringInterpolation: StringInterpolation) { expression = stringInterpolation.expression }

    /// A statement of a text that the program vouches for.
    public init(unchecked text: String) { expression = SQLExpression(sql: text) }

    /// Puts a statement together.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var expression: SQLExpression = ""

        /// Begins a statement.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Adds SQL.
        public mutating func appendLiteral(_ literal: String) { expression = expression + SQLExpression(sql: literal) }

        /// Adds a value, which is bound. A statement with one that cannot be stored is refused when it runs.
        public mutating func appendInterpolation(_ value: some StoredValue) {
            expression = expression + SQLExpression { () throws(BoxError) in try value.boxed() }
        }

        /// Adds a value or null, which is bound.
        public mutating func appendInterpolation<Value: StoredValue>(_ value: Value?) {
            expression = expression + SQLExpression { () throws(BoxError) in try value.boxed() }
        }

        /// Adds the name of a model's table.
        public mutating func appendInterpolation(_ model: any PersistentModel.Type) {
            expression = expression + SQLExpression(sql: SQLIdentifier.quoted(model.modelDescription.table))
        }

        /// Adds the name of a path's column.
        public mutating func appendInterpolation<M, Value>(_ path: Path<M, Value>) {
            expression = expression + SQLExpression(sql: SQLIdentifier.quoted(path.column ?? path.raw))
        }
    }
}

/// A row of a statement that the program wrote.
public struct SQLRow: Sendable {
    /// The columns' names.
    public let names: [String]
    /// The columns' values.
    public let values: [BoxedValue]

    /// The value of a column; nil where there is none of that name.
    public subscript(name: String) -> BoxedValue? { names.firstIndex(of: name).map { values[$0] } }

    /// The values as texts; nil for null.
    public var texts: [String?] {
        values.map { value in
            switch value {
            case .null: nil
            case .integer(let number): String(number)
            case .real(let number): String(number)
            case .text(let text): text
            case .blob(let bytes): String(decoding: bytes, as: UTF8.self)
            }
        }
    }
}
