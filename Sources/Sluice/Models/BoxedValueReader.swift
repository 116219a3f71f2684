/// Reads values as properties and identifiers, as if columns held them.
enum BoxedValueReader {
    /// Lends the columns of some values.
    ///
    /// - Throws: What the body throws.
    static func read<Result>(_ values: [BoxedValue], _ body: ([StoredColumn]) throws -> Result) rethrows -> Result {
        let row = RowContent.values(values)
        return try body(values.indices.map { StoredColumn(row, $0) })
    }

    /// The value of a model whose fields have some values.
    ///
    /// - Parameters:
    ///   - values: The values, one for each field.
    ///   - within: Has the records that it holds by value; nil where there are none.
    /// - Returns: The value.
    /// - Throws: ``UnboxError`` where it cannot have them.
    static func value<M: PersistentModel>(_ values: [BoxedValue], within: (any NestedSource)? = nil) throws(UnboxError)
        -> M
    {
        try M(
            unboxing: Row<M>(
                content: .values(values), first: 0, remembersOrigin: false, part: nil, home: .none, company: within))
    }

    /// The identifier that some values are; nil where they are none.
    ///
    /// - Throws: ``UnboxError``.
    static func identifier<Key: StoredKey>(_ values: [BoxedValue], as type: Key.Type) throws -> Key? {
        try read(values) { columns in try Key.unboxKey(columns) }
    }
}
