extension JSONPath {
    /// The first value that the path selects, see ``first(in:)-(JSONElement)``.
    ///
    /// - Parameter value: What `$` stands for.
    /// - Returns: The value; nil if there is none.
    package func first(in value: JSONValue) -> JSONValue? { value.find { first(in: $0) } }
}
