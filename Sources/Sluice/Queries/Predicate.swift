/// A condition on the records of a model.
public struct Predicate<M: PersistentModel>: Sendable {
    let expression: SQLExpression

    init(_ expression: SQLExpression) { self.expression = expression }

    /// Whether both hold.
    public static func && (left: Predicate, right: Predicate) -> Predicate {
        Predicate("(" + left.expression + " AND " + right.expression + ")")
    }

    /// Whether one of them holds.
    public static func || (left: Predicate, right: Predicate) -> Predicate {
        Predicate("(" + left.expression + " OR " + right.expression + ")")
    }

    /// Whether it does not hold, or nothing says so.
    public static prefix func ! (predicate: Predicate) -> Predicate {
        Predicate("((" + predicate.expression + ") IS NOT TRUE)")
    }
}
