package import SluiceModel

/// What an entity's table demands of its rows besides their key.
///
/// A table that was adopted, or that somebody added to, may demand more than the pipeline knows of.
package struct TableConstraints {
    /// Groups of fields whose values together are unique, in the order of the database's list.
    ///
    /// An index on expressions, on a part of the rows or on columns that no field fills is not among them.
    package let groups: [[Int]]
    /// The fields of ``groups`` that a write may leave as they are, which those of the key are not.
    package let uniqueFields: Set<Int>
    /// The fields whose columns take no null.
    package let requiredFields: Set<Int>
    /// Whether the table may refuse a row at all.
    package let mayRefuse: Bool
    /// Whether writing a row may change others: by a trigger that names the table, or by what its foreign keys do then.
    package let changesOtherRows: Bool
    /// Whether triggers, or foreign keys that are checked at once, bind its rows to those of other tables.
    package let isBound: Bool

    /// Makes constraints.
    ///
    /// - Parameters:
    ///   - schema: The entity.
    ///   - unique: The columns, in lower case, of each unique index but that of the primary key.
    ///   - required: The columns, in lower case, that take no null besides those of the key.
    ///   - mayRefuse: Whether the table may refuse a row for something else.
    ///   - changesOtherRows: Whether writing a row may change others.
    ///   - isBound: Whether its rows are bound to those of other tables.
    package init(
        _ schema: RecordSchema, unique: [[String]], required: [String], mayRefuse: Bool, changesOtherRows: Bool,
        isBound: Bool
    ) {
        func field(_ column: String) -> Int? { schema.fields.firstIndex { $0.column.lowercased() == column } }
        groups = unique.compactMap { columns in
            let fields = columns.compactMap(field)
            return fields.count == columns.count && Set(fields) != Set(schema.keyFields) ? fields : nil
        }
        uniqueFields = Set(groups.flatMap { $0 }).subtracting(schema.keyFields)
        requiredFields = Set(required.compactMap(field))
        self.mayRefuse = mayRefuse || !required.isEmpty
        self.changesOtherRows = changesOtherRows
        self.isBound = isBound
    }

    /// The values of a group in a row; nil where one is null, which makes all of them free.
    package func values(_ row: [FieldValue], group: Int) -> [FieldValue]? {
        let fields = groups[group]
        guard fields.allSatisfy({ row.indices.contains($0) && !row[$0].isNull }) else { return nil }
        return fields.map { row[$0] }
    }

    /// A mark of a group's values in a row; nil where one is null.
    package func mark(_ row: [FieldValue], group: Int) -> UInt64? {
        values(row, group: group).map { KeyHash.hash(RecordKey([.integer(Int64(group))] + $0)) }
    }

    /// Whether a row has values among some marks.
    package func isAny(of marks: Set<UInt64>, in row: [FieldValue]) -> Bool {
        groups.indices.contains { group in mark(row, group: group).map(marks.contains) ?? false }
    }
}
