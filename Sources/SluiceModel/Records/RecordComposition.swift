/// Fields that are the parts of one value, which may be null as a whole: where one of them has a value, some have to have one.
package struct RecordComposition: Sendable, Equatable {
    /// The positions of all parts.
    package let fields: [Int]
    /// The positions of those that have a value where there is one.
    package let required: [Int]

    /// Makes it of the positions.
    package init(fields: [Int], required: [Int]) { (self.fields, self.required) = (fields, required) }

    /// Whether less than a value is there, which nobody can read.
    ///
    /// - Parameter isNull: Whether a field has no value.
    /// - Returns: Whether a part has a value, and one that has to does not.
    package func isHalf(_ isNull: (Int) -> Bool) -> Bool {
        !fields.allSatisfy(isNull) && required.contains(where: isNull)
    }
}

/// The same as a program says it of the columns of its table.
package struct ComposedColumns: Sendable, Equatable {
    /// The columns of all parts.
    package let columns: [String]
    /// Those that have a value where there is one.
    package let required: [String]

    /// Makes it of the columns.
    package init(columns: [String], required: [String]) { (self.columns, self.required) = (columns, required) }

    /// The fields of a schema that are the parts.
    ///
    /// - Parameter schema: The schema.
    /// - Returns: Nil where it lacks one that has to have a value, so that nothing can be said of it.
    func fields(of schema: RecordSchema) -> RecordComposition? {
        let needed = required.compactMap { schema.field(ofColumn: $0) }
        guard needed.count == required.count else { return nil }
        return RecordComposition(fields: columns.compactMap { schema.field(ofColumn: $0) }, required: needed)
    }
}

extension RecordSchema {
    /// The same, knowing which columns of the table are the parts of one value.
    ///
    /// - Parameter columns: The columns.
    /// - Returns: The schema.
    package func composed(of columns: [ComposedColumns]) -> RecordSchema {
        var schema = self
        schema.compositions = columns.compactMap { $0.fields(of: self) }
        return schema
    }
}
