/// A condition on the records of a model.
public struct Condition<M: PersistentModel>: Sendable {
    let expression: SQLExpression

    init(_ expression: SQLExpression) { self.expression = expression }

    /// Whether both hold.
    public static func && (left: Condition, right: Condition) -> Condition {
        Condition("(" + left.expression + " AND " + right.expression + ")")
    }

    /// Whether one of them holds.
    public static func || (left: Condition, right: Condition) -> Condition {
        Condition("(" + left.expression + " OR " + right.expression + ")")
    }

    /// Whether it does not hold, or nothing says so.
    public static prefix func ! (condition: Condition) -> Condition {
        Condition("((" + condition.expression + ") IS NOT TRUE)")
    }
}
