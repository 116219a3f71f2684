/// A number that can be summed.
public protocol StoredNumber: ArithmeticValue where Number == Self {}
extension Int: StoredNumber {}
extension Int64: StoredNumber {}
extension Int32: StoredNumber {}
extension Int16: StoredNumber {}
extension Int8: StoredNumber {}
extension Double: StoredNumber {}
extension Float: StoredNumber {}

extension ModelPaths {
    /// How many records there are.
    public func count<M>() -> Path<M, Int> { Path(.aggregate("count", "*")) }
}

extension Path where Value: StoredValue {
    /// How many records have a value.
    public func count() -> Path<M, Int> { Path<M, Int>(.aggregate("count", expression)) }

    /// How many values there are that differ.
    public func countDistinct() -> Path<M, Int> { Path<M, Int>(.aggregate("count", "DISTINCT " + expression.compared)) }

    /// The least value; nil where there is none.
    @_disfavoredOverload
    public func min() -> Path<M, Value?> { Path<M, Value?>(.aggregate("min", expression.compared)) }

    /// The greatest value; nil where there is none.
    @_disfavoredOverload
    public func max() -> Path<M, Value?> { Path<M, Value?>(.aggregate("max", expression.compared)) }

    /// The least value; nil where there is none.
    public func min<Wrapped: StoredValue>() -> Path<M, Value> where Value == Wrapped? {
        Path<M, Value>(.aggregate("min", expression.compared))
    }

    /// The greatest value; nil where there is none.
    public func max<Wrapped: StoredValue>() -> Path<M, Value> where Value == Wrapped? {
        Path<M, Value>(.aggregate("max", expression.compared))
    }
}

extension Path where Value: StoredNumber {
    /// The sum; nil where there is nothing to sum. That of decimals is exact.
    public func sum() -> Path<M, Value?> { Path<M, Value?>(.sum(Value.storedType, expression)) }
}

extension Path {
    /// The sum of those that have a value; nil where there is none. That of decimals is exact.
    public func sum<Number: StoredNumber>() -> Path<M, Number?> where Value == Number? {
        Path<M, Number?>(.sum(Number.storedType, expression))
    }
}

extension Path where Value: StoredNumber & BinaryInteger {
    /// The average; nil where there is nothing.
    public func average() -> Path<M, Double?> { Path<M, Double?>(.aggregate("avg", expression)) }
}

extension Path where Value: StoredNumber & BinaryFloatingPoint {
    /// The average; nil where there is nothing.
    public func average() -> Path<M, Double?> { Path<M, Double?>(.aggregate("avg", expression)) }
}

extension Path {
    /// The average of those that have a value; nil where there is none.
    public func average<Number: StoredNumber & BinaryInteger>() -> Path<M, Double?> where Value == Number? {
        Path<M, Double?>(.aggregate("avg", expression))
    }

    /// The average of those that have a value; nil where there is none.
    public func average<Number: StoredNumber & BinaryFloatingPoint>() -> Path<M, Double?> where Value == Number? {
        Path<M, Double?>(.aggregate("avg", expression))
    }
}

extension Path where Value: TextValue {
    /// The texts one after the other, in no order; nil where there is none.
    public func joined(separator: String) -> Path<M, String?> {
        Path<M, String?>(.aggregate("group_concat", expression + ", " + SQLExpression(.text(separator))))
    }
}

extension SQLExpression {
    static func aggregate(_ function: String, _ argument: SQLExpression) -> SQLExpression {
        var result = SQLExpression(sql: "\(function)(") + argument + ")"
        result.isAggregate = true
        return result
    }

    static func sum(_ type: StoredType, _ argument: SQLExpression) -> SQLExpression {
        var result = aggregate(type == .decimal ? "sluice_sum" : "sum", argument)
        result.collation = argument.collation
        return result
    }
}
