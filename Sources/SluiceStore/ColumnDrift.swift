package import SluiceModel

/// A table as a pipeline wants it.
package struct WantedTable: Sendable {
    /// The entity as a stream fills it.
    package let schema: RecordSchema
    /// The positions of the fields that never are null.
    package let requiredFields: Set<Int>
    /// For each `enum` the values that it may have, by its position.
    package let choices: [Int: [String]]

    /// Makes a value of its parts.
    package init(schema: RecordSchema, requiredFields: Set<Int>, choices: [Int: [String]]) {
        (self.schema, self.requiredFields, self.choices) = (schema, requiredFields, choices)
    }
}

/// A column that is not as a pipeline wants it.
package struct ColumnDrift: Sendable, Hashable {
    /// How it differs.
    package enum Kind: String, Sendable, CaseIterable {
        /// The whole table is not there.
        case missingTable = "missing_table"
        /// A view has the table's name.
        case view
        /// A field has no column.
        case missing
        /// The column's type cannot hold the field's values.
        case type
        /// The field has another type, which the next run gives to the column or its values.
        case typeChange = "type_change"
        /// The column has another name, which the next run changes to that of its field.
        case rename
        /// The table takes no null there, and the field may be null or there is none.
        case required
        /// The table computes it, so that no field can fill it.
        case generated
        /// A field filled it that the pipeline no longer has.
        case left
        /// People added it.
        case own
    }

    package let kind: Kind
    package let table: String
    /// The column; nil where it is about the table.
    package var column: String?
    /// The type as the table declares it; nil where there is no column.
    package var declared: String?
    /// The field that is to fill it, or filled it; nil where there is none.
    package var field: String?
    /// The type of that field; nil where there is none.
    package var type: FieldType?
    /// The type that the column gets, as the table declares it then, or its name of a ``Kind/rename``; nil where the column
    /// stays.
    package var becomes: String?
    /// How many of its values cannot pass to another type, so that a run refuses it.
    package var refused = 0

    /// Makes a value of its parts.
    package init(
        _ kind: Kind, table: String, column: String? = nil, declared: String? = nil, field: String? = nil,
        type: FieldType? = nil
    ) {
        (self.kind, self.table, self.column, self.declared) = (kind, table, column, declared)
        (self.field, self.type) = (field, type)
    }
}

/// Values of a column that are none of its field's type.
package struct StoredMisfit: Sendable, Equatable {
    package let mapping: RecordMapping
    package let column: String
    /// Whether they are texts that the field does not list, rather than of another type.
    package let isChoice: Bool
    /// How many rows have one.
    package let rows: Int
    /// The first of them as JSON.
    package let sample: String?

    /// Makes a value of its parts.
    package init(mapping: RecordMapping, column: String, isChoice: Bool, rows: Int, sample: String?) {
        (self.mapping, self.column, self.isChoice) = (mapping, column, isChoice)
        (self.rows, self.sample) = (rows, sample)
    }
}
