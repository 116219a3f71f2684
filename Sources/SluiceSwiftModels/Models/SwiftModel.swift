package import SluiceModel
package import SluiceSwift

/// What an entity of pipelines is as a Swift struct.
package struct SwiftModel: Sendable, Hashable {
    /// An enum of its own for the values that a field lists.
    package struct Enumeration: Sendable, Hashable {
        /// A case.
        package struct Case: Sendable, Hashable {
            /// The name, without backticks.
            package let name: String
            /// The stored value.
            package let value: String
        }

        /// The type's name.
        package let name: String
        /// In the order of the file.
        package let cases: [Case]
    }

    /// What a property leads to.
    package struct Reference: Sendable, Hashable {
        /// The model's type.
        package let target: String
        /// The property on the other side; nil where there is none.
        package var inverse: String?
        /// `nullify`, `cascade` or `deny`.
        package var deleteRule: String
        /// The table of pairs; nil where there is none, or the other side names it.
        package let via: String?
    }

    /// A place in a pipeline.
    package struct Place: Sendable, Hashable {
        /// The file.
        package let file: String
        /// The line; nil for the file as a whole.
        package let line: Int?
    }

    /// A property.
    package struct Property: Sendable, Hashable {
        /// The name, without backticks.
        package let name: String
        /// The type without the sign that makes it optional.
        package var type: String
        /// Whether it may be nil.
        package var isOptional: Bool
        /// Whether it is a constant.
        package var isConstant: Bool
        /// The name in the store.
        package let storeName: String
        /// The column; nil for what has none.
        package let column: String?
        /// The type of what the column holds; nil for what has none.
        package let fieldType: FieldType?
        /// Where the source's JSON has it; nil where nothing says it.
        package var json: String?
        /// The initial value as Swift has it; nil where there is none.
        package var initialValue: String?
        package var isIdentifier = false
        package var isUnique = false
        /// How it is merged, where that is not the usual way.
        package var rules: MergeRules = [:]
        /// The enum of its values; nil where it has none.
        package var enumeration: Enumeration?
        /// What it leads to; nil for a value.
        package var reference: Reference?
        /// What a configuration says of it.
        package var rule = SwiftPropertyRule()
        /// The field of the pipeline; nil for what no field fills.
        package let field: String?
        /// The line of the first pipeline's file that says its type; nil where none does.
        package var line: Int?

        /// Whether it leads to several records.
        package var isToMany: Bool { reference != nil && column == nil }
    }

    /// What a pipeline calls an entity.
    package struct EntityName: Sendable, Hashable {
        /// The pipeline's file.
        package let file: String
        package let name: String
    }

    /// The entity's name.
    package let entity: String
    /// The type's name.
    package let type: String
    /// The table.
    package let table: String
    /// The files of the pipelines that fill it, in their order; empty where it is read from a store.
    package let sources: [String]
    /// In the order in which they are declared.
    package var properties: [Property]
    /// Groups of names of properties whose values together are unique.
    package var unique: [[String]]
    /// Whether a configuration says the type's name.
    package var hasNameByRule = false
    /// What each pipeline calls the entities that fill the table; empty where it is read from a store.
    package var entityNames: [EntityName] = []
    /// How its records are merged, where that is not the usual way.
    package var rules: MergeRules = [:]
    /// The columns that a configuration has the struct leave out.
    package var skippedColumns: [String] = []
    /// Whether a hash of all values identifies a record, in a column that no property has.
    package var isIdentifiedByContent = false

    /// The properties that identify a record.
    package var identifiers: [Property] { properties.filter(\.isIdentifier) }

    /// The places in the pipelines that fill it.
    package var places: [Place] { sources.map { Place(file: $0, line: nil) } }

    /// The places in the pipelines that say what a property is.
    package func places(of property: Property) -> [Place] {
        sources.enumerated().map { index, file in Place(file: file, line: index == 0 ? property.line : nil) }
    }

    /// The property of a column, whatever the case of its letters.
    package func property(ofColumn column: String) -> Property? {
        properties.first { $0.column.map { ColumnName.areSame($0, column) } ?? false }
    }
}

/// What a struct does not say of a field or an entity, although the pipeline does.
package struct SwiftModelNote: Sendable, Hashable {
    /// The file of the pipeline; empty where there is none.
    package let file: String
    /// The entity.
    package let entity: String
    /// The field; nil where it is about the entity.
    package let field: String?
    /// What is not said, and why: a sentence.
    package let message: String
}
