package import SluiceModel

/// A table as another program made it, and what a pipeline that adopts it can say of it.
package struct AdoptableTable: Sendable {
    /// A column that a field can fill.
    package struct Column: Sendable {
        package let name: String
        /// The type as the table declares it; empty where it declares none.
        package let declared: String
        /// The type of a field that adoption accepts for it.
        package let type: FieldType
        /// Whether it takes no null.
        package let isNotNull: Bool
        /// What the table gives a row that says nothing, as SQL; nil for null.
        package let defaultSQL: String?
        /// Whether values are stored as a source sends them, so that references can be followed by them.
        package let keepsSentForm: Bool

        /// Makes a column.
        package init(
            name: String, declared: String, type: FieldType, isNotNull: Bool, defaultSQL: String?, keepsSentForm: Bool
        ) {
            (self.name, self.declared, self.type) = (name, declared, type)
            (self.isNotNull, self.defaultSQL, self.keepsSentForm) = (isNotNull, defaultSQL, keepsSentForm)
        }
    }

    /// A column that no field can fill.
    package struct OtherColumn: Sendable {
        package let name: String
        /// Why, as the end of a sentence that begins with the column.
        package let reason: String

        /// Makes a column.
        package init(name: String, reason: String) { (self.name, self.reason) = (name, reason) }
    }

    /// Columns that tell every two rows apart.
    package struct Key: Sendable, Equatable {
        package let columns: [String]
        /// Whether it is the table's PRIMARY KEY; else a unique index.
        package let isPrimary: Bool
        /// Whether rows may have nulls there, which identify none.
        package let takesNull: Bool

        /// Makes a key.
        package init(columns: [String], isPrimary: Bool, takesNull: Bool) {
            (self.columns, self.isPrimary, self.takesNull) = (columns, isPrimary, takesNull)
        }
    }

    /// Columns that lead to a row of another table.
    package struct ForeignKey: Sendable {
        package let columns: [String]
        package let target: String
        /// The columns of the target; none where the table means the target's primary key.
        package let targetColumns: [String]

        /// Makes a foreign key.
        package init(columns: [String], target: String, targetColumns: [String]) {
            (self.columns, self.target, self.targetColumns) = (columns, target, targetColumns)
        }
    }

    /// The name as the database has it.
    package let name: String
    /// In the order of the table.
    package let columns: [Column]
    package let otherColumns: [OtherColumn]
    /// What can identify records, the best first.
    package let keys: [Key]
    /// Groups of columns whose values together are unique, besides the first of ``keys``.
    package let unique: [[String]]
    package let foreignKeys: [ForeignKey]
    /// Why no pipeline can adopt it, as parts of a sentence; none where one can.
    package let problems: [String]

    /// Makes a table.
    package init(
        name: String, columns: [Column], otherColumns: [OtherColumn], keys: [Key], unique: [[String]],
        foreignKeys: [ForeignKey], problems: [String]
    ) {
        (self.name, self.columns, self.otherColumns) = (name, columns, otherColumns)
        (self.keys, self.unique, self.foreignKeys, self.problems) = (keys, unique, foreignKeys, problems)
    }

    /// The column of a name, whatever the case of its letters; nil where no field can fill one.
    package func column(_ name: String) -> Column? { columns.first { ColumnName.areSame($0.name, name) } }
}

/// The tables of a database that may be no store yet; nothing of it is changed.
package protocol AdoptableTables {
    /// The names of the tables that a pipeline may adopt, in order.
    ///
    /// - Throws: ``StoreError``.
    func names() throws -> [String]

    /// What a name stands for, whatever the case of its letters.
    ///
    /// - Throws: ``StoreError``.
    func find(_ name: String) throws -> AdoptableFinding
}

/// What a name stands for in a database.
package enum AdoptableFinding: Sendable {
    case table(AdoptableTable)
    /// Something that no pipeline fills, with what it is, as in `a view`.
    case other(String)
    case nothing
}
