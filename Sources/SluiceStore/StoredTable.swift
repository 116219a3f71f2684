package import SluiceModel

/// A table of a store as the database has it, and what the store knows of its columns.
package struct StoredTable: Sendable {
    /// Why a store knows a table.
    package enum Role: String, Sendable {
        /// Streams fill it, or filled it.
        case records
        /// Its rows are pairs of records.
        case links
        /// Other tables refer to it, and nothing fills it.
        case target
    }

    /// A stream that fills the table.
    package struct Source: Sendable, Hashable {
        package let mapping: RecordMapping
        /// Whether rows of records that are gone are marked as deleted and stay.
        package let deletesSoftly: Bool

        /// Makes a source.
        package init(mapping: RecordMapping, deletesSoftly: Bool) {
            (self.mapping, self.deletesSoftly) = (mapping, deletesSoftly)
        }
    }

    /// A field that fills a column.
    package struct Field: Sendable, Hashable {
        package let mapping: RecordMapping
        package let name: String
        package let type: FieldType
        /// What is kept of its values, where they must not appear in clear.
        package let redaction: FieldRedaction?
        /// The values that an `enum` may have, in order; nil where they are not known or must not appear in clear.
        package let values: [String]?

        /// Makes a field.
        package init(
            mapping: RecordMapping, name: String, type: FieldType, redaction: FieldRedaction?, values: [String]? = nil
        ) {
            (self.mapping, self.name, self.type) = (mapping, name, type)
            (self.redaction, self.values) = (redaction, redaction == nil ? values : nil)
        }
    }

    /// Where a column's values come from.
    package enum Origin: Sendable, Hashable {
        case fields([Field])
        /// Fields that the pipelines no longer have: what they left stands.
        case given([Field])
        /// A key that a reference holds in a table of links, or leads to, by the reference's name.
        case link(String)
        /// It says when a row was marked as deleted, or which run did it.
        case mark
        /// People added it.
        case own
    }

    /// A column.
    package struct Column: Sendable {
        package let name: String
        /// The type as the table declares it; empty where it declares none.
        package let type: String
        /// The position in the primary key, from 1; nil for other columns.
        package let keyPosition: Int?
        /// Whether it takes no null.
        package let isRequired: Bool
        package let origin: Origin

        /// Makes a column.
        package init(name: String, type: String, keyPosition: Int?, isRequired: Bool, origin: Origin) {
            (self.name, self.type, self.keyPosition) = (name, type, keyPosition)
            (self.isRequired, self.origin) = (isRequired, origin)
        }
    }

    /// What leads to rows of another table.
    package struct Reference: Sendable {
        /// Its name in the pipeline; nil for one that no pipeline names.
        package let name: String?
        /// The columns that hold it; none where another table does.
        package let columns: [String]
        package let target: String
        /// The columns of the target; none where the table does not say them.
        package let targetColumns: [String]
        /// The table that holds the pairs, where it leads to several records.
        package let link: String?
        /// What becomes of a record that is not there; nil for a reference that no pipeline names.
        package let rule: RecordReference.DanglingRule?
        /// Whether the database itself holds it, as a foreign key.
        package let isForeignKey: Bool

        /// Makes a reference.
        package init(
            name: String?, columns: [String], target: String, targetColumns: [String], link: String? = nil,
            rule: RecordReference.DanglingRule? = nil, isForeignKey: Bool
        ) {
            (self.name, self.columns, self.target, self.targetColumns) = (name, columns, target, targetColumns)
            (self.link, self.rule, self.isForeignKey) = (link, rule, isForeignKey)
        }
    }

    package let name: String
    package let role: Role
    /// What fills it; of a table of links what fills its owner.
    package let sources: [Source]
    /// In the order of the table; none where the table is not there.
    package let columns: [Column]
    /// The columns that streams filled and that are missing; none where the whole table is.
    package var missing: [String] = []
    /// The tables of its links that are missing.
    package var missingLinks: [String] = []
    /// Groups of columns whose values together are unique, besides the primary key.
    package let unique: [[String]]
    package let references: [Reference]

    /// Makes a table.
    package init(
        name: String, role: Role, sources: [Source], columns: [Column], unique: [[String]], references: [Reference]
    ) {
        (self.name, self.role, self.sources) = (name, role, sources)
        (self.columns, self.unique, self.references) = (columns, unique, references)
    }
}
