/// A value that JSON has as such: a text, a number, or true and false.
public protocol JSONScalar: StoredValue {}
extension String: JSONScalar {}
extension Int: JSONScalar {}
extension Double: JSONScalar {}
extension Bool: JSONScalar {}

extension Path {
    /// A value within a property that is stored as JSON.
    ///
    /// ```swift
    /// Book.where { $0.settings.json("retry.count") == 3 }
    /// ```
    ///
    /// - Parameters:
    ///   - path: Where it stands, as in `retry.count` or `tags[0]`.
    ///   - type: What it is.
    /// - Returns: The path to it. It is nil where the JSON has no such value, or null.
    public func json<Scalar: JSONScalar>(_ path: String, as type: Scalar.Type = Scalar.self) -> Path<M, Scalar?> {
        Path<M, Scalar?>(
            "(CASE WHEN json_valid(" + expression + ") THEN json_extract(" + expression + ", "
                + SQLExpression(.text("$." + path)) + ") END)")
    }
}
