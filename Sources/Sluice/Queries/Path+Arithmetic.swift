// What is computed of values has none where one of them has none.

/// A value that is computed with: a number, or nil in the place of one.
public protocol ArithmeticValue: StoredValue {
    /// The number.
    associatedtype Number: StoredNumber
}

extension Optional: ArithmeticValue where Wrapped: StoredNumber {
    /// The number that may be nil.
    public typealias Number = Wrapped
}

extension Path where Value: ArithmeticValue {
    /// The sum of two values; nil where one of them is. That of decimals is exact.
    public static func + <Other: ArithmeticValue>(left: Path, right: Path<M, Other>) -> Path<M, Value.Number?>
    where Other.Number == Value.Number {
        Path<M, Value.Number?>(.add(left.expression, right.expression, Value.storedType))
    }
    /// The sum of a value and a number; nil where there is no value. That of decimals is exact.
    public static func + (left: Path, right: Value.Number) -> Path<M, Value.Number?> {
        Path<M, Value.Number?>(.add(left.expression, .number(right), Value.storedType))
    }
    /// The sum of a number and a value; nil where there is no value. That of decimals is exact.
    public static func + (left: Value.Number, right: Path) -> Path<M, Value.Number?> {
        Path<M, Value.Number?>(.add(.number(left), right.expression, Value.storedType))
    }

    /// The difference of two values; nil where one of them is. That of decimals is exact.
    public static func - <Other: ArithmeticValue>(left: Path, right: Path<M, Other>) -> Path<M, Value.Number?>
    where Other.Number == Value.Number {
        Path<M, Value.Number?>(.subtract(left.expression, right.expression, Value.storedType))
    }
    /// The difference of a value and a number; nil where there is no value. That of decimals is exact.
    public static func - (left: Path, right: Value.Number) -> Path<M, Value.Number?> {
        Path<M, Value.Number?>(.subtract(left.expression, .number(right), Value.storedType))
    }
    /// The difference of a number and a value; nil where there is no value. That of decimals is exact.
    public static func - (left: Value.Number, right: Path) -> Path<M, Value.Number?> {
        Path<M, Value.Number?>(.subtract(.number(left), right.expression, Value.storedType))
    }

    /// The product of two values; nil where one of them is. That of decimals is exact.
    public static func * <Other: ArithmeticValue>(left: Path, right: Path<M, Other>) -> Path<M, Value.Number?>
    where Other.Number == Value.Number {
        Path<M, Value.Number?>(.multiply(left.expression, right.expression, Value.storedType))
    }
    /// The product of a value and a number; nil where there is no value. That of decimals is exact.
    public static func * (left: Path, right: Value.Number) -> Path<M, Value.Number?> {
        Path<M, Value.Number?>(.multiply(left.expression, .number(right), Value.storedType))
    }
    /// The product of a number and a value; nil where there is no value. That of decimals is exact.
    public static func * (left: Value.Number, right: Path) -> Path<M, Value.Number?> {
        Path<M, Value.Number?>(.multiply(.number(left), right.expression, Value.storedType))
    }

}

extension Path where Value: ArithmeticValue, Value.Number: BinaryInteger {
    /// The quotient of two values without what is left over; nil where one of them is, or the second is zero.
    public static func / <Other: ArithmeticValue>(left: Path, right: Path<M, Other>) -> Path<M, Value.Number?>
    where Other.Number == Value.Number { Path<M, Value.Number?>(.quotient(left.expression, right.expression)) }
    /// The quotient of a value and a number without what is left over; nil where there is no value, or the number is zero.
    public static func / (left: Path, right: Value.Number) -> Path<M, Value.Number?> {
        Path<M, Value.Number?>(.quotient(left.expression, .number(right)))
    }
}

extension Path where Value: ArithmeticValue, Value.Number: BinaryFloatingPoint {
    /// The quotient of two values; nil where one of them is, or the second is zero.
    public static func / <Other: ArithmeticValue>(left: Path, right: Path<M, Other>) -> Path<M, Value.Number?>
    where Other.Number == Value.Number { Path<M, Value.Number?>(.quotient(left.expression, right.expression)) }
    /// The quotient of a value and a number; nil where there is no value, or the number is zero.
    public static func / (left: Path, right: Value.Number) -> Path<M, Value.Number?> {
        Path<M, Value.Number?>(.quotient(left.expression, .number(right)))
    }
}

extension SQLExpression {
    static func add(_ left: SQLExpression, _ right: SQLExpression, _ type: StoredType) -> SQLExpression {
        computed(left, "+", .add, right, type)
    }

    static func subtract(_ left: SQLExpression, _ right: SQLExpression, _ type: StoredType) -> SQLExpression {
        computed(left, "-", .subtract, right, type)
    }

    static func multiply(_ left: SQLExpression, _ right: SQLExpression, _ type: StoredType) -> SQLExpression {
        computed(left, "*", .multiply, right, type)
    }

    private static func computed(
        _ left: SQLExpression, _ sign: String, _ operation: DecimalArithmetic, _ right: SQLExpression,
        _ type: StoredType
    ) -> SQLExpression {
        if type != .decimal { return "(" + left + SQLExpression(sql: " \(sign) ") + right + ")" }
        var result = SQLExpression(sql: "\(operation.name)(") + left + ", " + right + ")"
        result.collation = Collations.name(.decimal)
        return result
    }

    fileprivate static func quotient(_ left: SQLExpression, _ right: SQLExpression) -> SQLExpression {
        "(" + left + " / " + right + ")"
    }

    /// A number, bound.
    static func number(_ value: some StoredNumber) -> SQLExpression {
        SQLExpression { () throws(BoxError) in try value.boxed() }
    }
}

// MARK: What else is made of values

extension Path {
    /// The value, or another one where there is none.
    public func coalesced<Wrapped: StoredValue>(to value: Wrapped) -> Path<M, Wrapped> where Value == Wrapped? {
        var result = "coalesce(" + expression + ", " + bound(value) + ")"
        result.collation = expression.collation
        return Path<M, Wrapped>(result)
    }
}

extension Path where Value: TextValue {
    /// The text in lower case, as Unicode says.
    public var lowercased: Path { Path("sluice_lower(" + expression + ")") }
}

/// A day or a moment, or nil in the place of one.
public protocol CalendarValue: StoredValue {}
extension Day: CalendarValue {}
extension Optional: CalendarValue where Wrapped: CalendarValue {}

extension Path where Value: CalendarValue {
    private func part(_ first: Int, _ count: Int) -> Path<M, Int?> {
        Path<M, Int?>("CAST(substr(" + expression + SQLExpression(sql: ", \(first), \(count)) AS INTEGER)"))
    }

    /// The year, of a moment in UTC; nil where there is none.
    public var year: Path<M, Int?> { part(1, 4) }
    /// The month from 1, of a moment in UTC; nil where there is none.
    public var month: Path<M, Int?> { part(6, 2) }
    /// The day of the month from 1, of a moment in UTC; nil where there is none.
    public var day: Path<M, Int?> { part(9, 2) }
}
